/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints for people the costs of a machine's messages, the times that threads
 * of its runtimes take for them, and how messages find their receives. */
#include "cli/notes.h"
#include "cli/show_platform.h"
#include "platforms/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *const *keys, const char *key)
{
    while (keys && *keys && strcmp(*keys, key) != 0)
        keys++;
    return keys && *keys;
}

/* Returns whether a value differs from the one of a key that is left out. */
static bool key_is_shown(const struct key_table *table, const struct key *k,
                         const void *of, char *text, size_t size)
{
    char other[64];

    if (!key_text(k, of, text, size))
        return false;
    if (k->as && key_text(key_find(table, k->as), of, other, sizeof other))
        return strcmp(text, other) != 0;
    if (k->initial == 0)
        return true;
    snprintf(other, sizeof other, "%g", k->initial);
    return strcmp(text, other) != 0;
}

void show_platform_values(const struct key_table *table, const void *of,
                          unsigned in_case, const char *under,
                          const char *const *columns, struct notes *notes)
{
    char text[120], name[120];

    for (size_t i = 0; i < table->n; i++) {
        const struct key *k = &table->rows[i];
        bool others =
            k->needed && k->needed != KEY_ALWAYS && !(k->needed & in_case);
        if (!key_allowed(k, in_case) || others || is_among(columns, k->key) ||
            !key_is_shown(table, k, of, text, sizeof text))
            continue;
        snprintf(name, sizeof name, "%s%s", under, k->key);
        notes_value(notes, name, key_source(table, k, of), "%s", text);
    }
}

char *show_platform_line(const struct key_table *table, const void *of,
                         const char *const *columns)
{
    char *line = xstrdup(""), text[120];

    for (size_t i = 0; i < table->n; i++) {
        const struct key *k = &table->rows[i];
        if (is_among(columns, k->key) ||
            !key_is_shown(table, k, of, text, sizeof text))
            continue;
        char *more =
            xasprintf("%s%s%s %s", line, *line ? ", " : "", k->key, text);
        free(line);
        line = more;
    }
    return line;
}

void show_platform_columns(const struct key_table *table, const void *of,
                           const char *const *columns)
{
    printf("   ");
    for (; *columns; columns++) {
        const struct key *k = key_find(table, *columns);
        int width = (int)strlen(*columns), least = k->kind == KEY_WORD ? 10 : 8;
        char text[64];
        if (!of)
            snprintf(text, sizeof text, "%s", *columns);
        else if (!key_text(k, of, text, sizeof text) && k->kind == KEY_BYTES)
            snprintf(text, sizeof text, "any");
        printf(k->kind == KEY_WORD ? " %-*s" : " %*s",
               width < least ? least : width, text);
    }
}

/* --- messages ------------------------------------------------------------- */

#define SEGMENT_KEY(member) KEY_OF(segment_keys, struct segment, member)
#define SEGMENT_COLUMNS                                                        \
    ((const char *const[]){                                                    \
        SEGMENT_KEY(protocol), SEGMENT_KEY(up_to_B), SEGMENT_KEY(alpha_s),     \
        SEGMENT_KEY(beta_s_per_B), SEGMENT_KEY(send_s), SEGMENT_KEY(recv_s),   \
        SEGMENT_KEY(send_s_per_B), SEGMENT_KEY(recv_s_per_B), NULL})

/* Names the NIC of a message that leaves the node, if the file chooses it. */
static const char *chosen_nic(const struct machine *m, const struct segment *s)
{
    if (s->nic == NIC_OF_NODES)
        return "by_nodes";
    return s->nic == NIC_OF_SOCKET ? "" : machine_nic(m, (unsigned)s->nic)->id;
}

/* Prints a row, and below it the costs that have no column. */
static void print_segment(const struct machine *m, const struct segment *s,
                          struct notes *notes)
{
    char *rest = show_platform_line(&segment_keys, s, SEGMENT_COLUMNS);
    const char *nic = chosen_nic(m, s);

    show_platform_columns(&segment_keys, s, SEGMENT_COLUMNS);
    printf("  [%zu]\n", notes_number(notes, s->source));
    if (*rest || *nic)
        printf("        %s%s%s%s\n", rest, *rest && *nic ? ", " : "",
               *nic ? "nic " : "", nic);
    free(rest);
}

static void show_platform_print_table(const struct machine *m, enum runtime r,
                                      enum msg_path p, enum locality w,
                                      struct notes *notes)
{
    const struct message_table *t = &m->messages[r][p][w];

    printf("  %s%s%s %s", r == RUNTIME_MPI ? "" : runtime_names[r],
           r == RUNTIME_MPI ? "" : " ", msg_path_names[p], locality_names[w]);
    if (t->other_rack_source)
        printf(", other_rack_us %g [%zu]", t->other_rack_s * 1e6,
               notes_number(notes, t->other_rack_source));
    printf("\n");
    for (size_t i = 0; i < t->nsegments; i++)
        print_segment(m, &t->segments[i], notes);
}

void show_platform_messages(const struct machine *m, struct notes *notes)
{
    printf("\nmessages: alpha + beta * bytes; of these the CPUs of the sender "
           "and the receiver\nare busy with send and recv\n");
    show_platform_columns(&segment_keys, NULL, SEGMENT_COLUMNS);
    printf("\n");
    for (enum runtime r = 0; r < NRUNTIMES; r++)
        for (enum msg_path p = 0; p < NPATHS; p++)
            for (enum locality w = 0; w < NLOCALITIES; w++)
                if (m->messages[r][p][w].nsegments)
                    show_platform_print_table(m, r, p, w, notes);
    printf("  GPUDirect %s: device-aware messages are %s\n",
           m->gpudirect ? "on" : "off", msg_path_names[machine_gpu_path(m)]);
}

/* Prints the times that threads take for a message under a runtime with a
 * communication thread. */
void show_platform_runtime(const struct machine *m, enum runtime by,
                           struct notes *notes)
{
    const struct runtime_costs *c = &m->costs[by];

    if (!c->source)
        return;
    printf("\nruntime %s: the time of a process's threads for a message\n",
           runtime_names[by]);
    show_platform_values(&runtime_costs_keys, c, 1u << by, "", NULL, notes);
    if (by == RUNTIME_MPI_RMA && c->epoch == EPOCH_PSCW)
        notes_value(notes, "epoch", NULL, "%s", rma_epoch_names[c->epoch]);
    if (by != RUNTIME_MPI_RMA)
        notes_value(notes, "exhaustion", NULL, "%s",
                    c->exhaustion_fails ? "error" : "wait");
}

void show_platform_matching(const struct matching *l, struct notes *notes)
{
    if (l->engine == MATCHER_NONE)
        return;
    printf("\nmatching of messages and receives: %s%s%s\n",
           matcher_names[l->engine], l->name ? ", as " : "",
           l->name ? l->name : "");
    for (int i = 0; i < NFORBIDDEN; i++)
        if (l->forbids >> i & 1)
            notes_value(notes, "forbids", NULL, "%s", forbidden_names[i]);
    show_platform_values(&matching_keys, l, 1u << l->engine, "",
                         (const char *const[]){"preset", NULL}, notes);
}

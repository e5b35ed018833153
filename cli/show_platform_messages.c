/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints for people the costs of a machine's messages, the times that threads
 * of its runtimes take for them, and how messages find their receives. */
#include "cli/notes.h"
#include "cli/show_platform.h"
#include "platforms/machine.h"

#include <stdio.h>

const char *show_platform_limit(uint64_t bytes, char *buf, size_t size)
{
    if (bytes == UINT64_MAX)
        snprintf(buf, size, "any");
    else
        snprintf(buf, size, "%llu B", (unsigned long long)bytes);
    return buf;
}

/* Names the NIC of a message that leaves the node, if the file chooses it. */
static const char *chosen_nic(const struct machine *m, const struct segment *s)
{
    if (s->nic == NIC_OF_NODES)
        return "NIC by nodes";
    return s->nic == NIC_OF_SOCKET ? "" : machine_nic(m, (unsigned)s->nic)->id;
}

/* Prints the costs that only many messages show, on a line of their own. */
static void print_among_many(const struct segment *s)
{
    if (s->other_peer_s <= 0 && s->copies <= 0 && s->extra_B <= 0 &&
        s->uncached_s_per_B <= 0 && !s->self_copies)
        return;
    printf("\n%15s", "");
    if (s->other_peer_s > 0)
        printf("  from another peer %.4g us more", s->other_peer_s * 1e6);
    if (s->copies > 0)
        printf("  copied %g times", s->copies);
    if (s->extra_B > 0)
        printf("  with %g B more", s->extra_B);
    if (s->uncached_s_per_B > 0)
        printf("  in no cache %.4g ns/B more", s->uncached_s_per_B * 1e9);
    if (s->self_copies)
        printf("  to itself %.4g us %.4g ns/B", s->self_s * 1e6,
               s->self_s_per_B * 1e9);
}

static void print_segment(const struct machine *m, const struct segment *s,
                          struct notes *notes)
{
    const char *nic = chosen_nic(m, s);
    char up_to[32];

    printf("    %-10s %9s %8.5g us %9.4g ns/B  %6.3g %6.3g  %6.3g %6.3g  "
           "[%zu]",
           protocol_names[s->protocol],
           show_platform_limit(s->up_to_B, up_to, sizeof up_to),
           s->alpha_s * 1e6, s->beta_s_per_B * 1e9, s->send_s * 1e6,
           s->recv_s * 1e6, s->send_s_per_B * 1e9, s->recv_s_per_B * 1e9,
           notes_number(notes, s->source));
    if (*nic)
        printf("  only %s", nic);
    if (s->mover == MOVED_BY_RECEIVER)
        printf("  moved by receiver");
    if (segment_gets(s))
        printf("  get");
    if (s->buffer_free == FREE_ACKNOWLEDGED)
        printf("  ack %.3g", s->ack_s * 1e6);
    else if (s->buffer_free != FREE_BY_PROTOCOL)
        printf("  %s", s->buffer_free == FREE_AT_ONCE ? "buffer free at once"
                                                      : "free with the bytes");
    if (s->gap_s > 0)
        printf("  gap %.4g us", s->gap_s * 1e6);
    print_among_many(s);
    printf("\n");
}

static void show_platform_print_table(const struct machine *m, enum runtime r,
                                      enum msg_path p, enum locality w,
                                      struct notes *notes)
{
    const struct message_table *t = &m->messages[r][p][w];

    printf("  %s%s%s %s", r == RUNTIME_MPI ? "" : runtime_names[r],
           r == RUNTIME_MPI ? "" : " ", msg_path_names[p], locality_names[w]);
    if (t->other_rack_source)
        printf(", another rack adds %g us [%zu]", t->other_rack_s * 1e6,
               notes_number(notes, t->other_rack_source));
    printf("\n");
    for (size_t i = 0; i < t->nsegments; i++)
        print_segment(m, &t->segments[i], notes);
}

void show_platform_messages(const struct machine *m, struct notes *notes)
{
    printf("\nmessages: alpha + beta * bytes; time of the sender's and "
           "receiver's CPU in us,\nand in ns/B; match: of alpha, what comes "
           "after it; ack: after the bytes, in us\n");
    printf("    %-10s %9s %11s %14s  %6s %6s  %6s %6s\n", "protocol", "up to",
           "alpha", "beta", "send", "recv", "send", "recv");
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
    const char *key;
    double value;

    if (!c->source)
        return;
    printf("\nruntime %s: what the threads of a process take for a message\n",
           runtime_names[by]);
    for (size_t i = 0; runtime_cost(c, by, i, &key, &value); i++)
        if (value != 0)
            notes_value(notes, key, c->source, "%g", value);
    if (by == RUNTIME_MPI_RMA)
        notes_value(notes, "epoch", NULL, "%s", rma_epoch_names[c->epoch]);
    else
        notes_value(notes, "exhaustion", NULL, "%s",
                    c->exhaustion_fails ? "error" : "wait");
}

void show_platform_matching(const struct matching *l, struct notes *notes)
{
    const char *key;
    double value;

    if (l->engine == MATCHER_NONE)
        return;
    printf("\nmatching of messages and receives: %s%s%s\n",
           matcher_names[l->engine], l->name ? ", as " : "",
           l->name ? l->name : "");
    for (int i = 0; i < NFORBIDDEN; i++)
        if (l->forbids >> i & 1)
            notes_value(notes, "forbids", NULL, "%s", forbidden_names[i]);
    for (size_t i = 0; matching_number(l, i, &key, &value); i++)
        notes_value(notes, key, l->source, "%g", value);
}

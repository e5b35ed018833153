/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the group of a measured row: its kind, and all columns that differ
 * between rows and are not simulated. */
#include "validate/measure/measured_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that define no experiment: the measured values, their number, and the
 * job. */
static const char repeats[] =
    "machine mpi run run_id iterations rows outlier noise steps gpus ranks "
    "time_s time_per_step_s time_median_s time_min_s time_p10_s time_p90_s "
    "time_max_s";

static bool word_among(const char *words, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = words; *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");
        if (n == len && !strncmp(at, word, n))
            return true;
        at += n;
    }
    return false;
}

/* A '/' is replaced, because it separates the levels of a group. */
static void append_clean(char *to, size_t room, const char *text)
{
    size_t used = strlen(to);

    for (; *text && used + 1 < room; text++)
        to[used++] =
            *text == '/' || isspace((unsigned char)*text) ? '_' : *text;
    to[used] = 0;
}

/* Appends the parts of a text between ';'. It leaves out "default", which means
 * that nothing was changed, and for experiments with and without MPS the parts
 * that say so. */
static void append_parts(char *to, size_t room, const char *text, bool mps)
{
    size_t before = strlen(to);

    while (*text) {
        size_t n = strcspn(text, ";");
        char *part = xasprintf("%.*s", (int)n, text);
        if (strcmp(part, "default") != 0 &&
            !(mps && (!strcmp(part, "MPS_on") || !strcmp(part, "MPS_off")))) {
            append_clean(to, room, strlen(to) > before ? ";" : "");
            append_clean(to, room, part);
        }
        free(part);
        text += n + (text[n] == ';');
    }
}

static void name_apart(struct measured_point *p, const struct csv *t,
                       size_t row, const char *simulated)
{
    bool mps = word_among(simulated, "mps");

    for (size_t c = 0; c < t->ncols; c++) {
        char text[sizeof p->apart] = "";
        if (word_among(repeats, t->names[c]) ||
            word_among(simulated, t->names[c]) ||
            /* It applies only to pairs on one socket, because others are in two
             * domains. */
            (!strcmp(t->names[c], "same_numa") &&
             !cell_is(t, row, "locality", "on_socket")))
            continue;
        append_parts(text, sizeof text, t->cells[row * t->ncols + c], mps);
        if (!*text)
            continue;
        append_clean(p->apart, sizeof p->apart, *p->apart ? "," : "");
        append_clean(p->apart, sizeof p->apart, t->names[c]);
        append_clean(p->apart, sizeof p->apart, "=");
        append_clean(p->apart, sizeof p->apart, text);
    }
}

bool mpi_is(const char *platform, const char *measured)
{
    size_t len = strlen(platform);

    /* A version may follow: cray-mpich-8.1.30. */
    return !*measured || !strcmp(measured, "none") ||
           (!strncmp(platform, measured, len) &&
            (!measured[len] || measured[len] == '-'));
}

void measured_name(struct measured_point *p, const struct csv *t, size_t row,
                   const struct measured_kind *kind, const struct machine *m)
{
    const char *mpi = csv_text(t, row, "mpi");
    size_t first = strcspn(p->group, "/");

    name_apart(p, t, row, kind->simulated);
    append_clean(p->mpi, sizeof p->mpi, mpi ? mpi : "");
    p->other_mpi = !mpi_is(m->mpi ? m->mpi : "", p->mpi);
    snprintf(p->name, sizeof p->name, "%.*s%s%s%s%s%s%s", (int)first, p->group,
             p->other_mpi ? " [" : "", p->other_mpi ? p->mpi : "",
             p->other_mpi ? "]" : "", p->group + first, *p->apart ? "/" : "",
             p->apart);
}

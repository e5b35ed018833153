/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a request with the ranges that were measured on its machine. */
#include "study/advise/extrapolates.h"

#include "study/advise/beyond.h"
#include "study/advise/model_error.h"

#include <stdio.h>
#include <string.h>

/* Returns the largest number of ranks of a node that sent or received bytes. */
static unsigned busy_ranks(const struct outcome *o, unsigned nodes)
{
    uint32_t per_node = nodes ? o->nends / nodes : 0;
    unsigned most = 0;

    for (uint32_t node = 0; node < nodes; node++) {
        unsigned busy = 0;
        for (uint32_t i = 0; i < per_node; i++) {
            const struct traffic *t = &o->ends[node * per_node + i];
            busy += t->sent_B > 0 || t->received_B > 0;
        }
        most = busy > most ? busy : most;
    }
    return most;
}

struct answered answered_by(const struct job *j, const struct outcome *list,
                            size_t n)
{
    struct answered a = {.nodes = j->load.nodes,
                         .ranks_per_node = j->load.ranks_per_node};

    for (size_t i = 0; i < n; i++) {
        const struct outcome *o = &list[i];
        if (o->why || o->graph)
            continue;
        if (o->report.largest_B > a.largest_B)
            a.largest_B = o->report.largest_B;
        if (o->ends && busy_ranks(o, a.nodes) > a.ranks_per_node)
            a.ranks_per_node = busy_ranks(o, a.nodes);
    }
    return a;
}

void extrapolates(char words[EXTRAPOLATES_ROOM], const struct machine *m,
                  const struct answered *a)
{
    struct measured_ranges r = m->measured;

    for (size_t i = 0; i < nmodel_errors; i++) {
        const struct model_error_row *row = &model_errors[i];
        if (strcmp(row->machine, m->machine) != 0)
            continue;
        measured_widen(&r.nodes, row->least_nodes, row->most_nodes);
        measured_widen(&r.bytes, row->least_B, row->most_B);
    }
    *words = 0;
    if (!r.nodes.most) {
        snprintf(words, EXTRAPOLATES_ROOM,
                 "no range of what was measured on %s is known", m->name);
        return;
    }
    extrapolates_add(words, EXTRAPOLATES_ROOM, "nodes", a->nodes, r.nodes);
    extrapolates_add(words, EXTRAPOLATES_ROOM, "bytes", a->largest_B, r.bytes);
    extrapolates_add(words, EXTRAPOLATES_ROOM, "ranks per node",
                     a->ranks_per_node, r.ranks_per_node);
}

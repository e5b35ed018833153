/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a byte with different tags to one rank, whose receives are posted
 * in the order of the sends or backwards. */
#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <string.h>

static int matching_row(struct measured_point *out, struct row *r,
                        struct err *err)
{
    static const char *const places[] = {"on_numa", "on_socket", "on_node",
                                         "off_node", NULL};
    static const char *const orders[] = {"in_order", "reversed", NULL};
    const struct machine *m = r->m;
    struct experiment *x = &out->x;
    const char *where, *order;
    const struct csv *t = r->t;

    x->bytes = 1;
    if (cell_word(t, r->row, "locality", places, &where, err) < 0 ||
        cell_word(t, r->row, "receive_order", orders, &order, err) < 0 ||
        cell_small(t, r->row, "messages", &x->messages, err) < 0)
        return -1;
    if (!x->messages)
        return fail(err, "%s:%u: messages: expected at least 1, got 0", t->path,
                    t->lines[r->row]);
    x->reversed = !strcmp(order, orders[1]);
    x->two_nodes = !strcmp(where, "off_node");
    if (!strcmp(where, "on_numa"))
        x->core[1] = 1;
    else if (!strcmp(where, "on_socket"))
        x->core[1] = machine_socket(m, 0)->cores - 1;
    else if (!strcmp(where, "on_node"))
        x->core[1] = machine_socket_core(m, m->nsockets - 1);
    if (x->two_nodes ? m->network.nodes < 2
                     : !x->core[1] || x->core[1] >= m->ncores)
        return leave_out(r, "%s has no two such ranks: %s", m->name, where);
    snprintf(out->group, sizeof out->group, "matching/%s/%s", order, where);
    snprintf(out->label, sizeof out->label, "%u messages", x->messages);
    return 0;
}

/* Makes rank 0 send n messages with different tags to a rank that has posted
 * their receives, in the same or in reverse order. */
static int matching_plan(struct plan *p, const struct machine *m,
                         const struct experiment *x, struct err *err)
{
    if (experiment_needs(m, x->core[1], 0, false, err) < 0)
        return -1;
    experiment_all_cores(p, m, "matching", x->two_nodes ? 2 : 1);
    uint32_t to = (x->two_nodes ? m->ncores : 0) + x->core[1];
    for (unsigned i = 0; i < x->messages; i++)
        plan_recv(p, PHASE_OFF_NODE, to, 0,
                  x->reversed ? x->messages - 1 - i : i, x->bytes);
    for (unsigned i = 0; i < x->messages; i++)
        plan_send(p, PHASE_OFF_NODE, 0, to, i, x->bytes);
    return 0;
}

const struct benchmark matching_benchmark = {
    .file = {.name = "matching",
             .columns = {"receive_order", "messages"},
             .time = "time_s",
             .read = matching_row,
             .simulated = "locality receive_order messages"},
    .plan = matching_plan,
};

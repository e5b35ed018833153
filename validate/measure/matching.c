/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a byte with different tags to one rank, whose receives are posted
 * in the order of the sends or backwards. */
#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <string.h>

static const char *const orders[] = {"in_order", "reversed", NULL};

static int matching_row(struct measured_point *out, struct row *r,
                        struct err *err)
{
    static const char *const places[] = {"on_numa", "on_socket", "on_node",
                                         "off_node", NULL};
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

/* Makes a rank send n messages with different tags to another, which has posted
 * their receives, in the same or in reverse order. All come after `before`
 * (NO_OP for none). */
static void matching_candidate(struct plan *p, const struct experiment *x,
                               uint32_t from, uint32_t to,
                               const uint32_t before[2])
{
    for (unsigned i = 0; i < x->messages; i++) {
        plan_recv(p, PHASE_OFF_NODE, to, from,
                  x->reversed ? x->messages - 1 - i : i, x->bytes);
        if (before)
            plan_after(p, before[0]);
    }
    for (unsigned i = 0; i < x->messages; i++) {
        plan_send(p, PHASE_OFF_NODE, from, to, i, x->bytes);
        if (before)
            plan_after(p, before[1]);
    }
}

/* Adds nothing to do for a rank once it has sent, or received, the first n
 * messages, which is as if it waits for them. */
static uint32_t matching_wait(struct plan *p, const struct experiment *x,
                              uint32_t rank, bool sent)
{
    uint32_t work = plan_work(p, rank, 0);

    for (unsigned i = 0; i < x->messages; i++)
        plan_after(p, sent * x->messages + i);
    return work;
}

static int matching_plan(struct plan *p, const struct machine *m,
                         const struct experiment *x, struct err *err)
{
    if (experiment_needs(m, x->core[1], 0, false, err) < 0)
        return -1;
    experiment_all_cores(p, m, "matching", x->two_nodes ? 2 : 1);
    uint32_t to = (x->two_nodes ? m->ncores : 0) + x->core[1];
    matching_candidate(p, x, 0, to, NULL);
    if (x->iteration) {
        uint32_t sent = matching_wait(p, x, 0, true);
        uint32_t received = matching_wait(p, x, to, false);
        matching_candidate(p, x, to, 0, (uint32_t[]){sent, received});
    }
    return 0;
}

/* --- points of sluice-native ---------------------------------------------- */

/* Measures rank 0 with the last rank of each locality, because neighbours may
 * share a cache. */
static void matching_sweep(const struct sweep *s)
{
    unsigned first, last;

    for (int w = 0; w < NSWEEP_LOCALITIES; w++) {
        sweep_partners(s, sweep_localities[w], &first, &last);
        for (unsigned k = 0; k < 2 && last; k++) {
            struct experiment x = sweep_pair(s, 0, last);
            x.reversed = k;
            x.bytes = 1;
            for (uint64_t n = s->sizes.from; n <= s->sizes.to;
                 n *= s->sizes.factor) {
                x.messages = (unsigned)n;
                sweep_point(s, &x, "%s,%s,%u", sweep_localities[w], orders[k],
                            x.messages);
            }
        }
    }
}

static const char *const matching_notes[] = {
    "n messages of 1 byte with tags 0 to n-1 by MPI_Isend to one rank and "
    "as many back; in_order: receives posted in the order of the sends; "
    "reversed: backwards, so that each match walks the queue; all other "
    "ranks sleep",
    "time_s is ONE-WAY, of all n: elapsed/(2*iterations), maximum over the "
    "two ranks; one row a batch, after two that do not count",
    NULL};

static const struct benchmark_command matching_commands[] = {
    {.name = "matching",
     .summary = "messages whose receives are posted in order or backwards",
     .about = "n messages of one byte between two ranks, with receives in "
              "their order and backwards, on a socket, a node and two "
              "nodes.\n",
     .measured = "matching: messages of one byte, receives in order and "
                 "backwards",
     .notes = matching_notes,
     .columns = "locality,receive_order,messages",
     .sizes = {1, 4u << 10},
     .sized = "messages",
     .host = true,
     .sweep = matching_sweep},
    {0}};

const struct benchmark matching_benchmark = {
    .file = {.name = "matching",
             .columns = {"receive_order", "messages"},
             .time = "time_s",
             .read = matching_row,
             .simulated = "locality receive_order messages"},
    .plan = matching_plan,
    .commands = matching_commands,
    .round_trip = true,
};

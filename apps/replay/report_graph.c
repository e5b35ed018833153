/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the time of the ranks of a graph, whose operations overlap and have
 * no order but their dependencies: a rank waits while it does nothing. */
#include "apps/replay/report_parts.h"

#include "sim/transport/transport.h"

#include <math.h>
#include <stdlib.h>

/* --- busy CPUs ------------------------------------------------------------ */

static struct occupancies message_cpu(const struct machine *m,
                                      const struct plan *p, const struct op *o)
{
    const struct transport *by = transports[p->runtime];
    const struct segment *s = machine_segment(m, p->runtime, plan_path(m, o),
                                              plan_locality(p, m, o), o->bytes);

    return s && by->progress ? by->progress(s, o->bytes)
                             : (struct occupancies){0};
}

int replay_busy_of(struct replay_busy of[2], const struct machine *m,
                   const struct plan *p, const struct exec_result *x,
                   uint32_t op)
{
    const struct op *o = &p->ops[op], *message = o;
    const struct op_times *at = &x->ops[op];
    int n = 0;

    if (o->kind == OP_RECV) {
        if (x->partner[op] == NO_OP)
            return 0;
        message = &p->ops[x->partner[op]];
    } else if (!plan_sends(o)) {
        of[0] = (struct replay_busy){o->src, at->start_s, at->end_s};
        return 1;
    }
    struct occupancies cpu = message_cpu(m, p, message);
    if (o->kind != OP_RECV)
        of[n++] = (struct replay_busy){
            o->src, at->start_s, at->start_s + cpu.send.s + cpu.send.hidden_s};
    if (o->kind != OP_SEND)
        of[n++] =
            (struct replay_busy){o->dst, at->end_s - cpu.recv.s, at->end_s};
    return n;
}

/* --- graphs --------------------------------------------------------------- */

static int by_rank_and_start(const void *a, const void *b)
{
    const struct replay_busy *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->from_s < y->from_s ? -1 : x->from_s > y->from_s;
}

/* Adds to each rank's time the time that any of the spans covers. */
static void add_covered(struct replay_times *t, const struct plan *p,
                        struct replay_busy *of, size_t n, bool computing)
{
    double until_s = 0;

    if (n)
        qsort(of, n, sizeof *of, by_rank_and_start);
    for (size_t i = 0; i < n; i++) {
        struct replay_rank_times *k =
            &t->rank[plan_origin_rank(p->origin, of[i].rank)];
        if (i == 0 || of[i].rank != of[i - 1].rank)
            until_s = 0;
        double new_s = fmax(0, of[i].to_s - fmax(of[i].from_s, until_s));
        *(computing ? &k->computing_s : &k->messages_s) += new_s;
        until_s = fmax(until_s, of[i].to_s);
    }
}

void replay_graph_times(struct replay_times *t, const struct machine *m,
                        const struct plan *p, const struct exec_result *x)
{
    struct replay_busy *of = xmalloc(2 * p->nops * sizeof *of + 1);
    size_t n = 0;

    for (uint32_t r = 0; r < t->ranks; r++)
        t->rank[r].computing_s = 0;
    for (uint32_t op = 0; op < p->nops; op++)
        if (p->ops[op].kind == OP_WORK)
            n += (size_t)replay_busy_of(of + n, m, p, x, op);
    add_covered(t, p, of, n, true);
    for (uint32_t op = 0; op < p->nops; op++)
        if (p->ops[op].kind != OP_WORK)
            n += (size_t)replay_busy_of(of + n, m, p, x, op);
    add_covered(t, p, of, n, false);
    for (uint32_t r = 0; r < t->ranks; r++) {
        struct replay_rank_times *k = &t->rank[r];
        double busy_s = fmin(k->messages_s, k->end_s); /* time of all spans */
        k->messages_s = fmax(0, busy_s - k->computing_s);
        k->waiting_s = k->transfer_s[REPLAY_OTHER] =
            fmax(0, k->end_s - k->computing_s - k->messages_s);
    }
    free(of);
}

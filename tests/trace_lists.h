/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_lists.h - the queues of a trace with clocks, computed plainly: all
 * sends and receives sorted by time, and lists searched from their beginning.
 * It looks only at the world's communicator. */
#ifndef TESTS_TRACE_LISTS_H
#define TESTS_TRACE_LISTS_H

#include "base/err.h"
#include "workloads/trace/trace.h"

#include <stdlib.h>
#include <string.h>

struct list_op {
    double begin_s;
    uint32_t rank, peer, tag;
    bool recv;
    size_t order; /* number in its rank */
};

struct list_queue {
    struct list_op *ops;
    size_t n, room;
};

struct list_queues {
    struct list_queue umq, prq;
    size_t umq_most, prq_most, unexpected;
};

static inline int list_op_order(const void *a, const void *b)
{
    const struct list_op *x = a, *y = b;

    if (x->begin_s != y->begin_s)
        return x->begin_s < y->begin_s ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static inline void list_add(struct list_queue *q, struct list_op op)
{
    if (q->n == q->room) {
        q->room = q->room ? 2 * q->room : 16;
        q->ops = xrealloc(q->ops, q->room, sizeof *q->ops);
    }
    q->ops[q->n++] = op;
}

static inline bool list_fits(struct list_op recv, struct list_op send)
{
    return (recv.peer == ANY_RANK || recv.peer == send.rank) &&
           (recv.tag == ANY_TAG || recv.tag == send.tag);
}

/* Removes the first fitting entry of the list; returns false if there is
 * none. */
static inline bool list_take(struct list_queue *q, struct list_op op)
{
    for (size_t i = 0; i < q->n; i++)
        if (op.recv ? list_fits(op, q->ops[i]) : list_fits(q->ops[i], op)) {
            memmove(&q->ops[i], &q->ops[i + 1],
                    (q->n - i - 1) * sizeof *q->ops);
            q->n--;
            return true;
        }
    return false;
}

static inline void list_do(struct list_queues *l, struct list_op op)
{
    if (list_take(op.recv ? &l->umq : &l->prq, op))
        return;
    list_add(op.recv ? &l->prq : &l->umq, op);
    l->unexpected += !op.recv;
    l->umq_most = l->umq.n > l->umq_most ? l->umq.n : l->umq_most;
    l->prq_most = l->prq.n > l->prq_most ? l->prq.n : l->prq_most;
}

/* Returns the queues of each rank; ends the program if the trace cannot be
 * read. */
static inline struct list_queues *list_queues(struct trace *t)
{
    struct list_queues *all = xcalloc(t->ranks, sizeof *all);
    struct list_queue ops = {0};
    struct trace_event e;
    struct err err;
    int got = 0;

    for (uint32_t r = 0; r < t->ranks && got == 0; r++) {
        double last = 0;
        got = trace_rewind(t, r, &err);
        while (got == 0 && (got = trace_next(t, r, &e, &err)) > 0) {
            got = 0;
            if (e.begin_s > last)
                last = e.begin_s;
            if ((e.call != TRACE_SEND && e.call != TRACE_RECV) ||
                e.peer == NO_PEER || e.comm != TRACE_WORLD)
                continue;
            list_add(&ops, (struct list_op){last, r, e.peer, e.tag,
                                            e.call == TRACE_RECV, ops.n});
        }
    }
    if (got < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    if (ops.n)
        qsort(ops.ops, ops.n, sizeof *ops.ops, list_op_order);
    for (size_t i = 0; i < ops.n; i++)
        list_do(&all[ops.ops[i].recv ? ops.ops[i].rank : ops.ops[i].peer],
                ops.ops[i]);
    free(ops.ops);
    return all;
}

static inline void list_queues_free(struct list_queues *all, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++) {
        free(all[r].umq.ops);
        free(all[r].prq.ops);
    }
    free(all);
}

#endif

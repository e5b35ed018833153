/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simultaneous messages between the GPUs of a node, as sluice-native measures
 * them. */
#include "validate/measure/gpu_messages.h"

#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 6, WARM_UP = 2 };

const char *const gpu_flow_names[NGPU_FLOWS] = {"pairs", "ring", "out", "in",
                                                "all"};
const char *const gpu_part_names[NGPU_PARTS] = {"queue", "copy", "message",
                                                "event", "pull"};

bool gpu_flows(enum gpu_flow flow, unsigned ranks, unsigned from, unsigned to)
{
    if (from == to || from >= ranks || to >= ranks)
        return false;
    switch (flow) {
    case FLOW_PAIRS:
        return from / 2 == to / 2;
    case FLOW_RING:
        return to == (from + 1) % ranks;
    case FLOW_OUT:
        return from == 0;
    case FLOW_IN:
        return to == 0;
    case FLOW_ALL:
    case NGPU_FLOWS:
        break;
    }
    return true;
}

/* --- the plan ------------------------------------------------------------- */

/* Adds the messages of rank `from` to all that it sends to; last[r] is the
 * newest message that r sent. The messages of the round before are those from
 * begin to end - 1. */
static void send_round(struct plan *p, const struct machine *m,
                       const struct experiment *x, unsigned from,
                       uint32_t *last, uint32_t begin, uint32_t end)
{
    bool first = true;

    for (unsigned k = 1; k < x->ranks; k++) {
        unsigned to = (from + k) % x->ranks;
        if (!gpu_flows(x->flow, x->ranks, from, to))
            continue;
        uint32_t op = plan_msg(p, PHASE_ON_NODE, from, to, from % m->ngpus,
                               to % m->ngpus, x->bytes);
        if (last[from] != NO_OP)
            plan_after(p, last[from] | AFTER_SENT);
        for (uint32_t i = begin; i < end && first; i++)
            if (p->ops[i].dst == from)
                plan_after(p, i);
        first = false;
        last[from] = op;
    }
}

/* Makes a plan of rounds of x->ranks ranks of a node, on the GPUs in turn: a
 * rank sends its messages one after the other, to the next rank first, and
 * begins a round once its own messages of the round before have been
 * received. */
static int gpu_messages_plan(struct plan *p, const struct machine *m,
                             const struct experiment *x, struct err *err)
{
    uint32_t begin = 0, end = 0;

    if (x->ranks > m->ncores)
        return fail(err, "%s has %u cores, too few for %u ranks", m->name,
                    m->ncores, x->ranks);
    uint32_t *last = xcalloc(x->ranks, sizeof *last);
    for (unsigned r = 0; r < x->ranks; r++)
        last[r] = NO_OP;
    plan_init(p, m, "gpu messages", 1, x->ranks, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned from = 0; from < x->ranks; from++)
            send_round(p, m, x, from, last, begin, end);
        begin = end;
        end = (uint32_t)p->nops;
    }
    free(last);
    return 0;
}

/* Returns the time at which the last of the first `rounds` rounds is over. */
static double end_of(const struct plan *p, const struct op_times *ops,
                     int rounds)
{
    size_t n = p->nops / ROUNDS * (size_t)rounds;
    double end_s = 0;

    for (size_t i = 0; i < n; i++)
        end_s = ops[i].end_s > end_s ? ops[i].end_s : end_s;
    return end_s;
}

/* Returns the time of a round. */
static double gpu_messages_measure(const struct plan *p,
                                   const struct op_times *ops)
{
    return (end_of(p, ops, ROUNDS) - end_of(p, ops, WARM_UP)) /
           (ROUNDS - WARM_UP);
}

/* --- rows ----------------------------------------------------------------- */

/* Checks the GPUs: ranks are on them in turn, or on one GPU that the machine's
 * GPUs represent. */
static int check_gpus(struct row *r, const struct experiment *x, unsigned gpus)
{
    const struct machine *m = r->m;
    unsigned own = m->ngpus < x->ranks ? m->ngpus : x->ranks;

    if (gpus == own || (gpus == 1 && m->copies.gpus_are_one && own == x->ranks))
        return 0;
    return leave_out(r, "%u ranks had %u GPUs, of %s they have %u", x->ranks,
                     gpus, m->name, own);
}

static int gpu_messages_row(struct measured_point *out, struct row *r,
                            struct err *err)
{
    struct experiment *x = &out->x;
    unsigned flow, part, gpus;

    x->gpu = true;
    if (cell_name(r->t, r->row, "flow", gpu_flow_names, NGPU_FLOWS, &flow,
                  err) < 0 ||
        cell_name(r->t, r->row, "part", gpu_part_names, NGPU_PARTS, &part,
                  err) < 0 ||
        cell_small(r->t, r->row, "ranks", &x->ranks, err) < 0 ||
        cell_small(r->t, r->row, "gpus", &gpus, err) < 0 ||
        csv_count(r->t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    x->flow = (enum gpu_flow)flow;
    if (part != GPU_PART_MESSAGE)
        return leave_out(r, "%s: what a message is made of, no message",
                         gpu_part_names[part]);
    if (x->ranks < 2)
        return leave_out(r, "ranks: expected 2 or more, got %u", x->ranks);
    int got = check_gpus(r, x, gpus);
    if (got)
        return got;
    x->mps_off = !row_mps(r);
    snprintf(out->group, sizeof out->group, "gpu_messages/%s/%s",
             x->mps_off ? "MPS_off" : "MPS_on", gpu_flow_names[flow]);
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B", x->ranks,
             (unsigned long long)x->bytes);
    return 0;
}

const struct benchmark gpu_messages_benchmark = {
    .file = {.name = "gpu_messages",
             .columns = {"flow", "part", "gpus"},
             .time = "time_s",
             .read = gpu_messages_row,
             .simulated = "flow part ranks gpus bytes mps",
             .gpus = true},
    .plan = gpu_messages_plan,
    .measure = gpu_messages_measure,
    .mps = true,
};

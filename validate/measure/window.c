/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of messages between pairs of ranks, as OSU's bw, bibw and mbw_mr send
 * them: a window at once, then a short answer. */
#include "validate/measure/benchmark.h"
#include "validate/measure/pairs.h"

/* Windows of a run; the first are left out, because they fill the pipelines. */
enum { WINDOWS = 4, WARM_UP = 1, ANSWER_B = 4 };

/* Both ends of a pair as ranks and GPUs of the plan. */
struct ends {
    uint32_t rank[2], gpu[2];
};

/* Sets the ends of pair k: the same place of two nodes, or the two halves of
 * the ranks of one. */
static int window_ends(struct ends *e, const struct machine *m,
                       const struct experiment *x, unsigned k, struct err *err)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned local = x->two_nodes ? k : k + i * x->pairs;
        unsigned node = x->two_nodes ? i : 0;
        if (experiment_needs(m, local, local, x->gpu, err) < 0)
            return -1;
        unsigned core = x->gpu ? machine_gpu_core(m, local) : local;
        e->rank[i] = node * m->ncores + core;
        e->gpu[i] = x->gpu ? node * m->ngpus + local : NO_GPU;
    }
    return 0;
}

/* Adds a window from one end, which begins after `before` (NO_OP: at once), and
 * returns its last message. */
static uint32_t window_add(struct plan *p, const struct experiment *x,
                           const struct ends *e, unsigned from,
                           const uint32_t *before)
{
    uint32_t op = NO_OP;

    for (unsigned i = 0; i < x->messages; i++) {
        op = plan_msg(p, PHASE_OFF_NODE, e->rank[from], e->rank[!from],
                      e->gpu[from], e->gpu[!from], x->bytes);
        for (unsigned k = 0; k < 2; k++)
            if (before[k] != NO_OP)
                plan_after(p, before[k]);
    }
    return op;
}

/* Adds the short answer of an end to the windows that it received. */
static uint32_t window_answer(struct plan *p, const struct experiment *x,
                              const struct ends *e, unsigned from,
                              uint32_t last)
{
    uint32_t op = plan_msg(p, PHASE_SCATTER, e->rank[from], e->rank[!from],
                           NO_GPU, NO_GPU, ANSWER_B);

    for (unsigned i = 0; i < x->messages; i++)
        plan_after(p, last - i);
    return op;
}

static int window_plan(struct plan *p, const struct machine *m,
                       const struct experiment *x, struct err *err)
{
    if (!x->messages || !x->pairs)
        return fail(err, "no messages");
    experiment_all_cores(p, m, "window", x->two_nodes ? 2 : 1);
    for (unsigned k = 0; k < x->pairs; k++) {
        struct ends e;
        uint32_t before[2] = {NO_OP, NO_OP};
        if (window_ends(&e, m, x, k, err) < 0)
            return -1;
        for (unsigned w = 0; w < WINDOWS; w++) {
            uint32_t there = window_add(p, x, &e, 0, before);
            uint32_t back =
                x->both_ways ? window_add(p, x, &e, 1, before) : NO_OP;
            before[0] = window_answer(p, x, &e, 1, there);
            if (back != NO_OP)
                before[1] = window_answer(p, x, &e, 0, back);
        }
    }
    return 0;
}

/* Returns the end of the last of a block's answers. */
static double block_end(const struct op_times *ops, size_t block, size_t n,
                        size_t answers)
{
    double end = 0;

    for (size_t i = n - answers; i < n; i++)
        if (ops[block + i].end_s > end)
            end = ops[block + i].end_s;
    return end;
}

/* Returns the time of a message: that of a window, divided by its messages.
 * The phase tells answers from messages. Each pair has WINDOWS equal blocks:
 * the messages of one or both ends, then as many answers. */
static double window_measure(const struct plan *p, const struct op_times *ops)
{
    size_t messages = 0, answers;
    double worst = 0;

    while (p->ops[messages].phase == PHASE_OFF_NODE)
        messages++;
    answers = p->ops[messages + 1].phase == PHASE_OFF_NODE ? 1 : 2;
    size_t n = messages + answers, of_one = messages / answers;
    for (size_t i = 0; i < p->nops; i += WINDOWS * n) {
        double took = block_end(ops, i + (WINDOWS - 1) * n, n, answers) -
                      block_end(ops, i + (WARM_UP - 1) * n, n, answers);
        if (took > worst)
            worst = took;
    }
    return worst / (WINDOWS - WARM_UP) / (double)of_one;
}

const struct benchmark window_benchmark = {
    .file = {.name = "window"},
    .plan = window_plan,
    .measure = window_measure,
    .alone_s = pairs_alone_s,
};

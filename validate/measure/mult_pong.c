/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rank sends n blocking messages to n ranks of another node, which
 * answer. */
#include "validate/measure/benchmark.h"

#include <stdio.h>

/* --- the plan ------------------------------------------------------------- */

/* Makes rank 0 send n blocking messages to ranks 0 to n - 1 of the other node,
 * which answer, and then receive the answers one after the other; on GPUs all
 * buffers are on GPU 0 of each node. */
static int mult_pong_plan(struct plan *p, const struct machine *m,
                          const struct experiment *x, struct err *err)
{
    if (x->messages == 0 ||
        experiment_needs(m, x->messages ? x->messages - 1 : 0, 0, x->gpu, err) <
            0)
        return x->messages ? -1 : fail(err, "no messages");
    experiment_all_cores(p, m, "mult_pong", 2);
    uint32_t gpu_a = x->gpu ? 0 : NO_GPU, gpu_b = x->gpu ? m->ngpus : NO_GPU;
    for (unsigned i = 0; i < x->messages; i++) {
        uint32_t op = plan_msg(p, PHASE_OFF_NODE, 0, m->ncores + i, gpu_a,
                               gpu_b, x->bytes);
        if (i)
            plan_after(p, (op - 1) | AFTER_SENT);
    }
    for (unsigned i = 0; i < x->messages; i++) {
        uint32_t op = plan_msg(p, PHASE_OFF_NODE, m->ncores + i, 0, gpu_b,
                               gpu_a, x->bytes);
        plan_after(p, i);
        plan_posted_after(p, i ? op - 1 : (x->messages - 1) | AFTER_SENT);
    }
    return 0;
}

/* Returns half of the round, as BenchPress prints it. */
static double mult_pong_measure(const struct plan *p,
                                const struct op_times *ops)
{
    double end = 0;

    for (size_t i = 0; i < p->nops; i++)
        if (ops[i].end_s > end)
            end = ops[i].end_s;
    return end / 2;
}

/* --- rows ----------------------------------------------------------------- */

/* Returns whether the total is divided over the messages (split form). The head
 * says so, because the rows of either form have both sizes. */
static bool is_split(const struct csv *t)
{
    return head_says(t, "split");
}

static int mult_pong_row(struct measured_point *out, struct row *r,
                         struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    uint64_t total;

    x->other_rack =
        cell_is(t, r->row, "same_rack", "0") || racks_of_run(t, r->row) > 1;
    if (cell_is(t, r->row, "in_bounds", "0"))
        return leave_out(r, "in_bounds is 0: beyond the program's buffer");
    if (cell_device(t, r->row, &x->gpu, err) < 0 ||
        cell_small(t, r->row, "messages", &x->messages, err) < 0 ||
        csv_count(t, r->row, "bytes_per_message", &x->bytes, err) < 0 ||
        csv_count(t, r->row, "total_bytes", &total, err) < 0)
        return -1;
    if (!x->messages)
        return fail(err, "%s:%u: messages: expected at least 1, got 0", t->path,
                    t->lines[r->row]);
    if (r->m->network.nodes < 2 || x->messages > r->m->ncores ||
        (x->gpu && !r->m->ngpus))
        return leave_out(r, "%s has not %u ranks on another node", r->m->name,
                         x->messages);
    snprintf(out->group, sizeof out->group, "%s/%s",
             is_split(t) ? "mult_pong_split" : "mult_pong",
             x->gpu ? "gpu" : "cpu");
    snprintf(out->label, sizeof out->label, "%u messages of %llu B%s",
             x->messages, (unsigned long long)x->bytes, rack(x));
    if (is_split(t)) {
        snprintf(out->decision, sizeof out->decision,
                 "mult_pong_split, %s, %llu B%s", x->gpu ? "gpu" : "cpu",
                 (unsigned long long)total, rack(x));
        snprintf(out->choice, sizeof out->choice, "%u messages", x->messages);
    }
    return 0;
}

const struct benchmark mult_pong_benchmark = {
    .file = {.name = "mult_pong",
             .columns = {"messages", "in_bounds"},
             .time = "time_s",
             .read = mult_pong_row,
             .simulated = "device messages bytes_per_message total_bytes "
                          "in_bounds same_rack"},
    .plan = mult_pong_plan,
    .measure = mult_pong_measure,
};

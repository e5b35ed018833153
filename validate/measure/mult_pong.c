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

/* --- points of sluice-native ---------------------------------------------- */

enum { ELEMENT = 4 };

/* Measures messages of the sizes, or (split) parts of them. */
static void mult_pong_points(const struct sweep *s, bool split)
{
    for (uint64_t size = s->sizes.from; size <= s->sizes.to;
         size = sizes_next(&s->sizes, size))
        for (unsigned n = 1; n <= s->most; n++) {
            const struct experiment x = {
                .iteration = true,
                .gpu = s->gpu,
                .messages = n,
                .bytes = split ? size / ELEMENT / n * ELEMENT : size};
            if (!split || x.bytes >= ELEMENT)
                sweep_point(s, &x, "%s,%u,1,%llu,%llu", sweep_device(s), n,
                            (unsigned long long)x.bytes,
                            (unsigned long long)(split ? size : n * x.bytes));
        }
}

static void mult_pong_sweep(const struct sweep *s)
{
    mult_pong_points(s, false);
}

static void mult_pong_split_sweep(const struct sweep *s)
{
    mult_pong_points(s, true);
}

static const char *const mult_pong_notes[] = {
    "rank 0 of node 0 sends blocking messages to ranks 0 to messages-1 of "
    "node 1, then receives their answers, of as many bytes, in the same "
    "order; all other ranks sleep",
    "time_s is ONE-WAY: elapsed/(2*iterations), maximum over all active "
    "ranks; one row a batch, after two that do not count",
    "in_bounds is always 1: every message has room of its own; gpu "
    "buffers are all on GPU 0 of their node",
    NULL};

#define MULT_PONG_COMMAND                                                      \
    .notes = mult_pong_notes,                                                  \
    .columns = "device,messages,in_bounds,bytes_per_message,total_bytes",      \
    .same_rack = true, .sizes = {ELEMENT, 512u << 10}, .between = true,        \
    .most = "messages", .most_help = "at most N messages (ranks of a node)",   \
    .two_nodes = true

static const struct benchmark_command mult_pong_commands[] = {
    {MULT_PONG_COMMAND, .name = "mult_pong",
     .summary = "messages from one rank to several of another node",
     .about = "One rank sends n messages of --sizes to ranks 0 to n-1 of "
              "another node, and gets n answers; the time is half of that.\n",
     .measured = "mult_pong: messages from one rank to n of another node, and "
                 "back",
     .sweep = mult_pong_sweep},
    {MULT_PONG_COMMAND, .name = "mult_pong_split",
     .summary = "the same with one message split over them",
     .about = "One rank sends n messages, each a share of --sizes, to ranks 0 "
              "to n-1 of another node, and gets n answers; the time is half of "
              "that.\n",
     .measured = "mult_pong_split: total_bytes from one rank to n of another "
                 "node, 4*floor(total_bytes/4/n) in each message, and back",
     .sweep = mult_pong_split_sweep},
    {0}};

const struct benchmark mult_pong_benchmark = {
    .file = {.name = "mult_pong",
             .columns = {"messages", "in_bounds"},
             .time = "time_s",
             .read = mult_pong_row,
             .simulated = "device messages bytes_per_message total_bytes "
                          "in_bounds same_rack"},
    .plan = mult_pong_plan,
    .measure = mult_pong_measure,
    .commands = mult_pong_commands,
    .round_trip = true,
    .one_buffer = true,
};

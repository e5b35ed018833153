/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of collectives by a library's own choice. */
#include "validate/measure/library_call.h"

#include "sim/plan/exec.h"
#include "strategies/collective/libraries/library.h"
#include "validate/measure/benchmark.h"
#include "validate/measure/call.h"

#include <math.h>
#include <stdlib.h>

/* library_call_plan() refuses a call with more messages and copies than this.
 */
enum { MOST_PLAN_FLOWS = 1000000 };

/* Returns how many messages and copies all steps have. */
static uint64_t loop_flows(const struct loop *l)
{
    uint64_t flows = 0;

    for (unsigned part = 0; part <= l->nmore; part++)
        flows +=
            (uint64_t)loop_part_steps(l, part) * plan_flows(loop_body(l, part));
    return flows * loop_alike(l);
}

/* Keeps the time and the most utilised link, and frees the rest. */
static void keep_result(struct library_call *r, struct exec_result *x)
{
    r->time_s = x->time_s;
    if (x->nlinks) {
        r->link = x->links[0];
        r->used = r->link.bytes / r->link.bandwidth_Bps / r->time_s;
    }
    exec_result_clear(x);
}

static int run_steps(struct library_call *r, const struct machine *m,
                     const struct loop *l, const struct exec_options *o,
                     struct err *err)
{
    struct exec_result result;

    if (exec_loop(&result, m, l, o, EXEC_LINKS, err) < 0)
        return -1;
    result.time_s = fmax(result.time_s, l->body.calls_s);
    keep_result(r, &result);
    return 0;
}

static int run_plan(struct library_call *r, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, const struct exec_options *o,
                    struct err *err)
{
    struct exec_result result;
    struct plan plan;

    if (collective_plan(&plan, m, a, NULL, c, err) < 0)
        return -1;
    int failed = exec_plan(&result, m, &plan, o, EXEC_LINKS, err);
    plan_clear(&plan);
    if (failed < 0)
        return -1;
    keep_result(r, &result);
    return 0;
}

/* Finds the choice of the library; fails if there is no plan of it. */
static int library_call_choose(struct library_choice *choice,
                               const struct machine *m,
                               const struct collective *c, struct err *err)
{
    const struct collective_library *library = library_of(m, c->memory);

    *choice = library_choose(library, m, c);
    if (!choice->theirs)
        return fail(err, "%s has no %s on %s", library->name,
                    collective_kind_names[c->kind], m->name);
    if (!choice->ours)
        return fail(err, "no plan of %s, which %s takes", choice->theirs,
                    library->name);
    return 0;
}

/* Makes the plan of a call; fails if it has too many operations for one, which
 * library_call_run() does not need. */
static int library_call_plan(struct plan *p, const struct machine *m,
                             const struct experiment *x, struct err *err)
{
    const struct collective c = experiment_call(x);
    struct library_choice choice;
    struct loop loop;

    if (library_call_choose(&choice, m, &c, err) < 0)
        return -1;
    int steps = collective_loop(&loop, m, choice.ours, &c, err);
    if (steps < 0)
        return -1;
    bool large = steps == 0 && loop_flows(&loop) > MOST_PLAN_FLOWS;
    if (steps == 0)
        loop_clear(&loop);
    if (large)
        return fail(err, "%s: too many messages for a plan", choice.theirs);
    return collective_plan(p, m, choice.ours, NULL, &c, err);
}

static int run_algorithm(struct library_call *r, const struct machine *m,
                         const struct collective_algorithm *a,
                         const struct collective *c,
                         const struct exec_options *o, struct err *err)
{
    struct loop loop;
    int steps = collective_loop(&loop, m, a, c, err);

    if (steps < 0)
        return -1;
    bool long_one =
        steps == 0 && (a->make_loop || loop_flows(&loop) > AUTO_EXACT);
    int result = long_one ? run_steps(r, m, &loop, o, err)
                          : run_plan(r, m, a, c, o, err);
    if (steps == 0)
        loop_clear(&loop);
    return result;
}

int library_call_run(struct library_call *r, const struct machine *m,
                     const struct experiment *x, const struct exec_options *o,
                     struct err *err)
{
    const struct collective c = experiment_call(x);
    struct library_choice choice;

    if (library_call_choose(&choice, m, &c, err) < 0)
        return -1;
    *r = (struct library_call){.algorithm = choice.theirs};
    return run_algorithm(r, m, choice.ours, &c, o, err);
}

/* --- the baseline --------------------------------------------------------- */

/* Returns the sum of the rates of the wires of GPU 0, those to sockets or the
 * others. */
static double gpu_rate(const struct machine *m, bool to_sockets)
{
    unsigned gpu = (unsigned)(machine_gpu(m, 0) - m->devices);
    double rate = 0;

    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        unsigned far = w->ends[0] == gpu ? w->ends[1] : w->ends[0];
        if (w->ends[0] != gpu && w->ends[1] != gpu)
            continue;
        enum device_kind kind = m->devices[far].kind;
        if (kind != DEVICE_NIC && (kind == DEVICE_SOCKET) == to_sockets)
            rate += w->specified_Bps > 0 ? w->specified_Bps : w->bandwidth_Bps;
    }
    return rate;
}

/* Returns the peak rate at which a rank sends to others of its node; 0 if it is
 * not known, as of hosts, whose memory is no wire. */
static double peak_on_node(const struct machine *m, const struct experiment *x)
{
    if (!x->gpu || !m->ngpus)
        return 0;
    double rate = gpu_rate(m, false);
    return rate > 0 ? rate : gpu_rate(m, true);
}

static double peak_of_node(const struct machine *m)
{
    const struct network *n = &m->network;

    return n->bandwidth_Bps * (n->topology == TOPOLOGY_RAILS ? n->rails : 1);
}

static double bus_bytes(const struct collective *c, uint32_t ranks)
{
    double others = (double)(ranks - 1) / ranks, bytes = (double)c->bytes;

    return c->kind == COLLECTIVE_ALLREDUCE   ? 2 * others * bytes
           : c->kind == COLLECTIVE_BROADCAST ? bytes
           : c->kind == COLLECTIVE_REDUCE    ? bytes
                                             : others * bytes;
}

static double empty_message_s(const struct machine *m,
                              const struct experiment *x)
{
    const struct segment *s = machine_segment(
        m, RUNTIME_MPI, x->gpu ? machine_gpu_path(m) : PATH_HOST,
        x->nodes > 1 ? OFF_NODE : ON_NODE, 0);

    return s ? segment_alone_s(s, 0) : 0;
}

double library_call_baseline(const struct machine *m,
                             const struct experiment *x)
{
    const struct collective c = experiment_call(x);
    double rate = peak_on_node(m, x);

    if (x->ranks < 2)
        return NAN;
    if (x->nodes > 1) {
        double node = peak_of_node(m);
        /* Only in an all-to-all all ranks of a node send the most to others. */
        if (c.kind == COLLECTIVE_ALLTOALL)
            node /= x->ranks_per_node;
        rate = rate > 0 && rate < node ? rate : node;
    }
    if (!(rate > 0))
        return NAN;
    return ceil(log2(x->ranks)) * empty_message_s(m, x) +
           bus_bytes(&c, x->ranks) / rate;
}

const struct benchmark library_call_benchmark = {
    .file = {.name = "library_call"},
    .plan = library_call_plan,
};

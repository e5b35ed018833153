/* SPDX-License-Identifier: GPL-3.0-or-later */
/* static_choice.c - a fixed number of the ranks of a GPU copy through the host,
 * the others by IPC (Faraji and Afsahi 2018, 5.2.1). The authors made a table
 * of the numbers by measuring each; here each number is simulated, with two
 * rounds on one node. */
#include "strategies/shared_gpu/copy_choice.h"

#include "sim/plan/exec.h"

#include <math.h>
#include <stdlib.h>

enum { TUNE_ROUNDS = 2 };

/* Plans a round in which the first `host` ranks after the leader copy through
 * the host. */
static void static_round(struct collective_build *b, unsigned host)
{
    uint32_t n = b->c->ranks_per_node;
    struct copy_choice *on = xcalloc(b->nodes, sizeof *on);
    uint32_t *done = xcalloc(n, sizeof *done);

    for (unsigned node = 0; node < b->nodes; node++) {
        struct copy_choice *c = &on[node];
        *c = choice_begin(b, node);
        for (uint32_t i = 1; i < n; i++) {
            uint32_t here =
                shared_flag(b, collective_rank(&c->comm, i), c->comm.first);
            done[i - 1] =
                choice_bring(c, i, i <= host ? SHARED_HOST : SHARED_IPC, here)
                    .there;
        }
        choice_sum(c, done, n - 1);
    }
    choice_between_nodes(b);
    for (unsigned node = 0; node < b->nodes; node++) {
        struct copy_choice *c = &on[node];
        c->since = shared_since(b, c->comm.first);
        for (uint32_t i = n - 1; i >= 1; i--)
            done[i - 1] =
                choice_fetch(c, i, i <= host ? SHARED_HOST : SHARED_IPC,
                             UINT32_MAX)
                    .there;
        choice_join(c, done, n - 1);
    }
    free(done);
    free(on);
}

static double static_time(const struct collective_build *b,
                          const struct collective_algorithm *a, unsigned host)
{
    struct collective c = *b->c;
    struct exec_result r;
    struct err err = {0};
    struct plan p;
    double time_s = INFINITY;

    c.bytes /= c.kind == COLLECTIVE_ALLGATHER ? c.nodes : 1;
    c.nodes = 1;
    c.ranks = 0;
    c.rounds = TUNE_ROUNDS;
    c.host_copies = 1 + host;
    c.pieces = false;
    c.moves = NULL;
    if (collective_plan(&p, b->m, a, NULL, &c, &err) < 0)
        return time_s;
    if (exec_plan(&r, b->m, &p, NULL, 0, &err) == 0)
        time_s = r.time_s;
    exec_result_clear(&r);
    plan_clear(&p);
    return time_s;
}

/* Plans with the number that is fastest; if several are, with the smallest. */
static void build_static(struct collective_build *b)
{
    const struct collective_algorithm *a = b->c->kind == COLLECTIVE_ALLREDUCE
                                               ? &static_allreduce_collective
                                               : &static_allgather_collective;
    unsigned best = 0;
    double best_s = INFINITY;

    b->p->of_costs = true;
    if (b->c->host_copies) {
        static_round(b, b->c->host_copies - 1);
        return;
    }
    for (unsigned host = 0; host < b->c->ranks_per_node; host++) {
        double time_s = static_time(b, a, host);
        if (time_s < best_s) {
            best_s = time_s;
            best = host;
        }
    }
    static_round(b, best);
}

static const char *static_refuses(const struct collective *c)
{
    const char *why = choice_refuses(c);

    if (!why && c->host_copies > c->ranks_per_node)
        return "more copies by way of the host than ranks";
    return why;
}

#define STATIC "of the ranks of a GPU some copy by IPC, some by way of the host"
const struct collective_algorithm static_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "static",
    .summary = STATIC,
    .refuses = static_refuses,
    .shared = true,
    .phases = {{.build = build_static}},
};
const struct collective_algorithm static_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "static",
    .summary = STATIC,
    .refuses = static_refuses,
    .shared = true,
    .phases = {{.build = build_static}},
};

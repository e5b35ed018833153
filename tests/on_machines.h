/* SPDX-License-Identifier: GPL-3.0-or-later */
/* on_machines.h - plans of messages on any machine, drawn by a seed: what the
 * tests of properties (monotone, limits, symmetry) look at on all platforms. */
#ifndef TESTS_ON_MACHINES_H
#define TESTS_ON_MACHINES_H

#include "base/random.h"
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"

#include <stdlib.h>

/* From a core and perhaps a GPU of node 0 to those of node `there`. */
struct between {
    unsigned there;
    unsigned core[2], gpu[2]; /* gpu: NO_GPU twice, or two of the node's */
};

static inline void between_message(struct plan *p, const struct machine *m,
                                   const struct between *b, uint64_t bytes)
{
    uint32_t gpu[2] = {NO_GPU, NO_GPU};

    if (b->gpu[0] != NO_GPU) {
        gpu[0] = b->gpu[0];
        gpu[1] = b->there * m->ngpus + b->gpu[1];
    }
    plan_msg(p, b->there ? PHASE_OFF_NODE : PHASE_ON_NODE, b->core[0],
             b->there * m->ncores + b->core[1], gpu[0], gpu[1], bytes);
}

/* A rank on every core of `nodes` nodes. */
static inline void cores_plan(struct plan *p, const struct machine *m,
                              unsigned nodes)
{
    plan_init(p, m, "drawn", nodes, m->ncores, NULL);
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
}

/* -1: the machine cannot carry it out. */
static inline int drawn_time(double *time_s, const struct machine *m,
                             const struct plan *p, enum engine_kind engine)
{
    struct exec_options o = exec_defaults;
    struct timed_plan timed = {p, NULL};
    struct err err = {0};

    o.engine = engine;
    o.accuracy = 0;
    return exec_times(time_s, m, &timed, 1, &o, &err);
}

/* NAN: the machine has no such messages. */
static inline double between_time(const struct machine *m,
                                  const struct between *b, uint64_t bytes,
                                  enum engine_kind engine)
{
    double time_s;
    struct plan p;

    cores_plan(&p, m, b->there + 1);
    between_message(&p, m, b, bytes);
    if (drawn_time(&time_s, m, &p, engine) < 0)
        time_s = NAN;
    plan_clear(&p);
    return time_s;
}

/* A core of the GPU's socket, of each of its GPUs another one where there are
 * as many: a rank that sends to itself does both CPUs' parts. */
static inline unsigned core_of_gpu(const struct machine *m, unsigned gpu)
{
    unsigned socket = machine_gpu(m, gpu)->socket, nth = 0, found = 0;

    for (unsigned g = 0; g < gpu; g++)
        nth += machine_gpu(m, g)->socket == socket;
    for (unsigned core = 0, of = 0; core < m->ncores && of <= nth; core++)
        if (machine_core_socket(m, core) == socket) {
            found = core;
            of++;
        }
    return found;
}

/* Two ends that differ, of hosts or of GPUs; they may be at one place where a
 * node has but one. */
static inline struct between draw_between(const struct machine *m,
                                          uint64_t *seed)
{
    struct between b = {.gpu = {NO_GPU, NO_GPU}};
    bool gpus = m->ngpus && random_below(seed, 2);

    b.there = m->network.nodes > 1 && random_below(seed, 2);
    unsigned n = gpus ? m->ngpus : m->ncores;
    unsigned first = (unsigned)random_below(seed, n);
    unsigned other =
        b.there || n < 2
            ? (unsigned)random_below(seed, n)
            : (first + 1 + (unsigned)random_below(seed, n - 1)) % n;
    b.core[0] = gpus ? core_of_gpu(m, first) : first;
    b.core[1] = gpus ? core_of_gpu(m, other) : other;
    if (gpus) {
        b.gpu[0] = first;
        b.gpu[1] = other;
    }
    return b;
}

static inline enum locality between_where(const struct machine *m,
                                          const struct between *b)
{
    struct plan p;

    cores_plan(&p, m, b->there + 1);
    between_message(&p, m, b, 1);
    enum locality where = plan_locality(&p, m, &p.ops[0]);
    plan_clear(&p);
    return where;
}

/* Calls `look` with every shipped platform. */
static inline void on_all_machines(void (*look)(const char *name,
                                                const struct machine *m,
                                                void *arg),
                                   void *arg)
{
    struct platform_list list;

    platform_list(&list);
    CHECK(list.n > 30);
    for (size_t i = 0; i < list.n; i++) {
        struct machine m;
        struct err err = {0};
        CHECK(platform_load(&m, list.entries[i].name, NULL, 0, &err) == 0);
        look(list.entries[i].name, &m, arg);
        machine_clear(&m);
    }
    platform_list_clear(&list);
}

#endif

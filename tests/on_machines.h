/* SPDX-License-Identifier: GPL-3.0-or-later */
/* on_machines.h - plans of messages on any machine, drawn by a seed: the inputs
 * of the tests of properties (monotone, limits, symmetry, independence) on all
 * platforms. */
#ifndef TESTS_ON_MACHINES_H
#define TESTS_ON_MACHINES_H

#include "base/random.h"
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "study/advise/parameters.h"
#include "tests/check.h"

#include <stdlib.h>

/* A message's ends: a core, and perhaps a GPU, of node 0 and of node
 * `there`. */
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

/* Begins a plan with a rank on every core of `nodes` nodes. */
static inline void cores_plan(struct plan *p, const struct machine *m,
                              unsigned nodes)
{
    plan_init(p, m, "drawn", nodes, m->ncores, NULL);
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
}

static inline struct exec_options drawn_options(enum engine_kind engine)
{
    struct exec_options o = exec_defaults;

    o.engine = engine;
    o.accuracy = 0;
    return o;
}

/* Simulates the plan; returns -1 if the machine cannot run it. */
static inline int drawn_time(double *time_s, const struct machine *m,
                             const struct plan *p, enum engine_kind engine)
{
    struct exec_options o = drawn_options(engine);
    struct timed_plan timed = {p, NULL};
    struct err err = {0};

    return exec_times(time_s, m, &timed, 1, &o, &err);
}

/* Simulates one message of each of n sizes; returns -1 if the machine has no
 * such messages. */
static inline int between_times(double *times_s, const struct machine *m,
                                const struct between *b, const uint64_t *bytes,
                                size_t n, enum engine_kind engine)
{
    struct exec_options o = drawn_options(engine);
    struct plan *plans = xcalloc(n, sizeof *plans);
    struct timed_plan *timed = xcalloc(n, sizeof *timed);
    struct err err = {0};

    for (size_t i = 0; i < n; i++) {
        cores_plan(&plans[i], m, b->there + 1);
        between_message(&plans[i], m, b, bytes[i]);
        timed[i].plan = &plans[i];
    }
    int result = exec_times(times_s, m, timed, n, &o, &err);
    for (size_t i = 0; i < n; i++)
        plan_clear(&plans[i]);
    free(timed);
    free(plans);
    return result;
}

/* Returns the time of one message; NAN if the machine has no such messages. */
static inline double between_time(const struct machine *m,
                                  const struct between *b, uint64_t bytes,
                                  enum engine_kind engine)
{
    double time_s;

    return between_times(&time_s, m, b, &bytes, 1, engine) < 0 ? NAN : time_s;
}

/* Returns a core of the GPU's socket, a different one for each of its GPUs if
 * there are enough, because a rank that sends to itself does both CPUs'
 * parts. */
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

/* Draws two different ends, of hosts or of GPUs; they may be in one place if a
 * node has only one. */
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

/* Looks at times of one message on a machine by an engine. */
typedef void between_look(const char *name, const struct machine *m,
                          const struct between *b, enum engine_kind engine);

/* Calls `look` with a message of every path and locality that the machine has,
 * of those that are drawn, by both engines. Returns how many it looked at by
 * SimGrid, which has no room for the largest networks. */
static inline unsigned on_all_kinds(const char *name, const struct machine *m,
                                    uint64_t *seed, between_look *look)
{
    bool seen[2][NLOCALITIES] = {{false}};
    unsigned by_simgrid = 0;

    for (unsigned tries = 0; tries < 48; tries++) {
        struct between b = draw_between(m, seed);
        bool *done = &seen[b.gpu[0] != NO_GPU][between_where(m, &b)];
        if (*done || isnan(between_time(m, &b, 1, ENGINE_FLUID)))
            continue;
        *done = true;
        look(name, m, &b, ENGINE_FLUID);
        if (isnan(between_time(m, &b, 1, ENGINE_SIMGRID)))
            continue;
        look(name, m, &b, ENGINE_SIMGRID);
        by_simgrid++;
    }
    return by_simgrid;
}

/* Messages of up to 16 MiB among the first two nodes, of those that the machine
 * has; `chained`: each begins as the one before has ended. */
static inline void draw_messages(struct plan *p, const struct machine *m,
                                 unsigned n, bool chained, uint64_t *seed)
{
    cores_plan(p, m, m->network.nodes < 2 ? 1 : 2);
    for (uint32_t i = 0, ops = 0; i < n; i++) {
        struct between b = draw_between(m, seed);
        if (isnan(between_time(m, &b, 1, ENGINE_FLUID)))
            continue;
        between_message(p, m, &b, UINT64_C(1) << random_below(seed, 25));
        if (chained && ops++)
            plan_after(p, ops - 2);
    }
}

/* A platform whose parameters are multiplied, each by its factor. */
struct varied {
    struct json *doc;
    struct parameters of;
    struct machine_maker maker;
    double *factors; /* one for each parameter, initially 1 */
};

static inline void varied_init(struct varied *v, const char *name)
{
    struct err err = {0};
    char *path = platform_path(name, &err);

    v->doc = platform_json(name, NULL, 0, &err);
    parameters_of(&v->of, v->doc, path);
    maker_init(&v->maker, &v->of);
    v->factors = xcalloc(v->of.n, sizeof *v->factors);
    for (size_t i = 0; i < v->of.n; i++)
        v->factors[i] = 1;
    free(path);
}

static inline void varied_clear(struct varied *v)
{
    free(v->factors);
    maker_clear(&v->maker);
    parameters_clear(&v->of);
    json_free(v->doc);
}

/* Returns the plan's time if only the i-th parameter is multiplied. */
static inline double varied_time(struct varied *v, size_t i, double factor,
                                 const struct plan *p, enum engine_kind engine)
{
    struct err err = {0};
    struct machine m;
    double time_s = NAN;

    v->factors[i] = factor;
    CHECK(maker_machine(&m, &v->maker, v->factors, &err) == 0);
    if (*err.text) {
        err_print(&err);
    } else {
        CHECK(drawn_time(&time_s, &m, p, engine) == 0);
        machine_clear(&m);
    }
    v->factors[i] = 1;
    return time_s;
}

/* Calls `look` with every shipped platform. */
static inline void on_all_machines(void (*look)(const char *name,
                                                const struct machine *m))
{
    struct platform_list list;

    platform_list(&list);
    CHECK(list.n > 30);
    for (size_t i = 0; i < list.n; i++) {
        struct machine m;
        struct err err = {0};
        CHECK(platform_load(&m, list.entries[i].name, NULL, 0, &err) == 0);
        look(list.entries[i].name, &m);
        machine_clear(&m);
    }
    platform_list_clear(&list);
}

/* Returns the number of draws that a test makes on a machine: its argument, or
 * the number that is enough for every day. */
static inline unsigned draws_of(int argc, char **argv, unsigned enough)
{
    return argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : enough;
}

#endif

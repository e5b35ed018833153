/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number of a machine that changes by a millionth changes no time by more
 * than a thousandth, so no mode depends on two numbers that happen to be equal.
 * This is tested on all platforms, with workloads that are drawn and, for some,
 * both engines; the argument is the number of workloads per platform (3). */
#include "base/random.h"
#include "platforms/platform.h"
#include "sim/network/node_ways.h"
#include "strategies/advise/parameters.h"
#include "strategies/run/job_again.h"
#include "tests/check.h"

#include <stdlib.h>

#define CHANGE 1e-6
#define MOST 1e-3

static uint64_t seed = 7;

static unsigned below(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* Known discontinuities that are right. */
static const struct {
    const char *way, *parameter; /* parts of their names */
    const char *why;
} known[] = {
    {"", "messages.gpu.on_",
     "copies between GPUs: which of two that come at the same instant an "
     "engine "
     "takes first decides who waits"},
    {"pairwise", "messages.cpu.",
     "pairwise exchanges: of messages that come at the same instant a CPU "
     "takes "
     "one first, and who that is decides who waits"},
    {"ring", "messages.cpu.",
     "rings: what comes to a CPU as it sends on is taken before or after"},
};

/* Returns why a discontinuity is right; NULL if it is not known. */
static const char *known_why(const char *way, const char *parameter)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(way, known[i].way) && strstr(parameter, known[i].parameter))
            return known[i].why;
    return NULL;
}

/* --- workloads ------------------------------------------------------------ */

/* Words with places for a number of bytes and a seed. */
static const char *const of_gpus[] = {
    "alltoallv:mean=%u,spread=0.5,seed=%u",
    "random:rows=2000,row_nnz=%u,seed=%u",
};
static const char *const of_hosts[] = {
    "random:ranks=%u,messages=3,rounds=2,bytes=1..%u,seed=%u",
    "allreduce:memory=host,bytes=%u",
    "allgather:memory=host,bytes=%u",
    "alltoall:memory=host,bytes=%u",
};

static void draw_request(struct request *r, char *words, size_t room,
                         const struct machine *m)
{
    unsigned bytes = 64 * (1 + below(1u << below(16)));
    bool gpus = m->ngpus && m->ngpus <= 32 && below(2);
    const char *form = gpus ? of_gpus[below(2)] : of_hosts[below(4)];

    request_init(r);
    if (strstr(form, "rows="))
        bytes = 1 + below(4);
    if (strstr(form, "ranks="))
        snprintf(words, room, form,
                 m->network.nodes < 2 ? m->ncores : m->ncores + m->ncores / 4,
                 bytes, 1 + below(1000));
    else
        snprintf(words, room, form, bytes, 1 + below(1000));
    r->work.words = words;
    if (!strstr(form, "ranks="))
        r->work.nodes = m->network.nodes < 2 ? m->network.nodes : 2;
    if (!gpus && !strstr(form, "ranks="))
        r->work.ranks_per_node = m->ncores < 6 ? m->ncores : 6;
}

/* --- one changed number --------------------------------------------------- */

struct subject {
    const char *platform, *words;
    const struct job *job;
    const struct choice *choice;
    double time_s;
};

static int time_on(double *time_s, const struct subject *s,
                   const struct machine *m, struct err *err)
{
    struct node_ways *ways = node_ways_new(m);
    struct job again;
    int result = job_on_machine(&again, s->job, m, err);

    if (result == 0)
        result =
            job_time(time_s, &again,
                     &again.choices[s->choice - s->job->choices], ways, err);
    node_ways_free(ways);
    return result;
}

static void check_parameter(const struct subject *s,
                            struct machine_maker *maker,
                            const struct parameter *p, double *factor,
                            const double *factors)
{
    double was = *factor, time_s = 0;
    struct machine m;
    struct err err = {0};

    *factor = was * (below(2) ? 1 + CHANGE : 1 - CHANGE);
    CHECK(maker_machine(&m, maker, factors, &err) == 0);
    CHECK(*err.text || time_on(&time_s, s, &m, &err) == 0);
    if (*err.text)
        err_print(&err);
    double change = time_s / s->time_s - 1;
    bool little = fabs(change) <= MOST;
    const char *why = little ? NULL : known_why(s->choice->name, p->key);
    if (!little)
        printf("%s, %s, %s: %s by %+.0e: %.9g s by %+.2g (%s)\n", s->platform,
               s->words, s->choice->name, p->key, *factor / was - 1, s->time_s,
               change, why ? why : "not known");
    CHECK(little || why);
    machine_clear(&m);
    *factor = was;
}

/* Checks one of every `part` parameters. */
static void check_parameters(const struct subject *s,
                             const struct parameters *p,
                             struct machine_maker *maker, double *factors,
                             unsigned part)
{
    for (size_t i = 0; i < p->n; i++)
        if (below(part) == 0)
            check_parameter(s, maker, &p->list[i], &factors[i], factors);
}

/* Draws a candidate of the job that the machine can run; returns false if there
 * is none. */
static bool draw_choice(struct subject *s, const struct machine *m)
{
    for (int tries = 0; tries < 20; tries++) {
        struct err err = {0};
        s->choice = &s->job->choices[below((unsigned)s->job->nchoices)];
        if (time_on(&s->time_s, s, m, &err) == 0 && s->time_s > 0)
            return true;
    }
    return false;
}

static unsigned looked; /* number of workloads checked */

static void check_workload(const char *platform, const struct parameters *p,
                           enum engine_kind engine)
{
    struct exec_options exec = exec_defaults;
    struct subject s = {.platform = platform};
    double *factors = xcalloc(p->n, sizeof *factors);
    struct machine_maker maker;
    struct request request;
    struct machine m;
    struct job job;
    char words[128];
    struct err err = {0};

    for (size_t i = 0; i < p->n; i++)
        factors[i] = 1;
    maker_init(&maker, p);
    CHECK(maker_machine(&m, &maker, factors, &err) == 0);
    draw_request(&request, words, sizeof words, &m);
    exec.engine = engine;
    request.exec = &exec;
    if (job_load_on(&job, &m, &request, &err) < 0) {
        fprintf(stderr, "%s: %s\n", platform, words);
        err_print(&err);
        CHECK(!"loaded");
    } else {
        s.words = words;
        s.job = &job;
        /* The machine cannot run some candidates, and SimGrid has no room for
         * the largest networks. */
        bool drawn = draw_choice(&s, &m);
        looked += drawn;
        if (drawn)
            check_parameters(&s, p, &maker, factors,
                             engine == ENGINE_FLUID ? 2 : 40);
        job_clear(&job);
    }
    machine_clear(&m);
    maker_clear(&maker);
    free(factors);
}

static void check_platform(const char *name, unsigned n)
{
    struct parameters p;
    struct err err = {0};
    char *path = platform_path(name, &err);
    struct json *doc = platform_json(name, NULL, 0, &err);

    CHECK(path && doc);
    /* So that another platform's numbers change no draw of this one. */
    seed = 7;
    parameters_of(&p, doc, path);
    for (unsigned i = 0; i < n; i++)
        check_workload(name, &p, ENGINE_FLUID);
    check_workload(name, &p, ENGINE_SIMGRID);
    parameters_clear(&p);
    json_free(doc);
    free(path);
}

/* --- a rendezvous --------------------------------------------------------- */

/* The platform states that a receiver gets the bytes, so that it does not
 * depend on the part of alpha that is left for the wire. */
static double lassen_with(const char *alpha)
{
    const char *sets[] = {alpha};
    struct machine m;
    struct request r;
    struct job job;
    struct outcome o = {0};
    const struct run_options options = {0};
    struct err err = {0};
    double time_s = NAN;

    request_init(&r);
    r.work.words = "alltoall:bytes=4M";
    r.work.nodes = 4;
    r.strategy = "standard/staged";
    CHECK(platform_load(&m, "lassen", sets, 1, &err) == 0);
    CHECK(*err.text || job_load_on(&job, &m, &r, &err) == 0);
    if (*err.text) {
        err_print(&err);
        return NAN;
    }
    if (job_run_one(&o, &job, job.choices, &options, &err) == 0)
        time_s = o.time_s;
    outcome_clear(&o);
    job_clear(&job);
    machine_clear(&m);
    return time_s;
}

static void rendezvous_is_said(void)
{
    double time_s =
        lassen_with("messages.cpu.off_node.segments.3.alpha_us=8.15");

    CHECK_NEAR(lassen_with("messages.cpu.off_node.segments.3.alpha_us=8.1501"),
               time_s, 1e-6);
    CHECK_NEAR(lassen_with("messages.cpu.off_node.segments.3.alpha_us=8.14"),
               time_s, 1e-4);
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2;
    struct platform_list list;

    rendezvous_is_said();
    platform_list(&list);
    for (size_t i = 0; i < list.n; i++)
        check_platform(list.entries[i].name, n);
    CHECK(looked > 2 * list.n);
    platform_list_clear(&list);
    return check_result();
}

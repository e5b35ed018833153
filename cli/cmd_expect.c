/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice expect: compares a log with the times to expect of a machine, and
 * tries the settings and faults that would explain the difference. */
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/nccl_sets.h"
#include "cli/validate_log.h"
#include "platforms/platform.h"
#include "validate/measure/benchmark.h"
#include "validate/measure/explain.h"
#include "validate/measure/library_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct opts_page page = {
    .usage = "expect LOG --platform NAME [OPTIONS]",
    .about =
        "Answers whether a machine is as fast as it should be. LOG is the "
        "output of nccl-tests, rccl-tests, OSU micro-benchmarks, IMB or NCCL "
        "Inspector (sluice list logs). Each size is simulated; the table has "
        "the measured and the expected bandwidth, and the link that bounds "
        "it. Settings and faults are then tried by simulation: one NIC fewer, "
        "NVLS off, other protocols, slower links. Those that bring the times "
        "nearest to the measured ones are listed, with the part of the "
        "difference that they explain. They are candidates, not proofs.\n",
    .examples = {{"Find why two nodes of Alps are slow",
                  "sluice expect results/logs/alps_allreduce_2x4_sockets.txt "
                  "--platform alps"}},
};

struct expect_words {
    const char *platform;
    struct texts sets, nccl, facts;
    struct engine_options engine;
    unsigned jobs;
    bool json, helped;
    int noperands;
};

static int expect_parse(struct expect_words *w, int argc, char **argv,
                        struct err *err)
{
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &w->platform, "NAME",
         "platform that the log should be of"},
        {"set", OPT_TEXTS, &w->sets, "KEY=VALUE",
         "override a value of the platform; may be repeated"},
        NCCL_OPTION(w->nccl),
        FACT_OPTION(w->facts),
        ENGINE_OPTIONS(w->engine),
        JOBS_OPTION(w->jobs),
        OPT_HEADING("Output"),
        {"json", OPT_FLAG, &w->json, NULL, "the tables as JSON"},
    };

    *w = (struct expect_words){0};
    return opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                      &w->noperands, &w->helped, err);
}

/* --- points --------------------------------------------------------------- */

/* Relative differences that owners of equal machines see, too: times up to
 * 8 MiB differ by 9 %, launches by 20 to 45 %. */
static const double AS_EXPECTED = 0.15;

static const char *verdict(double measured_s, double expected_s)
{
    double ratio = measured_s / expected_s;

    return ratio > 1 + AS_EXPECTED         ? "slow"
           : ratio < 1 / (1 + AS_EXPECTED) ? "fast"
                                           : "as expected";
}

/* Finds the link that bounds a point; 0 if the point is no call of a
 * library, or has none. */
static int bound_of(struct library_call *call, const struct measured_point *p,
                    const struct machine *m, const struct exec_options *o)
{
    struct err ignored;

    memset(call, 0, sizeof *call);
    return p->x.of == &library_call_benchmark &&
           library_call_run(call, m, &p->x, o, &ignored) == 0 && call->used > 0;
}

/* Returns whether an algorithm is the one that a log names: "nccl_ring/ll" is
 * RING/LL, and "nccl_nvls" NVLS/SIMPLE, because NVLS has one protocol. */
static bool is_logged(const char *algorithm, const char *logged)
{
    char ours[64];
    size_t n = strlen(algorithm);

    snprintf(ours, sizeof ours, "nccl_%s", logged);
    return !strncasecmp(algorithm, ours, n) && (!ours[n] || ours[n] == '/');
}

/* A table, and the machine on which its points are simulated again for their
 * links. */
struct table {
    const struct machine *m;
    const struct exec_options *o;
    /* The points of the highest measured and expected bandwidth. */
    const struct measured_point *measured, *expected;
    /* Sizes of which the log names the algorithm, and is right. */
    unsigned named, agreed;
};

/* A link that is used less than this is not what a call waits for. */
static const double BOUND = 0.6;

static void expect_print_head(const struct measured_point *p, const char *name,
                              void *arg)
{
    struct table *t = arg;

    t->measured = t->expected = NULL;
    t->named = t->agreed = 0;
    printf("%s\n  %12s %12s %12s %11s %11s  %-11s  %s\n", name, "size B",
           "measured us", "expected us",
           p->x.collective ? "busbw GB/s" : "GB/s", "expected", "",
           p->x.collective ? "algorithm, bound by" : "");
}

/* Prints the algorithm, the link that bounds it, and the algorithm of the log
 * if it is another. */
static void print_bound(struct table *t, const struct measured_point *p)
{
    struct library_call call;

    if (!bound_of(&call, p, t->m, t->o)) {
        printf("\n");
        return;
    }
    printf("  %s, ", call.algorithm);
    if (call.used < BOUND)
        printf("latency");
    else
        printf("%s %.0f %%", call.link.name, 100 * call.used);
    bool agrees = is_logged(call.algorithm, p->logged);
    t->named += *p->logged != 0;
    t->agreed += *p->logged && agrees;
    printf("%s%s\n", *p->logged && !agrees ? "; the log: " : "",
           *p->logged && !agrees ? p->logged : "");
}

static void expect_print_point(const struct measured_point *p, void *arg)
{
    struct table *t = arg;

    if (!(p->simulated_s > 0))
        return;
    if (!t->measured || log_busbw(p, p->measured_s) >
                            log_busbw(t->measured, t->measured->measured_s))
        t->measured = p;
    if (!t->expected || log_busbw(p, p->simulated_s) >
                            log_busbw(t->expected, t->expected->simulated_s))
        t->expected = p;
    printf("  %12llu %12.2f %12.2f %11.2f %11.2f  %-11s",
           (unsigned long long)p->x.bytes, p->measured_s * 1e6,
           p->simulated_s * 1e6, log_busbw(p, p->measured_s) / 1e9,
           log_busbw(p, p->simulated_s) / 1e9,
           verdict(p->measured_s, p->simulated_s));
    print_bound(t, p);
}

static void print_end(void *arg)
{
    const struct table *t = arg;
    const struct measured_point *got = t->measured, *want = t->expected;

    if (got) {
        double measured = log_busbw(got, got->measured_s);
        double expected = log_busbw(want, want->simulated_s);
        printf("  peak: %.2f GB/s at %llu B, %.2f expected at %llu B (%+.0f "
               "%%): %s\n",
               measured / 1e9, (unsigned long long)got->x.bytes, expected / 1e9,
               (unsigned long long)want->x.bytes,
               100 * (measured / expected - 1), verdict(expected, measured));
    }
    if (t->named)
        printf("  algorithm: the log's at %u of the %u sizes of which it names "
               "one\n",
               t->agreed, t->named);
    printf("\n");
}

/* --- the answer ----------------------------------------------------------- */

enum { MOST_SHOWN = 5 };

static void print_explanations(const struct explained *e)
{
    printf("mean difference of all sizes: a factor of %.2f\n", exp(e->error));
    if (e->floor_s > 2e-6)
        printf("each call of up to 4 KiB takes %.1f us more than expected: "
               "CPUs that save power, GPUDirect RDMA off\n",
               e->floor_s * 1e6);
    if (!e->n) {
        printf("no setting or fault that was tried explains it better\n");
        return;
    }
    printf("what would explain it, by simulation:\n");
    for (size_t i = 0; i < e->n && i < MOST_SHOWN; i++)
        printf("  %3.0f %%  factor %.2f left  %s\n",
               100 * (1 - e->list[i].error / e->error), exp(e->list[i].error),
               e->list[i].text);
}

static void print_json(const struct measured *f, const struct machine *m,
                       const struct exec_options *o, const struct explained *e)
{
    struct json *doc = document_new("expect"), *points = json_new_array();
    struct json *list = json_new_array();

    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *p = &f->points[i];
        struct library_call call;
        if (!(p->simulated_s > 0))
            continue;
        struct json *one = json_new_object();
        json_add_string(one, "group", p->name);
        json_add_number(one, "bytes", (double)p->x.bytes);
        json_add_number(one, "measured_s", p->measured_s);
        json_add_number(one, "expected_s", p->simulated_s);
        json_add_string(one, "verdict", verdict(p->measured_s, p->simulated_s));
        if (bound_of(&call, p, m, o)) {
            json_add_string(one, "algorithm", call.algorithm);
            json_add_string(one, "link", call.link.name);
            json_add_number(one, "utilisation", call.used);
        }
        json_append(points, one);
    }
    for (size_t i = 0; i < e->n; i++) {
        struct json *one = json_new_object();
        json_add_string(one, "text", e->list[i].text);
        json_add_number(one, "explains", 1 - e->list[i].error / e->error);
        json_append(list, one);
    }
    json_add_string(doc, "platform", m->name);
    json_add(doc, "points", points);
    json_add_known(doc, "mean_log_error", e->error);
    json_add_known(doc, "floor_s", e->floor_s);
    json_add(doc, "explanations", list);
    document_print(doc);
}

/* --- the command ---------------------------------------------------------- */

/* Returns the architecture of a GPU by the name that a log has; NULL if it is
 * not known. */
static const char *arch_of(const char *gpu)
{
    static const struct {
        const char *word, *arch;
    } archs[] = {{"V100", "sm_70"},    {"A100", "sm_80"},
                 {"H100", "sm_90"},    {"H200", "sm_90"},
                 {"B200", "sm_100"},   {"B300", "sm_103"},
                 {"MI250X", "gfx90a"}, {"MI300A", "gfx942"},
                 {"MI300X", "gfx942"}, {"MI355X", "gfx950"}};

    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++)
        if (strstr(gpu, archs[i].word))
            return archs[i].arch;
    return NULL;
}

/* Warns once if the log names a GPU of another architecture than the
 * machine's. */
static void warn_of_gpu(const struct machine *m, const struct log *l)
{
    for (size_t i = 0; i < l->nruns && m->ngpus && m->gpu.arch; i++) {
        const char *arch = arch_of(l->runs[i].gpu);
        if (arch && strcmp(arch, m->gpu.arch) != 0) {
            fprintf(stderr,
                    "sluice: %s: the log names another GPU, %s, than %s has "
                    "(%s)\n",
                    l->path, l->runs[i].gpu, m->name, m->gpu.arch);
            return;
        }
    }
}

/* Fails if no point was simulated, with the first reason. */
static int check_points(const struct measured *f, struct err *err)
{
    for (size_t i = 0; i < f->npoints; i++)
        if (f->points[i].simulated_s > 0)
            return 0;
    return fail(err, "%s: nothing to compare: %s", f->path,
                f->npoints  ? f->points[0].why
                : f->nnotes ? f->notes[0].text
                            : "no rows");
}

static int expect_on(const struct machine *m, const char *path,
                     const struct expect_words *w,
                     const struct log_facts *facts,
                     const struct exec_options *o, struct err *err)
{
    static const struct log_table_printer to = {expect_print_head,
                                                expect_print_point, print_end};
    const struct measured_words words = {.facts = facts};
    struct explained e;
    struct measured f;

    if (measured_load_of(&f, path, m, &words, err) < 0)
        return -1;
    for (size_t i = 0; i < f.nnotes; i++)
        fprintf(stderr, "sluice: %s: %zu rows%s: %s\n", path, f.notes[i].rows,
                f.notes[i].left_out ? " left out" : "", f.notes[i].text);
    int result = measured_simulate_some(&f, m, 0, o, NULL, err);
    if (result == 0)
        result = check_points(&f, err);
    if (result == 0)
        result = explain(&e, &f, w->platform, w->sets.items, w->sets.n, o, err);
    if (result == 0 && w->json) {
        print_json(&f, m, o, &e);
    } else if (result == 0) {
        printf("%s on %s\n\n", path, m->name);
        log_tables(&f, &to, &(struct table){.m = m, .o = o});
        print_explanations(&e);
    }
    if (result == 0)
        free(e.list);
    measured_clear(&f);
    return result;
}

static int expect_log(const char *path, struct expect_words *w,
                      const struct log_facts *facts,
                      const struct exec_options *o, struct err *err)
{
    struct nccl_sets joined = {.nown = 0};
    struct machine m;
    struct log l;
    int result = -1;

    /* measured_load_of() takes files that are no logs, too. */
    if (log_load(&l, path, facts, err) < 0)
        return -1;
    if (nccl_sets_join(&joined, &l, w->platform, &w->nccl, &w->sets, err) ==
            0 &&
        platform_load(&m, w->platform, joined.sets.items, joined.sets.n, err) ==
            0) {
        w->sets = joined.sets;
        warn_of_gpu(&m, &l);
        result = expect_on(&m, path, w, facts, o, err);
        machine_clear(&m);
    }
    nccl_sets_clear(&joined);
    log_clear(&l);
    return result;
}

int cmd_expect(int argc, char **argv, struct err *err)
{
    struct expect_words w;
    struct exec_options exec;
    struct log_facts facts;

    if (expect_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (w.noperands != 1)
        return fail(err, "expect: expected one LOG, got %d", w.noperands);
    if (!w.platform)
        return fail(err, "expect: expected --platform NAME");
    if (engine_choose(&exec, &w.engine, err) < 0 ||
        log_facts_read(&facts, w.facts.items, w.facts.n, err) < 0)
        return -1;
    exec.jobs = jobs_choose(w.jobs);
    return expect_log(argv[1], &w, &facts, &exec, err);
}

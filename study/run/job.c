/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads everything that a request names: the machine, the workload, and the
 * strategies or executions that can carry it out. */
#include "study/run/job.h"

#include "platforms/nccl_settings.h"
#include "platforms/platform.h"
#include "platforms/platform_cache.h"
#include "study/run/job_parts.h"
#include "study/run/own_words.h"
#include "study/run/shapes.h"
#include "workloads/load/load_cache.h"
#include "workloads/sizes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- --set ---------------------------------------------------------------- */

/* The values that a request sets on the platform. */
struct dealt_sets {
    struct texts platform;
    char *own[TEXTS + 4]; /* texts that are freed with it */
    size_t nown;
};

static void dealt_free(struct dealt_sets *dealt)
{
    for (size_t i = 0; i < dealt->nown; i++)
        free(dealt->own[i]);
}

static void deal_own(struct dealt_sets *s, char *text)
{
    s->own[s->nown++] = text;
    s->platform.items[s->platform.n++] = text;
}

/* A graph on hosts applies it to machines that lack a runtime, too. */
static void deal_exhaustion(struct dealt_sets *s, const struct request *r)
{
    const struct workload *w = request_workload(r);

    char *list = xstrdup(r->runtime ? r->runtime : ""), *rest = list;
    enum runtime by;
    struct err ignored; /* job_find_runtimes() reports it */

    if (w && job_shapes[request_shape(r, w)].on_hosts)
        rest = NULL;
    for (char *word; r->exhaustion && (word = strsep(&rest, ","));)
        if (job_runtime(&by, word, &ignored) == 0 && job_can_exhaust(by) &&
            s->nown < 2)
            deal_own(s, xasprintf("runtimes.%s.costs.exhaustion=%s",
                                  runtime_names[by], r->exhaustion));
    free(list);
}

/* Collects the values of the platform: all but --set execution.KEY=VALUE.
 * --matching and --runtime-exhaustion come first, so that --set overrides
 * them. */
static int deal_sets(struct dealt_sets *dealt, const struct request *r,
                     struct err *err)
{
    struct texts *platform = &dealt->platform;
    bool modelled;

    *dealt = (struct dealt_sets){0};
    deal_exhaustion(dealt, r);
    if (r->matching)
        deal_own(dealt, xasprintf("matching=%s", r->matching));
    for (size_t i = 0; i < r->nccl.n; i++) {
        char *path = nccl_setting_path(r->nccl.items[i], &modelled, err);
        if (!path) {
            dealt_free(dealt);
            return -1;
        }
        deal_own(dealt, path);
    }
    for (size_t i = 0; i < r->sets.n; i++)
        if (!set_of_execution(r->sets.items[i]))
            platform->items[platform->n++] = r->sets.items[i];
    return 0;
}

/* --- load ----------------------------------------------------------------- */

static int job_load_platform(struct machine *m, struct load_cache *cache,
                             const char *name, const struct texts *sets,
                             struct err *err)
{
    if (strchr(name, ',') && access(name, R_OK) != 0)
        return fail(err,
                    "--platform %s: several only for run, of graphs on hosts "
                    "(--runtime)",
                    name);
    return platform_cache_load(m, load_cache_platforms(cache), name,
                               sets->items, sets->n, err);
}

/* Borrows the caller's machine, or loads the one that the request names. */
static int job_find_machine(struct job *j, const struct machine *m,
                            const struct request *r, const struct texts *sets,
                            struct err *err)
{
    j->machine = m ? m : &j->own;
    if (m)
        return 0;
    return job_load_platform(&j->own, r->work.cache,
                             request_platform(r, j->workload), sets, err);
}

/* Reads the nodes of the ranks. The job then has its own shape of the
 * machine. */
static int job_read_placement(struct job *j, const struct request *r,
                              struct err *err)
{
    if (!r->placement)
        return 0;
    if (r->work.nodes || r->work.ranks_per_node)
        return fail(err,
                    "--placement says on which nodes ranks are: leave "
                    "out --%s",
                    r->work.nodes ? "nodes" : "ranks-per-node");
    if (placement_load(&j->placement, r->placement, j->machine, err) < 0)
        return fail_in(err, "--placement");
    j->placed = placement_machine(&j->placement, j->machine);
    j->machine = &j->placed;
    return 0;
}

static int job_make(struct job *j, const struct machine *m,
                    const struct request *r, const struct texts *sets,
                    struct err *err)
{
    for (size_t i = 0; i < r->sets.n && !job_shape(j)->executions; i++)
        if (set_of_execution(r->sets.items[i]))
            return fail(err, "--set %s: %s%s has no executions",
                        r->sets.items[i], j->workload->prefix,
                        job_shape(j)->on_hosts ? " with --runtime" : "");
    if (job_choose(j, r, err) < 0 || job_find_runtimes(j, r, err) < 0 ||
        request_said(r, job_check_option, j, err) < 0 ||
        job_find_machine(j, m, r, sets, err) < 0 ||
        job_read_placement(j, r, err) < 0)
        return -1;
    return job_shape(j)->make(j, r, err);
}

/* Finds the workload, whose shape decides about all else. */
static int job_find_workload(struct job *j, const struct request *r,
                             struct err *err)
{
    if (!r->work.words)
        return fail(err, "expected --workload (such as spmv:FILE.mtx)");
    j->workload = workload_find(r->work.words, err);
    if (!j->workload)
        return -1;
    if (j->workload->bus != BUS_NONE && sizes_are_given(r->work.words))
        return fail(err, "%s: expected one size: a range is for run and advise",
                    r->work.words);
    j->load.shape = request_shape(r, j->workload);
    return 0;
}

int job_machine(struct machine *m, const struct request *r, struct err *err)
{
    const struct workload *w = workload_find(r->work.words, err);
    struct dealt_sets dealt;

    if (!w || deal_sets(&dealt, r, err) < 0)
        return -1;
    int result = job_load_platform(m, r->work.cache, request_platform(r, w),
                                   &dealt.platform, err);
    dealt_free(&dealt);
    return result;
}

struct json *job_machine_json(const struct request *r, struct err *err)
{
    const struct workload *w = workload_find(r->work.words, err);
    struct dealt_sets dealt;

    if (!w || deal_sets(&dealt, r, err) < 0)
        return NULL;
    struct json *doc = platform_json(
        request_platform(r, w), dealt.platform.items, dealt.platform.n, err);
    dealt_free(&dealt);
    return doc;
}

int job_load(struct job *j, const struct request *r, struct err *err)
{
    return job_load_on(j, NULL, r, err);
}

int job_load_on(struct job *j, const struct machine *m, const struct request *r,
                struct err *err)
{
    struct request own;
    struct dealt_sets sets;
    int result;

    *j = (struct job){.options = r->options, .exec = r->exec};
    if (request_split(&own, r, err) < 0)
        return -1;
    j->words = r->work.words ? xstrdup(r->work.words) : NULL;
    j->plain_words = (char *)own.work.words;
    j->options.ranks_per_node = r->work.ranks_per_node;
    result = job_find_workload(j, &own, err);
    if (result == 0)
        result = deal_sets(&sets, &own, err);
    if (result == 0) {
        result = job_make(j, m, &own, &sets.platform, err);
        dealt_free(&sets);
    }
    if (result < 0)
        job_clear(j);
    return result;
}

int job_repeat(struct job *j, unsigned steps, struct err *err)
{
    if (job_shape(j)->no_repeat)
        return fail(err, "--repeat: not for %s", job_shape(j)->no_repeat);
    if (j->load.loop.steps)
        return fail(err, "--repeat: not for %s", j->workload->prefix);
    j->repeat = steps;
    return 0;
}

struct collective job_collective(const struct job *j)
{
    const struct collective_words *w = &j->load.collective;

    return (struct collective){
        .kind = w->kind,
        .nodes = j->load.nodes,
        .ranks_per_node = j->load.ranks_per_node,
        .ranks = j->load.ranks,
        .bytes = w->bytes,
        .element_B = w->element_B,
        .root = w->root,
        .mixed = j->placement.slot && !j->placement.in_blocks,
        .segment_B = w->segment_B,
        .groups = w->groups,
        .memory = w->memory,
        .by_thread =
            w->launch == LAUNCH_ONE_PROCESS ? j->load.ranks_per_node : 1,
        .calls = w->calls,
        .per_gpu = w->per_gpu,
        .out_of_place = w->place != COLLECTIVE_IN_PLACE,
        .pieces = !j->options.no_pieces};
}

struct library_choice job_library_choice(const struct job *j)
{
    struct collective asked = job_collective(j);

    return library_choose(j->library, j->machine, &asked);
}

const struct kept_plan *job_kept(const struct job *j, const struct choice *c)
{
    size_t i = (size_t)(c - j->choices);

    if (j->cap_moved && c->strategy &&
        opt_in_list(c->strategy->options, "message-cap"))
        return NULL;
    return j->kept && i < j->kept->n ? &j->kept->of[i] : NULL;
}

const struct plan *job_plan(struct plan *room, const struct job *j,
                            const struct choice *c, struct err *err)
{
    const struct kept_plan *kept = job_kept(j, c);

    *room = (struct plan){0};
    if (kept && kept->plan.nops)
        return &kept->plan;
    if (j->load.loop.steps)
        return loop_unroll(room, &j->load.loop, err) < 0 ? NULL : room;
    if (job_shape(j)->no_plan)
        return fail_null(err, "%s has no plan: %s", j->words,
                         job_shape(j)->no_plan);
    return job_shape(j)->plan ? job_shape(j)->plan(room, j, c, err)
                              : &j->load.plan;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a request once for each partition or memory that it may choose, and
 * times its candidates on any machine of the same shape. */
#include "study/advise/candidates.h"

#include "apps/rounds/hosts.h"
#include "platforms/platform.h"
#include "study/run/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 4 };

/* --- partitions and memories ---------------------------------------------- */

/* Lists the partitions of a product with a matrix, or the cuts of a graph on
 * hosts. The list is one NULL if the workload leaves no choice. */
static size_t partitions_of(const char **list, const struct request *r,
                            const struct workload *w)
{
    size_t n = 0;

    if (!r->work.partition && job_shapes[request_shape(r, w)].on_hosts) {
        for (; n < NCUTS; n++)
            list[n] = cut_names[n];
        return n;
    }
    if (r->work.partition || !opt_in_list(w->options, "partition") ||
        !w->matrix) {
        list[n++] = NULL;
        return n;
    }
    list[n++] = "contiguous";
    list[n++] = "metis";
    if (w->grid)
        list[n++] = "boxes";
    return n;
}

static bool chooses_memory(const struct request *r, const struct workload *w,
                           const struct machine *m)
{
    return w->collective && m->ngpus > 0 && !strstr(r->work.words, "memory=") &&
           !strstr(r->work.words, "per_gpu=");
}

static int candidates_add_job(struct candidates *w, const struct request *r,
                              const char *set, const char *words,
                              struct err *err)
{
    struct request one = *r;
    struct candidates_job *j;

    one.work.words = words;
    if (set && !strchr(set, '='))
        one.work.partition = set;
    /* Jobs are never moved, because a placed one points into itself. */
    if (!w->jobs)
        w->jobs = xcalloc(MOST_JOBS, sizeof *w->jobs);
    j = &w->jobs[w->njobs];
    *j = (struct candidates_job){.set = set};
    /* The graph of the first job is shared, because loading takes long. */
    one.like = w->njobs ? w->jobs[0].job.rounds : NULL;
    if (job_load_on(&j->job, &w->machine, &one, err) < 0)
        return -1;
    j->words = xstrdup(words);
    w->njobs++;
    return 0;
}

static void candidates_leave_out(struct candidates *w, const struct err *why)
{
    w->left_out = xrealloc(w->left_out, w->nleft_out + 1, sizeof *w->left_out);
    w->left_out[w->nleft_out++] = *why;
}

static int candidates_add_jobs(struct candidates *w, const struct request *r,
                               struct err *err)
{
    const struct workload *of = workload_find(r->work.words, err);
    const char *partitions[MOST_JOBS];
    struct err why;

    if (!of)
        return -1;
    size_t n = partitions_of(partitions, r, of);
    for (size_t i = 0; i < n; i++)
        if (candidates_add_job(w, r, partitions[i], r->work.words, &why) < 0) {
            *err = why;
            if (i == 0)
                return -1;
            candidates_leave_out(w, &why);
        }
    if (!chooses_memory(r, of, &w->machine))
        return 0;
    char *staged = xasprintf("%s,memory=staged", r->work.words);
    if (candidates_add_job(w, r, "memory=staged", staged, &why) < 0)
        candidates_leave_out(w, &why);
    free(staged);
    return 0;
}

/* --- candidates ----------------------------------------------------------- */

/* Candidates of one strategy are of one kind, because they share their model
 * error. */
static unsigned candidates_kind(const struct candidates *w,
                                const char *strategy)
{
    for (size_t i = 0; i < w->n; i++)
        if (!strcmp(w->list[i].strategy, strategy))
            return w->list[i].kind;
    return (unsigned)w->n;
}

/* Returns the path, which is 1 if GPU memory is passed to MPI. Strategies state
 * that themselves; a collective of GPUs does it unless it is staged. */
static unsigned candidates_path(const struct candidates *w,
                                const struct advice_candidate *candidate)
{
    const struct load *l = &w->jobs[candidate->job].job.load;

    if (w->jobs[candidate->job].job.workload->collective)
        return !w->jobs[candidate->job].set &&
               l->collective.memory == COLLECTIVE_DEVICE;
    return candidate->choice->strategy &&
           candidate->choice->strategy->device_aware;
}

/* Adds a candidate, which is named by its strategy, and by its partition or
 * memory if that was chosen, too. */
static void candidates_add(struct candidates *w,
                           struct advice_candidate candidate,
                           const char *strategy)
{
    const char *set = w->jobs[candidate.job].set;

    candidate.strategy = strategy;
    candidate.name =
        set ? xasprintf("%s, %s", strategy, set) : xstrdup(strategy);
    candidate.kind = candidates_kind(w, strategy);
    w->list = xrealloc(w->list, w->n + 1, sizeof *w->list);
    w->kinds = xrealloc(w->kinds, w->n + 1, sizeof *w->kinds);
    w->kinds[w->n] = candidate.kind;
    w->paths = xrealloc(w->paths, w->n + 1, sizeof *w->paths);
    w->paths[w->n] = candidates_path(w, &candidate);
    w->list[w->n++] = candidate;
}

static void candidates_list(struct candidates *w)
{
    for (size_t i = 0; i < w->njobs; i++) {
        struct candidates_job *j = &w->jobs[i];
        for (size_t k = 0; k < j->job.nchoices; k++)
            candidates_add(w,
                           (struct advice_candidate){
                               .job = i, .choice = &j->job.choices[k]},
                           j->job.choices[k].name);
    }
}

static void candidates_count(struct candidates *w)
{
    const struct load *l = &w->jobs[0].job.load;

    w->nodes = l->nodes;
    w->gpus = l->gpus;
    w->ranks = l->ranks;
}

/* --- model errors --------------------------------------------------------- */

static bool several_runtimes(const struct job *j)
{
    for (size_t i = 1; i < j->nchoices; i++)
        if (j->choices[i].runtime != j->choices[0].runtime)
            return true;
    return false;
}

static enum decided candidates_decided(const struct candidates *w)
{
    const struct candidates_job *first = &w->jobs[0];
    const struct load *l = &first->job.load;

    if (first->job.rounds || several_runtimes(&first->job))
        return DECIDED_RUNTIME;
    if (first->job.workload->algorithm)
        return DECIDED_GRAPH;
    if (!first->job.workload->collective)
        return DECIDED_HALO;
    return l->collective.kind == COLLECTIVE_ALLTOALL &&
                   l->collective.memory == COLLECTIVE_HOST
               ? DECIDED_ALLTOALL
               : DECIDED_COLLECTIVE;
}

static struct model_error candidates_error(const struct candidates *w)
{
    const struct load *l = &w->jobs[0].job.load;
    struct decided_case c = {candidates_decided(w), w->machine.machine,
                             w->nodes, 0};
    bool collective = w->jobs[0].job.workload->collective;

    if (collective)
        c.bytes = l->collective.bytes;
    struct model_error e = model_error_of(&c);
    if (!collective || w->njobs < 2)
        return e;
    c.kind = DECIDED_MEMORY;
    struct model_error memory = model_error_of(&c);
    return model_error_join(&memory, &e);
}

struct advise_options candidates_options(const struct candidates *w,
                                         const struct advise_options *asked)
{
    struct advise_options o = *asked;

    o.kinds = w->kinds;
    o.paths = w->paths;
    if (!isnan(asked->model_error))
        return o;
    o.model_error = w->error.own;
    o.path_error = w->error.path;
    o.most = w->error.bound.most;
    return o;
}

int candidates_load(struct candidates *w, const struct request *r,
                    struct err *err)
{
    *w = (struct candidates){.exec = r->exec};
    if (!r->work.words)
        return fail(err, "expected --workload (such as spmv:FILE.mtx)");
    if (job_machine(&w->machine, r, err) < 0)
        return -1;
    struct json *doc = job_machine_json(r, err);
    if (doc)
        parameters_of(&w->parameters, doc, w->machine.path);
    json_free(doc);
    if (!doc || candidates_add_jobs(w, r, err) < 0) {
        candidates_clear(w);
        return -1;
    }
    candidates_list(w);
    candidates_count(w);
    w->error = candidates_error(w);
    return 0;
}

void candidates_keep_plans(struct candidates *w)
{
    for (size_t i = 0; i < w->njobs; i++)
        job_keep_plans(&w->jobs[i].kept, &w->jobs[i].job);
}

void candidates_drop_plans(struct candidates *w)
{
    for (size_t i = 0; i < w->njobs; i++) {
        w->jobs[i].job.kept = NULL;
        job_plans_clear(&w->jobs[i].kept);
    }
}

void candidates_clear(struct candidates *w)
{
    candidates_drop_plans(w);
    for (size_t i = 0; i < w->n; i++)
        free(w->list[i].name);
    /* The first is last, because the others borrow its graph. */
    for (size_t i = w->njobs; i-- > 0;) {
        job_clear(&w->jobs[i].job);
        free(w->jobs[i].words);
    }
    free(w->list);
    free(w->kinds);
    free(w->paths);
    free(w->jobs);
    free(w->left_out);
    parameters_clear(&w->parameters);
    machine_clear(&w->machine);
    *w = (struct candidates){0};
}

static int candidate_time_of(double *time_s, const void *of, size_t nth,
                             const struct machine *m,
                             const struct node_routes *node_routes,
                             struct err *err)
{
    const struct candidates *w = of;
    const struct advice_candidate *candidate = &w->list[nth];
    struct job on;

    if (job_on_machine(&on, &w->jobs[candidate->job].job, m, err) < 0)
        return -1;
    return job_time(time_s, &on, candidate->choice, node_routes, err);
}

struct timed_candidates candidates_timed(const struct candidates *w,
                                         struct draws_how how)
{
    return (struct timed_candidates){.parameters = &w->parameters,
                                     .n = w->n,
                                     .time = candidate_time_of,
                                     .of = w,
                                     .how = how,
                                     .machine = &w->machine};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a request once for each partition or memory that it may choose, and
 * times its ways on any machine of the same shape. */
#include "strategies/advise/ways.h"

#include "platforms/platform.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 4 };

/* --- what may be chosen --------------------------------------------------- */

/* Of a product with a matrix: partitions to choose from. */
static size_t partitions_of(const char **list, const struct request *r,
                            const struct workload *w)
{
    size_t n = 0;

    if (r->work.partition || !opt_in_list(w->options, "partition") ||
        workload_shape(w) != SHAPE_HALO) {
        list[n++] = NULL;
        return n;
    }
    list[n++] = "contiguous";
    list[n++] = "metis";
    if (!strncmp(r->work.words, "stencil:", 8))
        list[n++] = "boxes";
    return n;
}

static bool chooses_memory(const struct request *r, const struct workload *w,
                           const struct machine *m)
{
    return workload_shape(w) == SHAPE_COLLECTIVE && m->ngpus > 0 &&
           !strstr(r->work.words, "memory=") &&
           !strstr(r->work.words, "per_gpu=");
}

static int ways_add_job(struct ways *w, const struct request *r,
                        const char *set, const char *words, struct err *err)
{
    struct request one = *r;
    struct ways_job *j;

    one.work.words = words;
    if (set && !strchr(set, '='))
        one.work.partition = set;
    /* Jobs stay where they are: a placed one points into itself. */
    if (!w->jobs)
        w->jobs = xcalloc(MOST_JOBS, sizeof *w->jobs);
    j = &w->jobs[w->njobs];
    *j = (struct ways_job){.set = set};
    if (job_load_on(&j->job, &w->machine, &one, err) < 0)
        return -1;
    j->words = xstrdup(words);
    w->njobs++;
    return 0;
}

static void ways_leave_out(struct ways *w, const struct err *why)
{
    w->left_out = xrealloc(w->left_out, w->nleft_out + 1, sizeof *w->left_out);
    w->left_out[w->nleft_out++] = *why;
}

static int ways_add_jobs(struct ways *w, const struct request *r,
                         struct err *err)
{
    const struct workload *of = workload_find(r->work.words, err);
    const char *partitions[3];
    struct err why;

    if (!of)
        return -1;
    size_t n = partitions_of(partitions, r, of);
    for (size_t i = 0; i < n; i++)
        if (ways_add_job(w, r, partitions[i], r->work.words, &why) < 0) {
            *err = why;
            if (i == 0)
                return -1;
            ways_leave_out(w, &why);
        }
    if (!chooses_memory(r, of, &w->machine))
        return 0;
    char *staged = xasprintf("%s,memory=staged", r->work.words);
    if (ways_add_job(w, r, "memory=staged", staged, &why) < 0)
        ways_leave_out(w, &why);
    free(staged);
    return 0;
}

/* --- ways ----------------------------------------------------------------- */

/* Its own name, or that with the partition or memory. */
static char *way_name(const struct ways_job *j, const struct choice *c)
{
    if (!j->set)
        return xstrdup(c->name);
    return xasprintf("%s, %s", c->name, j->set);
}

/* What the simulator leaves out is a strategy's own. */
static unsigned ways_kind(const struct ways *w, const struct choice *c,
                          size_t nth)
{
    for (size_t i = 0; i < nth; i++)
        if (!strcmp(w->list[i].choice->name, c->name))
            return w->list[i].kind;
    return (unsigned)nth;
}

static void ways_list(struct ways *w)
{
    for (size_t i = 0; i < w->njobs; i++)
        w->n += w->jobs[i].job.nchoices;
    w->list = xcalloc(w->n, sizeof *w->list);
    w->kinds = xcalloc(w->n, sizeof *w->kinds);
    w->n = 0;
    for (size_t i = 0; i < w->njobs; i++) {
        struct ways_job *j = &w->jobs[i];
        job_keep_plans(&j->kept, &j->job);
        for (size_t k = 0; k < j->job.nchoices; k++) {
            const struct choice *c = &j->job.choices[k];
            w->list[w->n] = (struct advice_way){i, c, way_name(j, c),
                                                ways_kind(w, c, w->n)};
            w->kinds[w->n] = w->list[w->n].kind;
            w->n++;
        }
    }
}

int ways_load(struct ways *w, const struct request *r, struct err *err)
{
    *w = (struct ways){0};
    if (!r->work.words)
        return fail(err, "expected --workload (such as spmv:FILE.mtx)");
    if (job_machine(&w->machine, r, err) < 0)
        return -1;
    struct json *doc = job_machine_json(r, err);
    if (doc)
        parameters_of(&w->parameters, doc, w->machine.path);
    json_free(doc);
    if (!doc || ways_add_jobs(w, r, err) < 0) {
        ways_clear(w);
        return -1;
    }
    ways_list(w);
    return 0;
}

void ways_clear(struct ways *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->list[i].name);
    for (size_t i = 0; i < w->njobs; i++) {
        job_plans_clear(&w->jobs[i].kept);
        job_clear(&w->jobs[i].job);
        free(w->jobs[i].words);
    }
    free(w->list);
    free(w->kinds);
    free(w->jobs);
    free(w->left_out);
    parameters_clear(&w->parameters);
    machine_clear(&w->machine);
    *w = (struct ways){0};
}

static int way_time_of(double *time_s, const void *of, size_t nth,
                       const struct machine *m, const struct node_ways *ways,
                       struct err *err)
{
    const struct ways *w = of;
    const struct advice_way *way = &w->list[nth];
    struct job on;

    if (job_on_machine(&on, &w->jobs[way->job].job, m, err) < 0)
        return -1;
    return job_time(time_s, &on, way->choice, ways, err);
}

struct timed_ways ways_timed(const struct ways *w, unsigned jobs)
{
    return (struct timed_ways){.parameters = &w->parameters,
                               .n = w->n,
                               .time = way_time_of,
                               .of = w,
                               .jobs = jobs};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a request for each size of a range, and computes sizes and bandwidths as
 * nccl-tests do. */
#include "study/run/sweep.h"

#include "strategies/collective/libraries/remarks.h"
#include "study/run/shapes.h"
#include "workloads/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- one size ------------------------------------------------------------- */

bool job_sized(struct sized *s, const struct job *j)
{
    const struct load *l = &j->load;
    enum bus bus = j->workload->bus;

    *s = (struct sized){0};
    if (j->workload->collective) {
        const struct collective_words *w = &l->collective;
        uint64_t block = collective_unit(w, l->ranks) / w->element_B;
        *s = (struct sized){w->bytes, w->bytes / w->element_B / block,
                            w->element_B, bus_factor(bus, l->ranks)};
        return true;
    }
    if (bus == BUS_NONE || !l->gpus)
        return false;
    /* For traffic only the bytes that leave a GPU are known. */
    double factor = bus_factor(bus, l->gpus);
    uint64_t bytes = (uint64_t)llround(l->bytes / l->gpus / factor);
    *s = (struct sized){bytes, bus == BUS_OTHERS ? bytes / l->gpus : bytes, 1,
                        factor};
    return true;
}

char *sized_type(unsigned element_B)
{
    switch (element_B) {
    case 1:
        return xstrdup("int8");
    case 2:
        return xstrdup("half");
    case 4:
        return xstrdup("float");
    case 8:
        return xstrdup("double");
    default:
        return xasprintf("%u_B", element_B);
    }
}

double sized_algbw(const struct sized *s, double time_s)
{
    return time_s > 0 ? (double)s->bytes / time_s : 0;
}

double sized_busbw(const struct sized *s, double time_s)
{
    return sized_algbw(s, time_s) * s->bus;
}

/* --- load ----------------------------------------------------------------- */

static struct err *sweep_why(const struct err *err)
{
    struct err *why = xcalloc(1, sizeof *why);

    *why = *err;
    return why;
}

static void sweep_load_job(struct sweep_size *size, const struct machine *m,
                           const struct request *r)
{
    struct err err;

    size->machine = m;
    if (job_load_on(&size->job, m, r, &err) < 0)
        size->why = sweep_why(&err);
    else
        size->job.all = true; /* candidates that cannot be done are left out */
}

static void sweep_load_size(struct sweep_size *size, const struct machine *m,
                            const struct request *r, uint64_t bytes)
{
    char *words = sizes_words(r->work.words, bytes);
    struct request one = *r;

    one.work.words = words;
    size->bytes = bytes;
    sweep_load_job(size, m, &one);
    free(words);
}

/* Fails if each size is left out, with the reason of the first. */
static int sweep_check(const struct sweep *s, struct err *err)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->sizes[i].why)
            return 0;
    *err = *s->sizes[0].why;
    return -1;
}

/* Adds the machine of a request. Jobs borrow it only when all are loaded. */
static int sweep_load_machine(struct sweep *s, const struct request *r,
                              struct err *err)
{
    s->own = xrealloc(s->own, s->nown + 1, sizeof *s->own);
    if (job_machine(&s->own[s->nown], r, err) < 0)
        return -1;
    s->nown++;
    return 0;
}

static int sweep_load_machines(struct sweep *s, const struct request *r,
                               const char *platforms, struct err *err)
{
    char *list = xstrdup(platforms), *rest = list;
    struct request one = *r;
    int result = 0;

    for (char *name; result == 0 && (name = strsep(&rest, ","));) {
        one.platform = name;
        result = *name ? sweep_load_machine(s, &one, err)
                       : fail(err, "--platform %s: a name is empty", platforms);
    }
    free(list);
    return result;
}

/* Loads a graph on hosts for each platform; the first executes it for all. */
static int sweep_load_platforms(struct sweep *s, const struct request *r,
                                const struct workload *w, struct err *err)
{
    struct request one = *r;

    if (sweep_load_machines(s, r, request_platform(r, w), err) < 0) {
        sweep_clear(s);
        return -1;
    }
    s->n = s->nown;
    s->sizes = xcalloc(s->n, sizeof *s->sizes);
    for (size_t i = 0; i < s->n; i++) {
        sweep_load_job(&s->sizes[i], &s->own[i], &one);
        if (!one.like)
            one.like = s->sizes[i].job.rounds;
    }
    if (sweep_check(s, err) == 0)
        return 0;
    sweep_clear(s);
    return -1;
}

static int sweep_load_range(struct sweep *s, const struct machine *m,
                            const struct request *r, const struct sizes *sizes,
                            struct err *err)
{
    if (!m && sweep_load_machine(s, r, err) < 0) {
        sweep_clear(s);
        return -1;
    }
    s->ranged = true;
    s->n = sizes->n;
    s->sizes = xcalloc(s->n, sizeof *s->sizes);
    for (size_t i = 0; i < s->n; i++)
        sweep_load_size(&s->sizes[i], m ? m : s->own, r, sizes->bytes[i]);
    if (sweep_check(s, err) == 0)
        return 0;
    sweep_clear(s);
    return -1;
}

/* Ranges are only known for workloads that have a size, because bytes= may mean
 * something else for others. */
bool sizes_asked(const struct request *r)
{
    const struct workload *w = request_workload(r);

    return w && w->bus != BUS_NONE && sizes_are_given(r->work.words);
}

int sweep_load(struct sweep *s, const struct request *r, struct err *err)
{
    return sweep_load_on(s, NULL, r, err);
}

int sweep_load_on(struct sweep *s, const struct machine *m,
                  const struct request *r, struct err *err)
{
    struct sizes sizes = {0};
    const struct workload *w = request_workload(r);

    *s = (struct sweep){.words = r->work.words};
    if (sizes_asked(r) && sizes_read(&sizes, r->work.words, err) < 0)
        return -1;
    if (sizes.n) {
        int result = sweep_load_range(s, m, r, &sizes, err);
        sizes_clear(&sizes);
        return result;
    }
    if (!m && w && job_shapes[request_shape(r, w)].on_hosts)
        return sweep_load_platforms(s, r, w, err);
    s->n = 1;
    s->sizes = xcalloc(1, sizeof *s->sizes);
    if (job_load_on(&s->sizes->job, m, r, err) == 0)
        return 0;
    free(s->sizes);
    return -1;
}

/* --- the library's choice ------------------------------------------------- */

double judged_regret(const struct judged *j)
{
    return j->best_s > 0 ? j->time_s / j->best_s - 1 : NAN;
}

static struct outcome *sweep_find(const struct sweep_size *size,
                                  const struct collective_algorithm *a)
{
    for (size_t i = 0; a && i < size->shown; i++)
        if (!strcmp(size->runs.list[i].name, a->name))
            return &size->runs.list[i];
    return NULL;
}

static const char *sweep_why_not(const struct sweep_size *size,
                                 const char *name)
{
    for (size_t i = size->shown; i < size->runs.n; i++)
        if (!strcmp(size->runs.list[i].name, name))
            return size->runs.list[i].why->text;
    return "it is left out";
}

/* Fails because the library has no algorithm, with the settings by which NCCL
 * has none. */
static int sweep_has_nothing(const struct job *j, struct err *err)
{
    const struct collective asked = job_collective(j);
    char *why = j->library->is_for && j->library->is_for(j->machine)
                    ? nccl_leaves_nothing(j->machine, &asked)
                    : NULL;

    (void)fail(err, "%s: %s has nothing for it%s%s", j->words, j->library->name,
               why ? ": " : "", why ? why : "");
    free(why);
    return -1;
}

/* Moves the library's choice to the front and shows it alone. */
static int sweep_take(struct sweep_size *size, struct outcome *chosen,
                      struct err *err)
{
    const struct judged *j = &size->judged;

    if (!chosen && j->ours)
        return fail(err, "%s: %s takes %s, which cannot be done: %s",
                    size->job.words, j->library, j->takes,
                    sweep_why_not(size, j->ours));
    if (!chosen && j->takes)
        return fail(err, "%s: %s takes %s, which is not an algorithm here",
                    size->job.words, j->library, j->takes);
    if (!chosen)
        return sweep_has_nothing(&size->job, err);
    struct outcome best = size->runs.list[0];
    size->runs.list[0] = *chosen;
    *chosen = best;
    size->shown = 1;
    return 0;
}

static int sweep_judge(struct sweep_size *size, struct err *err)
{
    const struct job *j = &size->job;

    for (size->shown = 0; size->shown < size->runs.n; size->shown++)
        if (size->runs.list[size->shown].why)
            break;
    if (!j->workload->collective)
        return 0;
    struct library_choice c = job_library_choice(j);
    struct outcome *chosen = sweep_find(size, c.ours);
    size->judged = (struct judged){
        .library = j->library->name,
        .takes = c.theirs,
        .ours = c.ours ? c.ours->name : NULL,
        .best = j->alone ? NULL : size->runs.list[0].name,
        .time_s = chosen ? chosen->time_s : NAN,
        .best_s = j->alone ? NAN : size->runs.list[0].time_s,
    };
    return j->automatic ? sweep_take(size, chosen, err) : 0;
}

/* --- run ------------------------------------------------------------------ */

static void sweep_deal(struct sweep *s, struct job_runs *of)
{
    struct err err;
    size_t k = 0;

    for (size_t i = 0; i < s->n; i++) {
        struct sweep_size *size = &s->sizes[i];
        if (size->why)
            continue;
        size->runs = of[k++];
        size->why = size->runs.why ? sweep_why(size->runs.why) : NULL;
        if (!size->why && sweep_judge(size, &err) < 0)
            size->why = sweep_why(&err);
    }
}

/* Compares the times on all platforms with the best of all. */
static void sweep_compare(struct sweep *s)
{
    double best_s = INFINITY;

    for (size_t i = 0; i < s->n; i++)
        if (s->sizes[i].shown)
            best_s = fmin(best_s, s->sizes[i].runs.list[0].time_s);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->sizes[i].shown; k++) {
            struct outcome *o = &s->sizes[i].runs.list[k];
            o->times_best = best_s > 0 ? o->time_s / best_s : 1;
        }
}

int sweep_run(struct sweep *s, const struct run_options *options,
              struct err *err)
{
    struct job_runs *of = xcalloc(s->n, sizeof *of);
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (!s->sizes[i].why)
            of[n++].job = &s->sizes[i].job;
    int result = options->timeline ? job_check_timeline(of->job, s->n, err) : 0;
    if (result == 0)
        result = jobs_run_all(of, n, options, err);
    if (result == 0)
        sweep_deal(s, of);
    free(of);
    if (result == 0 && s->nown > 1)
        sweep_compare(s);
    return result < 0 ? -1 : sweep_check(s, err);
}

void sweep_clear(struct sweep *s)
{
    for (size_t i = 0; i < s->n; i++) {
        job_runs_clear(&s->sizes[i].runs);
        free(s->sizes[i].why);
        if (s->sizes[i].job.workload)
            job_clear(&s->sizes[i].job);
    }
    free(s->sizes);
    for (size_t i = 0; i < s->nown; i++)
        machine_clear(&s->own[i]);
    free(s->own);
    *s = (struct sweep){0};
}

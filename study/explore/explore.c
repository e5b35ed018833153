/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the points of a space in threads, group by group. */
#include "study/explore/explore.h"

#include "base/jobs.h"
#include "study/explore/family.h"
#include "study/explore/groups.h"
#include "study/explore/names.h"
#include "study/explore/point.h"
#include "workloads/load/load_cache.h"

#include <pthread.h>
#include <stdlib.h>

struct explorer {
    const struct explore_request *r;
    struct exec_options exec;
    struct load_cache *cache;
    struct groups *groups;
    pthread_mutex_t lock; /* held for take() and for the members below */
    bool failed;
    struct err why;
};

/* --- one point ------------------------------------------------------------ */

static void hand_over(struct explorer *x, const struct point_runs *runs)
{
    struct err err;

    pthread_mutex_lock(&x->lock);
    if (!x->failed && x->r->take(x->r->arg, runs, &err) < 0) {
        x->failed = true;
        x->why = err;
        groups_stop(x->groups);
    }
    pthread_mutex_unlock(&x->lock);
}

static void work_on(struct explorer *x, struct group *g, uint64_t point)
{
    struct point_at at = {.space = x->r->space,
                          .point = point,
                          .exec = &x->exec,
                          .cache = x->cache,
                          .lists = x->r->lists};
    struct point_runs runs = {.point = point};

    point_begin(&at);
    runs.experiment = at.experiment;
    if (!g->loaded)
        g->loaded = family_new();
    do {
        struct family_member *member = NULL;
        struct job job;
        if (at.ok)
            at.ok = family_join(g->loaded, &job, &member, &at.machine,
                                &at.request, &at.why) == 0;
        if (!g->opened)
            groups_opened(x->groups, g);
        point_run_all(&runs, &at, &job);
        family_leave(member);
    } while (point_next(&at));
    hand_over(x, &runs);
    point_runs_clear(&runs);
    point_end(&at);
}

static int explore_thread(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct explorer *x = arg;
    struct group *g;
    uint64_t point;

    (void)i;
    (void)err;
    while (groups_take(x->groups, &g, &point)) {
        if (x->r->working)
            x->r->working[worker] = point;
        work_on(x, g, point);
        if (x->r->working)
            x->r->working[worker] = EXPLORE_IDLE;
        (void)groups_done(x->groups, g);
    }
    return 0;
}

/* --- all ------------------------------------------------------------------ */

/* A key that no machine has would make every point fail, so some points from
 * all parts of the space are tried. */
int explore_check(const struct space *s, struct err *err)
{
    enum { TRIED = 16 };
    size_t n = s->npoints < TRIED ? s->npoints : TRIED;
    struct err first;

    if (names_check(s, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct point_at at = {.space = s,
                              .point = s->points[i * s->npoints / n]};
        point_begin(&at);
        bool ok = at.ok;
        if (i == 0)
            first = at.why;
        point_end(&at);
        if (ok)
            return 0;
    }
    *err = first;
    return -1;
}

int explore(const struct explore_request *r, struct err *err)
{
    struct explorer x = {.r = r, .lock = PTHREAD_MUTEX_INITIALIZER};

    if (engine_prepare(exec_engine(r->exec), err) < 0)
        return -1;
    x.exec = r->exec ? *r->exec : exec_defaults;
    x.exec.jobs = 1;
    x.cache = load_cache_new();
    x.groups = groups_new(r->space, r->points, r->npoints);
    unsigned threads = r->jobs ? r->jobs : 1;
    int result = jobs_run(threads < r->npoints ? threads : r->npoints, threads,
                          explore_thread, &x, err);
    groups_free(x.groups);
    load_cache_free(x.cache);
    if (x.failed)
        *err = x.why;
    return x.failed ? -1 : result;
}

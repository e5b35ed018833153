/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a sweep in a child process, and continues without the points that end
 * it. */
#include "cli/sweep_run.h"

#include "base/child.h"
#include "cli/sweep_progress.h"
#include "study/explore/point.h"
#include "study/explore/store.h"

#include <stdlib.h>
#include <string.h>

struct sweep_child {
    const struct sweep_run *run;
    unsigned jobs;
    bool retry;
    const uint64_t *only; /* a single point; NULL for all */
    uint64_t *working;    /* shared: the present point of each thread */
};

/* --- choice of points ----------------------------------------------------- */

static bool is_there(const uint64_t *points, size_t n, uint64_t point)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (points[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && points[low] == point;
}

/* Chooses the points of the part, or of a list, that the database lacks. */
static int choose_points(struct explore_request *x, size_t *there,
                         struct store *t, const struct sweep_child *c,
                         struct err *err)
{
    const struct sweep_run *r = c->run;
    uint64_t *done;
    size_t ndone;

    if (store_points(t, &done, &ndone, err) < 0)
        return -1;
    uint64_t *points = xcalloc(r->space->npoints + 1, sizeof *points);
    *there = 0;
    for (size_t i = r->part - 1; i < r->space->npoints; i += r->parts) {
        uint64_t point = r->space->points[i];
        if (c->only && point != *c->only)
            continue;
        if (is_there(done, ndone, point))
            ++*there;
        else
            points[x->npoints++] = point;
    }
    free(done);
    x->points = points;
    return 0;
}

/* --- running -------------------------------------------------------------- */

struct taker {
    struct store *store;
    struct sweep_progress *progress;
};

static int take_point(void *arg, const struct point_runs *runs, struct err *err)
{
    struct taker *t = arg;

    if (store_add(t->store, runs, err) < 0)
        return -1;
    sweep_progress_add(t->progress, runs);
    if (!sweep_progress_due(t->progress))
        return 0;
    if (store_commit(t->store, err) < 0)
        return -1;
    sweep_progress_say(t->progress);
    return 0;
}

static int run_points(struct store *t, const struct sweep_child *c,
                      struct err *err)
{
    const struct sweep_run *r = c->run;
    struct explore_request x = {.space = r->space,
                                .exec = r->exec,
                                .jobs = c->jobs,
                                .lists = store_keeps(t),
                                .working = c->working};
    struct sweep_progress progress;
    struct taker taker = {t, &progress};
    size_t there;

    if (c->retry && store_forget_failed(t, err) < 0)
        return -1;
    if (choose_points(&x, &there, t, c, err) < 0)
        return -1;
    sweep_progress_init(&progress, r->unkept ? r->unkept : r->database,
                        x.npoints, there, r->progress);
    progress.unkept = r->unkept != NULL;
    x.take = take_point;
    x.arg = &taker;
    int result = explore(&x, err);
    free((void *)x.points);
    if (result == 0)
        result = store_commit(t, err);
    sweep_progress_end(&progress, result == 0);
    return result;
}

static int run_into(const struct sweep_child *c, struct err *err)
{
    const struct sweep_run *r = c->run;
    struct store *t = store_open(r->database, r->space, r->how, r->lists, err);

    if (!t)
        return -1;
    if (run_points(t, c, err) == 0)
        return store_close(t, err);
    store_abandon(t);
    return -1;
}

/* --- children ------------------------------------------------------------- */

static void work_in_child(const void *arg, int fd)
{
    struct err err = {0};
    int status = run_into(arg, &err);

    if (child_put_status(fd, status, &err) < 0)
        return;
}

/* Returns 1 if the child ended prematurely, and the reason in err. */
static int run_child(const struct sweep_child *c, struct err *err)
{
    struct child child;

    for (unsigned i = 0; i < c->jobs; i++)
        c->working[i] = EXPLORE_IDLE;
    if (child_spawn(&child, work_in_child, c, err) < 0)
        return -1;
    int status = child_get_status(child.from, err);
    struct err why;
    if (child_reap(&child, status >= 0, &why) == 0)
        return status ? -1 : 0;
    *err = why;
    return 1;
}

/* Adds a row for a point that ended the program. */
static int tell_death(const struct sweep_run *r, uint64_t point,
                      const struct err *why, struct err *err)
{
    const char *text = why->kind == ERR_SAID
                           ? "it ended the program, most likely for want of "
                             "memory"
                           : why->text;
    struct store *t = store_open(r->database, r->space, r->how, r->lists, err);
    struct point_runs runs;

    if (!t)
        return -1;
    point_fail(&runs, r->space, point, text);
    int result = store_add(t, &runs, err);
    json_free(runs.experiment);
    point_runs_clear(&runs);
    if (result == 0)
        return store_close(t, err);
    store_abandon(t);
    return -1;
}

/* Runs each of the points that were being simulated in a child of its own,
 * because one of them ended the program. */
static int find_deadly(const struct sweep_child *c, const uint64_t *points,
                       size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        struct sweep_child alone = *c;
        struct err why;
        alone.only = &points[i];
        alone.jobs = 1;
        int result = run_child(&alone, &why);
        if (result == 1)
            result = tell_death(c->run, points[i], &why, err);
        else if (result < 0)
            *err = why;
        if (result < 0)
            return -1;
    }
    return 0;
}

static size_t copy_working(uint64_t *points, const struct sweep_child *c)
{
    size_t n = 0;

    for (unsigned i = 0; i < c->jobs; i++)
        if (c->working[i] != EXPLORE_IDLE)
            points[n++] = c->working[i];
    return n;
}

static int run_on(struct sweep_child *c, struct err *err)
{
    uint64_t *points = xcalloc(c->jobs, sizeof *points);
    int result;

    while ((result = run_child(c, err)) == 1) {
        size_t n = copy_working(points, c);
        c->retry = false;
        result = n ? find_deadly(c, points, n, err) : -1;
        if (result < 0)
            break;
    }
    free(points);
    return result;
}

int sweep_carry_out(const struct sweep_run *r, struct err *err)
{
    struct sweep_child c = {.run = r, .jobs = r->jobs, .retry = r->retry};
    size_t bytes = r->jobs * sizeof *c.working;

    c.working = child_shared(bytes);
    int result = run_on(&c, err);
    child_unshare(c.working, bytes);
    return result;
}

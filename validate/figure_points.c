/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/figure_points.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

size_t points_add(struct points *p, struct plan plan,
                  experiment_measure *measure)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->plans = xrealloc(p->plans, p->room, sizeof *p->plans);
        p->timed = xrealloc(p->timed, p->room, sizeof *p->timed);
    }
    p->plans[p->n] = plan;
    p->timed[p->n] = (struct timed_plan){NULL, measure};
    return p->n++;
}

int points_add_experiment(struct points *p, const struct machine *m,
                          const struct experiment *x, struct err *err)
{
    struct plan plan;

    if (experiment_plan(&plan, m, x, err) < 0)
        return -1;
    points_add(p, plan, experiment_measure_of(x));
    return 0;
}

/* --- two processes ------------------------------------------------------ */

/* Every second point from `first` on, so that both processes get some of the
 * large ones. */
struct half {
    struct timed_plan *plans;
    double *times_s;
    size_t n;
};

static struct half half_of(const struct points *p, size_t first)
{
    struct half h = {xcalloc(p->n, sizeof *h.plans),
                     xcalloc(p->n, sizeof *h.times_s), 0};

    for (size_t i = first; i < p->n; i += 2)
        h.plans[h.n++] = p->timed[i];
    return h;
}

static void half_store(const struct half *h, struct points *p, size_t first)
{
    for (size_t i = 0; i < h->n; i++)
        p->times_s[first + 2 * i] = h->times_s[i];
}

static void half_clear(struct half *h)
{
    free(h->plans);
    free(h->times_s);
}

struct outcome { /* what the other process sends before its times */
    int result;
    struct err err;
};

static int put(int fd, const void *data, size_t size)
{
    for (const char *at = data; size;) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

static int get(int fd, void *data, size_t size)
{
    for (char *at = data; size;) {
        ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

static void in_child(const struct half *h, const struct machine *m, int fd)
{
    struct outcome o = {0};

    o.result = exec_times(h->times_s, m, h->plans, h->n, &o.err);
    if (put(fd, &o, sizeof o) < 0 ||
        put(fd, h->times_s, h->n * sizeof *h->times_s) < 0)
        _exit(1);
    _exit(0);
}

static int from_child(const struct half *h, int fd, struct err *err)
{
    struct outcome o;

    if (get(fd, &o, sizeof o) < 0 ||
        get(fd, h->times_s, h->n * sizeof *h->times_s) < 0)
        return fail_work(err, "the second process of the simulation ended");
    if (o.result < 0)
        *err = o.err;
    return o.result;
}

static int time_both(const struct half *here, const struct half *there,
                     const struct machine *m, struct err *err)
{
    int fd[2];

    if (pipe(fd) < 0)
        return fail_work(err, "no pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        int why = errno;
        close(fd[0]);
        close(fd[1]);
        return fail_work(err, "no second process: %s", strerror(why));
    }
    if (child == 0) {
        close(fd[0]);
        in_child(there, m, fd[1]);
    }
    close(fd[1]);
    int result = exec_times(here->times_s, m, here->plans, here->n, err);
    if (result == 0)
        result = from_child(there, fd[0], err);
    close(fd[0]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return result;
}

int points_time(struct points *p, const struct machine *m, struct err *err)
{
    for (size_t i = 0; i < p->n; i++)
        p->timed[i].plan = &p->plans[i];
    p->times_s = xrealloc(p->times_s, p->n + 1, sizeof *p->times_s);
    struct half here = half_of(p, 0), there = half_of(p, 1);
    int result = time_both(&here, &there, m, err);
    if (result == 0) {
        half_store(&here, p, 0);
        half_store(&there, p, 1);
    }
    half_clear(&here);
    half_clear(&there);
    return result;
}

void points_clear(struct points *p)
{
    for (size_t i = 0; i < p->n; i++)
        plan_clear(&p->plans[i]);
    free(p->plans);
    free(p->timed);
    free(p->times_s);
    memset(p, 0, sizeof *p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs independent tasks in threads, in order, and reports the first failure by
 * order. */
#include "base/jobs.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct shared_out {
    jobs_work *work;
    void *arg;
    size_t n;
    pthread_mutex_t lock; /* protects the following fields */
    unsigned workers;
    size_t next;
    size_t failed; /* the lowest task that failed; n if none */
    struct err why;
};

unsigned jobs_cores(void)
{
    cpu_set_t may;

    if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) < 1)
        return 1;
    return (unsigned)CPU_COUNT(&may);
}

static unsigned jobs_enter(struct shared_out *s)
{
    pthread_mutex_lock(&s->lock);
    unsigned worker = s->workers++;
    pthread_mutex_unlock(&s->lock);
    return worker;
}

/* Returns the next task to begin; n if none is left, or one has failed. */
static size_t jobs_take(struct shared_out *s)
{
    pthread_mutex_lock(&s->lock);
    size_t i = s->failed < s->n ? s->n : s->next;
    s->next += i < s->n;
    pthread_mutex_unlock(&s->lock);
    return i;
}

static void jobs_failed(struct shared_out *s, size_t i, const struct err *why)
{
    pthread_mutex_lock(&s->lock);
    if (i < s->failed) {
        s->failed = i;
        s->why = *why;
    }
    pthread_mutex_unlock(&s->lock);
}

static void *jobs_thread(void *arg)
{
    struct shared_out *s = arg;
    unsigned worker = jobs_enter(s);

    for (size_t i; (i = jobs_take(s)) < s->n;) {
        struct err why = {0};
        if (s->work(s->arg, worker, i, &why) < 0)
            jobs_failed(s, i, &why);
    }
    return NULL;
}

int jobs_run(size_t n, unsigned most, jobs_work *work, void *arg,
             struct err *err)
{
    struct shared_out s = {work, arg, n, PTHREAD_MUTEX_INITIALIZER,
                           .failed = n};
    size_t more = most > 1 && n > 1 ? (most < n ? most : n) - 1 : 0;
    pthread_t *threads = xcalloc(more, sizeof *threads);
    size_t begun = 0;

    while (begun < more &&
           pthread_create(&threads[begun], NULL, jobs_thread, &s) == 0)
        begun++;
    jobs_thread(&s);
    for (size_t i = 0; i < begun; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (s.failed == n)
        return 0;
    *err = s.why;
    return -1;
}

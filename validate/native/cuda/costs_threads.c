/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures two threads of the host that wake each other, wait for each other,
 * and start kernels for each other. */
#include "validate/native/cuda/costs.h"

#include "base/seconds.h"
#include "validate/native/cuda/access.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum costs_wish { REST, ANSWER, LAUNCH, BARRIER, SPIN, END };

/* The task of the second thread, done `times` times. `turn` counts hand-overs;
 * odd ones are for the second thread. */
struct costs_pair {
    struct costs *c;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned turn;
    enum costs_wish wish;
    unsigned times;
    pthread_barrier_t barrier;
    atomic_uint met;
    struct err err; /* set by the second thread */
    bool failed;
};

static void pair_die(int code, const char *call)
{
    if (code)
        native_die("graph-costs: %s: error %d", call, code);
}
#define PAIR_TRY(call) pair_die((call), #call)

/* Hands over to the other thread, with its turn. */
static void hand_over(struct costs_pair *p, unsigned turn)
{
    pthread_mutex_lock(&p->lock);
    p->turn = turn;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void wait_turn(struct costs_pair *p, unsigned turn)
{
    pthread_mutex_lock(&p->lock);
    while (p->turn != turn)
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void spin_together(struct costs_pair *p, unsigned round)
{
    atomic_fetch_add(&p->met, 1);
    while (atomic_load(&p->met) < 2 * (round + 1))
        continue;
}

static void meet_often(struct costs_pair *p)
{
    for (unsigned i = 0; i < p->times; i++)
        if (p->wish == BARRIER)
            pthread_barrier_wait(&p->barrier);
        else
            spin_together(p, i);
}

static int second_launches(struct costs_pair *p)
{
    return CUDA_TRY(&p->err, access_nothing(1, 1, p->c->stream[0])) < 0 ||
                   CUDA_TRY(&p->err, cudaStreamSynchronize(p->c->stream[0])) < 0
               ? -1
               : 0;
}

static void *second(void *arg)
{
    struct costs_pair *p = arg;
    bool ready = CUDA_TRY(&p->err, cudaSetDevice(p->c->gpu[0])) == 0;

    for (unsigned turn = 1;; turn += 2) {
        wait_turn(p, turn);
        if (p->wish == END)
            return NULL;
        if (p->wish == LAUNCH && (!ready || second_launches(p) < 0))
            p->failed = true;
        if (p->wish == BARRIER || p->wish == SPIN)
            meet_often(p);
        hand_over(p, turn + 1);
    }
}

/* --- the first thread ----------------------------------------------------- */

static void wish(struct costs_pair *p, enum costs_wish what)
{
    p->wish = what;
    hand_over(p, p->turn + 1);
}

static double there_and_back(struct costs_pair *p, enum costs_wish what)
{
    double begin = seconds();
    unsigned turn = p->turn;

    wish(p, what);
    wait_turn(p, turn + 2);
    return seconds() - begin;
}

static double sample_wake(void *arg)
{
    return there_and_back(arg, ANSWER) / 2;
}

static double sample_wake_launch(void *arg)
{
    return there_and_back(arg, LAUNCH);
}

enum { MEETINGS = 64 };

static double sample_meetings(struct costs_pair *p, enum costs_wish what)
{
    unsigned turn = p->turn;

    p->times = MEETINGS;
    atomic_store(&p->met, 0);
    wish(p, what);
    /* The first meeting is the start. */
    double begin = 0;
    for (unsigned i = 0; i < MEETINGS; i++) {
        if (what == BARRIER)
            pthread_barrier_wait(&p->barrier);
        else
            spin_together(p, i);
        if (i == 0)
            begin = seconds();
    }
    double spent = seconds() - begin;
    wait_turn(p, turn + 2);
    return spent / (MEETINGS - 1);
}

static double sample_barrier(void *arg)
{
    return sample_meetings(arg, BARRIER);
}

static double sample_spin(void *arg)
{
    return sample_meetings(arg, SPIN);
}

int costs_two_cores(const char *part, struct err *err)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < 2)
        return fail(err,
                    "--part %s: expected two cores, this process may run on "
                    "one (mpirun --bind-to none)",
                    part);
    return 0;
}

int costs_threads(struct costs *c, struct err *err)
{
    static const struct {
        const char *name;
        double (*sample)(void *arg);
    } all[] = {{"wake_thread", sample_wake},
               {"wake_launch", sample_wake_launch},
               {"barrier", sample_barrier},
               {"barrier_spin", sample_spin}};
    struct costs_pair p = {.c = c};
    pthread_t other;

    if (costs_two_cores("threads", err) < 0)
        return -1;
    PAIR_TRY(pthread_mutex_init(&p.lock, NULL));
    PAIR_TRY(pthread_cond_init(&p.changed, NULL));
    PAIR_TRY(pthread_barrier_init(&p.barrier, NULL, 2));
    PAIR_TRY(pthread_create(&other, NULL, second, &p));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        costs_measure(
            c, (struct costs_point){all[i].name, COSTS_NO_GPU, 0, 0, 1, 1},
            all[i].sample, &p);
    wish(&p, END);
    PAIR_TRY(pthread_join(other, NULL));
    pthread_barrier_destroy(&p.barrier);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    if (!p.failed)
        return 0;
    *err = p.err;
    return -1;
}

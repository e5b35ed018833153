/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host threads that drive the GPUs of a search: their meetings, the words
 * that they publish for each other, and one run of all. */
#include "validate/native/cuda/traverse_group.h"

#include "base/seconds.h"
#include "validate/native/cuda/traverse_execution.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* A thread that waits this long waits for ever. */
static const double MEETING_S = 60;

void *side_piece(struct traverse_side *s, uint64_t bytes, struct err *err)
{
    void *new = NULL;

    assert(s->npieces < SIDE_PIECES);
    if (CUDA_TRY(err, cudaSetDevice(s->device)) < 0 ||
        CUDA_TRY(err, cudaMalloc(&new, bytes ? bytes : 1)) < 0) {
        err_widen(err, "%llu bytes of GPU %u's memory",
                  (unsigned long long)bytes, s->gpu);
        return NULL;
    }
    s->pieces[s->npieces++] = new;
    return new;
}

int side_ctas(const struct traverse_side *s, unsigned *ctas, struct err *err)
{
    unsigned all = *ctas;

    *ctas = all / s->sharers;
    return *ctas ? 0
                 : fail(err,
                        "%s: device %d holds %u CTAs at once, and %u GPUs "
                        "of the search are on it",
                        s->group->how.x->name, s->device, all, s->sharers);
}

void group_meet(struct traverse_group *t)
{
    unsigned round = atomic_load(&t->round);

    if (atomic_fetch_add(&t->arrived, 1) + 1 == t->how.gpus) {
        atomic_store(&t->arrived, 0);
        atomic_fetch_add(&t->round, 1);
        return;
    }
    double begin = 0;
    for (unsigned tries = 1; atomic_load(&t->round) == round; tries++) {
        WHILE_LOOKING();
        if (tries % (1u << 20))
            continue;
        begin = begin > 0 ? begin : seconds();
        if (seconds() - begin > MEETING_S)
            native_die("a host thread waited for another for more than %g s",
                       MEETING_S);
    }
}

void group_publish(struct traverse_side *s, unsigned word, uint64_t value)
{
    atomic_store(&s->group->published[s->gpu][word], value);
}

uint64_t group_word(const struct traverse_group *t, unsigned gpu, unsigned word)
{
    return atomic_load(&t->published[gpu][word]);
}

uint64_t group_sum(const struct traverse_group *t, unsigned word)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < t->how.gpus; g++)
        sum += group_word(t, g, word);
    return sum;
}

void spin_for(double time_s)
{
    double end = seconds() + time_s;

    while (time_s > 0 && seconds() < end)
        ;
}

void group_level(struct traverse_group *t, uint64_t frontier, uint64_t arcs,
                 double time_s)
{
    if (t->nlevels == t->levels_room) {
        t->levels_room = t->levels_room ? 2 * t->levels_room : 64;
        t->levels = xrealloc(t->levels, t->levels_room, sizeof *t->levels);
    }
    t->levels[t->nlevels++] = (struct measured_level){frontier, arcs, time_s};
}

void side_begin_work(struct traverse_side *s)
{
    s->begin_s = seconds();
}

void side_sync(struct traverse_side *s)
{
    CUDA_DIE(cudaStreamSynchronize(s->stream));
    if (s->begin_s > 0)
        s->busy_s += seconds() - s->begin_s;
    s->begin_s = 0;
}

void side_read(struct traverse_side *s, unsigned word, const void *from,
               size_t bytes)
{
    CUDA_DIE(cudaMemcpyAsync(&s->words[word], from, bytes,
                             cudaMemcpyDeviceToHost, s->stream));
}

static void *side_thread(void *arg)
{
    struct traverse_side *s = arg;
    struct traverse_group *t = s->group;
    bool last = s->gpu == t->how.gpus - 1;

    CUDA_DIE(cudaSetDevice(s->device));
    group_meet(t);
    s->start_s = seconds();
    if (last && t->how.gpus > 1)
        spin_for(t->how.skew_s);
    t->how.x->run(s);
    s->end_s = seconds();
    return NULL;
}

double group_run(struct traverse_group *t)
{
    pthread_t threads[TRAVERSE_GPUS] = {0};
    double begin = 0, end = 0;

    t->nlevels = 0;
    for (unsigned g = 0; g < t->how.gpus; g++) {
        struct traverse_side *s = &t->sides[g];
        s->counts = (struct traverse_counts){0};
        s->busy_s = s->begin_s = 0;
    }
    for (unsigned g = 1; g < t->how.gpus; g++)
        if (pthread_create(&threads[g], NULL, side_thread, &t->sides[g]) != 0)
            native_die("no host thread for GPU %u", g);
    side_thread(&t->sides[0]);
    for (unsigned g = 1; g < t->how.gpus; g++)
        pthread_join(threads[g], NULL);
    for (unsigned g = 0; t->how.x->collect && g < t->how.gpus; g++)
        t->how.x->collect(&t->sides[g]);
    for (unsigned g = 0; g < t->how.gpus; g++) {
        struct traverse_side *s = &t->sides[g];
        begin = !g || s->start_s < begin ? s->start_s : begin;
        end = s->end_s > end ? s->end_s : end;
    }
    return end - begin;
}

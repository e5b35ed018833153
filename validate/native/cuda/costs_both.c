/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the calls of a step if two threads of the host work at once, each
 * with a GPU of its own: they wait for each other in the driver. */
#include "validate/native/cuda/costs_calls.h"

#include "base/seconds.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct costs_both;

/* A thread of the host and its GPU. */
struct costs_half {
    struct costs_both *b;
    struct costs_call o;
    double *times_s; /* times of the calls: room for c->samples */
};

/* The task of both threads at the same time, n times each; op is NULL for a
 * level. They end if n is 0. */
struct costs_both {
    struct costs *c;
    struct costs_half half[2];
    atomic_uint met;
    void (*op)(struct costs_call *o);
    bool waits; /* for the stream, then for each other */
    size_t n;
    double *both_s; /* time from the start of both until both have waited */
};

/* Waits until both threads are here, by polling; `round` is the number of
 * meetings before. */
static void both_meet(struct costs_both *b, unsigned round)
{
    atomic_fetch_add(&b->met, 1);
    while (atomic_load(&b->met) < 2 * (round + 1))
        continue;
}

/* Does a level of a search by stores: a kernel; once both are done with theirs,
 * another one for received vertices, and two lengths. */
static void both_level(struct costs_half *h, unsigned *round)
{
    struct costs_call *o = &h->o;

    call_memset(o);
    call_little(o);
    call_sync(o);
    both_meet(h->b, (*round)++);
    call_memset(o);
    call_little(o);
    call_to_host(o);
    call_to_host(o);
}

static void both_samples(struct costs_half *h, unsigned *round)
{
    struct costs_both *b = h->b;

    for (size_t i = 0; i < b->n; i++) {
        if (i % COSTS_IN_A_ROW == 0 || b->waits)
            call_sync(&h->o);
        both_meet(b, (*round)++);
        double begin = seconds();
        if (b->op)
            b->op(&h->o);
        else
            both_level(h, round);
        h->times_s[i] = seconds() - begin;
        if (!b->waits)
            continue;
        call_sync(&h->o);
        both_meet(b, (*round)++);
        if (h->o.me == 0)
            b->both_s[i] = seconds() - begin;
    }
    call_sync(&h->o);
}

static void *both_second(void *arg)
{
    struct costs_half *h = arg;
    struct costs_both *b = h->b;
    unsigned round = 0;

    CUDA_DIE(cudaSetDevice(b->c->gpu[1]));
    for (;;) {
        both_meet(b, round++); /* there is a task */
        if (!b->n)
            return NULL;
        both_samples(h, &round);
        both_meet(b, round++); /* the task is done */
    }
}

/* --- the first thread ----------------------------------------------------- */

struct costs_first {
    struct costs_both *b;
    unsigned round;
};

static void both_run(struct costs_first *f, size_t n)
{
    f->b->n = n;
    both_meet(f->b, f->round++);
    if (!n)
        return;
    both_samples(&f->b->half[0], &f->round);
    both_meet(f->b, f->round++);
}

/* Measures calls; the samples are the times of both threads. */
static void both_point(struct costs_first *f, struct costs_point p,
                       void (*op)(struct costs_call *o), bool waits)
{
    enum { BEFORE = 2 * COSTS_IN_A_ROW };
    struct costs_both *b = f->b;
    size_t samples = b->c->samples;

    native_alive(b->c->n, p.operation);
    b->op = op;
    b->waits = waits;
    both_run(f, samples < BEFORE ? samples : BEFORE);
    both_run(f, samples);
    if (waits) {
        costs_row(b->c, p, b->both_s, samples);
        return;
    }
    double *all = xcalloc(2 * samples, sizeof *all);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < samples; k++)
            all[(size_t)i * samples + k] = b->half[i].times_s[k];
    costs_row(b->c, p, all, 2 * samples);
    free(all);
}

static void both_call(struct costs_first *f, const char *name, int gpu_b,
                      uint64_t bytes, unsigned threads,
                      void (*op)(struct costs_call *o))
{
    char operation[40];

    for (int waits = 0; waits < 2; waits++) {
        snprintf(operation, sizeof operation, "both_%s_%s", name,
                 waits ? "wait" : "call");
        both_point(f,
                   (struct costs_point){operation, gpu_b, bytes, threads, 1, 1},
                   op, waits);
    }
}

static void both_kernels(struct costs_first *f)
{
    static const struct {
        unsigned ctas, cta;
    } grids[] = {{1, 1}, {COSTS_ONE_EACH, 256}};

    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        for (int k = 0; k < 2; k++) {
            f->b->half[k].o.ctas = grids[i].ctas;
            f->b->half[k].o.cta = grids[i].cta;
        }
        both_call(f, "kernel", COSTS_NO_GPU, 0, grids[i].ctas * grids[i].cta,
                  call_launch);
    }
}

static void both_small(struct costs_first *f)
{
    const struct {
        const char *name;
        unsigned bytes;
        void (*op)(struct costs_call *o);
    } all[] = {{"copy_to_gpu", COSTS_SMALL, call_to_gpu},
               {"copy_to_host", COSTS_SMALL, call_to_host},
               {"memset", COSTS_SMALL, call_memset},
               {"event_record", 0, call_record},
               {"event_wait", 0, call_wait_event},
               {"event_query", 0, call_query},
               {"step", COSTS_SMALL, call_step},
               {"long_step", COSTS_SMALL, call_long_step},
               {"sync_idle", 0, call_sync}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        both_call(f, all[i].name, COSTS_NO_GPU, all[i].bytes, 0, all[i].op);
}

static void both_peer_copies(struct costs_first *f)
{
    for (uint64_t bytes = COSTS_SMALL; bytes <= COSTS_MOST_PEER; bytes *= 64) {
        for (int k = 0; k < 2; k++)
            f->b->half[k].o.bytes = bytes;
        both_call(f, "peer_copy", f->b->c->gpu[1], bytes, 0, call_peer_copy);
    }
}

static void both_little(struct costs_first *f, struct little_kernel l,
                        bool cleared, bool alone)
{
    for (int k = 0; k < 2; k++) {
        struct costs_call *o = &f->b->half[k].o;
        o->little = l;
        o->little.words = o->words;
        o->little.nwords = COSTS_MOST_PEER / 4;
        o->little.found = o->found;
        o->cleared = cleared;
        o->alone = alone;
    }
}

/* Measures kernels of growing length, alone and followed by a copy, as one
 * thread does in costs_calls.c; and a level, which consists of them. */
static void both_steps(struct costs_first *f)
{
    struct costs_point p = {
        .gpu_b = COSTS_NO_GPU, .threads = 256, .in_flight = 1};

    for (uint32_t n = 1; n <= 256; n *= 2)
        for (int alone = 0; alone < 2; alone++) {
            p.operation = alone ? "both_chain_wait" : "both_step_chain_wait";
            p.bytes = COSTS_MOST_PEER;
            p.together = n;
            both_little(f, (struct little_kernel){.accesses = n}, false, alone);
            both_point(f, p, call_little, true);
        }
    for (int k = 0; k < 2; k++)
        f->b->half[k].o.other_code = true;
    both_little(f,
                (struct little_kernel){
                    .shared = COSTS_CTA_B, .code = 1, .ctas = COSTS_WHOLE},
                false, true);
    both_call(f, "whole", COSTS_NO_GPU, COSTS_SMALL, 256 * COSTS_WHOLE,
              call_little);
    for (int k = 0; k < 2; k++)
        f->b->half[k].o.other_code = false;
    both_little(f, (struct little_kernel){.accesses = 8}, false, true);
    p.operation = "both_level_wait";
    p.together = 8;
    both_point(f, p, NULL, true);
}

/* --- set-up --------------------------------------------------------------- */

static int both_begin(struct costs_both *b, struct err *err)
{
    struct costs *c = b->c;

    b->both_s = xcalloc(c->samples, sizeof *b->both_s);
    for (int i = 0; i < 2; i++) {
        struct costs_half *h = &b->half[i];
        *h = (struct costs_half){
            .b = b, .o = {.c = c, .me = i, .stream = c->stream[i]}};
        h->times_s = xcalloc(c->samples, sizeof *h->times_s);
        if (costs_calls_begin(&h->o, err) < 0 ||
            CUDA_TRY(err, cudaMemset(h->o.found, 0, 2 * sizeof *h->o.found)) <
                0 ||
            CUDA_TRY(err, cudaMemset(h->o.words, 0, COSTS_MOST_PEER)) < 0 ||
            CUDA_TRY(err, cudaDeviceSynchronize()) < 0)
            return -1;
    }
    return CUDA_TRY(err, cudaSetDevice(c->gpu[0]));
}

static void both_end(struct costs_both *b)
{
    for (int i = 0; i < 2; i++) {
        if (b->half[i].times_s)
            costs_calls_end(&b->half[i].o);
        free(b->half[i].times_s);
    }
    free(b->both_s);
}

static int both_measure(struct costs_both *b, struct err *err)
{
    struct costs_first f = {.b = b};
    pthread_t other;

    if (pthread_create(&other, NULL, both_second, &b->half[1]) != 0)
        return fail(err, "no second thread of the host");
    both_kernels(&f);
    both_small(&f);
    both_peer_copies(&f);
    both_steps(&f);
    both_run(&f, 0);
    pthread_join(other, NULL);
    for (int i = 0; i < 2; i++) {
        uint32_t found;
        CUDA_DIE(cudaMemcpy(&found, b->half[i].o.found, sizeof found,
                            cudaMemcpyDefault));
        if (found)
            return fail(err, "a kernel found %u in words that are 0", found);
    }
    return 0;
}

int costs_both(struct costs *c, struct err *err)
{
    struct costs_both b = {.c = c};

    if (c->gpus < 2)
        return 0;
    if (costs_two_cores("both", err) < 0)
        return -1;
    int result = both_begin(&b, err);
    if (result == 0)
        result = both_measure(&b, err);
    both_end(&b);
    return result;
}

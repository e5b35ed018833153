/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times NCCL's operations: one after the other, the calls alone, each waited
 * for, in a CUDA graph, and behind a kernel; by one thread of the CPU for all
 * GPUs of the process, or by one for each. */
#include "validate/native/cuda/access.h"
#include "validate/native/cuda/nccl_run.h"

#include "base/seconds.h"

enum { IN_GRAPH = 16, IN_A_ROW = 32 };

const char *const nccl_launch_names[NNCCL_LAUNCHES] = {
    [BY_PROCESSES] = "processes",
    [BY_THREADS] = "threads",
    [BY_ONE] = "one-process",
};

void nccl_use(const struct nccl_run *r)
{
    CUDA_DIE(cudaSetDevice(r->device));
}

void nccl_once(struct nccl_run *runs, unsigned n)
{
    const struct nccl *l = runs[0].nccl;

    if (n > 1)
        NCCL_DIE(l, l->begin());
    for (unsigned i = 0; i < n; i++) {
        if (n > 1)
            nccl_use(&runs[i]);
        NCCL_DIE(l, runs[i].op->start(&runs[i]));
    }
    if (n > 1)
        NCCL_DIE(l, l->end());
}

void nccl_capture(struct nccl_run *runs, unsigned n)
{
    cudaGraph_t graph[NCCL_MOST_GPUS];

    for (unsigned i = 0; i < n; i++)
        CUDA_DIE(cudaStreamBeginCapture(runs[i].clock.stream,
                                        cudaStreamCaptureModeThreadLocal));
    for (unsigned i = 0; i < IN_GRAPH; i++)
        nccl_once(runs, n);
    for (unsigned i = 0; i < n; i++)
        CUDA_DIE(cudaStreamEndCapture(runs[i].clock.stream, &graph[i]));
    for (unsigned i = 0; i < n; i++) {
        nccl_use(&runs[i]);
        CUDA_DIE(cudaGraphInstantiate(&runs[i].graph, graph[i], 0));
        CUDA_DIE(cudaGraphDestroy(graph[i]));
    }
}

static void start_clocks(struct nccl_run *runs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        nccl_use(&runs[i]);
        gpu_clock_start(&runs[i].clock);
    }
}

/* Waits for all, and notes the time of one of `count` by events. */
static void stop_clocks(struct nccl_run *runs, unsigned n, double count)
{
    for (unsigned i = 0; i < n; i++) {
        nccl_use(&runs[i]);
        double one_s = gpu_clock_stop(&runs[i].clock) / count;
        if (runs[i].nevents <
            sizeof runs[i].events_s / sizeof runs[i].events_s[0])
            runs[i].events_s[runs[i].nevents++] = one_s;
    }
}

static void wait_streams(struct nccl_run *runs, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        CUDA_DIE(cudaStreamSynchronize(runs[i].clock.stream));
}

/* --- methods -------------------------------------------------------------- */

/* Times consecutive operations; the CPU waits only at the end. */
static double time_row(struct nccl_process *t, struct nccl_run *runs,
                       unsigned n, unsigned iterations)
{
    double begin = seconds();

    (void)t;
    start_clocks(runs, n);
    for (unsigned i = 0; i < iterations; i++)
        nccl_once(runs, n);
    stop_clocks(runs, n, iterations);
    return (seconds() - begin) / iterations;
}

/* Times the CPU's calls alone: so few at a time that none waits for room on the
 * stream. */
static double time_call(struct nccl_process *t, struct nccl_run *runs,
                        unsigned n, unsigned iterations)
{
    double sum = 0;

    (void)t;
    for (unsigned done = 0, some; done < iterations; done += some) {
        double begin = seconds();
        some = iterations - done < IN_A_ROW ? iterations - done : IN_A_ROW;
        for (unsigned i = 0; i < some; i++)
            nccl_once(runs, n);
        sum += seconds() - begin;
        wait_streams(runs, n);
    }
    return sum / iterations;
}

/* Times operations with a wait after each. */
static double time_waited(struct nccl_process *t, struct nccl_run *runs,
                          unsigned n, unsigned iterations)
{
    double begin = seconds();

    (void)t;
    for (unsigned i = 0; i < iterations; i++) {
        nccl_once(runs, n);
        wait_streams(runs, n);
    }
    return (seconds() - begin) / iterations;
}

static double time_graph(struct nccl_process *t, struct nccl_run *runs,
                         unsigned n, unsigned iterations)
{
    unsigned launches = (iterations + IN_GRAPH - 1) / IN_GRAPH;
    double begin = seconds(), each = (double)launches * IN_GRAPH;

    (void)t;
    start_clocks(runs, n);
    for (unsigned i = 0; i < launches; i++)
        for (unsigned r = 0; r < n; r++) {
            nccl_use(&runs[r]);
            CUDA_DIE(cudaGraphLaunch(runs[r].graph, runs[r].clock.stream));
        }
    stop_clocks(runs, n, each);
    return (seconds() - begin) / each;
}

static void meet(struct nccl_process *t)
{
    if (t->launch == BY_THREADS)
        pthread_barrier_wait(&t->meet);
    else
        native_barrier(t->n);
}

/* Times operations that all are on the streams before the first one begins,
 * because a kernel before them waits until then: the GPUs' time alone, by
 * events. */
static double time_behind(struct nccl_process *t, struct nccl_run *runs,
                          unsigned n, unsigned iterations)
{
    unsigned some = iterations < IN_A_ROW ? iterations : IN_A_ROW;

    for (unsigned i = 0; i < n; i++) {
        nccl_use(&runs[i]);
        *runs[i].gate = 0;
        CUDA_DIE(access_gate(runs[i].gate_there, runs[i].clock.stream));
        gpu_clock_start(&runs[i].clock);
    }
    for (unsigned i = 0; i < some; i++)
        nccl_once(runs, n);
    meet(t);
    for (unsigned i = 0; i < n; i++)
        *runs[i].gate = 1;
    stop_clocks(runs, n, some);
    return runs[n - 1].events_s[runs[n - 1].nevents - 1];
}

const struct nccl_method nccl_methods[NCCL_METHODS] = {
    {"row", time_row, false},       {"call", time_call, false},
    {"waited", time_waited, false}, {"graph", time_graph, true},
    {"behind", time_behind, false},
};

/* --- threads -------------------------------------------------------------- */

struct nccl_thread {
    struct nccl_process *process;
    struct nccl_run *run;
    unsigned iterations;
    double s;
    pthread_t id;
};

static void *nccl_work(void *arg)
{
    struct nccl_thread *w = arg;

    nccl_use(w->run);
    CUDA_DIE(cudaStreamSynchronize(w->run->clock.stream));
    pthread_barrier_wait(&w->process->meet);
    w->s = w->process->method(w->process, w->run, 1, w->iterations);
    return NULL;
}

double nccl_batch(void *arg, unsigned iterations)
{
    struct nccl_process *t = arg;
    struct nccl_thread threads[NCCL_MOST_GPUS];
    double s = 0;

    if (t->launch != BY_THREADS)
        return t->method(t, t->runs, t->nruns, iterations);
    for (unsigned i = 0; i < t->nruns; i++) {
        threads[i] = (struct nccl_thread){
            .process = t, .run = &t->runs[i], .iterations = iterations};
        if (pthread_create(&threads[i].id, NULL, nccl_work, &threads[i]))
            native_die("nccl: no thread");
    }
    for (unsigned i = 0; i < t->nruns; i++) {
        pthread_join(threads[i].id, NULL);
        s = threads[i].s > s ? threads[i].s : s;
    }
    return s;
}

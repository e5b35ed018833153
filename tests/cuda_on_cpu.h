/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuda_on_cpu.h - runs kernels of CUDA on one core, to test their results: all
 * threads of all CTAs take turns, each on its own stack, and switch at barriers
 * and at accesses that other threads may see. Now and then a warp sleeps while
 * the others continue, by pseudo-random numbers that are the same every time. A
 * GPU's memory order is not simulated.
 *
 * Only the functions of our kernels are here, and masks of lanes are full. A
 * kernel whose threads wait for ever ends the test.
 */
#ifndef TESTS_CUDA_ON_CPU_H
#define TESTS_CUDA_ON_CPU_H

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define UNROLL
#define IN_PLACE
#define CLOCKS
#define MEANWHILE() cpu_gpu::touch()
#define CTA_MEMORY(type, name)                                                 \
    type *name = reinterpret_cast<type *>(cpu_gpu::now->cta->memory.data())

struct dim1 {
    unsigned x;
};
struct double2 {
    double x, y;
};
struct uint4 {
    uint32_t x, y, z, w;
};

static dim1 threadIdx, blockIdx, blockDim, gridDim;

namespace cpu_gpu
{
enum { LANES = 32, STACK = 64 * 1024, MOST_TURNS = 100 * 1000 * 1000 };

/* A barrier of some threads: the last one to arrive sets the result of all. */
struct meeting {
    unsigned members = 0, there = 0, round = 0;
    long long sum = 0, result = 0;
    uint64_t words[LANES] = {};
};

struct cta {
    meeting all;
    std::vector<meeting> warps;
    std::vector<uint64_t> memory;
};

struct grid;

struct thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    unsigned id, block;
    struct cta *cta;
    const grid *of;
    const meeting *waits; /* the barrier whose round it waits for, or NULL */
    unsigned round;
    bool over;
};

/* The threads of a kernel, which must not be moved; `left` have not ended. */
struct grid {
    std::function<void()> body;
    unsigned ctas, size;
    std::vector<cta> blocks;
    std::vector<thread> threads;
    std::vector<uint32_t> asleep;
    size_t left;
};

static thread *now;
static ucontext_t scheduler;
static uint64_t chance, turns;

static uint32_t draw(void)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (uint32_t)(chance >> 32);
}

static void next_turn(void)
{
    swapcontext(&now->context, &scheduler);
}

#ifndef TOUCHES
#define TOUCHES 4
#endif

/* Lets other threads run first, now and then. */
static void touch(void)
{
    if (draw() % TOUCHES == 0)
        next_turn();
}

static long long meet(meeting *m, long long value)
{
    unsigned round = m->round;

    m->sum += value;
    if (++m->there == m->members) {
        m->result = m->sum;
        m->sum = 0;
        m->there = 0;
        m->round++;
    }
    if (m->round == round) {
        now->waits = m;
        now->round = round;
        next_turn();
        now->waits = nullptr;
    }
    return m->result;
}

static meeting *warp(void)
{
    return &now->cta->warps[now->id / LANES];
}

static uint64_t from_lane(uint64_t value, unsigned lane)
{
    meeting *w = warp();

    w->words[now->id % LANES] = value;
    meet(w, 0);
    uint64_t got = w->words[lane % LANES];
    meet(w, 0);
    return got;
}

static void enter(void)
{
    now->of->body();
    now->over = true;
    swapcontext(&now->context, &scheduler);
}

static void one_turn(thread *t)
{
    if (++turns > MOST_TURNS) {
        fprintf(stderr, "cuda_on_cpu: the threads wait for each other\n");
        abort();
    }
    if (t->waits && t->waits->round == t->round)
        return;
    now = t;
    threadIdx.x = t->id;
    blockIdx.x = t->block;
    blockDim.x = t->of->size;
    gridDim.x = t->of->ctas;
    swapcontext(&scheduler, &t->context);
}

/* Gives each thread one turn; returns false if all have ended. */
static bool take_turns(grid &g)
{
    for (size_t i = 0; i < g.threads.size(); i++) {
        uint32_t *sleep = &g.asleep[i / LANES];
        if (i % LANES == 0)
            *sleep = *sleep ? *sleep - 1 : draw() % 64 ? 0 : draw() % 256;
        if (*sleep || g.threads[i].over)
            continue;
        one_turn(&g.threads[i]);
        g.left -= g.threads[i].over;
    }
    return g.left > 0;
}

/* Prepares a thread's context. It is not inlined, because getcontext() returns
 * twice, as setjmp() does. */
static __attribute__((noinline)) void ready(thread *t)
{
    /* Not cleared, because most of it is never touched. */
    t->stack.reset(new char[STACK]);
    t->waits = nullptr;
    t->over = false;
    getcontext(&t->context);
    t->context.uc_stack.ss_sp = t->stack.get();
    t->context.uc_stack.ss_size = STACK;
    t->context.uc_link = nullptr;
    makecontext(&t->context, enter, 0);
}

static inline void prepare(grid &g, unsigned ctas, unsigned size, size_t bytes,
                           const std::function<void()> &kernel)
{
    g.body = kernel;
    g.ctas = ctas;
    g.size = size;
    g.blocks = std::vector<cta>(ctas);
    g.threads = std::vector<thread>((size_t)ctas * size);
    g.asleep.assign(g.threads.size() / LANES + 1, 0);
    g.left = g.threads.size();
    for (cta &c : g.blocks) {
        c.memory.resize(bytes / sizeof(uint64_t) + 1);
        c.all.members = size;
        c.warps.resize((size + LANES - 1) / LANES);
        for (meeting &w : c.warps)
            w.members = LANES;
    }
    for (size_t i = 0; i < g.threads.size(); i++) {
        thread *t = &g.threads[i];
        t->id = (unsigned)(i % size);
        t->block = (unsigned)(i / size);
        t->cta = &g.blocks[t->block];
        t->of = &g;
        ready(t);
    }
}

/* Stands for kernel<<<ctas, size, bytes>>>(...), a call that is in `kernel`. */
static inline void launch(unsigned ctas, unsigned size, size_t bytes,
                          uint64_t seed, const std::function<void()> &kernel)
{
    grid g;

    chance = seed * 2 + 1;
    turns = 0;
    prepare(g, ctas, size, bytes, kernel);
    while (take_turns(g))
        ;
}
} // namespace cpu_gpu

/* --- functions that kernels call ------------------------------------------ */

static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}

static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}

static inline unsigned __ballot_sync(unsigned, bool vote)
{
    unsigned bit = vote ? 1u << threadIdx.x % cpu_gpu::LANES : 0;

    return (unsigned)cpu_gpu::meet(cpu_gpu::warp(), bit);
}

template <class T> static inline T __shfl_sync(unsigned, T value, int lane)
{
    return (T)cpu_gpu::from_lane(value, (unsigned)lane);
}

template <class T> static inline T __shfl_up_sync(unsigned, T value, unsigned d)
{
    unsigned lane = threadIdx.x % cpu_gpu::LANES;

    return (T)cpu_gpu::from_lane(value, lane >= d ? lane - d : lane);
}

static inline void __syncwarp(unsigned)
{
    cpu_gpu::meet(cpu_gpu::warp(), 0);
}

static inline void __syncthreads(void)
{
    cpu_gpu::meet(&cpu_gpu::now->cta->all, 0);
}

static inline int __syncthreads_or(int v)
{
    return cpu_gpu::meet(&cpu_gpu::now->cta->all, v != 0) != 0;
}

static inline int __syncthreads_count(int v)
{
    return (int)cpu_gpu::meet(&cpu_gpu::now->cta->all, v != 0);
}

static inline void __threadfence_system(void)
{
    cpu_gpu::touch();
}

static inline void __threadfence(void)
{
    cpu_gpu::touch();
}

static inline void __nanosleep(unsigned)
{
    cpu_gpu::next_turn();
}

template <class T> static inline T __ldcg(const T *p)
{
    cpu_gpu::touch();
    return *p;
}

template <class T> static inline T atomicAdd(T *p, T v)
{
    cpu_gpu::touch();
    T old = *p;
    *p += v;
    return old;
}

static inline uint32_t atomicMin(uint32_t *p, uint32_t v)
{
    cpu_gpu::touch();
    uint32_t old = *p;
    *p = v < old ? v : old;
    return old;
}

static inline uint32_t __float_as_uint(float v)
{
    uint32_t word;

    memcpy(&word, &v, sizeof word);
    return word;
}

static inline float __uint_as_float(uint32_t word)
{
    float v;

    memcpy(&v, &word, sizeof v);
    return v;
}

static inline uint32_t atomicMax(uint32_t *p, uint32_t v)
{
    cpu_gpu::touch();
    uint32_t old = *p;
    *p = v > old ? v : old;
    return old;
}

static inline uint32_t atomicOr(uint32_t *p, uint32_t v)
{
    cpu_gpu::touch();
    uint32_t old = *p;
    *p |= v;
    return old;
}

static inline uint32_t atomicCAS(uint32_t *p, uint32_t expected, uint32_t v)
{
    cpu_gpu::touch();
    uint32_t old = *p;
    if (old == expected)
        *p = v;
    return old;
}

static inline uint32_t atomicExch(uint32_t *p, uint32_t v)
{
    cpu_gpu::touch();
    uint32_t old = *p;
    *p = v;
    return old;
}

template <class T> static inline T atomicAdd_system(T *p, T v)
{
    return atomicAdd(p, v);
}

static inline uint32_t atomicMin_system(uint32_t *p, uint32_t v)
{
    return atomicMin(p, v);
}

static inline uint32_t atomicMax_system(uint32_t *p, uint32_t v)
{
    return atomicMax(p, v);
}

/* Time is counted in turns, because there is no clock. */
static inline unsigned long long clock_ns(void)
{
    return cpu_gpu::turns;
}

static inline unsigned long long cycles(void)
{
    return cpu_gpu::turns;
}

#endif

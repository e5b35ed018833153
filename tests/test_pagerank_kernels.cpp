// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of native PageRank, run on the CPU: every vertex gets the rank of
 * serial sweeps in doubles, on one GPU and on several. */
#include "tests/kernel_toys.h"
#include "validate/native/cuda/pagerank_residual.cuh"
#include "validate/native/cuda/pagerank_sweep.cuh"

/* Returns the ranks after this number of sweeps in doubles: 1 - damping without
 * arcs. */
static std::vector<double> serial_ranks(const graph &g, unsigned sweeps)
{
    std::vector<double> rank(g.n, 0.15), next(g.n);

    for (unsigned i = 0; i < sweeps; i++) {
        std::fill(next.begin(), next.end(), 0.15);
        for (uint32_t v = 0; v < g.n; v++)
            for (uint64_t a = g.first[v]; a < g.first[v + 1]; a++)
                next[g.to[a]] += 0.85 * rank[v] / (double)graph_degree(&g, v);
        rank = next;
    }
    return rank;
}

struct toy_sweeps {
    std::vector<uint32_t> tail;
    std::vector<float> rank, share, sum;
    uint32_t worst;
    sweep s;
};

static void sweep_gpu(toy_sweeps &t, const graph_share &g, uint64_t seed)
{
    t.tail.resize(g.arcs + 1);
    t.rank.resize(g.own);
    t.share.resize(g.own);
    t.sum.resize(g.own + g.ghosts);
    t.s = {g,
           t.tail.data(),
           t.rank.data(),
           t.share.data(),
           t.sum.data(),
           &t.worst,
           0.15f,
           0.85f,
           {}};
    cpu_gpu::launch(2, 64, 0, seed, [&] { sweep_tails(t.s); });
    cpu_gpu::launch(2, 64, 0, seed, [&] { sweep_first(t.s); });
}

/* Exchanges the ghosts' sums: stored by the kernel, or copied and added by
 * another. */
static void sweep_exchange(toy_sweeps *gpu, const toy_gpus &t, bool copied,
                           uint64_t seed)
{
    for (unsigned i = 0; !copied && i < t.gpus; i++)
        cpu_gpu::launch(1, 64, 0, seed, [&] { sweep_send(gpu[i].s); });
    for (unsigned i = 0; copied && i < t.gpus; i++) {
        std::vector<float> sums;
        std::vector<uint32_t> home;
        for (unsigned p = 0; p + 1 < t.gpus; p++) {
            toy_sweeps &o = gpu[peer_gpu(i, p)];
            unsigned me = as_peer(i, p);
            uint32_t from = share_ghosts_from(&o.s.g, me);
            for (uint32_t k = from; k < o.s.g.ghosts_end[me]; k++) {
                home.push_back(o.s.g.home[k]);
                sums.push_back(o.sum[o.s.g.own + k]);
                o.sum[o.s.g.own + k] = 0;
            }
        }
        cpu_gpu::launch(1, 64, 0, seed, [&] {
            sweep_received(gpu[i].s, sums.data(), home.data(),
                           (uint32_t)sums.size());
        });
    }
}

static void sweeps(const char *words, unsigned gpus, bool copied, uint64_t seed,
                   toy_parts *parts = random_parts)
{
    enum { SWEEPS = 6 };
    toy_gpus t(words, gpus, parts);
    toy_sweeps gpu[TRAVERSE_GPUS];

    for (unsigned i = 0; i < gpus; i++)
        sweep_gpu(gpu[i], t.share(i), seed);
    for (unsigned i = 0; i < gpus; i++)
        for (unsigned p = 0; p + 1 < gpus; p++)
            gpu[i].s.to[p] = gpu[peer_gpu(i, p)].sum.data();
    for (unsigned k = 0; k < SWEEPS; k++) {
        for (unsigned i = 0; i < gpus; i++)
            cpu_gpu::launch(2, 64, 0, seed + k, [&] { sweep_arcs(gpu[i].s); });
        if (gpus > 1)
            sweep_exchange(gpu, t, copied, seed);
        for (unsigned i = 0; i < gpus; i++) {
            gpu[i].worst = 0;
            cpu_gpu::launch(2, 64, 0, seed, [&] { sweep_ranks(gpu[i].s); });
        }
    }
    std::vector<double> want = serial_ranks(t.g, SWEEPS);
    std::vector<double> before = serial_ranks(t.g, SWEEPS - 1);
    double worst = 0, got = 0;
    for (uint32_t v = 0; v < t.g.n; v++) {
        CHECK_NEAR(gpu[t.part[v]].rank[t.place[v]], want[v], 1e-5);
        worst = std::max(worst, fabs(want[v] - before[v]) / before[v]);
    }
    for (unsigned i = 0; i < gpus; i++)
        got = std::max(got, (double)__uint_as_float(gpu[i].worst));
    CHECK_NEAR(got, worst, 1e-3);
}

/* Checks that ranks lack at most the residues below the bound on each GPU. */
static void check_residual(const toy_gpus &t, const std::vector<float> *ranks,
                           double threshold)
{
    std::vector<double> want = serial_ranks(t.g, 200);

    for (uint32_t v = 0; v < t.g.n; v++) {
        double got = (double)ranks[t.part[v]][t.place[v]];
        CHECK(got <= want[v] * (1 + 1e-4));
        CHECK(got >= want[v] * (1 - t.gpus * threshold - 1e-4));
    }
}

static const double BOUND = 0.2; /* relative to 1 - damping */

struct toy_residual {
    toy_gpus t;
    toy_search q;
    std::vector<float> ranks[TRAVERSE_GPUS];
    residual r[TRAVERSE_GPUS];

    toy_residual(const char *words, unsigned gpus, double threshold,
                 uint32_t latency, bool carried = false,
                 toy_parts *parts = random_parts)
        : t(words, gpus, parts), q(t, latency, carried)
    {
        for (unsigned i = 0; i < gpus; i++) {
            ranks[i].resize(t.shares[i].own);
            r[i] = {ranks[i].data(), (float)(0.15 * threshold), 0.15f, 0.85f};
            cpu_gpu::launch(2, 64, 0, 1, [&] { residual_first(q.s[i], r[i]); });
        }
    }
};

static void residual_by_one_kernel(const char *words, unsigned gpus,
                                   uint32_t latency, uint64_t seed,
                                   toy_parts *parts = random_parts)
{
    enum { CTAS = 3, THREADS = 64 };
    toy_residual p(words, gpus, BOUND, latency, false, parts);
    uint64_t processed = 0;

    cpu_gpu::launch(CTAS * gpus, THREADS, sizeof(search_batch), seed, [&] {
        residual_persistent(p.q.s[blockIdx.x / CTAS], p.r[blockIdx.x / CTAS]);
    });
    for (unsigned i = 0; i < gpus; i++)
        processed += p.q.status[i].processed.value;
    p.q.check_trouble();
    CHECK_EQ(processed, p.q.pushed());
    CHECK(processed > p.t.g.n);
    check_residual(p.t, p.ranks, BOUND);
}

static bool residual_step(toy_residual &p, unsigned i, search_range &taken,
                          uint64_t seed)
{
    toy_search &q = p.q;
    search_range r = q.range(i, taken);

    if (!take_range(taken, r))
        return false;
    cpu_gpu::launch(range_ctas(r, q.s[i].peers), 64, sizeof(search_batch), seed,
                    [&] { residual_discrete(q.s[i], p.r[i], r); });
    return true;
}

static bool residual_bring(toy_residual &p, unsigned i, uint64_t seed)
{
    bool some = false;

    for (unsigned k = 0; k < p.q.s[i].peers; k++) {
        const search_update *there;
        unsigned to = peer_gpu(i, k);
        uint32_t n = bring(p.q, i, k, &there);
        some = some || n;
        if (n)
            cpu_gpu::launch((n + 63) / 64, 64, 0, seed, [&] {
                residual_received(p.q.s[to], p.r[to], there, n);
            });
    }
    return some;
}

static void residual_by_kernels(const char *words, unsigned gpus, bool carried,
                                uint64_t seed, toy_parts *parts = random_parts)
{
    toy_residual p(words, gpus, BOUND, 0, carried, parts);
    search_range taken[TRAVERSE_GPUS] = {};

    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < gpus; i++)
            more |= residual_step(p, i, taken[i], seed);
        for (unsigned i = 0; carried && i < gpus; i++)
            more |= residual_bring(p, i, seed);
    }
    p.q.check_trouble();
    check_residual(p.t, p.ranks, BOUND);
}

static void pagerank(const char *words, unsigned gpus)
{
    sweeps(words, gpus, false, gpus);
    residual_by_one_kernel(words, gpus, 0, gpus);
    residual_by_kernels(words, gpus, false, gpus);
}

/* Runs all executions on this number of GPUs. */
static void all(const char *words, unsigned gpus, toy_parts *parts)
{
    sweeps(words, gpus, false, gpus, parts);
    sweeps(words, gpus, true, gpus, parts);
    residual_by_one_kernel(words, gpus, 0, gpus, parts);
    residual_by_kernels(words, gpus, false, gpus, parts);
    residual_by_kernels(words, gpus, true, gpus, parts);
}

int main(void)
{
    for (unsigned gpus = 1; gpus <= 2; gpus++) {
        pagerank(graphs[0], gpus);
        pagerank(graphs[3], gpus);
    }
    sweeps(graphs[0], 2, true, 4);
    residual_by_one_kernel(graphs[1], 2, 500, 5);
    residual_by_kernels(graphs[0], 2, true, 6);
    for (unsigned gpus = 4; gpus <= TRAVERSE_GPUS; gpus += gpus) {
        all(graphs[0], gpus, random_parts);
        all(graphs[3], gpus, metis_parts);
    }
    all(graphs[1], 4, empty_parts);
    all("uniform:vertices=300,arcs=300", 4, apart_parts);
    residual_by_one_kernel(graphs[1], 4, 500, 5);
    return check_result();
}

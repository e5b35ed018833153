// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of native graph searches, run on the CPU: every vertex gets the
 * depth that a serial search gives it, on one GPU and on two. */
#include "tests/cuda_on_cpu.h"

#include "validate/native/cuda/bfs_push.cuh"

extern "C" {
#include "tests/check.h"
#include "validate/native/cuda/traverse_graph.h"
}

/* A graph's shares and values on pretended GPUs. */
struct toy_gpus {
    unsigned gpus;
    graph g;
    uint32_t source;
    std::vector<uint32_t> part, place, want;
    host_share shares[TRAVERSE_GPUS];
    std::vector<uint32_t> depth[TRAVERSE_GPUS];

    toy_gpus(const char *words, unsigned n) : gpus(n)
    {
        err e = {};
        CHECK_EQ(graph_from_words(&g, words, &e), 0);
        source = graph_hub(&g);
        part.resize(g.n);
        place.resize(g.n);
        CHECK_EQ(graph_partition(part.data(), &g, gpus,
                                 gpus > 1 ? GRAPH_RANDOM : GRAPH_CONTIGUOUS, 1,
                                 &e),
                 0);
        CHECK_EQ(host_shares(shares, place.data(), &g, part.data(), gpus, &e),
                 0);
        search();
        for (unsigned i = 0; i < gpus; i++)
            depth[i].assign(shares[i].own + shares[i].ghosts, TRAVERSE_NONE);
        depth[part[source]][place[source]] = 0;
    }
    void search(void)
    {
        std::vector<uint32_t> queue = {source};

        want.assign(g.n, TRAVERSE_NONE);
        want[source] = 0;
        for (size_t i = 0; i < queue.size(); i++)
            for (uint64_t a = g.first[queue[i]]; a < g.first[queue[i] + 1]; a++)
                if (want[g.to[a]] == TRAVERSE_NONE) {
                    want[g.to[a]] = want[queue[i]] + 1;
                    queue.push_back(g.to[a]);
                }
    }
    ~toy_gpus()
    {
        for (unsigned i = 0; i < gpus; i++)
            host_share_clear(&shares[i]);
        graph_clear(&g);
    }
    graph_share share(unsigned i) const
    {
        const host_share &h = shares[i];
        return {h.own, h.ghosts, h.arcs, h.first, h.to, h.home};
    }
    void check(void) const
    {
        for (uint32_t v = 0; v < g.n; v++)
            CHECK_EQ(depth[part[v]][place[v]], want[v]);
    }
};

/* --- level by level ------------------------------------------------------- */

struct toy_list {
    std::vector<arc_item> items;
    list_counts counts = {};

    arc_list list(void)
    {
        return {items.data(), &counts};
    }
};

struct toy_levels {
    toy_gpus &t;
    toy_list lists[TRAVERSE_GPUS][2];
    std::vector<uint32_t> inbox[TRAVERSE_GPUS];
    wide in_count[TRAVERSE_GPUS] = {};

    toy_levels(toy_gpus &toy) : t(toy)
    {
        for (unsigned i = 0; i < t.gpus; i++) {
            lists[i][0].items.resize(t.shares[i].own);
            lists[i][1].items.resize(t.shares[i].own);
            inbox[i].resize(t.shares[i].own);
        }
        unsigned owner = t.part[t.source];
        const uint32_t *first = &t.shares[owner].first[t.place[t.source]];
        lists[owner][0].items[0] = {first[0], 0};
        lists[owner][0].counts.both = 1ull << 32 | (first[1] - first[0]);
    }
    push_level level(unsigned i, uint32_t depth)
    {
        toy_list &in = lists[i][depth % 2], &out = lists[i][1 - depth % 2];
        unsigned other = (i + 1) % t.gpus;
        push_level l = {};

        l.g = t.share(i);
        l.depth = t.depth[i].data();
        l.next = depth + 1;
        l.in = in.items.data();
        l.items = (uint32_t)(in.counts.both >> 32);
        l.arcs = (uint32_t)in.counts.both;
        l.out = out.list();
        l.send = {inbox[other].data(), &in_count[other]};
        l.stores = true;
        return l;
    }
    bool one(uint32_t depth, uint64_t seed)
    {
        bool more = false;

        for (unsigned i = 0; i < t.gpus; i++) {
            push_level l = level(i, depth);
            *l.out.counts = {};
            l.share = PUSH_CTA * (1 + (unsigned)seed % 5);
            if (l.arcs)
                cpu_gpu::launch((l.arcs + l.share - 1) / l.share, PUSH_CTA,
                                sizeof(push_memory), seed,
                                [&] { push_arcs(l); });
        }
        for (unsigned i = 0; i < t.gpus; i++) {
            push_level l = level(i, depth);
            cpu_gpu::launch(2, PUSH_CTA, sizeof(push_memory), seed, [&] {
                push_received(l, inbox[i].data(), &in_count[i]);
            });
            in_count[i] = 0;
            more = more || l.out.counts->both;
        }
        return more;
    }
};

static uint64_t leaves_of(const toy_gpus &t, uint32_t depth)
{
    uint64_t n = 0;

    for (uint32_t v = 0; v < t.g.n; v++)
        n += t.want[v] == depth && !graph_degree(&t.g, v);
    return n;
}

static void levels(const char *words, unsigned gpus, uint64_t seed)
{
    toy_gpus t(words, gpus);
    toy_levels l(t);

    for (uint32_t depth = 0; l.one(depth, seed); depth++) {
        uint64_t found = 0, leaves = 0, want = 0;
        for (unsigned i = 0; i < gpus; i++) {
            const list_counts &c = l.lists[i][1 - depth % 2].counts;
            found += c.both >> 32;
            leaves += c.leaves;
        }
        for (uint32_t v = 0; v < t.g.n; v++)
            want += t.want[v] == depth + 1;
        CHECK_EQ(found + leaves, want);
        CHECK_EQ(leaves, leaves_of(t, depth + 1));
    }
    t.check();
}

static const char *const graphs[] = {"kronecker:scale=7,edge_factor=8,seed=3",
                                     "rmat:scale=8,edge_factor=6,seed=2",
                                     "uniform:vertices=600,arcs=2400",
                                     "road:vertices=200,arcs=480,diameter=25"};

int main(void)
{
    for (const char *words : graphs)
        for (unsigned gpus = 1; gpus <= 2; gpus++)
            levels(words, gpus, gpus);
    return check_result();
}

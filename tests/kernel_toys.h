/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_toys.h - graphs, shares and queues of pretended GPUs, for the tests of
 * the kernels of native graph algorithms on the CPU. */
#ifndef TESTS_KERNEL_TOYS_H
#define TESTS_KERNEL_TOYS_H

#include "tests/cuda_on_cpu.h"

#define QUEUE_TRIES 10000u
#include "validate/native/cuda/bfs_queues.cuh"

extern "C" {
#include "tests/check.h"
#include "validate/native/cuda/traverse_graph.h"
}

static const char *const graphs[] = {"kronecker:scale=7,edge_factor=8,seed=3",
                                     "rmat:scale=8,edge_factor=6,seed=2",
                                     "uniform:vertices=600,arcs=2400",
                                     "road:vertices=200,arcs=480,diameter=25"};

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

struct toy_queue {
    std::vector<uint32_t> items;
    queue_counters counters = {};

    queue make(uint32_t capacity)
    {
        items.assign(capacity, TRAVERSE_NONE);
        return {&counters, items.data(), capacity};
    }
};

struct toy_search {
    toy_gpus &t;
    toy_queue local[TRAVERSE_GPUS], far[TRAVERSE_GPUS], inbox[TRAVERSE_GPUS];
    std::vector<wide> stamps[TRAVERSE_GPUS];
    std::vector<search_update> outbox[TRAVERSE_GPUS], received[TRAVERSE_GPUS];
    queue_counters out[TRAVERSE_GPUS] = {};
    uint32_t brought[TRAVERSE_GPUS] = {};
    search_status status[TRAVERSE_GPUS] = {};
    struct search s[TRAVERSE_GPUS] = {};

    toy_search(toy_gpus &toy, uint32_t latency, bool carried = false) : t(toy)
    {
        for (unsigned i = 0; i < t.gpus; i++) {
            uint32_t room = 20 * t.g.n;
            stamps[i].assign(room, ~0ull >> 1);
            s[i].g = t.share(i);
            s[i].depth = t.depth[i].data();
            s[i].local = local[i].make(room);
            s[i].far = far[i].make(room);
            s[i].inbox = inbox[i].make(room);
            s[i].stamps = stamps[i].data();
            s[i].status = &status[i];
            s[i].latency_ns = latency;
            s[i].tries = 1u << 30;
            s[i].first = i == 0;
            if (!carried)
                continue;
            outbox[i].resize(room);
            received[i].resize(room);
            s[i].outbox = {&out[i], outbox[i].data(), room};
            s[i].received = received[i].data();
        }
        for (unsigned i = 0; t.gpus > 1 && i < t.gpus; i++) {
            const struct search &o = s[!i];
            s[i].peer = {o.depth,  o.local,  o.inbox,
                         o.outbox, o.stamps, o.status};
        }
        unsigned owner = t.part[t.source];
        queue_counters &c = local[owner].counters;
        c.end.value = c.end_alloc.value = 1;
        c.end_max.value = c.end_count.value = 1;
        local[owner].items[0] = t.place[t.source];
    }
    uint64_t pushed(void) const
    {
        uint64_t n = 0;

        for (unsigned i = 0; i < t.gpus; i++)
            n += local[i].counters.end_alloc.value +
                 inbox[i].counters.end_alloc.value;
        return n;
    }
};

/* The CPU: brings what is new to the other GPU; how much. */
static inline uint32_t bring(toy_search &q, unsigned i)
{
    uint32_t from = q.brought[i], end = q.out[i].end.value;

    for (uint32_t k = from; k < end; k++)
        q.received[!i][k] = q.outbox[i][k];
    q.brought[i] = end;
    return end - from;
}

#endif

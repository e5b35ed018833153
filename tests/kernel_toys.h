/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_toys.h - graphs, shares and queues of simulated GPUs, for the tests of
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

/* Sets the GPU of each vertex. */
typedef void toy_parts(std::vector<uint32_t> &part, const graph &g,
                       unsigned gpus);

static inline void random_parts(std::vector<uint32_t> &part, const graph &g,
                                unsigned gpus)
{
    err e = {};

    CHECK_EQ(graph_partition(part.data(), &g, gpus, GRAPH_RANDOM, 1, &e), 0);
}

static inline void metis_parts(std::vector<uint32_t> &part, const graph &g,
                               unsigned gpus)
{
    err e = {};

    CHECK_EQ(graph_partition(part.data(), &g, gpus, GRAPH_METIS, 1, &e), 0);
}

/* The last GPU has no vertices, the first only one. */
static inline void empty_parts(std::vector<uint32_t> &part, const graph &g,
                               unsigned gpus)
{
    for (uint32_t v = 0; v < g.n; v++)
        part[v] = v ? 1 + v % (gpus - 2) : 0;
}

/* The last GPU has the vertices without arcs, and so no neighbours. */
static inline void apart_parts(std::vector<uint32_t> &part, const graph &g,
                               unsigned gpus)
{
    std::vector<bool> meets(g.n);
    uint32_t apart = 0;

    for (uint32_t v = 0; v < g.n; v++)
        for (uint64_t a = g.first[v]; a < g.first[v + 1]; a++)
            meets[v] = meets[g.to[a]] = true;
    for (uint32_t v = 0; v < g.n; v++) {
        part[v] = meets[v] ? v % (gpus - 1) : gpus - 1;
        apart += !meets[v];
    }
    CHECK(apart > 10);
}

/* A graph's shares and values on simulated GPUs; with one GPU it is not
 * partitioned. */
struct toy_gpus {
    unsigned gpus;
    graph g;
    uint32_t source;
    std::vector<uint32_t> part, place, want;
    host_share shares[TRAVERSE_GPUS];
    std::vector<uint32_t> depth[TRAVERSE_GPUS];

    toy_gpus(const char *words, unsigned n, toy_parts *parts = random_parts)
        : gpus(n)
    {
        err e = {};
        CHECK_EQ(graph_from_words(&g, words, &e), 0);
        source = graph_hub(&g);
        part.resize(g.n);
        place.resize(g.n);
        if (gpus > 1)
            parts(part, g, gpus);
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
        graph_share out = {h.own, h.ghosts, h.arcs, h.first, h.to, h.home, {}};

        std::copy(h.ghosts_end, h.ghosts_end + TRAVERSE_PEERS, out.ghosts_end);
        return out;
    }
    void check(void) const
    {
        for (uint32_t v = 0; v < g.n; v++)
            CHECK_EQ(depth[part[v]][place[v]], want[v]);
    }
};

/* The same as side_peer() and side_as_peer(). */
static inline unsigned peer_gpu(unsigned gpu, unsigned peer)
{
    return peer + (peer >= gpu);
}
static inline unsigned as_peer(unsigned gpu, unsigned peer)
{
    return gpu - (peer < gpu);
}

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
    toy_queue local[TRAVERSE_GPUS], far[TRAVERSE_GPUS];
    /* The queues to each peer. */
    struct box {
        std::vector<uint32_t> items;
        std::vector<wide> stamps;
        std::vector<search_update> outbox, received;
        uint32_t brought = 0;
    };
    struct box with[TRAVERSE_GPUS][TRAVERSE_PEERS];
    queue_counters in[TRAVERSE_GPUS][TRAVERSE_PEERS] = {},
                   out[TRAVERSE_GPUS][TRAVERSE_PEERS] = {};
    search_status status[TRAVERSE_GPUS] = {};
    struct search s[TRAVERSE_GPUS] = {};

    toy_search(toy_gpus &toy, uint32_t latency, bool carried = false) : t(toy)
    {
        for (unsigned i = 0; i < t.gpus; i++) {
            s[i].g = t.share(i);
            s[i].depth = t.depth[i].data();
            s[i].local = local[i].make(room());
            s[i].far = far[i].make(room());
            s[i].status = &status[i];
            s[i].latency_ns = latency;
            s[i].tries = 1u << 30;
            s[i].first = i == 0;
            s[i].peers = t.gpus - 1;
            s[i].moved = carried ? out[i] : in[i];
            for (unsigned p = 0; p < s[i].peers; p++)
                make_boxes(i, p, carried);
        }
        for (unsigned i = 0; i < t.gpus; i++)
            for (unsigned p = 0; p < s[i].peers; p++)
                connect(i, p);
        unsigned owner = t.part[t.source];
        queue_counters &c = local[owner].counters;
        c.end.value = c.end_alloc.value = 1;
        c.end_max.value = c.end_count.value = 1;
        local[owner].items[0] = t.place[t.source];
    }
    uint32_t room(void) const
    {
        return 20 * t.g.n;
    }
    void make_boxes(unsigned i, unsigned p, bool carried)
    {
        struct box &m = with[i][p];
        search_peer &to = s[i].peer[p];

        m.items.resize(room());
        m.stamps.assign(room(), ~0ull >> 1);
        to.from = {
            {&in[i][p], m.items.data(), room()}, m.stamps.data(), nullptr};
        if (!carried)
            return;
        m.outbox.resize(room());
        m.received.resize(room());
        to.outbox = {&out[i][p], m.outbox.data(), room()};
        to.from.received = m.received.data();
    }
    void connect(unsigned i, unsigned p)
    {
        const struct search &o = s[peer_gpu(i, p)];
        search_peer &to = s[i].peer[p];

        to.depth = o.depth;
        to.to = o.peer[as_peer(i, p)].from;
        to.pushed = o.local.at;
        to.moved = o.moved;
        to.status = o.status;
    }
    /* Returns the number of pushes into local queues and those between GPUs. */
    uint64_t pushed(void) const
    {
        uint64_t n = 0;

        for (unsigned i = 0; i < t.gpus; i++)
            n += local[i].counters.end_alloc.value;
        return n + moved();
    }
    uint64_t moved(void) const
    {
        uint64_t n = 0;

        for (unsigned i = 0; i < t.gpus; i++)
            for (unsigned p = 0; p + 1 < t.gpus; p++)
                n += s[i].moved[p].end_alloc.value;
        return n;
    }
    void check_trouble(void) const
    {
        for (unsigned i = 0; i < t.gpus; i++) {
            CHECK_EQ(local[i].counters.trouble.value, 0);
            CHECK_EQ(status[i].trouble.value, 0);
        }
    }
    /* Returns the vertices that have arrived at a GPU but are not in
     * `taken`. */
    search_range range(unsigned i, const search_range &taken) const
    {
        search_range r = {};

        r.near = {taken.near.from,
                  local[i].counters.end.value - taken.near.from};
        for (unsigned p = 0; p < s[i].peers; p++)
            r.inbox[p] = {taken.inbox[p].from,
                          in[i][p].end.value - taken.inbox[p].from};
        return r;
    }
};

/* Moves `taken` behind the range; returns how many places that are. */
static inline uint32_t take_range(search_range &taken, const search_range &r)
{
    uint32_t n = r.near.n;

    taken.near.from += r.near.n;
    for (unsigned p = 0; p < TRAVERSE_PEERS; p++) {
        taken.inbox[p].from += r.inbox[p].n;
        n += r.inbox[p].n;
    }
    return n;
}

/* Copies new updates to a peer, as the CPU does; returns how many, and their
 * place in *there. */
static inline uint32_t bring(toy_search &q, unsigned i, unsigned p,
                             const search_update **there)
{
    toy_search::box &m = q.with[i][p];
    std::vector<search_update> &to =
        q.with[peer_gpu(i, p)][as_peer(i, p)].received;
    uint32_t from = m.brought, end = q.out[i][p].end.value;

    for (uint32_t k = from; k < end; k++)
        to[k] = m.outbox[k];
    m.brought = end;
    *there = &to[from];
    return end - from;
}

#endif

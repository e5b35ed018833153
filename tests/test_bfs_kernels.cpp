// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of native graph searches, run on the CPU: every vertex gets the
 * depth that a serial search gives it, on one GPU and on two. */
#include "tests/kernel_toys.h"
#include "validate/native/cuda/bfs_direction.cuh"
#include "validate/native/cuda/bfs_discrete.cuh"
#include "validate/native/cuda/bfs_gunrock.cuh"
#include "validate/native/cuda/bfs_levels.cuh"
#include "validate/native/cuda/bfs_persistent.cuh"
#include "validate/native/cuda/bfs_push.cuh"

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
                push_received(l, inbox[i].data(), &in_count[i], 0);
            });
            in_count[i] = 0;
            more = more || l.out.counts->both;
        }
        return more;
    }
};

/* All levels but the first, pulling. */
static void pull(const char *words, uint64_t seed)
{
    toy_gpus t(words, 1);
    toy_levels l(t);
    graph back;
    wide looked = 0;

    graph_transpose(&back, &t.g);
    std::vector<uint32_t> first(back.first, back.first + back.n + 1);
    bool more = l.one(0, seed);
    for (uint32_t depth = 1; more; depth++) {
        pull_level p = {l.level(0, depth), first.data(), back.to, &looked};
        *p.push.out.counts = {};
        cpu_gpu::launch(2, PUSH_CTA, sizeof(push_memory), seed,
                        [&] { pull_arcs(p); });
        uint64_t want = 0, arcs = 0;
        for (uint32_t v = 0; v < t.g.n; v++)
            if (t.want[v] == depth + 1) {
                want += graph_degree(&t.g, v) > 0;
                arcs += graph_degree(&t.g, v);
            }
        CHECK_EQ(p.push.out.counts->both, want << 32 | arcs);
        more = p.push.out.counts->both + p.push.out.counts->leaves;
    }
    CHECK(looked > 0);
    graph_clear(&back);
    t.check();
}

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

/* --- Gunrock's operations ------------------------------------------------- */

/* Level by level on one GPU; the host scans. */
static void gunrock(const toy_gpus &t, std::vector<uint32_t> &depth,
                    uint64_t seed)
{
    std::vector<uint32_t> frontier(t.g.n), degrees(t.g.n), ends(t.g.n),
        found(t.g.n), slots(graph_arcs(&t.g));
    gunrock_lengths lengths;
    gunrock_level l = {};

    l.g = t.share(0);
    l.depth = depth.data();
    l.degrees = degrees.data();
    l.ends = ends.data();
    l.slots = slots.data();
    l.lengths = &lengths;
    frontier[0] = t.source;
    for (l.items = 1; l.items; l.items = (uint32_t)lengths.found) {
        l.next++;
        l.frontier = frontier.data();
        l.found = found.data();
        lengths = {};
        cpu_gpu::launch((l.items + 255) / 256, 256, 0, seed,
                        [&] { gunrock_degrees(l); });
        l.arcs = 0;
        for (uint32_t i = 0; i < l.items; i++)
            ends[i] = l.arcs += degrees[i];
        uint32_t share = 2048;
        if (l.arcs)
            cpu_gpu::launch((l.arcs + share - 1) / share, PUSH_CTA,
                            sizeof(push_memory), seed,
                            [&] { gunrock_advance(l, share); });
        if (l.arcs)
            cpu_gpu::launch(2, PUSH_CTA, sizeof(push_memory), seed,
                            [&] { gunrock_filter(l); });
        frontier.swap(found);
    }
}

static void gunrock_levels(const char *words, uint64_t seed)
{
    toy_gpus t(words, 1);

    gunrock(t, t.depth[0], seed);
    t.check();
}

/* A hub, thousands without arcs, and one behind the last of them. */
static void gunrock_without_arcs(void)
{
    enum { N = 3000 };
    std::vector<uint32_t> tail, head;
    toy_gpus t(graphs[0], 1);

    for (uint32_t v = 1; v < N; v++) {
        tail.push_back(0);
        head.push_back(v);
    }
    tail.push_back(N - 1);
    head.push_back(N);
    for (uint32_t v = 1; v < 40; v++) {
        tail.push_back(v);
        head.push_back(N + v);
    }
    host_share_clear(&t.shares[0]);
    graph_clear(&t.g);
    graph_from_arcs(&t.g, N + 40, tail.data(), head.data(), tail.size());
    err e = {};
    t.part.assign(t.g.n, 0);
    t.place.assign(t.g.n, 0);
    CHECK_EQ(host_shares(t.shares, t.place.data(), &t.g, t.part.data(), 1, &e),
             0);
    t.source = 0;
    t.search();
    t.depth[0].assign(t.g.n, TRAVERSE_NONE);
    t.depth[0][0] = 0;
    gunrock(t, t.depth[0], 1);
    t.check();
}

/* --- by queues ------------------------------------------------------------ */

/* All GPUs' workers are there at once. */
static void persistent(const char *words, unsigned gpus, uint64_t seed,
                       uint32_t latency)
{
    enum { CTAS = 3, THREADS = 64 };
    toy_gpus t(words, gpus);
    toy_search q(t, latency);
    uint64_t processed = 0, received = 0, sent = 0;

    cpu_gpu::launch(CTAS * gpus, THREADS, sizeof(search_batch), seed,
                    [&] { search_persistent(q.s[blockIdx.x / CTAS]); });
    for (unsigned i = 0; i < gpus; i++) {
        processed += q.status[i].processed.value;
        sent += q.status[i].sent;
        received += q.inbox[i].counters.end.value;
        CHECK_EQ(q.local[i].counters.trouble.value, 0);
        CHECK_EQ(q.inbox[i].counters.trouble.value, 0);
        CHECK_EQ(q.status[i].done.value, 1);
    }
    CHECK_EQ(processed, q.pushed());
    CHECK_EQ(sent, received);
    t.check();
}

/* The CPU is one more CTA, of which one thread does something. */
static void persistent_carried(const char *words, uint64_t seed)
{
    enum { CTAS = 2, THREADS = 64 };
    toy_gpus t(words, 2);
    toy_search q(t, 0, true);
    uint64_t processed = 0, stale = 0;

    cpu_gpu::launch(2 * CTAS + 1, THREADS, sizeof(search_batch), seed, [&] {
        if (blockIdx.x < 2 * CTAS) {
            search_persistent(q.s[blockIdx.x / CTAS]);
            return;
        }
        while (threadIdx.x == 0 && !look(&q.status[0].done.value))
            for (unsigned i = 0; i < 2; i++) {
                bring(q, i);
                q.inbox[!i].counters.end.value = q.brought[i];
                __nanosleep(1);
            }
    });
    for (unsigned i = 0; i < 2; i++) {
        processed += q.status[i].processed.value;
        stale += q.status[i].stale;
        CHECK_EQ(q.local[i].counters.trouble.value, 0);
        CHECK_EQ(q.out[i].end.value, q.status[i].sent);
    }
    CHECK_EQ(processed, q.pushed() + q.brought[0] + q.brought[1]);
    CHECK(stale <= q.brought[0] + q.brought[1]);
    t.check();
}

/* Too small a queue: everybody ends, and it is said. */
static void persistent_overflow(void)
{
    toy_gpus t("uniform:vertices=300,arcs=1500", 1);
    toy_search q(t, 0);

    q.s[0].local.capacity = 40;
    cpu_gpu::launch(2, 64, sizeof(search_batch), 1,
                    [&] { search_persistent(q.s[0]); });
    CHECK(q.local[0].counters.trouble.value & QUEUE_FULL);
}

/* The steps of a GPU that the host takes: false when it has nothing. */
static bool discrete_step(toy_search &q, unsigned i, search_range &at,
                          uint32_t &far, uint32_t delta, uint64_t seed)
{
    struct search &s = q.s[i];
    search_range r = {at.from, q.local[i].counters.end.value - at.from,
                      at.inbox_from,
                      q.inbox[i].counters.end.value - at.inbox_from};
    uint32_t put_off = q.far[i].counters.end.value - far;

    if (r.n || r.inbox_n) {
        cpu_gpu::launch(range_workers(r.n) + range_workers(r.inbox_n), 64,
                        sizeof(search_batch), seed,
                        [&] { search_discrete(s, r); });
        at.from += r.n;
        at.inbox_from += r.inbox_n;
        at.n += r.n + r.inbox_n; /* visits */
        return true;
    }
    if (!put_off)
        return false;
    s.threshold += delta;
    cpu_gpu::launch((put_off + 63) / 64, 64, 0, seed,
                    [&] { search_raise(s, far, put_off); });
    far += put_off;
    return true;
}

static bool bring_all(toy_search &q, uint64_t seed)
{
    bool some = false;

    for (unsigned i = 0; i < q.t.gpus; i++) {
        uint32_t from = q.brought[i], n = bring(q, i);
        some = some || n;
        if (n)
            cpu_gpu::launch((n + 63) / 64, 64, 0, seed, [&] {
                search_received(q.s[!i], &q.received[!i][from], n);
            });
    }
    return some;
}

static void discrete(const char *words, unsigned gpus, uint32_t delta,
                     bool carried, uint64_t seed)
{
    toy_gpus t(words, gpus);
    toy_search q(t, 0, carried);
    search_range at[TRAVERSE_GPUS] = {};
    uint32_t far[TRAVERSE_GPUS] = {};
    uint64_t reached = 0;

    for (unsigned i = 0; i < gpus; i++)
        q.s[i].threshold = delta;
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < gpus; i++)
            more |= discrete_step(q, i, at[i], far[i], delta, seed);
        more |= carried && bring_all(q, seed);
    }
    t.check();
    for (uint32_t v = 0; v < t.g.n; v++)
        reached += t.want[v] != TRAVERSE_NONE;
    if (gpus == 1) /* level by level, whatever the delta */
        CHECK_EQ(at[0].n, reached);
}

int main(void)
{
    for (const char *words : graphs) {
        for (unsigned gpus = 1; gpus <= 2; gpus++) {
            levels(words, gpus, gpus);
            persistent(words, gpus, gpus, 0);
            discrete(words, gpus, gpus, false, gpus);
        }
        pull(words, 1);
        gunrock_levels(words, 2);
    }
    gunrock_without_arcs();
    persistent(graphs[0], 2, 5, 500);
    persistent_carried(graphs[0], 4);
    persistent_carried(graphs[3], 4);
    persistent_overflow();
    discrete(graphs[1], 2, 1, true, 1);
    discrete(graphs[3], 2, 4, true, 2);
    return check_result();
}

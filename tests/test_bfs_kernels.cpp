// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of native graph searches, run on the CPU: every vertex gets the
 * depth of a serial search, on one GPU and on several. */
#include "tests/kernel_toys.h"
#include "validate/native/cuda/bfs_direction.cuh"
#include "validate/native/cuda/bfs_gunrock.cuh"
#include "validate/native/cuda/bfs_push.cuh"
#include "validate/native/cuda/bfs_search.cuh"

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
    std::vector<uint32_t> inbox[TRAVERSE_GPUS][TRAVERSE_PEERS];
    wide in_count[TRAVERSE_GPUS][TRAVERSE_PEERS] = {};

    toy_levels(toy_gpus &toy) : t(toy)
    {
        for (unsigned i = 0; i < t.gpus; i++) {
            lists[i][0].items.resize(t.shares[i].own);
            lists[i][1].items.resize(t.shares[i].own);
            for (unsigned p = 0; p + 1 < t.gpus; p++)
                inbox[i][p].resize(t.shares[i].own);
        }
        unsigned owner = t.part[t.source];
        const uint32_t *first = &t.shares[owner].first[t.place[t.source]];
        lists[owner][0].items[0] = {first[0], 0};
        lists[owner][0].counts.both = 1ull << 32 | (first[1] - first[0]);
    }
    push_level level(unsigned i, uint32_t depth)
    {
        toy_list &in = lists[i][depth % 2], &out = lists[i][1 - depth % 2];
        push_level l = {};

        l.g = t.share(i);
        l.depth = t.depth[i].data();
        l.next = depth + 1;
        l.in = in.items.data();
        l.items = (uint32_t)(in.counts.both >> 32);
        l.arcs = (uint32_t)in.counts.both;
        l.out = out.list();
        l.peers = t.gpus - 1;
        for (unsigned p = 0; p < l.peers; p++) {
            unsigned to = peer_gpu(i, p), me = as_peer(i, p);
            l.send[p] = {inbox[to][me].data(), &in_count[to][me]};
        }
        l.stores = true;
        return l;
    }
    /* Returns the arrivals; the kernel reads their number, unless it is
     * given. */
    push_inbox came(unsigned i, bool given)
    {
        push_inbox in = {};

        in.counts = given ? nullptr : in_count[i];
        for (unsigned p = 0; p + 1 < t.gpus; p++) {
            in.items[p] = inbox[i][p].data();
            in.n[p] = given ? (uint32_t)in_count[i][p] : 0;
        }
        return in;
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
            push_inbox in = came(i, seed % 2);
            cpu_gpu::launch(2, PUSH_CTA, sizeof(push_memory), seed,
                            [&] { push_received(l, in); });
            std::fill(in_count[i], in_count[i] + TRAVERSE_PEERS, 0);
            more = more || l.out.counts->both;
        }
        return more;
    }
};

/* Runs all levels except the first by pulling. */
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

static void levels(const char *words, unsigned gpus, uint64_t seed,
                   toy_parts *parts = random_parts)
{
    toy_gpus t(words, gpus, parts);
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

static void scan(const gunrock_level &l, uint64_t seed)
{
    uint32_t tiles = gunrock_tiles(l.items);

    cpu_gpu::launch((tiles + 255) / 256, 256, 0, seed,
                    [&] { gunrock_clear(l); });
    cpu_gpu::launch(tiles, PUSH_CTA, sizeof(push_memory), seed,
                    [&] { gunrock_scan(l); });
}

/* Tests scans of one tile and of many, more than a warp looks at together,
 * which end anywhere in a tile. */
static void scans(void)
{
    for (uint32_t n : {1u, 1023u, 1024u, 1025u, 38 * 1024u + 5}) {
        std::vector<uint32_t> degrees(n), ends(n);
        std::vector<wide> tiles(gunrock_tiles(n), ~0ull);
        gunrock_level l = {};
        uint32_t sum = 0, wrong = 0;

        for (uint32_t i = 0; i < n; i++)
            degrees[i] = i * 2654435761u % 97;
        l.items = n;
        l.degrees = degrees.data();
        l.ends = ends.data();
        l.tiles = tiles.data();
        scan(l, n);
        for (uint32_t i = 0; i < n; i++)
            wrong += ends[i] != (sum += degrees[i]);
        CHECK_EQ(wrong, 0u);
    }
}

/* A GPU's lists. */
struct toy_gunrock {
    std::vector<uint32_t> frontier, degrees, ends, found, slots, own, send;
    std::vector<wide> tiles;
    gunrock_lengths lengths = {};
    gunrock_parameters parameters = {};
    gunrock_level l = {};

    toy_gunrock(const toy_gpus &t, unsigned i, std::vector<uint32_t> &depth)
    {
        l.g = t.share(i);
        for (auto *list : {&frontier, &degrees, &ends, &own})
            list->resize(l.g.own);
        tiles.resize(gunrock_tiles(l.g.own));
        found.resize(l.g.own + l.g.ghosts);
        slots.resize(l.g.arcs);
        send.resize(l.g.ghosts);
        l.depth = depth.data();
        l.degrees = degrees.data();
        l.ends = ends.data();
        l.tiles = tiles.data();
        l.slots = slots.data();
        l.found = found.data();
        l.own = own.data();
        l.send = send.data();
        l.lengths = &lengths;
        l.parameters = &parameters;
        l.peers = t.gpus - 1;
        if (i == t.part[t.source])
            frontier[l.items++] = t.place[t.source];
        l.frontier = frontier.data();
    }
    void advance(uint64_t seed)
    {
        const uint32_t share = 2048;

        l.next++;
        l.arcs = 0;
        lengths = {};
        if (!l.items)
            return;
        cpu_gpu::launch((l.items + 255) / 256, 256, 0, seed,
                        [&] { gunrock_degrees(l); });
        scan(l, seed);
        l.arcs = ends[l.items - 1];
        if (!l.arcs)
            return;
        cpu_gpu::launch((l.arcs + share - 1) / share, PUSH_CTA,
                        sizeof(push_memory), seed,
                        [&] { gunrock_advance(l, share); });
        cpu_gpu::launch(2, PUSH_CTA, sizeof(push_memory), seed,
                        [&] { gunrock_filter(l); });
    }
    /* On one GPU the found vertices are the frontier. */
    void swap(void)
    {
        l.items = (uint32_t)lengths.found;
        frontier.swap(found);
        l.frontier = frontier.data();
        l.found = found.data();
    }
    void split(uint64_t seed)
    {
        parameters.items = lengths.found;
        cpu_gpu::launch(2, GUNROCK_CTA, sizeof(push_memory), seed,
                        [&] { gunrock_split(l); });
        frontier = own;
        l.frontier = frontier.data();
    }
    void expand(const uint32_t *list, uint32_t n, uint64_t seed)
    {
        if (n)
            cpu_gpu::launch((n + 255) / 256, GUNROCK_CTA, sizeof(push_memory),
                            seed, [&] { gunrock_expand(l, list, n); });
        l.items = (uint32_t)lengths.own;
    }
};

static void gunrock(const toy_gpus &t, std::vector<uint32_t> &depth,
                    uint64_t seed)
{
    toy_gunrock one(t, 0, depth);

    while (one.l.items) {
        one.advance(seed);
        one.swap();
    }
}

static void gunrock_levels(const char *words, uint64_t seed)
{
    toy_gpus t(words, 1);

    gunrock(t, t.depth[0], seed);
    t.check();
}

static void gunrock_exchange(std::vector<toy_gunrock> &all, uint64_t seed)
{
    for (toy_gunrock &one : all)
        one.split(seed);
    for (unsigned i = 0; i < all.size(); i++)
        for (unsigned p = 0; p + 1 < all.size(); p++) {
            toy_gunrock &from = all[peer_gpu(i, p)];
            unsigned me = as_peer(i, p);
            all[i].expand(from.send.data() + share_ghosts_from(&from.l.g, me),
                          (uint32_t)from.lengths.ghosts[me], seed);
        }
}

static void gunrock_levels_of(const char *words, unsigned gpus,
                              toy_parts *parts, uint64_t seed)
{
    toy_gpus t(words, gpus, parts);
    std::vector<toy_gunrock> all;

    all.reserve(gpus); /* because the elements' addresses are used */
    for (unsigned i = 0; i < gpus; i++)
        all.emplace_back(t, i, t.depth[i]);
    for (bool more = true; more;) {
        more = false;
        for (toy_gunrock &one : all)
            one.advance(seed);
        gunrock_exchange(all, seed);
        for (const toy_gunrock &one : all)
            more = more || one.l.items;
    }
    t.check();
}

/* Tests a hub, thousands of vertices without arcs, and one behind the last of
 * them. */
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

/* Runs the workers of all GPUs at once. */
static void persistent(const char *words, unsigned gpus, uint64_t seed,
                       uint32_t latency, toy_parts *parts = random_parts)
{
    enum { CTAS = 3, THREADS = 64 };
    toy_gpus t(words, gpus, parts);
    toy_search q(t, latency);
    uint64_t processed = 0, sent = 0;

    cpu_gpu::launch(CTAS * gpus, THREADS, sizeof(search_batch), seed,
                    [&] { search_persistent(q.s[blockIdx.x / CTAS]); });
    for (unsigned i = 0; i < gpus; i++) {
        processed += q.status[i].processed.value;
        sent += q.status[i].sent;
        CHECK_EQ(q.status[i].done.value, 1);
    }
    q.check_trouble();
    CHECK_EQ(processed, q.pushed());
    CHECK_EQ(sent, q.moved());
    t.check();
}

/* Copies new updates, then their number, as the CPU does while kernels run. */
static void carry(toy_search &q, unsigned i)
{
    for (unsigned p = 0; p < q.s[i].peers; p++) {
        const search_update *there;
        bring(q, i, p, &there);
        q.in[peer_gpu(i, p)][as_peer(i, p)].end.value = q.with[i][p].brought;
    }
}

/* Adds one more CTA, of which one thread works as the CPU. */
static void persistent_carried(const char *words, unsigned gpus, uint64_t seed)
{
    enum { CTAS = 2, THREADS = 64 };
    toy_gpus t(words, gpus);
    toy_search q(t, 0, true);
    uint64_t processed = 0, stale = 0, brought = 0;

    cpu_gpu::launch(gpus * CTAS + 1, THREADS, sizeof(search_batch), seed, [&] {
        if (blockIdx.x < gpus * CTAS) {
            search_persistent(q.s[blockIdx.x / CTAS]);
            return;
        }
        while (threadIdx.x == 0 && !look(&q.status[0].done.value))
            for (unsigned i = 0; i < gpus; i++) {
                carry(q, i);
                __nanosleep(1);
            }
    });
    for (unsigned i = 0; i < gpus; i++) {
        uint64_t sent = 0;
        processed += q.status[i].processed.value;
        stale += q.status[i].stale;
        for (unsigned p = 0; p < q.s[i].peers; p++) {
            sent += q.out[i][p].end.value;
            brought += q.with[i][p].brought;
        }
        CHECK_EQ(sent, q.status[i].sent);
    }
    q.check_trouble();
    CHECK_EQ(processed, q.pushed());
    CHECK_EQ(brought, q.moved());
    CHECK(stale <= brought);
    t.check();
}

/* With too small a queue all threads end, and the overflow is reported. */
static void persistent_overflow(void)
{
    toy_gpus t("uniform:vertices=300,arcs=1500", 1);
    toy_search q(t, 0);

    q.s[0].local.capacity = 40;
    cpu_gpu::launch(2, 64, sizeof(search_batch), 1,
                    [&] { search_persistent(q.s[0]); });
    CHECK(q.local[0].counters.trouble.value & QUEUE_FULL);
}

/* The same for updates from another GPU, of one pair of four. */
static void sent_overflow(bool carried)
{
    enum { CTAS = 2, GPUS = 4 };
    toy_gpus t("uniform:vertices=300,arcs=1500", GPUS);
    toy_search q(t, 0, carried);

    q.s[1].peer[2].to.queue.capacity = 3;
    q.s[1].peer[2].outbox.capacity = 3;
    cpu_gpu::launch(CTAS * GPUS + 1, 64, sizeof(search_batch), 1, [&] {
        if (blockIdx.x < GPUS * CTAS) {
            search_persistent(q.s[blockIdx.x / CTAS]);
            return;
        }
        while (carried && threadIdx.x == 0 && !look(&q.status[1].done.value))
            for (unsigned i = 0; i < GPUS; i++) {
                carry(q, i);
                __nanosleep(1);
            }
    });
    for (unsigned i = 0; i < GPUS; i++) {
        CHECK_EQ(q.status[i].done.value, 1);
        CHECK_EQ(q.status[i].trouble.value, i == 1 ? QUEUE_FULL : 0);
    }
}

/* Runs the host's steps for a GPU; returns false if it has no vertices. */
static bool discrete_step(toy_search &q, unsigned i, search_range &taken,
                          uint64_t &visits, uint32_t &far, uint32_t delta,
                          uint64_t seed)
{
    struct search &s = q.s[i];
    search_range r = q.range(i, taken);
    uint32_t put_off = q.far[i].counters.end.value - far;

    if (uint32_t n = take_range(taken, r)) {
        visits += n;
        cpu_gpu::launch(range_ctas(r, s.peers), 64, sizeof(search_batch), seed,
                        [&] { search_discrete(s, r); });
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

    for (unsigned i = 0; i < q.t.gpus; i++)
        for (unsigned p = 0; p < q.s[i].peers; p++) {
            const search_update *there;
            uint32_t n = bring(q, i, p, &there);
            some = some || n;
            if (n)
                cpu_gpu::launch((n + 63) / 64, 64, 0, seed, [&] {
                    search_received(q.s[peer_gpu(i, p)], there, n);
                });
        }
    return some;
}

static void discrete(const char *words, unsigned gpus, uint32_t delta,
                     bool carried, uint64_t seed,
                     toy_parts *parts = random_parts)
{
    toy_gpus t(words, gpus, parts);
    toy_search q(t, 0, carried);
    search_range taken[TRAVERSE_GPUS] = {};
    uint32_t far[TRAVERSE_GPUS] = {};
    uint64_t reached = 0, visits = 0;

    for (unsigned i = 0; i < gpus; i++)
        q.s[i].threshold = delta;
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < gpus; i++)
            more |= discrete_step(q, i, taken[i], visits, far[i], delta, seed);
        more |= carried && bring_all(q, seed);
    }
    q.check_trouble();
    t.check();
    for (uint32_t v = 0; v < t.g.n; v++)
        reached += t.want[v] != TRAVERSE_NONE;
    if (gpus == 1) /* level by level, for any delta */
        CHECK_EQ(visits, reached);
}

/* Runs all executions on this number of GPUs. */
static void all(const char *words, unsigned gpus, toy_parts *parts)
{
    levels(words, gpus, gpus, parts);
    levels(words, gpus, gpus + 1, parts);
    gunrock_levels_of(words, gpus, parts, gpus);
    persistent(words, gpus, gpus, 0, parts);
    discrete(words, gpus, 2, false, gpus, parts);
    discrete(words, gpus, 2, true, gpus, parts);
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
    scans();
    gunrock_without_arcs();
    persistent(graphs[0], 2, 5, 500);
    persistent_carried(graphs[0], 2, 4);
    persistent_carried(graphs[3], 2, 4);
    persistent_overflow();
    discrete(graphs[1], 2, 1, true, 1);
    discrete(graphs[3], 2, 4, true, 2);
    for (unsigned gpus = 2; gpus <= TRAVERSE_GPUS; gpus += gpus) {
        all(graphs[0], gpus, random_parts);
        all(graphs[3], gpus, metis_parts);
    }
    all(graphs[2], 4, empty_parts);
    all(graphs[1], 8, empty_parts);
    all("uniform:vertices=300,arcs=300", 4, apart_parts);
    persistent(graphs[0], 8, 5, 500);
    persistent_carried(graphs[0], 4, 4);
    persistent_carried(graphs[3], 8, 4);
    sent_overflow(false);
    sent_overflow(true);
    return check_result();
}

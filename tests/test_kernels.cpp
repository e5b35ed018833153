// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of validate/native/cuda, run on the CPU: every item is pushed
 * once and popped once, matches are those of the serial matcher; also sums, and
 * gathered values. */
#include "tests/cuda_on_cpu.h"

#define QUEUE_TRIES 10000u
#define ADD_ALONE atomicAdd
#include "validate/native/cuda/access.cuh"
#include "validate/native/cuda/gather.cuh"
#include "validate/native/cuda/match.cuh"
#include "validate/native/cuda/queue.cuh"
#include "validate/native/cuda/reduce.cuh"

extern "C" {
#include "sim/transport/match.h"
#include "tests/check.h"
#include "validate/native/cuda/match_case.h"
}

/* --- queues --------------------------------------------------------------- */

struct toy_queue {
    queue_counters counters = {};
    std::vector<uint32_t> items, popped;
    queue q;

    toy_queue(unsigned threads, unsigned capacity)
        : items(capacity, QUEUE_NOTHING),
          popped((size_t)threads * QUEUE_OPS, QUEUE_NOTHING), q{&counters,
                                                                items.data(),
                                                                capacity}
    {
    }
    void fill(void)
    {
        uint32_t n = (uint32_t)items.size();

        for (uint32_t i = 0; i < n; i++)
            items[i] = i;
        counters.end.value = counters.end_alloc.value = n;
        counters.end_max.value = counters.end_count.value = n;
    }
};

typedef void queue_kernel(unsigned threads, struct queue q, uint32_t *popped);

static void one_queue(queue_kernel *push, queue_kernel *pop, queue_kernel *both,
                      unsigned threads, unsigned cta, uint64_t seed)
{
    unsigned n = threads * QUEUE_OPS, ctas = (threads + cta - 1) / cta;
    size_t box = QUEUE_BOX * sizeof(uint32_t);
    toy_queue a(threads, n), b(threads, n), c(threads, n);

    cpu_gpu::launch(ctas, cta, box, seed,
                    [&] { push(threads, a.q, a.popped.data()); });
    CHECK_EQ(a.counters.trouble.value, 0);
    CHECK_EQ(a.counters.end.value, n);
    CHECK(queue_each_once(a.items.data(), n));
    CHECK(queue_in_order(a.items.data(), n));

    b.fill();
    cpu_gpu::launch(ctas, cta, box, seed,
                    [&] { pop(threads, b.q, b.popped.data()); });
    CHECK_EQ(b.counters.trouble.value, 0);
    CHECK(queue_each_once(b.popped.data(), n));
    CHECK(queue_popped_in_order(b.popped.data(), threads));

    cpu_gpu::launch(ctas, cta, box, seed,
                    [&] { both(threads, c.q, c.popped.data()); });
    CHECK_EQ(c.counters.trouble.value, 0);
    CHECK(queue_each_once(c.items.data(), n));
    CHECK(queue_each_once(c.popped.data(), n));
}

static void queues(void)
{
    /* There are 96 threads in CTAs of 64, so that the last one has some without
     * work. */
    static const unsigned sizes[][2] = {{32, 32}, {96, 64}, {256, 64}};

    for (uint64_t seed = 1; seed <= 2; seed++)
        for (const auto &s : sizes) {
            one_queue(queue_by_warps<atos_queue, QUEUE_PUSH>,
                      queue_by_warps<atos_queue, QUEUE_POP>,
                      queue_by_warps<atos_queue, QUEUE_PUSH_POP>, s[0], s[1],
                      seed);
            one_queue(queue_by_ctas<atos_queue, QUEUE_PUSH>,
                      queue_by_ctas<atos_queue, QUEUE_POP>,
                      queue_by_ctas<atos_queue, QUEUE_PUSH_POP>, s[0], s[1],
                      seed);
            one_queue(queue_by_warps<cas_queue, QUEUE_PUSH>,
                      queue_by_warps<cas_queue, QUEUE_POP>,
                      queue_by_warps<cas_queue, QUEUE_PUSH_POP>, s[0], s[1],
                      seed);
        }
}

/* A queue that is too small, and one without pushes, are reported, and the
 * kernel ends. */
static void queue_trouble(void)
{
    toy_queue full(64, 100), empty(32, 320);

    cpu_gpu::launch(1, 64, 0, 1, [&] {
        queue_by_warps<atos_queue, QUEUE_PUSH>(64, full.q, NULL);
    });
    CHECK_EQ(full.counters.trouble.value, QUEUE_FULL);
    cpu_gpu::launch(1, 32, 0, 1, [&] {
        queue_by_warps<cas_queue, QUEUE_POP>(32, empty.q, empty.popped.data());
    });
    CHECK_EQ(empty.counters.trouble.value, QUEUE_STUCK);
    CHECK_EQ(empty.popped[0], QUEUE_NOTHING);
}

/* Tests the checks with queues that are wrong. */
static void queue_checks(void)
{
    uint32_t good[20], popped[20];

    for (uint32_t i = 0; i < 20; i++) /* two threads in turn */
        good[i] = i % 2 * QUEUE_OPS + i / 2;
    CHECK(queue_each_once(good, 20) && queue_in_order(good, 20));
    std::swap(good[0], good[2]);
    CHECK(queue_each_once(good, 20) && !queue_in_order(good, 20));
    good[0] = good[2];
    CHECK(!queue_each_once(good, 20));
    good[0] = 20;
    CHECK(!queue_each_once(good, 20));
    for (uint32_t i = 0; i < 20; i++)
        popped[i] = i;
    CHECK(queue_popped_in_order(popped, 2));
    std::swap(popped[3], popped[5]);
    CHECK(!queue_popped_in_order(popped, 2));
}

/* --- matching ------------------------------------------------------------- */

static void ignore(void *, uint32_t, uint32_t)
{
}

/* Compares the serial matcher with the simulator's own, which uses a hash
 * table: all messages have arrived before the first receive is posted. */
static void serial(void)
{
    for (unsigned tags : {1u, 3u, 65536u}) {
        match_case c;
        std::vector<uint32_t> taken(300);
        struct match *m = match_new(8, 600);

        match_case_init(&c, 300, 1, 8, tags, {30, 20});
        match_serial(taken.data(), c.messages, c.n, c.receives, c.n);
        for (uint32_t i = 0; i < c.n; i++)
            match_announce(m, {0, c.receives[i].src, c.receives[i].tag, 0});
        for (uint32_t i = 0; i < c.n; i++) {
            envelope e = {0, c.messages[i].src, c.messages[i].tag, 0};
            match_send(m, i, e);
            match_arrive(m, i, e, ignore, NULL);
        }
        for (uint32_t i = 0; i < c.n; i++)
            CHECK_EQ(match_post(m, c.n + i,
                                {0, c.receives[i].src, c.receives[i].tag, 0}),
                     taken[i]);
        match_free(m);
        match_case_clear(&c);
    }
}

/* Tests the check with matches that are wrong. */
static void unordered_checks(void)
{
    match_envelope messages[] = {{1, 5}, {1, 5}, {2, 5}};
    match_envelope receives[] = {{2, 5}, {1, 5}, {3, 5}};
    uint32_t first[] = {2, 0, MATCH_LEFT}, other[] = {2, 1, MATCH_LEFT};
    uint32_t few[] = {MATCH_LEFT, 0, MATCH_LEFT}, wrong[] = {2, 0, 1};
    uint32_t twice[] = {2, 2, MATCH_LEFT}, beyond[] = {2, 3, MATCH_LEFT};

    CHECK(match_unordered(first, messages, 3, receives, 3));
    CHECK(match_unordered(other, messages, 3, receives, 3));
    CHECK(!match_unordered(few, messages, 3, receives, 3));
    CHECK(!match_unordered(wrong, messages, 3, receives, 3));
    CHECK(!match_unordered(twice, messages, 3, receives, 3));
    CHECK(!match_unordered(beyond, messages, 3, receives, 3));
}

struct toy_match {
    match_case c;
    std::vector<uint32_t> wanted, taken, list, messages, receives, nleft;
    match_work w;

    toy_match(uint32_t n, uint32_t queues, unsigned ranks, unsigned tags,
              match_mix mix, bool compact)
        : wanted(n), taken(n, 7), list(n), messages(n), receives(n),
          nleft(2 * (size_t)queues)
    {
        match_case_init(&c, n, queues, ranks, tags, mix);
        match_case_serial(&c, wanted.data());
        w = {c.messages,      c.receives,      c.first_message, c.first_receive,
             queues,          compact,         taken.data(),    list.data(),
             messages.data(), receives.data(), nleft.data()};
    }
    ~toy_match()
    {
        match_case_clear(&c);
    }
    void check(bool ordered)
    {
        if (ordered)
            CHECK(taken == wanted);
        else
            CHECK(match_unordered(taken.data(), c.messages, c.n, c.receives,
                                  c.n));
        if (w.compact)
            CHECK(match_case_left(&c, wanted.data(), messages.data(),
                                  receives.data(), nleft.data()));
    }
};

static void by_matrix(toy_match &m, match_shape s, unsigned repeats)
{
    cpu_gpu::launch(s.ctas, s.threads, match_memory_matrix(s), 1,
                    [&] { match_matrix(m.w, s, repeats); });
    m.check(true);
}

static match_shape shape(unsigned queues, unsigned scan_warps, unsigned groups,
                         unsigned reducer)
{
    match_shape s = {};

    s.scan_warps = scan_warps;
    s.reducer = reducer;
    s.groups = groups;
    s.ctas = (queues + groups - 1) / groups;
    s.threads = groups * (scan_warps + reducer) * WARP;
    return s;
}

/* Tests one queue: of one chunk and of several, with a reducer and without, all
 * matched or not, with few tags so that many fit. */
static void matrix(void)
{
    static const match_mix mixes[] = {{0, 0}, {25, 0}, {0, 50}, {30, 20}};

    for (const match_mix &mix : mixes)
        for (unsigned tags : {65536u, 3u}) {
            bool compact = tags == 3 || mix.unexpected;
            toy_match small(20, 1, 8, tags, mix, compact);
            by_matrix(small, match_shape_matrix(1, 20), 2);
            toy_match m(130, 1, 8, tags, mix, compact);
            by_matrix(m, match_shape_matrix(1, 130), 2);
            by_matrix(m, shape(1, 5, 1, 0), 1);
            by_matrix(m, shape(1, 2, 1, 1), 2);
            by_matrix(m, shape(1, 1, 1, 0), 1);
        }
}

static void partitioned(void)
{
    for (unsigned queues : {2u, 5u, 8u})
        for (unsigned tags : {65536u, 2u})
            for (unsigned lost : {0u, 50u}) {
                toy_match m(203, queues, 16, tags, {0, lost}, lost > 0);
                uint32_t longest = match_case_longest(&m.c);
                by_matrix(m, match_shape_matrix(queues, longest), 2);
                by_matrix(m, shape(queues, 2, 3, 1), 1);
                by_matrix(m, shape(queues, 2, 3, 0), 1);
                by_matrix(m, shape(queues, 1, 4, 0), 1);
            }
}

static void hash(void)
{
    for (unsigned queues : {1u, 4u})
        for (unsigned tags : {65536u, 40u, 1u})
            for (unsigned lost : {0u, 50u})
                for (unsigned threads : {0u, 32u}) {
                    toy_match m(150, queues, 8, tags, {0, lost}, false);
                    match_shape s =
                        match_shape_hash(queues, match_case_longest(&m.c));
                    if (threads) {
                        s.threads = threads;
                        s.small = 8;
                    }
                    cpu_gpu::launch(s.ctas, s.threads, match_memory_hash(s), 1,
                                    [&] { match_hash(m.w, s, 2); });
                    m.check(false);
                }
}

/* --- sums ----------------------------------------------------------------- */

static void sums(void)
{
    for (unsigned n : {1u, 2u, 5u})
        for (size_t doubles : {1u, 2u, 7u, 1000u}) {
            std::vector<double> in(n * (doubles + 1)), out(doubles + 1, -1);
            reduce_inputs inputs = {};
            inputs.n = n;
            for (unsigned b = 0; b < n; b++) {
                double *one = &in[b * (doubles + doubles % 2)];
                inputs.in[b] = one;
                for (size_t i = 0; i < doubles; i++)
                    one[i] = (double)(i * 10 + b);
            }
            cpu_gpu::launch(3, 32, 0, 1,
                            [&] { reduce_add(out.data(), inputs, doubles); });
            for (size_t i = 0; i < doubles; i++) {
                size_t sum = n * i * 10 + n * (n - 1) / 2;
                CHECK_NEAR(out[i], sum, 0);
            }
            CHECK_NEAR(out[doubles], -1, 0);
        }
}

/* --- values gathered and brought back ------------------------------------- */

/* Tests every third value, with more values than threads: values between are
 * unchanged. */
static void gathered(void)
{
    const size_t n = 1000, stride = 3;
    std::vector<uint64_t> spread(n * stride), dense(n), back(n * stride, 7);
    std::vector<uint32_t> index(n);

    for (size_t i = 0; i < spread.size(); i++)
        spread[i] = 100 + i;
    for (size_t i = 0; i < n; i++)
        index[i] = (uint32_t)((n - 1 - i) * stride);
    cpu_gpu::launch(2, 64, 0, 1, [&] {
        pack_kernel(dense.data(), spread.data(), index.data(), n);
    });
    cpu_gpu::launch(2, 64, 0, 1, [&] {
        unpack_kernel(back.data(), dense.data(), index.data(), n);
    });
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(dense[i], 100 + (n - 1 - i) * stride);
        CHECK_EQ(back[i * stride], spread[i * stride]);
        CHECK_EQ(back[i * stride + 1], 7);
    }
}

/* --- accesses ------------------------------------------------------------- */

template <enum access_operation Operation, int InFlight>
static void one_access(unsigned together, unsigned accesses)
{
    enum { THREADS = 96, WORDS = 4096 };
    std::vector<uint32_t> words(WORDS), found(THREADS);
    double sum = 0, counted = 0;
    unsigned touched = 0, loose = 0;

    cpu_gpu::launch(2, 32, 0, 1, [&] {
        access_fill_kernel<Operation>(words.data(), WORDS);
    });
    std::vector<uint32_t> before = words;
    cpu_gpu::launch(2, 64, 0, 2, [&] {
        access_kernel<Operation, InFlight>(words.data(), WORDS - 1, THREADS,
                                           together, accesses, 7, 0,
                                           found.data());
    });
    if (Operation != ACCESS_READ)
        cpu_gpu::launch(1, 32, 0, 3, [&] {
            access_sum_kernel<Operation>(words.data(), WORDS, &sum);
        });
    for (uint32_t f : found)
        counted += f;
    for (unsigned i = 0; i < WORDS; i++) {
        touched += words[i] != before[i];
        /* All words of a group are accessed together. */
        loose += (words[i] != before[i]) !=
                 (words[i & ~(together - 1)] != before[i & ~(together - 1)]);
    }
    if (Operation == ACCESS_READ) {
        CHECK_EQ(touched, 0u);
        CHECK_NEAR(counted, 0, 0); /* no word was wrong */
        return;
    }
    CHECK_EQ(loose, 0u);
    CHECK_EQ(touched % together, 0u);
    /* With 768 or more accesses of 4096 words few meet. */
    CHECK(touched > THREADS * accesses * 3 / 4);
    if (Operation == ACCESS_FLOAT_ADD || Operation == ACCESS_FLOAT_SUM)
        CHECK_NEAR(sum, THREADS * accesses, 0);
    else
        CHECK_NEAR(sum, touched, 0);
    if (Operation != ACCESS_WRITE)
        CHECK_NEAR(counted, sum, 0);
}

/* A word that does not hold its number is found by its reader. */
static void wrong_word(void)
{
    std::vector<uint32_t> words(8, 1), found(32);

    cpu_gpu::launch(1, 32, 0, 1, [&] {
        access_kernel<ACCESS_READ, 1>(words.data(), 7, 32, 1, 4, 1, 0,
                                      found.data());
    });
    CHECK_EQ(found[0], 4u);
}

static unsigned long long
streamed(const std::function<void(unsigned long long *sums)> &kernel)
{
    std::vector<unsigned long long> sums(64);
    unsigned long long all = 0;

    cpu_gpu::launch(2, 32, 0, 1, [&] { kernel(sums.data()); });
    for (unsigned long long &v : sums)
        all += v;
    return all;
}

static void streams(void)
{
    std::vector<uint32_t> words(256);
    unsigned long long expected = 0;

    for (uint32_t i = 0; i < 256; i++)
        expected += words[i] = access_word(i);
    unsigned long long ones = streamed([&](unsigned long long *sums) {
        access_stream_words(words.data(), 256, 3, sums);
    });
    unsigned long long fours = streamed([&](unsigned long long *sums) {
        access_stream_fours((const uint4 *)words.data(), 64, 3, sums);
    });
    CHECK_EQ(ones, 3 * expected);
    CHECK_EQ(fours, 3 * expected);
}

template <bool Aggregated> static void one_counter(uint32_t start)
{
    std::vector<uint32_t> found(96);
    uint32_t counter = start;

    cpu_gpu::launch(2, 64, 0, 1, [&] {
        access_count_kernel<Aggregated>(&counter, 96, 5, found.data());
    });
    CHECK_EQ(counter, start + 96 * 5);
    for (uint32_t f : found)
        CHECK_EQ(f, 0u);
}

static void accesses(void)
{
    for (unsigned together = 1; together <= 8; together *= 8) {
        one_access<ACCESS_READ, 1>(together, 8);
        one_access<ACCESS_READ, ACCESS_IN_FLIGHT>(together, 16);
        one_access<ACCESS_ATOMIC_MIN, 1>(together, 8);
        one_access<ACCESS_ATOMIC_MIN, ACCESS_IN_FLIGHT>(together, 16);
        one_access<ACCESS_FLOAT_ADD, 1>(together, 8);
        one_access<ACCESS_FLOAT_ADD, ACCESS_IN_FLIGHT>(together, 16);
        one_access<ACCESS_WRITE, ACCESS_IN_FLIGHT>(together, 16);
        one_access<ACCESS_FLOAT_SUM, ACCESS_IN_FLIGHT>(together, 16);
    }
    wrong_word();
    streams();
    one_counter<false>(0);
    one_counter<true>(0xffffff00); /* it wraps to 0 */
}

int main(void)
{
    accesses();
    queues();
    queue_trouble();
    queue_checks();
    serial();
    unordered_checks();
    matrix();
    partitioned();
    hash();
    sums();
    gathered();
    return check_result();
}

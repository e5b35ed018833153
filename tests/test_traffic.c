/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages between GPUs by words and by file: sizes, rounds, refusals. */
#include "tests/check.h"
#include "tests/scratch.h"

#include "platforms/platform.h"
#include "workloads/load/load.h"

#include <math.h>
#include <stdlib.h>

static int load(struct load *l, const char *words, unsigned gpus,
                struct err *err)
{
    struct workload_request r = {.words = words,
                                 .gpus = gpus,
                                 .source = NAN,
                                 .damping = NAN,
                                 .threshold = NAN};
    struct machine m;

    if (platform_load(&m, "lassen", NULL, 0, err) < 0)
        return -1;
    const struct workload *w = workload_find(words, err);
    int result = w ? load_make(l, w, &m, &r, err) : -1;
    machine_clear(&m);
    return result;
}

static void refused(const char *words, unsigned gpus, const char *reason)
{
    struct err err = {0};
    struct load l;

    CHECK_EQ(load(&l, words, gpus, &err), -1);
    CHECK_HAS(err.text, reason);
}

/* Returns the bytes that GPU src sends to GPU dst. */
static uint64_t sent(const struct halo *h, uint32_t src, uint32_t dst)
{
    uint64_t values = 0;

    for (uint32_t c = 0; c < h->nclasses; c++)
        if (h->classes[c].src == src &&
            h->classes[c].dst_node == dst / h->gpus_per_node &&
            h->classes[c].dst_mask >> dst % h->gpus_per_node & 1)
            values += h->classes[c].count;
    return values * h->value_bytes;
}

static void alltoall(void)
{
    struct err err = {0};
    struct load l;

    /* 1 KiB over 6 GPUs: 170 each, the remainder of 4 is not sent. */
    CHECK_EQ(load(&l, "alltoall:bytes=1k", 6, &err), 0);
    CHECK_EQ(l.gpus, 6);
    CHECK_EQ(l.nodes, 2);
    CHECK_EQ(l.bytes, 6 * 5 * 170);
    for (uint32_t src = 0; src < 6; src++)
        for (uint32_t dst = 0; dst < 6; dst++)
            CHECK_EQ(sent(&l.halo, src, dst), src == dst ? 0 : 170);
    load_clear(&l);
    refused("alltoall:bytes=5", 6, "at least one for each of 6 GPUs");
    refused("alltoall:bytes=0", 6, "bytes above 0");
    refused("alltoall:bytes=2T", 6, "bytes above 0 such as");
    refused("alltoall:bytes=-1", 6, "bytes above 0 such as");
    refused("alltoall:bytes=8,", 6, "expected KEY=NUMBER");
    refused("alltoall:bytes=8", 1, "2 GPUs or more");
    refused("alltoall:bytes=9000000000000000", 2, "at most 2^50");
}

static void sendrecv(void)
{
    struct err err = {0};
    struct load l;

    CHECK_EQ(load(&l, "sendrecv:bytes=2M", 6, &err), 0);
    CHECK_EQ(l.bytes, 6 * 2097152);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(sent(&l.halo, i, (i + 1) % 6), 2097152);
    load_clear(&l);
    refused("sendrecv:bytes=8", 1, "2 GPUs or more");
}

/* --- alltoallv: ----------------------------------------------------------- */

static bool same_halo(const struct halo *a, const struct halo *b)
{
    bool same = a->nclasses == b->nclasses && a->nrounds == b->nrounds;

    for (uint32_t c = 0; same && c < a->nclasses; c++)
        same = a->classes[c].src == b->classes[c].src &&
               a->classes[c].dst_node == b->classes[c].dst_node &&
               a->classes[c].dst_mask == b->classes[c].dst_mask &&
               a->classes[c].count == b->classes[c].count;
    return same;
}

/* Equal words give equal halos, another seed gives another one. */
static void by_seed(const char *words, const char *other)
{
    struct err err = {0};
    struct load a, b, c;

    CHECK_EQ(load(&a, words, 24, &err), 0);
    CHECK_EQ(load(&b, words, 24, &err), 0);
    CHECK_EQ(load(&c, other, 24, &err), 0);
    CHECK(same_halo(&a.halo, &b.halo));
    CHECK(!same_halo(&a.halo, &c.halo));
    load_clear(&a);
    load_clear(&b);
    load_clear(&c);
}

static void alltoallv_drawn(void)
{
    struct err err = {0};
    struct load l;
    double squares = 0;

    by_seed("alltoallv:mean=4k,spread=0.5,seed=1",
            "alltoallv:mean=4k,spread=0.5,seed=2");
    by_seed("alltoallv:mean=4k,sigma=1", "alltoallv:mean=4k,sigma=1,seed=2");

    /* 160 GPUs have 25,440 sizes from 750 to 1,250, with mean 1,000. */
    CHECK_EQ(load(&l, "alltoallv:mean=1000,spread=1/4", 160, &err), 0);
    CHECK_EQ(l.halo.nclasses, 160 * 159);
    CHECK_NEAR(l.bytes, 160 * 159 * 1000.0, 0.005);
    for (uint32_t c = 0; c < l.halo.nclasses; c++)
        CHECK(l.halo.classes[c].count >= 750 &&
              l.halo.classes[c].count <= 1250);
    load_clear(&l);
    CHECK_EQ(load(&l, "alltoallv:mean=1000,spread=0", 6, &err), 0);
    CHECK_EQ(l.bytes, 6 * 5 * 1000);
    load_clear(&l);

    /* In a lognormal distribution the logarithms have the standard deviation
     * sigma, and the mean ln(mean) - sigma^2/2. */
    CHECK_EQ(load(&l, "alltoallv:mean=1M,sigma=0.5", 160, &err), 0);
    CHECK_NEAR(l.bytes, 160 * 159 * 1048576.0, 0.02);
    for (uint32_t c = 0; c < l.halo.nclasses; c++) {
        double z = log((double)l.halo.classes[c].count / 1048576) / 0.5 + 0.25;
        squares += z * z;
    }
    CHECK_NEAR(squares / l.halo.nclasses, 1, 0.03);
    load_clear(&l);

    refused("alltoallv:mean=4k", 6, "expected one of spread= and sigma=");
    refused("alltoallv:mean=4k,spread=0.1,sigma=1", 6, "expected one of");
    refused("alltoallv:mean=4k,spread=1.5", 6, "from 0 to 1");
    refused("alltoallv:mean=x,spread=0.5", 6, "bytes above 0 such as");
    refused("alltoallv:mean=1000000G,spread=1", 6, "at most 2^49");
}

static void matrix_refused(const char *text, const char *reason)
{
    char *path = scratch_file("matrix.csv", text);
    char *words = xasprintf("alltoallv:%s", path);
    char *want = xasprintf("%s%s", path, reason);

    refused(words, 4, want);
    free(path);
    free(words);
    free(want);
}

static void alltoallv_matrix(void)
{
    struct err err = {0};
    struct load l;
    char *path = scratch_file("matrix.csv", "src,4,0,1\n4,9,5,6\n1,3,2,7\n");
    char *words = xasprintf("alltoallv:%s", path);

    CHECK_EQ(load(&l, words, 0, &err), 0);
    CHECK_EQ(l.gpus, 5);
    CHECK_EQ(l.bytes, 16);
    CHECK_EQ(sent(&l.halo, 4, 0), 5);
    CHECK_EQ(sent(&l.halo, 4, 1), 6);
    CHECK_EQ(sent(&l.halo, 1, 4), 3);
    CHECK_EQ(sent(&l.halo, 1, 0), 2);
    load_clear(&l);
    free(path);
    free(words);
    matrix_refused("src,0,4\n0,0,1\n", ": column '4': expected src and the");
    matrix_refused("src,0,x\n0,0,1\n", ": column 'x'");
    matrix_refused("src,0,1\n4,0,1\n", ":2: src: ");
    matrix_refused("src,0,1\n0,0,-1\n", ":2: 1: expected a whole number");
    matrix_refused("src,0,1\n0,0,1\n0,0,1\n", ":3: src: GPU 0 stands twice");
    matrix_refused("0,1\n0,1\n", ": no column named src");
}

/* --- moe: ----------------------------------------------------------------- */

/* Returns the tokens, each counted for every GPU that gets it, or for every
 * node. */
static uint64_t tokens(const struct halo *h, bool by_node)
{
    uint64_t n = 0;

    for (uint32_t c = 0; c < h->nclasses; c++)
        n += h->classes[c].count *
             (by_node ? 1 : gpu_set_count(h->classes[c].dst_mask));
    return n;
}

/* Returns the bytes that one GPU receives in the dispatch. */
static uint64_t received(const struct halo *h, uint32_t gpu)
{
    uint64_t n = 0;

    for (uint32_t src = 0; src < h->ngpus; src++)
        n += sent(h, src, gpu);
    return n / h->value_bytes;
}

/* Every token chooses all experts, two of each GPU: it is sent once to each of
 * the 7 other GPUs, and so to both nodes, and returned from each of the 7. */
static void moe_all(void)
{
    struct err err = {0};
    struct load l;

    CHECK_EQ(load(&l, "moe:tokens=3,experts=16,topk=16,hidden=100", 8, &err),
             0);
    CHECK_EQ(l.halo.nrounds, 2);
    CHECK_EQ(l.halo.value_bytes, 200);
    CHECK_EQ(tokens(&l.halo.rounds[0], false), 3 * 8 * 7);
    CHECK_EQ(tokens(&l.halo.rounds[0], true), 3 * 8 * 2);
    CHECK_EQ(tokens(&l.halo.rounds[1], false), 3 * 8 * 7);
    CHECK_EQ(tokens(&l.halo.rounds[1], true), 3 * 8 * 7);
    CHECK_EQ(l.bytes, 2 * 3 * 8 * 7 * 200);
    load_clear(&l);
}

/* 8 GPUs have 2 experts each, of which a token chooses 2: it misses a GPU with
 * (14 * 13) / (16 * 15), so it is sent to 7 (1 - 182/240) others on average. */
static void moe_drawn(void)
{
    struct err err = {0};
    struct load l;

    by_seed("moe:tokens=9,experts=48,topk=4,hidden=8,seed=1",
            "moe:tokens=9,experts=48,topk=4,hidden=8,seed=2");
    CHECK_EQ(load(&l, "moe:tokens=20000,experts=16,topk=2,hidden=1", 8, &err),
             0);
    CHECK_NEAR((double)tokens(&l.halo.rounds[0], false),
               20000.0 * 8 * 7 * (1 - 182.0 / 240), 0.01);
    for (uint32_t src = 0; src < 8; src++)
        for (uint32_t dst = 0; dst < 8; dst++)
            CHECK_EQ(sent(&l.halo.rounds[0], src, dst),
                     sent(&l.halo.rounds[1], dst, src));
    load_clear(&l);

    /* One of 4 experts is chosen, with weights 1, 1/2, 1/3, 1/4 of 25/12: the
     * busiest GPU gets 12/25 of the tokens of the 3 others. */
    uint64_t most = 0;
    CHECK_EQ(
        load(&l, "moe:tokens=20000,experts=4,topk=1,skew=1,hidden=1", 4, &err),
        0);
    for (uint32_t gpu = 0; gpu < 4; gpu++)
        most = received(&l.halo.rounds[0], gpu) > most
                   ? received(&l.halo.rounds[0], gpu)
                   : most;
    CHECK_NEAR((double)most, 60000 * 12.0 / 25, 0.01);
    load_clear(&l);

    /* Two of 3 experts are chosen, with weights 1, 1/4, 1/9 of 49/36: the least
     * popular one is not among them with (36/49 * 9/13) + (9/49 * 36/40). */
    uint64_t least = UINT64_MAX;
    CHECK_EQ(
        load(&l, "moe:tokens=40000,experts=3,topk=2,skew=2,hidden=1", 3, &err),
        0);
    for (uint32_t gpu = 0; gpu < 3; gpu++)
        least = received(&l.halo.rounds[0], gpu) < least
                    ? received(&l.halo.rounds[0], gpu)
                    : least;
    CHECK_NEAR((double)least,
               80000 * (1 - 36.0 / 49 * 9 / 13 - 9.0 / 49 * 36 / 40), 0.02);
    load_clear(&l);
}

static void moe_refused(void)
{
    refused("moe:tokens=9,experts=4,topk=5,hidden=8", 8, "topk of at most");
    refused("moe:tokens=0,experts=4,topk=2,hidden=8", 8, "tokens: expected");
    refused("moe:tokens=9,experts=4,topk=2", 8, "hidden: expected hidden=");
    refused("moe:tokens=9,experts=4,topk=2,hidden=8,skew=-1", 8,
            "skew: expected");
    refused("moe:tokens=9,experts=4,topk=2,hidden=8,skew=1001", 8,
            "a skew of at most 10");
    refused("moe:tokens=9,experts=4,topk=2,hidden=2000000", 8,
            "at most 1048576 bytes a token");
    refused("moe:tokens=99999999,experts=4,topk=2,hidden=8", 8, "2^28 choices");
    refused("moe:tokens=9,experts=4,topk=2,hidden=8", 1, "2 GPUs or more");
}

/* --- comm: ---------------------------------------------------------------- */

static void comm_refused(const char *text, unsigned gpus, const char *reason)
{
    char *path = scratch_file("traffic.csv", text),
         *words = xasprintf("comm:%s", path);
    char *want = xasprintf("%s%s", path, reason);

    refused(words, gpus, want);
    free(path);
    free(words);
    free(want);
}

static void comm(void)
{
    struct err err = {0};
    struct load l;
    char *path =
        scratch_file("traffic.csv", "src,round,dst,bytes\n"
                                    "0,5,4,100\n1,2,0,7\n0,5,4,20\n0,2,4,1\n"
                                    "3,9,2,0\n");
    char *words = xasprintf("comm:%s", path);

    CHECK_EQ(load(&l, words, 0, &err), 0);
    CHECK_EQ(l.gpus, 5);
    CHECK_EQ(l.nodes, 2);
    CHECK_EQ(l.halo.nrounds, 3);
    CHECK_EQ(l.bytes, 128);
    CHECK_EQ(sent(&l.halo, 0, 4), 121);
    CHECK_EQ(sent(&l.halo.rounds[0], 0, 4), 1);
    CHECK_EQ(sent(&l.halo.rounds[0], 1, 0), 7);
    CHECK_EQ(sent(&l.halo.rounds[1], 0, 4), 120);
    /* No message, because it has no bytes. */
    CHECK_EQ(l.halo.rounds[2].nclasses, 0);
    load_clear(&l);
    CHECK_EQ(load(&l, words, 16, &err), 0);
    CHECK_EQ(l.gpus, 16);
    load_clear(&l);
    free(path);
    free(words);

    comm_refused("src,dst,bytes\n0,1,5\n1,4,5\n", 4,
                 ":3: GPU 4: there are 4 GPUs");
    comm_refused("src,dst,bytes\n0,3168,5\n", 0,
                 ":2: GPU 3168: there are 3168 GPUs");
    comm_refused("src,dst,bytes\n0,1,5\n2,2,5\n", 4, ":3: GPU 2 sends to");
    comm_refused("src,dst,bytes\n0,1,-5\n", 4, ":2: bytes: expected a whole");
    comm_refused("src,dst,bytes\n-1,1,5\n", 4, ":2: src: expected");
    comm_refused("src,dst,bytes\n0,1,1e16\n", 4, ":2: bytes: expected");
    comm_refused("src,dst,bytes\n0,1,2e15\n", 4, ":2: bytes: expected at most");
    comm_refused("round,src,dst,bytes\nx,0,1,5\n", 4, ":2: round: expected");
    comm_refused("src,dst,size\n0,1,5\n", 4, ": column 'size'");
    comm_refused("src,dst\n0,1\n", 4, ": no column named bytes");
    refused("comm:/no/such/file.csv", 4, "/no/such/file.csv");
}

int main(void)
{
    scratch_make();
    alltoall();
    sendrecv();
    alltoallv_drawn();
    alltoallv_matrix();
    moe_all();
    moe_drawn();
    moe_refused();
    comm();
    scratch_clear();
    return check_result();
}

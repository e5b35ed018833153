/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPUs send each other by words and by file: sizes, rounds, refusals. */
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

/* What GPU src sends GPU dst, in bytes. */
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

    /* 1 KiB over 6 GPUs: 170 each, the rest of 4 is not sent. */
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
    CHECK_EQ(l.halo.rounds[2].nclasses, 0); /* no bytes: no message */
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
    comm();
    scratch_clear();
    return check_result();
}

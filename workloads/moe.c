/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moe.c - a layer of a mixture of experts: tokens go to the GPUs of the experts
 * that they choose, and the experts' results go back. */
#include "base/random.h"
#include "workloads/words.h"
#include "workloads/workload.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EXPERTS = 1 << 20, MOST_CHOICES = 256 };
#define MOST_DRAWN (UINT64_C(1) << 28)

struct moe {
    uint64_t tokens, experts, topk, hidden, type_bytes, seed;
    double skew;
    uint32_t gpus, gpus_per_node;
    /* Cumulative weights of the experts: expert e is chosen first with
     * probability (sum[e + 1] - sum[e]) / sum[experts]. */
    uint64_t *sum;
};

static int moe_read(struct moe *x, const char *rest, struct err *err)
{
    const struct word words[] = {
        {"tokens", WORD_COUNT, &x->tokens, false},
        {"experts", WORD_COUNT, &x->experts, false},
        {"topk", WORD_COUNT, &x->topk, false},
        {"skew", WORD_REAL_OR_0, &x->skew, true},
        {"hidden", WORD_COUNT, &x->hidden, false},
        {"type_bytes", WORD_COUNT, &x->type_bytes, true},
        {"seed", WORD_SEED, &x->seed, true}};

    if (words_read(rest, words, sizeof words / sizeof words[0], err) < 0)
        return -1;
    if (x->experts > MOST_EXPERTS || x->topk > MOST_CHOICES ||
        x->topk > x->experts || x->skew > 10)
        return fail(err,
                    "expected at most %d experts, a topk of at most %d and "
                    "of the experts, a skew of at most 10",
                    MOST_EXPERTS, MOST_CHOICES);
    if (x->tokens > MOST_DRAWN / x->topk / x->gpus)
        return fail(err, "tokens: expected at most 2^28 choices of all GPUs");
    if (x->hidden > HALO_MAX_VALUE_BYTES ||
        x->type_bytes > HALO_MAX_VALUE_BYTES / x->hidden)
        return fail(err,
                    "hidden, type_bytes: expected at most %u bytes a "
                    "token",
                    HALO_MAX_VALUE_BYTES);
    if (x->gpus < 2)
        return fail(err, "expected 2 GPUs or more");
    return 0;
}

/* --- choices -------------------------------------------------------------- */

/* Draws the weights by Zipf's law: the k-th most popular expert has the weight
 * k^-skew, and a permutation chooses which expert that is. Weights are whole
 * numbers, so that draws are exact. */
static void moe_weigh(struct moe *x)
{
    uint64_t *weight = xcalloc(x->experts, sizeof *weight);

    x->sum = xcalloc(x->experts + 1, sizeof *x->sum);
    for (uint64_t e = 0; e < x->experts; e++) {
        uint64_t other = random_below(&x->seed, e + 1);
        weight[e] = weight[other];
        weight[other] = 1 + (uint64_t)(0x1p40 * pow((double)(e + 1), -x->skew));
    }
    for (uint64_t e = 0; e < x->experts; e++)
        x->sum[e + 1] = x->sum[e] + weight[e];
    free(weight);
}

/* Returns the expert e with sum[e] <= at < sum[e + 1]. */
static uint64_t moe_expert_at(const struct moe *x, uint64_t at)
{
    uint64_t low = 0, high = x->experts;

    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (x->sum[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Chooses topk different experts one after the other, by the weights of those
 * that are left; chosen[] is sorted by their numbers. */
static void moe_choose(struct moe *x, uint64_t *chosen)
{
    uint64_t left = x->sum[x->experts];

    for (uint64_t n = 0; n < x->topk; n++) {
        uint64_t at = random_below(&x->seed, left), place = 0;
        for (; place < n && at >= x->sum[chosen[place]]; place++)
            at += x->sum[chosen[place] + 1] - x->sum[chosen[place]];
        uint64_t expert = moe_expert_at(x, at);
        for (uint64_t i = n; i > place; i--)
            chosen[i] = chosen[i - 1];
        chosen[place] = expert;
        left -= x->sum[expert + 1] - x->sum[expert];
    }
}

/* --- rounds --------------------------------------------------------------- */

static uint32_t moe_gpu_of(const struct moe *x, uint64_t expert)
{
    return (uint32_t)(expert * x->gpus / x->experts);
}

/* A node, and its GPUs to which a token goes. */
struct moe_key {
    gpu_set gpus;
    uint32_t node;
};

/* Appends the keys of a token of GPU src, and returns the new number of keys.
 * Experts are in the order of their GPUs. */
static size_t moe_route(struct moe_key *keys, size_t n, const struct moe *x,
                        uint32_t src, const uint64_t *chosen)
{
    size_t first = n;

    for (uint64_t i = 0; i < x->topk; i++) {
        uint32_t gpu = moe_gpu_of(x, chosen[i]);
        uint32_t node = gpu / x->gpus_per_node;
        if (gpu == src)
            continue;
        if (n == first || keys[n - 1].node != node)
            keys[n++] = (struct moe_key){.node = node};
        keys[n - 1].gpus |= gpu_set_of(gpu % x->gpus_per_node);
    }
    return n;
}

static int by_set(const void *left, const void *right)
{
    const gpu_set *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Makes one class of the tokens with equal sets of GPUs of a node. */
static void moe_add_node(struct halo *h, uint32_t src, uint32_t node,
                         gpu_set *sets, size_t n)
{
    size_t end;

    qsort(sets, n, sizeof *sets, by_set);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && sets[end] == sets[i]; end++)
            ;
        h->classes[h->nclasses++] = (struct halo_class){.src = src,
                                                        .dst_node = node,
                                                        .dst_mask = sets[i],
                                                        .count = end - i};
    }
}

/* Keys are dealt to their nodes before they are sorted, because comparing
 * them takes most of the time. */
static void moe_add_classes(struct halo *h, uint32_t src,
                            const struct moe_key *keys, size_t n)
{
    uint32_t nodes = halo_nodes(h);
    size_t *end = xcalloc(nodes + 1, sizeof *end), begin = 0;
    gpu_set *sets = xcalloc(n, sizeof *sets);

    for (size_t i = 0; i < n; i++)
        end[keys[i].node + 1]++;
    for (uint32_t node = 0; node < nodes; node++)
        end[node + 1] += end[node];
    for (size_t i = 0; i < n; i++)
        sets[end[keys[i].node]++] = keys[i].gpus;
    h->classes = xrealloc(h->classes, h->nclasses + n + 1, sizeof *h->classes);
    for (uint32_t node = 0; node < nodes; begin = end[node++])
        moe_add_node(h, src, node, &sets[begin], end[node] - begin);
    free(sets);
    free(end);
}

static void moe_dispatch(struct halo *h, struct moe *x)
{
    struct moe_key *keys = xcalloc(x->tokens * x->topk, sizeof *keys);
    uint64_t chosen[MOST_CHOICES];

    *h = (struct halo){.ngpus = x->gpus,
                       .gpus_per_node = x->gpus_per_node,
                       .value_bytes = (uint32_t)(x->hidden * x->type_bytes),
                       .gpu_rows = xcalloc(x->gpus, sizeof *h->gpu_rows),
                       .gpu_nnz = xcalloc(x->gpus, sizeof *h->gpu_nnz)};
    for (uint32_t src = 0; src < x->gpus; src++) {
        size_t n = 0;
        for (uint64_t token = 0; token < x->tokens; token++) {
            moe_choose(x, chosen);
            n = moe_route(keys, n, x, src, chosen);
        }
        moe_add_classes(h, src, keys, n);
    }
    free(keys);
}

/* Makes the way back: each GPU that received a token sends one message back. */
static int moe_combine(struct halo *h, const struct halo *dispatch,
                       struct err *err)
{
    struct halo_msg *msgs;
    size_t n = 0;

    for (uint32_t c = 0; c < dispatch->nclasses; c++)
        n += gpu_set_count(dispatch->classes[c].dst_mask);
    msgs = xcalloc(n, sizeof *msgs);
    n = 0;
    for (uint32_t c = 0; c < dispatch->nclasses; c++) {
        const struct halo_class *class = &dispatch->classes[c];
        for (gpu_set mask = class->dst_mask; mask; mask &= mask - 1)
            msgs[n++] = (struct halo_msg){.src = class->dst_node *
                                                     dispatch->gpus_per_node +
                                                 gpu_set_first(mask),
                                          .dst = class->src,
                                          .values = class->count};
    }
    int result = halo_from_messages(h, dispatch->ngpus, dispatch->gpus_per_node,
                                    dispatch->value_bytes, msgs, n, err);
    free(msgs);
    return result;
}

static int moe_traffic(struct halo *h, uint32_t gpus, uint32_t gpus_per_node,
                       const char *rest, struct err *err)
{
    struct moe x = {.gpus = gpus,
                    .gpus_per_node = gpus_per_node,
                    .type_bytes = 2,
                    .seed = moe_workload.seed};
    struct halo rounds[2];

    if (halo_check_shape(gpus, gpus_per_node, err) < 0 ||
        moe_read(&x, rest, err) < 0)
        return fail_in(err, "%s%s", moe_workload.prefix, rest);
    moe_weigh(&x);
    moe_dispatch(&rounds[0], &x);
    free(x.sum);
    if (moe_combine(&rounds[1], &rounds[0], err) < 0) {
        halo_clear(&rounds[0]);
        return -1;
    }
    halo_from_rounds(h, rounds, 2);
    return 0;
}

const struct workload moe_workload = {
    .prefix = "moe:",
    .words = "moe:tokens=T,experts=E,topk=K,skew=S,hidden=H,type_bytes=B,"
             "seed=K",
    .summary = "tokens to the GPUs of the experts they choose, and back",
    .help =
        "Each GPU has T tokens of H numbers of B bytes (2 where it is left "
        "out). A token chooses K\ndifferent experts; the k-th most popular "
        "one has the weight k^-S (Zipf; with a skew of 0 all\nare alike), and "
        "which one that is, is drawn by the seed (1 where it is left out). The "
        "E experts\nare dealt to the GPUs in order. The first round "
        "dispatches: a token goes once to each GPU that\nhas experts of its "
        "choice, and where a strategy sends no duplicates, once to each node. "
        "The\nsecond combines: each of those GPUs sends one token back. Tokens "
        "are packed and unpacked by\nkernels. What experts compute is left "
        "out.",
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = moe_traffic,
    .packed = true,
    .draws = true,
    .seed = 1,
};

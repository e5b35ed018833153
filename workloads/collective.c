/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collective operations as workloads: a kind, and what its words say. */
#include "workloads/collective.h"

#include "base/number.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

const char *const collective_kind_names[] = {"allreduce",      "allgather",
                                             "reduce_scatter", "broadcast",
                                             "reduce",         "alltoall"};
const char *const collective_memory_names[] = {"host", "device", "staged"};

/* A number with k, M or G (2^10) behind it, or none. */
static bool collective_size(const char *text, uint64_t *out)
{
    static const char units[] = "kMG";
    const char *end = number_take_whole(text, out);

    if (!end)
        return false;
    if (!*end)
        return true;
    const char *unit = *end == 'K' ? units : strchr(units, *end);
    if (!unit || end[1] || *out > (uint64_t)1 << 20)
        return false;
    *out <<= 10 * (unit - units + 1);
    return true;
}

static bool collective_memory_of(struct collective_words *w, const char *value)
{
    for (int k = 0; k < NCOLLECTIVE_MEMORIES; k++)
        if (!strcmp(value, collective_memory_names[k])) {
            w->memory = (enum collective_memory)k;
            w->memory_said = true;
            return true;
        }
    return false;
}

static bool collective_set(struct collective_words *w, const char *key,
                           const char *value)
{
    uint64_t n;

    if (!strcmp(key, "bytes"))
        return collective_size(value, &w->bytes);
    if (!strcmp(key, "memory"))
        return collective_memory_of(w, value);
    if (!number_whole(value, &n) || n > UINT32_MAX)
        return false;
    if (!strcmp(key, "root"))
        w->root = (uint32_t)n;
    else if (!strcmp(key, "element"))
        w->element_B = (unsigned)n;
    else if (!strcmp(key, "per_gpu"))
        w->per_gpu = (unsigned)n;
    else
        return false;
    return true;
}

static int collective_words_check(const struct collective_words *w,
                                  const char *words, struct err *err)
{
    bool rooted =
        w->kind == COLLECTIVE_BROADCAST || w->kind == COLLECTIVE_REDUCE;

    if (!w->bytes || w->bytes > (uint64_t)1 << 40)
        return fail(err, "%s: expected bytes= above 0, at most 2^40", words);
    if (!w->element_B || w->element_B > 64 || w->bytes % w->element_B)
        return fail(err, "%s: %llu bytes are no elements of %u", words,
                    (unsigned long long)w->bytes, w->element_B);
    if (w->root && !rooted)
        return fail(err, "%s: %s has no root", words,
                    collective_kind_names[w->kind]);
    if (!w->per_gpu || w->per_gpu > 1024)
        return fail(err, "%s: expected 1 to 1024 ranks per_gpu", words);
    return 0;
}

int collective_words_read(struct collective_words *w, enum collective_kind kind,
                          const char *words, struct err *err)
{
    char *list = xstrdup(strchr(words, ':') + 1), *rest = list, *item;
    int result = 0;

    *w = (struct collective_words){.kind = kind, .element_B = 4, .per_gpu = 1};
    while (result == 0 && (item = strsep(&rest, ","))) {
        char *value = strchr(item, '=');
        if (value)
            *value++ = '\0';
        if (!value || !collective_set(w, item, value))
            result = fail(err,
                          "%s: %s%s%s: expected %s:bytes=SIZE[,memory=host|"
                          "device|staged][,root=R][,element=B][,per_gpu=N]",
                          words, item, value ? "=" : "", value ? value : "",
                          collective_kind_names[kind]);
    }
    free(list);
    return result < 0 ? -1 : collective_words_check(w, words, err);
}

#define COLLECTIVE_WORKLOAD(name, what, KIND)                                  \
    const struct workload name##_workload = {                                  \
        .prefix = #name ":",                                                   \
        .words = #name ":bytes=SIZE[,memory=host|device|staged]...",           \
        .summary = what,                                                       \
        .help = COLLECTIVE_HELP,                                               \
        .options = "gpus nodes ranks-per-node",                                \
        .platform = "lassen",                                                  \
        .collective = true,                                                    \
        .kind = KIND,                                                          \
    }
#define COLLECTIVE_HELP                                                        \
    "SIZE is the largest buffer of a rank in bytes, with k, M, G (2^10): the " \
    "vector; of an\nallgather the result. One rank on each GPU, in GPU "       \
    "memory (device), copied to the\nhost before and back after (staged), "    \
    "or without GPUs (host). root=R of what has a\nroot, element=B bytes of "  \
    "an element [default: 4], per_gpu=N ranks that share a GPU."

COLLECTIVE_WORKLOAD(allreduce, "all ranks get the sum of all their vectors",
                    COLLECTIVE_ALLREDUCE);
COLLECTIVE_WORKLOAD(allgather, "all ranks get the blocks of all",
                    COLLECTIVE_ALLGATHER);
COLLECTIVE_WORKLOAD(reduce_scatter, "each rank gets its block of the sum",
                    COLLECTIVE_REDUCE_SCATTER);
COLLECTIVE_WORKLOAD(broadcast, "all ranks get the root's vector",
                    COLLECTIVE_BROADCAST);
COLLECTIVE_WORKLOAD(reduce, "the root gets the sum of all vectors",
                    COLLECTIVE_REDUCE);

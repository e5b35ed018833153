/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collective operations as workloads: the table rows of their kinds, and the
 * reader of their words. */
#include "workloads/collective.h"

#include "base/number.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

const char *const collective_kind_names[] = {"allreduce",      "allgather",
                                             "reduce_scatter", "broadcast",
                                             "reduce",         "alltoall"};
const char *const collective_place_names[] = {"in", "out", "both"};
const char *const collective_launch_names[] = {"processes", "threads",
                                               "one-process"};
const char *const collective_calls_names[] = {"row", "alone", "graph",
                                              "behind"};
const char *const collective_memory_names[] = {"host", "device", "staged"};

/* Returns the number of a name of the list; n if there is none. */
static unsigned collective_named(const char *const *names, unsigned n,
                                 const char *value)
{
    unsigned i = 0;

    while (i < n && strcmp(value, names[i]) != 0)
        i++;
    return i;
}

static bool collective_memory_of(struct collective_words *w, const char *value)
{
    w->memory = (enum collective_memory)collective_named(
        collective_memory_names, NCOLLECTIVE_MEMORIES, value);
    w->memory_said = true;
    return w->memory < NCOLLECTIVE_MEMORIES;
}

static bool collective_place_of(struct collective_words *w, const char *value)
{
    w->place = (enum collective_place)collective_named(
        collective_place_names, NCOLLECTIVE_PLACES, value);
    return w->place < NCOLLECTIVE_PLACES;
}

static bool collective_launch_of(struct collective_words *w, const char *value)
{
    w->launch = (enum collective_launch)collective_named(
        collective_launch_names, NCOLLECTIVE_LAUNCHES, value);
    return w->launch < NCOLLECTIVE_LAUNCHES;
}

static bool collective_calls_of(struct collective_words *w, const char *value)
{
    w->calls = (enum collective_calls)collective_named(
        collective_calls_names, NCOLLECTIVE_CALLS, value);
    return w->calls < NCOLLECTIVE_CALLS;
}

static bool collective_set(struct collective_words *w, const char *key,
                           const char *value)
{
    uint64_t n;

    if (!strcmp(key, "bytes"))
        return number_bytes(value, &w->bytes);
    if (!strcmp(key, "segment"))
        return number_bytes(value, &w->segment_B);
    if (!strcmp(key, "memory"))
        return collective_memory_of(w, value);
    if (!strcmp(key, "place"))
        return collective_place_of(w, value);
    if (!strcmp(key, "launch"))
        return collective_launch_of(w, value);
    if (!strcmp(key, "calls"))
        return collective_calls_of(w, value);
    if (!number_whole(value, &n) || n > UINT32_MAX)
        return false;
    if (!strcmp(key, "root"))
        w->root = (uint32_t)n;
    else if (!strcmp(key, "element"))
        w->element_B = (unsigned)n;
    else if (!strcmp(key, "per_gpu"))
        w->per_gpu = (unsigned)n;
    else if (!strcmp(key, "groups") && w->kind == COLLECTIVE_ALLTOALL)
        w->groups = (unsigned)n;
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
    if (!w->element_B || w->element_B > 64)
        return fail(err, "%s: expected element=1 to 64", words);
    if (w->root && !rooted)
        return fail(err, "%s: %s has no root", words,
                    collective_kind_names[w->kind]);
    if (!w->per_gpu || w->per_gpu > 1024)
        return fail(err, "%s: expected 1 to 1024 ranks per_gpu", words);
    if ((w->launch || w->calls) && w->memory != COLLECTIVE_DEVICE)
        return fail(err, "%s: %s: only with memory=device, of NCCL", words,
                    w->launch ? "launch" : "calls");
    return 0;
}

double bus_factor(enum bus bus, uint32_t ranks)
{
    double others = ranks ? (double)(ranks - 1) / ranks : 0;

    return bus == BUS_TWICE ? 2 * others : bus == BUS_OTHERS ? others : 1;
}

uint64_t collective_unit(const struct collective_words *w, uint32_t ranks)
{
    bool in_blocks = w->kind == COLLECTIVE_ALLGATHER ||
                     w->kind == COLLECTIVE_REDUCE_SCATTER ||
                     w->kind == COLLECTIVE_ALLTOALL;

    return (uint64_t)w->element_B * (in_blocks ? ranks : 1);
}

static bool collective_said_twice(const char *words, const char *key)
{
    char *said = xasprintf("%s=", key);
    unsigned n = 0;

    for (const char *at = words; (at = strstr(at, said)); at++)
        n += at > words && strchr(":,", at[-1]);
    free(said);
    return n > 1;
}

int collective_words_read(struct collective_words *w, enum collective_kind kind,
                          const char *words, struct err *err)
{
    char *list = xstrdup(strchr(words, ':') + 1), *rest = list, *item;
    uint64_t size;
    int result = 0;

    *w = (struct collective_words){.kind = kind, .element_B = 4, .per_gpu = 1};
    while (result == 0 && (item = strsep(&rest, ","))) {
        char *value = strchr(item, '=');
        if (value)
            *value++ = '\0';
        bool sized = !strcmp(item, "bytes") || !strcmp(item, "segment");
        if (value && sized && !number_bytes(value, &size))
            result = fail(err,
                          "%s: %s=%s: expected a SIZE such as 65536, 64K, 1M "
                          "or 2G (2^10, 2^20, 2^30)",
                          words, item, value);
        else if (!value || !collective_set(w, item, value))
            result = fail(err,
                          "%s: %s%s%s: expected %s:bytes=SIZE[,memory=host|"
                          "device|staged][,place=in|out|both][,root=R][,"
                          "element=B][,per_gpu=N][,segment=SIZE][,launch="
                          "processes|threads|one-process][,calls=row|alone|"
                          "graph|behind]%s",
                          words, item, value ? "=" : "", value ? value : "",
                          collective_kind_names[kind],
                          kind == COLLECTIVE_ALLTOALL ? "[,groups=G]" : "");
        else if (collective_said_twice(words, item))
            result = fail(err, "%s: %s: stands twice", words, item);
    }
    free(list);
    return result < 0 ? -1 : collective_words_check(w, words, err);
}

#define COLLECTIVE_WORKLOAD(name, what, KIND, BUS)                             \
    COLLECTIVE_PREFIXED(name, #name ":",                                       \
                        #name ":bytes=SIZE[,memory=host|device|staged]...",    \
                        what, KIND, BUS)
#define COLLECTIVE_PREFIXED(name, before, form, what, KIND, BUS)               \
    const struct workload name##_workload = {                                  \
        .prefix = (before),                                                    \
        .words = (form),                                                       \
        .summary = (what),                                                     \
        .help = COLLECTIVE_HELP,                                               \
        .options =                                                             \
            "gpus nodes ranks-per-node placement algorithm library nccl",      \
        .platform = "lassen",                                                  \
        .collective = true,                                                    \
        .kind = (KIND),                                                        \
        .bus = (BUS),                                                          \
    }
#define COLLECTIVE_HELP                                                        \
    "SIZE is the largest buffer of a rank in bytes, with k, M, G (2^10): the " \
    "vector; of an\nallgather the result; rounded down to whole elements of "  \
    "each rank. A range is run size\nby size, in the table of nccl-tests: "    \
    "bytes=8..1G, each twice the one before, 8..1G*4 four\ntimes, 8..64+8 "    \
    "with 8 bytes more. One rank on each GPU, in GPU memory (device), "        \
    "copied to\nthe host before and back after (staged), or without GPUs "     \
    "(host). root=R of what has a\nroot, element=B bytes of an element "       \
    "[default: 4], per_gpu=N ranks that share a GPU, segment=SIZE of "         \
    "algorithms that send a\nvector in segments [default: that of the "        \
    "algorithm]; of an all-to-all groups=G\nleaders of a node, or groups of "  \
    "its ranks [default: 1]. place=out: each rank first\ncopies what it "      \
    "brings into the buffer of its result (staged it is there already, and\n"  \
    "NCCL needs no copy); both: as nccl-tests, both [default: in]. Of NCCL: "  \
    "launch=processes, a\nprocess for each GPU, threads of one process, or "   \
    "one-process, whose one thread launches all\nGPUs of a node in turn; "     \
    "calls=row, one after the other as in nccl-tests, alone, each\nwaited "    \
    "for, graph, or behind a long kernel [default: processes, row]."

COLLECTIVE_WORKLOAD(allreduce, "all ranks get the sum of all their vectors",
                    COLLECTIVE_ALLREDUCE, BUS_TWICE);
COLLECTIVE_WORKLOAD(allgather, "all ranks get the blocks of all",
                    COLLECTIVE_ALLGATHER, BUS_OTHERS);
COLLECTIVE_WORKLOAD(reduce_scatter, "each rank gets its block of the sum",
                    COLLECTIVE_REDUCE_SCATTER, BUS_OTHERS);
COLLECTIVE_WORKLOAD(broadcast, "all ranks get the root's vector",
                    COLLECTIVE_BROADCAST, BUS_ALL);
COLLECTIVE_WORKLOAD(reduce, "the root gets the sum of all vectors",
                    COLLECTIVE_REDUCE, BUS_ALL);
/* Without its memory, all-to-all means messages between GPUs
 * (gpu_alltoall.c). */
COLLECTIVE_PREFIXED(alltoall_call, "alltoall:memory=",
                    "alltoall:memory=host|device|staged,bytes=SIZE...",
                    "all ranks get a block from each, by collective algorithms",
                    COLLECTIVE_ALLTOALL, BUS_OTHERS);

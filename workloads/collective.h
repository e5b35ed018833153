/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective.h - the parameters of a collective operation: its kind, its size,
 * and the place of its data. */
#ifndef WORKLOADS_COLLECTIVE_H
#define WORKLOADS_COLLECTIVE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum collective_kind {
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_BROADCAST,
    COLLECTIVE_REDUCE,
    COLLECTIVE_ALLTOALL,
    NCOLLECTIVE_KINDS
};
extern const char *const collective_kind_names[NCOLLECTIVE_KINDS];

/* The memory with the data of a rank, and the way in which they are sent. */
enum collective_memory {
    COLLECTIVE_HOST,
    COLLECTIVE_DEVICE, /* GPU memory, with device-aware messages */
    /* GPU memory, copied to the host before and back after. */
    COLLECTIVE_STAGED,
    NCOLLECTIVE_MEMORIES
};
extern const char *const collective_memory_names[NCOLLECTIVE_MEMORIES];

/* Whether the data and the result of a rank are in one buffer. nccl-tests'
 * table has both cases. */
enum collective_place {
    COLLECTIVE_IN_PLACE,
    COLLECTIVE_OUT_OF_PLACE,
    COLLECTIVE_BOTH_PLACES, /* both, one after the other */
    NCOLLECTIVE_PLACES
};
extern const char *const collective_place_names[NCOLLECTIVE_PLACES];

/* The way in which the GPUs of a node are driven: by a process each, by a
 * thread each of one process, or by one thread, whose calls for all GPUs are a
 * group and follow each other. */
enum collective_launch {
    LAUNCH_PROCESSES,
    LAUNCH_THREADS,
    LAUNCH_ONE_PROCESS,
    NCOLLECTIVE_LAUNCHES
};
extern const char *const collective_launch_names[NCOLLECTIVE_LAUNCHES];

/* The way in which calls follow each other. */
enum collective_calls {
    CALLS_ROW, /* the CPU makes the next one while the GPUs work, as nccl-tests
                  does */
    CALLS_ALONE,  /* each is waited for */
    CALLS_GRAPH,  /* of a CUDA graph, whose launch has the calls of all */
    CALLS_BEHIND, /* behind a kernel that lasts longer than the CPU's calls */
    NCOLLECTIVE_CALLS
};
extern const char *const collective_calls_names[NCOLLECTIVE_CALLS];

/* The ratio of busbw to algbw at n ranks, as nccl-tests define them: how often
 * the size crosses the busiest link of a rank. */
enum bus {
    BUS_NONE,   /* there is no such size */
    BUS_ALL,    /* 1 */
    BUS_OTHERS, /* (n - 1) / n */
    BUS_TWICE   /* 2 (n - 1) / n */
};
/* Returns this ratio for a number of ranks. */
double bus_factor(enum bus bus, uint32_t ranks);

struct collective_words {
    enum collective_kind kind;
    /* The largest buffer of a rank, which nccl-tests call the size: for
     * allreduce, reduce, broadcast and reduce_scatter the vector, for allgather
     * the result, for alltoall all that a rank sends. */
    uint64_t bytes;
    unsigned element_B;
    uint32_t root; /* for broadcast and reduce */
    enum collective_memory memory;
    bool memory_said;
    enum collective_place place;
    enum collective_launch launch;
    enum collective_calls calls;
    unsigned per_gpu;   /* ranks that share a GPU */
    uint64_t segment_B; /* for pipelines; 0 for the algorithm's default */
    unsigned groups;    /* for all-to-all: groups of a node's ranks; 0 for 1 */
};

/* Returns the bytes of which a size is a multiple: an element, or one per rank
 * if each rank has a block of its own. */
uint64_t collective_unit(const struct collective_words *w, uint32_t ranks);
/* Reads "allreduce:bytes=4M,memory=staged,...", including the prefix. */
int collective_words_read(struct collective_words *w, enum collective_kind kind,
                          const char *words, struct err *err) MUST_CHECK;

#endif

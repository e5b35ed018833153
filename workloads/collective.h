/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective.h - what a collective operation is asked to do: its kind, its
 * size, and where its data are. */
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

/* Where the data of a rank are, and by what way they go to others. */
enum collective_memory {
    COLLECTIVE_HOST,
    COLLECTIVE_DEVICE, /* in a GPU, by device-aware messages */
    COLLECTIVE_STAGED, /* in a GPU: copied to the host before, and back after */
    NCOLLECTIVE_MEMORIES
};
extern const char *const collective_memory_names[NCOLLECTIVE_MEMORIES];

/* Whether a rank's data and its result are in one buffer. In nccl-tests' table
 * are both ways. */
enum collective_place {
    COLLECTIVE_IN_PLACE,
    COLLECTIVE_OUT_OF_PLACE,
    COLLECTIVE_BOTH_PLACES, /* one after the other */
    NCOLLECTIVE_PLACES
};
extern const char *const collective_place_names[NCOLLECTIVE_PLACES];

/* busbw over algbw, as nccl-tests define them, at n ranks: how often the size
 * crosses the busiest way of a rank. */
enum bus {
    BUS_NONE,   /* no such size */
    BUS_ALL,    /* 1 */
    BUS_OTHERS, /* (n - 1) / n */
    BUS_TWICE   /* 2 (n - 1) / n */
};
double bus_factor(enum bus bus, uint32_t ranks);

struct collective_words {
    enum collective_kind kind;
    /*
     * The largest buffer of a rank, which nccl-tests call the size: allreduce,
     * reduce, broadcast and reduce_scatter: the vector; allgather: the result;
     * alltoall: all that a rank sends.
     */
    uint64_t bytes;
    unsigned element_B;
    uint32_t root; /* broadcast, reduce */
    enum collective_memory memory;
    bool memory_said;
    enum collective_place place;
    unsigned per_gpu;   /* ranks that share a GPU */
    uint64_t segment_B; /* of pipelines; 0: what the algorithm takes */
    unsigned groups;    /* all-to-all: of a node's ranks; 0: 1 */
};

/* What a size is a multiple of: an element, or one for each rank where each has
 * a block of its own. */
uint64_t collective_unit(const struct collective_words *w, uint32_t ranks);
/* Reads "allreduce:bytes=4M,memory=staged,...", the prefix included. */
int collective_words_read(struct collective_words *w, enum collective_kind kind,
                          const char *words, struct err *err) MUST_CHECK;

#endif

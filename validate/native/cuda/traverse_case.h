/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_case.h - one execution on given GPUs, repeated, and its rows. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_CASE_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_CASE_H

#include "validate/native/cuda/traverse_answer.h"
#include "validate/native/cuda/traverse_execution.h"
#include "validate/native/cuda/traverse_graph.h"
#include "validate/native/table.h"

#define TRAVERSE_COLUMNS                                                       \
    "row,algorithm,graph,vertices,arcs,source,seed,execution,delta,"           \
    "threshold,gpus,devices,partition,transfer,skew_us,latency_us,run,level,"  \
    "frontier,"                                                                \
    "level_arcs,"                                                              \
    "time_s,p90_s,visits,reached,pushes,received,remote_atomics,bytes,busy_s"

/* A graph on a number of GPUs, which several cases share. */
struct traverse_setting {
    const struct native *n;
    struct table *t;
    const struct graph *g;
    const char *graph;     /* its words, for the rows */
    const char *partition; /* its name, for the rows; "-" for one GPU */
    uint64_t seed;
    uint32_t source;
    unsigned gpus, devices; /* fewer devices than GPUs share them in turn */
    unsigned runs, warm;
    double most_s; /* no further run of a case after this time */
    const struct traverse_answer *answer;

    struct traverse_group group;
};

extern const char *const transfer_names[TRANSFERS];

/* Partitions the graph and copies it to the GPUs. setting_clear() is needed
 * also after a failure. */
int setting_make(struct traverse_setting *s, const uint32_t *part,
                 struct err *err) MUST_CHECK;
void setting_clear(struct traverse_setting *s);

/* Measures one case and writes its rows. It is an error if a GPU has too little
 * memory; the error says how much is needed. */
int setting_measure(struct traverse_setting *s, const struct traverse_case *how,
                    struct err *err) MUST_CHECK;

#endif

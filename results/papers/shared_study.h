/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_study.h - the measurements of Faraji and Afsahi 2018, simulated:
 * collectives of ranks that share GPUs on helios and odin, and pairs of copies.
 * Each time is simulated once. */
#ifndef RESULTS_PAPERS_SHARED_STUDY_H
#define RESULTS_PAPERS_SHARED_STUDY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "workloads/collective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sizes of their figures: 4 B to 16 MiB. */
enum { SHARED_SIZES = 23, SHARED_PAIRS = 4, SHARED_ODIN_RANKS = 16 };
static inline uint64_t shared_size(int i)
{
    return UINT64_C(4) << i;
}
/* Returns the index of the first size of at least this many bytes. */
int shared_size_of(uint64_t bytes);

/* Numbers of GPUs of a node and of ranks on each: all with 4, 8, 16 and 24
 * ranks a node that share GPUs. */
enum { NSHARED_SHAPES = 9 };
extern const unsigned shared_shapes[NSHARED_SHAPES][2];

/* Helios has no MPS; Odin is one machine with it and one without. */
enum shared_machine { ON_HELIOS, ON_ODIN, ON_ODIN_NO_MPS, NSHARED_MACHINES };

struct shared_case {
    enum shared_machine on;
    enum collective_kind kind; /* allreduce or allgather */
    const char *algorithm;
    unsigned nodes, gpus, per_gpu;
    uint64_t bytes; /* in an allgather, a rank's own bytes */
};

struct shared_study {
    struct machine machines[NSHARED_MACHINES];
    struct shared_known {
        struct shared_case c;
        double time_s;
        double in, out; /* copies of a GPU's ranks through the host */
    } * known;
    size_t n, room;
};

int shared_study_open(struct shared_study *s, const char *const *sets,
                      size_t nsets, struct err *err) MUST_CHECK;
void shared_study_close(struct shared_study *s);

/* Returns the time of one collective from a barrier on, as the mean over the
 * ranks; NULL with err if the simulation failed. The result belongs to the
 * study and is valid until the next call. */
const struct shared_known *
shared_study_get(struct shared_study *s, struct shared_case c, struct err *err);
/* Times four pairs of ranks of a GPU at once, of which `host` copy through the
 * host. */
int shared_study_pairs(double *time_s, const struct shared_study *s,
                       enum shared_machine on, unsigned host, uint64_t bytes,
                       struct err *err) MUST_CHECK;

#endif

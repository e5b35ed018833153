/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_study.h - what Faraji and Afsahi 2018 measured, simulated: collectives
 * of ranks that share GPUs on helios and odin, and pairs of copies; each time
 * is simulated once. */
#ifndef RESULTS_PAPERS_SHARED_STUDY_H
#define RESULTS_PAPERS_SHARED_STUDY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "workloads/collective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes of their figures: 4 B to 16 MiB. */
enum { SHARED_SIZES = 23, SHARED_PAIRS = 4, SHARED_ODIN_RANKS = 16 };
static inline uint64_t shared_size(int i)
{
    return UINT64_C(4) << i;
}
/* The first size of at least so many bytes. */
int shared_size_of(uint64_t bytes);

/* Helios has no MPS; of odin there is one machine with it and one without. */
enum shared_machine { ON_HELIOS, ON_ODIN, ON_ODIN_NO_MPS, NSHARED_MACHINES };

struct shared_case {
    enum shared_machine on;
    enum collective_kind kind; /* allreduce, or allgather: */
    const char *algorithm;
    unsigned nodes, gpus, per_gpu;
    uint64_t bytes; /* of an allgather: that a rank brings */
};

struct shared_study {
    struct machine machines[NSHARED_MACHINES];
    struct shared_known {
        struct shared_case c;
        double time_s;
        unsigned in, out; /* copies by way of the host of a GPU's ranks */
    } * known;
    size_t n, room;
};

int shared_study_open(struct shared_study *s, const char *const *sets,
                      size_t nsets, struct err *err) MUST_CHECK;
void shared_study_close(struct shared_study *s);

/* Of one collective from a barrier on, the mean over the ranks. NULL: the
 * simulation failed. The result is the study's until the next call. */
const struct shared_known *
shared_study_get(struct shared_study *s, struct shared_case c, struct err *err);
/* Four pairs of ranks of a GPU at once, so many of them by way of the host. */
int shared_study_pairs(double *time_s, const struct shared_study *s,
                       enum shared_machine on, unsigned host, uint64_t bytes,
                       struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - a request of one size, or of a range of them: a job for each, all
 * on one machine. */
#ifndef STRATEGIES_RUN_SWEEP_H
#define STRATEGIES_RUN_SWEEP_H

#include "strategies/run/run.h"

/* What nccl-tests call the size of an operation, and how they count. */
struct sized {
    uint64_t bytes; /* the largest buffer of a rank that is really used */
    uint64_t count; /* elements of a rank's smaller buffer */
    unsigned element_B;
    double bus; /* busbw over algbw */
};
/* False: the workload has no such size. */
bool job_sized(struct sized *s, const struct job *j);
/* "float" for 4 B; the caller frees. */
char *sized_type(unsigned element_B);
/* Bytes per second: of the size, and of what each way to the others carries at
 * the least, which can be held against a link's. */
double sized_algbw(const struct sized *s, double time_s);
double sized_busbw(const struct sized *s, double time_s);

/* What a library takes, held against the best of what was run. */
struct judged {
    const char *library; /* NULL: of no collective */
    const char *takes;   /* as it calls it; NULL: it has none */
    const char *ours;    /* NULL: there is no plan of it */
    const char *best;
    double time_s; /* of what it takes; NAN: it was not run */
    double best_s;
};
/* How much longer it takes than the best, 0.25 for a quarter; NAN: unknown. */
double judged_regret(const struct judged *j);

struct sweep_size {
    uint64_t bytes; /* as it was asked for; 0: not as a range */
    struct job job; /* where it is not left out */
    struct job_runs runs;
    struct err *why; /* it is left out: too small, or none of its ways can be
                        done; NULL: it is not */
    struct judged judged;
    /* The first so many of `runs`: those that could be done, fastest first; for
     * --algorithm auto the library's alone. */
    size_t shown;
};

struct sweep {
    const char *words; /* with the range; the request's */
    bool ranged;
    struct machine own; /* of a range, where it is not the caller's */
    struct sweep_size *sizes;
    size_t n;
};

/* The words of the workload have a range of sizes. */
bool sizes_asked(const struct request *r);
/* -1: nothing is to be cleared; of a range, when each size is refused. */
int sweep_load(struct sweep *s, const struct request *r,
               struct err *err) MUST_CHECK;
/* The same on a machine that is loaded, which it borrows (job_load_on()). */
int sweep_load_on(struct sweep *s, const struct machine *m,
                  const struct request *r, struct err *err) MUST_CHECK;
/* Every size and every way, side by side; fails when none can be done. */
int sweep_run(struct sweep *s, const struct run_options *options,
              struct err *err) MUST_CHECK;
void sweep_clear(struct sweep *s);

#endif

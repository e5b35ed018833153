/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - a request of one size, or of a range of sizes: one job per size,
 * all on one machine; or of a graph on hosts: one job per platform. */
#ifndef STUDY_RUN_SWEEP_H
#define STUDY_RUN_SWEEP_H

#include "study/run/run.h"

/* The size of an operation and its bandwidths as nccl-tests count them. */
struct sized {
    uint64_t bytes; /* the largest buffer of a rank that is really used */
    uint64_t count; /* elements of a rank's smaller buffer */
    unsigned element_B;
    double bus; /* bus bandwidth (busbw) divided by algbw */
};
/* Returns false if the workload has no such size. */
bool job_sized(struct sized *s, const struct job *j);
/* Returns the name of the type, "float" for 4 B; the caller frees it. */
char *sized_type(unsigned element_B);
/* Return bytes per second: algbw is the size divided by the time; busbw is the
 * least that each route to the others carries, which can be compared with a
 * link's bandwidth. */
double sized_algbw(const struct sized *s, double time_s);
double sized_busbw(const struct sized *s, double time_s);

/* The library's own choice, compared with the best candidate that was run. */
struct judged {
    const char *library; /* NULL if it is no collective */
    /* The library's name of its choice; NULL if it has none. */
    const char *takes;
    const char *ours; /* our name of it; NULL if there is no plan of it */
    const char *best; /* NULL if no others were run */
    double time_s;    /* the choice's; NAN if it was not run */
    double best_s;
};
/* Returns the regret of the choice: its time divided by the best, minus 1 (0.25
 * for a quarter longer); NAN if unknown. */
double judged_regret(const struct judged *j);

struct sweep_size {
    uint64_t bytes;                /* as asked for; 0 if there is no range */
    const struct machine *machine; /* NULL if the job has its own */
    struct job job;                /* valid if the size is not left out */
    struct job_runs runs;
    /* Why the size is left out: it or the machine is too small, or no candidate
     * can be done; NULL if it is not left out. */
    struct err *why;
    struct judged judged;
    /* The number of outcomes of `runs` to show, from the first on: those that
     * could be done, fastest first; for --algorithm auto only the library's
     * choice. */
    size_t shown;
};

struct sweep {
    const char *words; /* the request's, with the range */
    bool ranged;
    /* One for a range, if it is not the caller's; for a graph on hosts the
     * platforms. */
    struct machine *own;
    size_t nown;
    struct sweep_size *sizes; /* for a graph on hosts one per platform */
    size_t n;
};

/* Returns whether the words of the workload have a range of sizes. */
bool sizes_asked(const struct request *r);
/* Loads a job per size. A range fails only if each size is refused. If it
 * returns -1, there is nothing to clear. */
int sweep_load(struct sweep *s, const struct request *r,
               struct err *err) MUST_CHECK;
/* Does the same on a machine that is loaded already, which it borrows
 * (job_load_on()). */
int sweep_load_on(struct sweep *s, const struct machine *m,
                  const struct request *r, struct err *err) MUST_CHECK;
/* Simulates every candidate of every size, in parallel; fails if none can be
 * done. */
int sweep_run(struct sweep *s, const struct run_options *options,
              struct err *err) MUST_CHECK;
void sweep_clear(struct sweep *s);

#endif

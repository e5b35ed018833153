/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what `sluice bench` measures. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/exec.h"

#include <stddef.h>

/* What one case took, in a process of its own. */
struct took {
    double wall_s;
    double peak_MB; /* of that process, or its largest child */
    int code;       /* 0: done; 1: failed; 2: over the limit */
};

/* Runs work(arg) in a child that is ended after limit_s. */
struct took bench_measure(int (*work)(void *arg), void *arg, unsigned limit_s);
/* The same `runs` times (at most 9), sorted by time; the first that does not
 * finish ends them and is reported. The median is took[runs / 2]. */
int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s);

/* In all: o is how plans are simulated, where the bench does not choose that
 * itself. Those without an err return how many cases failed.
 *
 * Messages posted at once on 4 to 64 nodes; a million in rounds. */
unsigned bench_exchanges(const struct machine *m, const struct exec_options *o,
                         unsigned limit_s);
unsigned bench_rounds(const struct machine *m, const struct exec_options *o,
                      unsigned limit_s);
/* SimGrid compared with our solver, exact and with a tolerance. */
unsigned bench_engines(const struct machine *m, const struct exec_options *o,
                       unsigned limit_s);
/* How the time grows with messages and with ranks. */
unsigned bench_growth(const struct machine *m, const struct exec_options *o,
                      unsigned limit_s);
/* Makespans and durations with a tolerance compared with exact ones. Takes
 * minutes. */
int bench_accuracy(const struct machine *m, const struct exec_options *o,
                   struct err *err) MUST_CHECK;
/* Simulating BFS and PageRank on GPUs compared with computing them by one
 * thread. */
unsigned bench_traverse(const struct machine *m, const struct exec_options *o,
                        unsigned limit_s);
/* Reading a matrix and building its halo. */
int bench_halos(unsigned limit_s, struct err *err) MUST_CHECK;

#endif

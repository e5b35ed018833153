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
    double cpu_s;   /* of that process and its children, user and system */
    double peak_MB; /* of that process, or its largest child */
    int code;       /* 0: done; 1: failed; 2: over the limit */
};

/* Runs work(arg) in a child that is ended after limit_s. */
struct took bench_measure(int (*work)(void *arg), void *arg, unsigned limit_s);
/* The same `runs` times (at most 9), sorted by CPU time; the first that does
 * not finish ends them and is reported. The median is took[runs / 2]. */
int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s);

/* One line on how fast the machine is at this moment, so that tables of other
 * days, or hours, can be told apart: 0.2 s. */
void bench_print_speed(void);

/* The machine with as many nodes, its network's top level as wide as they need:
 * a copy that borrows all else. Fat trees and crossbars only. */
int bench_widen(struct machine *wide, const struct machine *m, unsigned nodes,
                struct err *err) MUST_CHECK;

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
/* One message on a machine of more and more nodes. */
unsigned bench_start(const struct machine *m, const struct exec_options *o,
                     unsigned limit_s);
/* All strategies for large halos on many GPUs. */
unsigned bench_strategies(const struct machine *m, const struct exec_options *o,
                          unsigned limit_s);
/* Makespans and durations with a tolerance compared with exact ones. Takes
 * minutes. */
int bench_accuracy(const struct machine *m, const struct exec_options *o,
                   struct err *err) MUST_CHECK;
/* Simulating BFS and PageRank on GPUs compared with computing them by one
 * thread. */
unsigned bench_traverse(const struct machine *m, const struct exec_options *o,
                        unsigned limit_s);
/* Collectives of thousands of GPUs. */
unsigned bench_collectives(const struct machine *m,
                           const struct exec_options *o, unsigned limit_s);
/* Reading a matrix and building its halo. */
int bench_halos(unsigned limit_s, struct err *err) MUST_CHECK;

/* Runs of this program and of another one in turns, on the same cases: the
 * medians of the ratios of CPU times, and how far they spread. */
struct against {
    const char *kind;     /* exchange, rounds or strategies */
    const char *program;  /* the other one */
    const char *platform; /* as --platform takes it */
    const struct machine *m;
    const char *accuracy; /* as --accuracy takes it, NULL: not said */
    unsigned limit_s;
};
int bench_against(const struct against *a, struct err *err) MUST_CHECK;

/* The i-th case of bench exchange and of bench rounds, false: there is none:
 * its name, and its workload (both have room for 128). */
bool bench_exchange_case(const struct machine *m, size_t i, char *name,
                         char *words);
bool bench_rounds_case(size_t i, char *name, char *words);
/* Likewise of bench strategies. */
bool bench_strategies_case(size_t i, const char **words, unsigned *gpus);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what `sluice bench` measures. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/machine.h"
#include "sim/plan/exec.h"

#include <stdbool.h>
#include <stddef.h>

/* What one case took, in a process of its own. */
struct took {
    double wall_s;
    double cpu_s;  /* of that process and its children, user and system */
    double peak_B; /* of that process, or its largest child */
    int code;      /* 0: done; 1: failed; 2: over the limit */
};
#define BENCH_MIB 0x1p20

/* Runs work(arg) in a child that is ended after limit_s. */
struct took bench_measure(int (*work)(void *arg), void *arg, unsigned limit_s);
/* The same `runs` times (at most 9), sorted by CPU time; the first that does
 * not finish ends them and is reported. The median is took[runs / 2]. */
int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s);

/* What is measured, and where it goes: a table that is printed cell by cell, or
 * the rows of a JSON document. */
struct bench {
    const struct machine *m; /* NULL: the bench looks at none */
    /* How plans are simulated, where the bench does not choose that itself. */
    const struct exec_options *exec;
    unsigned limit_s;              /* a case that takes longer is ended */
    struct json *doc, *rows, *row; /* NULL: a table */
};

/* Makes it a JSON document; prints it, unless nothing was measured, and frees
 * it. */
void bench_begin_json(struct bench *b, const char *kind);
void bench_print_json(struct bench *b);
/* What only the table has. */
void bench_text(const struct bench *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A row begins: with the engine and accuracy of these options, NULL: none. */
void bench_row(struct bench *b, const struct exec_options *o);
/* A cell of it, whose format has one conversion, of a double or of words.
 * Scaled: in units such as 1e6 in the table. */
void bench_number(struct bench *b, const char *key, const char *fmt,
                  double value) PRINTF_LIKE(3, 0);
void bench_scaled(struct bench *b, const char *key, const char *fmt,
                  double value, double unit) PRINTF_LIKE(3, 0);
void bench_words(struct bench *b, const char *key, const char *fmt,
                 const char *words) PRINTF_LIKE(3, 0);
/* What only the document has. */
void bench_json_number(struct bench *b, const char *key, double value);
void bench_json_words(struct bench *b, const char *key, const char *words);
void bench_json_workload(struct bench *b, const char *words);
/* The row ends, and with it, unless the code is 0, what went wrong. Whether it
 * failed. */
bool bench_ended(struct bench *b, int code);
/* Words for a code that is not 0. */
const char *bench_why(int code);

/* How fast the machine is at this moment, so that results of other days, or
 * hours, can be told apart: 0.2 s. */
void bench_speed(struct bench *b);

/* The machine with as many nodes, its network's top level as wide as they need:
 * a copy that borrows all else. Fat trees and crossbars only. */
int bench_widen(struct machine *wide, const struct machine *m, unsigned nodes,
                struct err *err) MUST_CHECK;

/* Those without an err return how many cases failed.
 *
 * Messages posted at once on 4 to 64 nodes; a million in rounds. */
unsigned bench_exchanges(struct bench *b);
unsigned bench_rounds(struct bench *b);
/* SimGrid compared with our solver, exact and with a tolerance. */
unsigned bench_engines(struct bench *b);
/* How the time grows with messages and with ranks. */
unsigned bench_growth(struct bench *b);
/* One message on a machine of more and more nodes. */
unsigned bench_start(struct bench *b);
/* All strategies for large halos on many GPUs. */
unsigned bench_strategies(struct bench *b);
/* Makespans and durations with a tolerance compared with exact ones. Takes
 * minutes. */
int bench_accuracy(struct bench *b, struct err *err) MUST_CHECK;
/* Simulating BFS and PageRank on GPUs compared with computing them by one
 * thread. */
unsigned bench_traverse(struct bench *b);
/* Collectives of thousands of GPUs. */
unsigned bench_collectives(struct bench *b);
/* Reading a matrix and building its halo. */
int bench_halos(struct bench *b, struct err *err) MUST_CHECK;

/* Runs of this program and of another one in turns, on the same cases: the
 * medians of the ratios of CPU times, and how far they spread. */
struct against {
    const char *kind;     /* exchange, rounds or strategies */
    const char *program;  /* the other one */
    const char *platform; /* as --platform takes it */
    const char *accuracy; /* as --accuracy takes it, NULL: not said */
};
int bench_against(struct bench *b, const struct against *a,
                  struct err *err) MUST_CHECK;

/* The i-th case of bench exchange and of bench rounds, false: there is none:
 * its name, and its workload (both have room for 128). */
bool bench_exchange_case(const struct machine *m, size_t i, char *name,
                         char *words);
bool bench_rounds_case(size_t i, char *name, char *words);
/* Likewise of bench strategies. */
bool bench_strategies_case(size_t i, const char **words, unsigned *gpus);

#endif

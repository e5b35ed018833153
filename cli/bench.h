/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - the measurements of `sluice bench`. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/machine.h"
#include "sim/plan/exec.h"

#include <stdbool.h>
#include <stddef.h>

/* The cost of one case, which ran in a process of its own. */
struct took {
    double wall_s;
    double cpu_s;  /* user and system, with that of its children */
    double peak_B; /* its own, or that of its largest child */
    int code;      /* 0 if done, 1 if failed, 2 if over the limit */
};
#define BENCH_MIB 0x1p20

/* Runs work(arg) in a child process, which is killed after limit_s. The case
 * has failed if work() returns a negative number. */
struct took bench_measure(int (*work)(void *arg), void *arg, unsigned limit_s);
/* Does the same `runs` times (at most 9) and sorts the results by CPU time.
 * Stops at the first run that does not finish, and returns its code. The median
 * is took[runs / 2]. */
int bench_repeat(struct took *took, unsigned runs, int (*work)(void *arg),
                 void *arg, unsigned limit_s);

/* A running benchmark and the destination of its results: a table that is
 * printed cell by cell, or the rows of a JSON document. */
struct bench {
    const struct machine *m; /* NULL if the benchmark needs no machine */
    /* The options of the simulation of plans, if the benchmark does not choose
     * them itself. */
    const struct exec_options *exec;
    unsigned limit_s;              /* a case that takes longer is killed */
    struct json *doc, *rows, *row; /* all NULL if it prints a table */
};

/* bench_begin_json() makes the results a JSON document. bench_print_json()
 * prints and frees it; prints nothing if there are no rows. */
void bench_begin_json(struct bench *b, const char *kind);
void bench_print_json(struct bench *b);
/* Prints text that only the table has. */
void bench_text(const struct bench *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Begins a row, with the engine and accuracy of these options unless they are
 * NULL. */
void bench_row(struct bench *b, const struct exec_options *o);
/* Add a cell to the row. The format has one conversion, of a double or of a
 * string. bench_scaled() divides the number by a unit such as 1e6 for the
 * table. */
void bench_number(struct bench *b, const char *key, const char *fmt,
                  double value) PRINTF_LIKE(3, 0);
void bench_scaled(struct bench *b, const char *key, const char *fmt,
                  double value, double unit) PRINTF_LIKE(3, 0);
void bench_words(struct bench *b, const char *key, const char *fmt,
                 const char *words) PRINTF_LIKE(3, 0);
/* Add a cell that only the document has. */
void bench_json_number(struct bench *b, const char *key, double value);
void bench_json_words(struct bench *b, const char *key, const char *words);
void bench_json_workload(struct bench *b, const char *words);
/* Ends the row; if the code is not 0, adds the reason as a cell. Returns
 * whether the case failed (code 1). */
bool bench_ended(struct bench *b, int code);
/* Returns the words for a code that is not 0. */
const char *bench_why(int code);

/* Measures for 0.2 s how fast the machine is at this moment, so that results of
 * other days, or hours, can be distinguished. */
void bench_speed(struct bench *b);

/* Makes a copy of the machine with this many nodes, and the top level of its
 * network as wide as they need. The copy borrows all else from m, so it is not
 * cleared. Fails unless the network is a fat tree or a crossbar. */
int bench_widen(struct machine *wide, const struct machine *m, unsigned nodes,
                struct err *err) MUST_CHECK;

/*
 * The benchmarks. Those without an err return the number of cases that failed.
 *
 * The first one posts messages at once on 4 to 64 nodes, the second one a
 * million in rounds.
 */
unsigned bench_exchanges(struct bench *b);
unsigned bench_rounds(struct bench *b);
/* Compares SimGrid with our solver, exact and with a tolerance. */
unsigned bench_engines(struct bench *b);
/* Measures how the time grows with messages and with ranks. */
unsigned bench_growth(struct bench *b);
/* Sends one message on machines of more and more nodes. */
unsigned bench_start(struct bench *b);
/* Runs all strategies for large halos on many GPUs. */
unsigned bench_strategies(struct bench *b);
/* Compares makespans and durations with a tolerance to exact ones. Takes
 * minutes. */
int bench_accuracy(struct bench *b, struct err *err) MUST_CHECK;
/* Compares the simulation of BFS and PageRank on GPUs with their computation by
 * one thread. */
unsigned bench_traverse(struct bench *b);
/* Runs collectives of thousands of GPUs. */
unsigned bench_collectives(struct bench *b);
/* Reads a matrix and builds its halo. */
int bench_halos(struct bench *b, struct err *err) MUST_CHECK;

/* A comparison of this program with another one: both run the same cases in
 * turns. The results are the medians of the ratios of CPU times, and the spread
 * of the ratios. */
struct against {
    const char *kind;     /* exchange, rounds or strategies */
    const char *program;  /* the other program's path */
    const char *platform; /* as --platform takes it */
    const char *accuracy; /* as --accuracy takes it, or NULL for the default */
};
int bench_against(struct bench *b, const struct against *a,
                  struct err *err) MUST_CHECK;

/* Write the name and the workload of the i-th case of bench exchange and of
 * bench rounds (both have room for 128 bytes). Return false if there is no such
 * case. */
bool bench_exchange_case(const struct machine *m, size_t i, char *name,
                         char *words);
bool bench_rounds_case(size_t i, char *name, char *words);
/* Does the same for bench strategies. */
bool bench_strategies_case(size_t i, const char **words, unsigned *gpus);

#endif

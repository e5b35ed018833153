/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_run.h - prints the results of `sluice run`, in one form for all
 * workloads. */
#ifndef CLI_PRINT_RUN_H
#define CLI_PRINT_RUN_H

#include "base/json.h"
#include "study/run/sweep.h"

#include <stddef.h>
#include <stdio.h>

/* Results of one job. The outcomes are ranked, and none of them failed. */
struct run_results {
    const struct job *job;
    const struct outcome *list;
    size_t n;
    const struct compared *compared; /* the result under another partition */
    const struct judged *judged; /* for collectives; NULL if there is none */
    bool details; /* for every outcome, not only the first; all links */
};

void print_run(const struct run_results *r);
void print_run_json(const struct run_results *r);
/* Print "WORDS on lassen: 64 ranks, ...", and the same as JSON. */
void print_run_heading(const struct run_results *r, const char *words);
void add_job(struct json *doc, const struct job *j, const char *words);
/* Returns one outcome, an element of `strategies`. */
struct json *outcome_json(const struct run_results *r, const struct outcome *o);
/* Adds the size and all outcomes. */
void add_results(struct json *doc, const struct run_results *r);

/* Print the names of the outcomes that tie for the fastest, as a line and as a
 * list in JSON; nothing if there is no tie. */
void print_tie(const struct run_results *r);
void add_tie(struct json *doc, const struct run_results *r);
/* Print the ranking: a table of text, or CSV with all columns. */
void print_ranking(const struct run_results *r);
/* Returns the width of the column of names. */
int ranking_width(const struct run_results *r);
void print_run_csv_head(const struct run_results *r);
void print_run_csv_rows(const struct run_results *r);
/* Prints the first columns of every row: the platform, workload, nodes, GPUs
 * and the strategy. */
void print_csv_place(const struct run_results *r, const struct outcome *o);
/* Print the last columns of every row: the time relative to the best (NAN if
 * not known), the partition (NULL if there is none), the seed of the workload,
 * and the program's version. */
void print_csv_origin_head(void);
void print_csv_origin(double times_best, const char *words,
                      const char *partition);

/* Prints the time of a repeated step, and how many were simulated. */
void print_repeat(const struct run_results *r);
/* print_collective_steps() prints how many steps of collectives were simulated.
 * add_repeat() adds both to JSON; `steps` is the number that was asked for. */
void print_collective_steps(const struct run_results *r);
void add_repeat(struct json *o, const struct outcome *of, unsigned steps);

/* Prints "metis rows", "rows by boxes:8x8". */
void print_partition(const char *partition, const char *what);
/* Print the result under the partition to compare with, if there is one, as a
 * line and as JSON. `than_s` is the best time under the partition that was
 * asked for. */
void print_compared(const struct load *l, const struct compared *best,
                    double than_s);
void add_compared(struct json *doc, const struct load *l,
                  const struct compared *best);

/* Returns the shares of a critical path's time by the provenance of their
 * numbers, and the workload's own share; they add up to 1. */
struct json *rests_on_json(const struct rests_on *r);

/* Print the queues in which messages and receives were matched; with details
 * those of each rank. Print nothing if matching takes no time and details are
 * not asked for. */
void print_matching(const struct run_results *r, const struct outcome *o);
void add_matching(struct json *x, const struct run_results *r,
                  const struct outcome *o);

/* Print the buffers of ranks, if the runtime has a communication thread, else
 * nothing; those of each rank with details, and in JSON. */
void print_hosts(const struct run_results *r, const struct outcome *o);
void add_hosts(struct json *x, const struct outcome *o);

/* Prints the GPUs of a graph as a table. */
void print_gpus(const struct outcome *o);

#define BUSIEST_LINKS 5
/* Returns how many links of an outcome are shown: the busiest, or all with
 * details. */
size_t shown_links(const struct run_results *r, const struct outcome *o);

#endif

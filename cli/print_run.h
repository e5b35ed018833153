/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_run.h - the results of `sluice run`, one form for all workloads. */
#ifndef CLI_PRINT_RUN_H
#define CLI_PRINT_RUN_H

#include "base/json.h"
#include "strategies/run/sweep.h"

#include <stddef.h>
#include <stdio.h>

/* The outcomes are ranked, and all of them could be done. */
struct run_results {
    const struct job *job;
    const struct outcome *list;
    size_t n;
    const struct compared *compared; /* what another partition would give */
    const struct judged *judged;     /* of collectives; NULL: none */
    bool details; /* of every outcome, not only of the first; all links */
};

void print_run(const struct run_results *r);
void print_run_json(const struct run_results *r);
/* "WORDS on lassen: 64 ranks, ...", and what JSON has of that. */
void print_run_heading(const struct run_results *r, const char *words);
void add_job(struct json *doc, const struct job *j, const char *words);
/* The size and all outcomes. */
void add_results(struct json *doc, const struct run_results *r);

/* The names of those that tie for the fastest, as a line, and in JSON as a
 * list; nothing where there is no tie. */
void print_tie(const struct run_results *r);
void add_tie(struct json *doc, const struct run_results *r);
/* The ranking: a table of text, or CSV with all columns. */
void print_ranking(const struct run_results *r);
void print_run_csv_head(const struct run_results *r);
void print_run_csv_rows(const struct run_results *r);
/* The last columns of every row: times the best (NAN: not known), the partition
 * (NULL: of none), the seed of the workload, and the program's version. */
void print_csv_origin_head(void);
void print_csv_origin(double times_best, const char *words,
                      const char *partition);

/* Steps that are repeated: the time of one, and how many were simulated. */
void print_repeat(const struct run_results *r);
/* The latter of collectives; in JSON of both, steps: those that were asked
 * for. */
void print_collective_steps(const struct run_results *r);
void add_repeat(struct json *o, const struct outcome *of, unsigned steps);

/* All messages that were sent. */
uint64_t outcome_messages(const struct outcome *o);

/* "metis rows", "rows by boxes:8x8". */
void print_partition(const char *partition, const char *what);
/* The line on the partition to compare with, if there is one, and its JSON.
 * `than_s` is the time of the best under the other one. */
void print_compared(const struct load *l, const struct compared *best,
                    double than_s);
void add_compared(struct json *doc, const struct load *l,
                  const struct compared *best);

/* Shares of a critical path's time, by where the numbers come from, and the
 * workload's: they add up to 1. */
struct json *rests_on_json(const struct rests_on *r);

/* The queues that messages and receives were matched in; those of each rank
 * with details. Nothing where matching takes no time and nobody asks. */
void print_matching(const struct run_results *r, const struct outcome *o);
void add_matching(struct json *x, const struct run_results *r,
                  const struct outcome *o);

/* Of a runtime with a communication thread, else nothing: the buffers of ranks;
 * those of each with details, and in JSON. */
void print_hosts(const struct run_results *r, const struct outcome *o);
void add_hosts(struct json *x, const struct outcome *o);
/* A number of struct host_counts, of the rank that has most, or least, of it;
 * NAN: there are none. And sums. */
double hosts_most(const struct outcome *o, size_t offset);
double hosts_least(const struct outcome *o, size_t offset);
#define HOSTS_MOST(o, field) hosts_most(o, offsetof(struct host_counts, field))
#define HOSTS_LEAST(o, field)                                                  \
    hosts_least(o, offsetof(struct host_counts, field))
double hosts_retries(const struct outcome *o);
double hosts_waited_s(const struct outcome *o);

#define BUSIEST_LINKS 5
/* How many links are shown of an outcome: the busiest, or all with details. */
size_t shown_links(const struct run_results *r, const struct outcome *o);
double link_utilisation(const struct link_use *l, double time_s);

#endif

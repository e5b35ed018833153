/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_parts.h - what the files that make a job ready share: job.c, of its ways
 * job_choices.c, of traces job_trace.c. */
#ifndef STRATEGIES_RUN_JOB_PARTS_H
#define STRATEGIES_RUN_JOB_PARTS_H

#include "strategies/run/job.h"

#define AS_GIVEN "as-given"

/* Of the job `arg`: the workload, or one of its ways, takes the option. */
int job_check_option(void *arg, const char *option, struct err *err) MUST_CHECK;

/* --- job_choices.c -------------------------------------------------------- */

/* The ways that are named, or all that there are for such a workload; `sets`
 * are of executions. */
int job_choose(struct job *j, const struct request *r, const struct texts *sets,
               struct err *err) MUST_CHECK;
/* Lasts until the next is added. */
struct choice *job_add_choice(struct job *j, const char *name);
/* Those named, or all. */
int job_choose_strategies(struct job *j, const char *names,
                          struct err *err) MUST_CHECK;

/* --- job_runtime.c -------------------------------------------------------- */

/* "mpi-probe": a runtime that carries the messages of processes. */
int job_runtime(enum runtime *by, const char *word, struct err *err) MUST_CHECK;
/* It has packets or buffers, which may be lacking. */
bool job_can_exhaust(enum runtime by);
/* What is to be done without packets, error or wait: a word that is one, where
 * it is said, and a runtime that it is said of. */
int job_check_exhaustion(const struct request *r, struct err *err) MUST_CHECK;
/* Each way of messages between processes under each runtime that is named. */
int job_find_runtimes(struct job *j, const struct request *r,
                      struct err *err) MUST_CHECK;

/* --- job_trace.c ---------------------------------------------------------- */

/* How a trace is replayed, and its ways: as it is, and by strategies. */
int job_choose_replay(struct job *j, const struct request *r,
                      struct err *err) MUST_CHECK;
void job_seat_ranks(struct job *j);
/* Of a trace that strategies are asked for. */
int job_find_phases(struct job *j, bool no_packing, struct err *err) MUST_CHECK;
int job_plan_trace(struct plan *p, const struct job *j, const struct choice *c,
                   struct err *err) MUST_CHECK;

#endif

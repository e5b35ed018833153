/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_parts.h - the functions that the files of a job share: job.c loads it,
 * job_choices.c finds its candidates with job_runtime.c and job_trace.c, and
 * all use job_parts.c. */
#ifndef STUDY_RUN_JOB_PARTS_H
#define STUDY_RUN_JOB_PARTS_H

#include "study/run/job.h"

#define AS_GIVEN "as-given"

/* --- job_parts.c ---------------------------------------------------------- */

/* Checks that the workload of the job `arg`, or one of its candidates, takes
 * the option. */
int job_check_option(void *arg, const char *option, struct err *err) MUST_CHECK;
/* Adds a candidate. The result is valid until the next is added. */
struct choice *job_add_choice(struct job *j, const char *name);
/* Adds the strategies that are named, or all if names is NULL. */
int job_choose_strategies(struct job *j, const char *names,
                          struct err *err) MUST_CHECK;

/* --- job_choices.c -------------------------------------------------------- */

/* Returns the KEY=VALUE of a set "execution.KEY=VALUE"; NULL if it is one of
 * the platform. */
const char *set_of_execution(const char *set);
/* Adds the candidates that are named, or all for such a workload. The others do
 * so for one shape each. */
int job_choose(struct job *j, const struct request *r,
               struct err *err) MUST_CHECK;
int job_choose_exchange(struct job *j, const struct request *r,
                        struct err *err) MUST_CHECK;
int job_choose_executions(struct job *j, const struct request *r,
                          struct err *err) MUST_CHECK;
int job_choose_algorithms(struct job *j, const struct request *r,
                          struct err *err) MUST_CHECK;

/* --- job_runtime.c -------------------------------------------------------- */

/* Finds the runtime of a word such as "mpi-probe"; only runtimes that carry
 * messages of processes are accepted. */
int job_runtime(enum runtime *by, const char *word, struct err *err) MUST_CHECK;
/* Returns whether the runtime has packets or buffers, which can run out. */
bool job_can_exhaust(enum runtime by);
/* Checks --runtime-exhaustion, which says what happens if there are no packets,
 * error or wait: the word is known, and there is a runtime to which it
 * applies. */
int job_check_exhaustion(const struct request *r, struct err *err) MUST_CHECK;
/* Replaces the candidates, if they are messages between processes, by each of
 * them under each named runtime. */
int job_find_runtimes(struct job *j, const struct request *r,
                      struct err *err) MUST_CHECK;

/* --- shapes.c ------------------------------------------------------------- */

/* Functions for the table of list.c; see shapes.h. */
int job_make_halo(struct job *j, const struct request *r,
                  struct err *err) MUST_CHECK;
int job_make_plan(struct job *j, const struct request *r,
                  struct err *err) MUST_CHECK;
int job_make_graph(struct job *j, const struct request *r,
                   struct err *err) MUST_CHECK;
int job_make_collective(struct job *j, const struct request *r,
                        struct err *err) MUST_CHECK;
int job_make_trace(struct job *j, const struct request *r,
                   struct err *err) MUST_CHECK;
const struct plan *job_plan_halo(struct plan *room, const struct job *j,
                                 const struct choice *c, struct err *err);
const struct plan *job_plan_collective(struct plan *room, const struct job *j,
                                       const struct choice *c, struct err *err);
const struct plan *job_plan_replay(struct plan *room, const struct job *j,
                                   const struct choice *c, struct err *err);
int job_check_cut(const char *how, struct err *err) MUST_CHECK;

/* --- job_trace.c ---------------------------------------------------------- */

/* Takes over how a trace is replayed, and adds its candidates: the trace as it
 * is, and strategies. */
int job_choose_replay(struct job *j, const struct request *r,
                      struct err *err) MUST_CHECK;
void job_seat_ranks(struct job *j);
/* Finds the phases of a trace, if strategies are asked for. */
int job_find_phases(struct job *j, bool no_packing, struct err *err) MUST_CHECK;
int job_plan_trace(struct plan *p, const struct job *j, const struct choice *c,
                   struct err *err) MUST_CHECK;

#endif

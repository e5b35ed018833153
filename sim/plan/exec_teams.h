/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_teams.h - a plan under a runtime with a communication thread
 * (sim/transport/teams.h): what it refuses, and what the transport does not
 * know of a plan: epochs, windows, how long buffers are in use. */
#ifndef SIM_PLAN_EXEC_TEAMS_H
#define SIM_PLAN_EXEC_TEAMS_H

#include "sim/plan/exec_state.h"

/* What each process's windows of the plan hold, in bytes: of each other one
 * that puts there the largest message, as often as runtime_costs.windows says;
 * or plan.window_B. The caller frees it. */
double *plan_windows(const struct plan *p, const struct runtime_costs *c);
/* What the creation of the windows takes: of one of each process, as often as
 * runtime_costs.windows says, one after the other, by all. */
double plan_windows_s(const struct plan *p, const struct machine *m);

/* -1 and an error when the runtime of the plan cannot do it on this machine. */
int runtime_check(const struct plan *p, const struct machine *m,
                  struct err *err) MUST_CHECK;

/* The buffers that messages were received in. */
struct buffers;

void exec_teams_init(struct exec *x);
void exec_teams_clear(struct exec *x);
/* An operation is finished: of a message, it has been received. */
void buffers_finished(struct buffers *b, uint32_t op);
/* -1 and an error when a buffer was exhausted and that is one. */
int exec_teams_broken(const struct exec *x, struct err *err) MUST_CHECK;
void exec_teams_sum_up(struct exec_result *r, const struct exec *x);

#endif

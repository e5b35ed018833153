/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_processes.h - a plan under a runtime with a communication thread
 * (sim/transport/host_processes.h): the operations that the runtime refuses,
 * and the properties of a plan that the transport does not know: epochs,
 * windows, the time for which buffers are in use. */
#ifndef SIM_PLAN_EXEC_PROCESSES_H
#define SIM_PLAN_EXEC_PROCESSES_H

#include "sim/plan/exec_state.h"

/* Returns the bytes of each process's windows: for each other process that puts
 * there its largest message, times runtime_costs.windows; or plan.window_B. The
 * caller frees it. */
double *plan_windows(const struct plan *p, const struct runtime_costs *c);
/* Returns the time to create the windows: one per process, times
 * runtime_costs.windows, one after the other, by all processes together. */
double plan_windows_s(const struct plan *p, const struct machine *m);

/* Lets this runtime carry the messages of a plan that was made for mpi. Kernels
 * that do so are launched first. */
void plan_carry_by(struct plan *p, const struct machine *m, enum runtime by);

/* Returns -1 and an error if the runtime of the plan cannot run it on this
 * machine. */
int runtime_check(const struct plan *p, const struct machine *m,
                  struct err *err) MUST_CHECK;

/* The buffers in which messages were received. */
struct buffers;

void exec_host_processes_init(struct exec *x);
void exec_host_processes_clear(struct exec *x);
/* Notes that an operation is finished; a message is finished once received. */
void buffers_finished(struct buffers *b, uint32_t op);
/* Returns -1 and an error if a buffer was exhausted and that is an error. */
int exec_host_processes_broken(const struct exec *x,
                               struct err *err) MUST_CHECK;
void exec_host_processes_sum_up(struct exec_result *r, const struct exec *x);

#endif

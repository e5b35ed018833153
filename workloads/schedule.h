/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - sends, receives and work of ranks, as a program posts them. */
#ifndef WORKLOADS_SCHEDULE_H
#define WORKLOADS_SCHEDULE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

/*
 * "schedule:FILE.csv": the file has a row for each operation, with the columns
 *   op       0, 1, 2, ...: its number
 *   rank     who does it
 *   kind     send, recv or work
 *   peer     send: to whom; recv: from whom, or any
 *   tag      of sends and receives; recv: or any
 *   bytes    send: how many; recv: room for so many, or empty: for any number
 *   work_us  work: how long
 *   after    numbers of earlier operations of the rank, with blanks between:
 *            it begins when they have ended
 * A send has ended when its buffer is free, at once for an eager message; a
 * receive when its message is there. Nothing blocks but `after`: without it an
 * operation begins at time 0, and a receive is posted though the rank is busy.
 * One rank sits on every core, from node 0 on; *ranks: how many the file names.
 */
int schedule_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                     const char *workload, struct err *err) MUST_CHECK;

#endif

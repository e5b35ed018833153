/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - sends, receives and work of ranks, in the order in which a
 * program posts them. */
#ifndef WORKLOADS_SCHEDULE_H
#define WORKLOADS_SCHEDULE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

/*
 * Makes the plan of "schedule:FILE.csv". The file has a row for each operation,
 * with the columns
 *
 *   op       0, 1, 2, ...: its number
 *   rank     rank that does it
 *   kind     send, recv or work
 *   peer     send: the receiver; recv: the sender, or any
 *   tag      for sends and receives; recv: or any
 *   bytes    send: the size; recv: the size of the buffer, or empty if any
 *            number fits
 *   work_us  work: the duration
 *   after    numbers of earlier operations of the rank, with blanks between:
 *            it begins when they have ended
 *
 * A send has ended when its buffer is free, which is at once for an eager
 * message; a receive has ended when its message has arrived. Nothing blocks
 * except `after`: without it an operation begins at time 0, and a receive is
 * posted even if the rank is busy. One rank is on every core, from node 0 on;
 * *ranks is the number of ranks in the file.
 */
int schedule_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                     const char *workload, struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* totals.h - sums and extremes over the messages and ranks of an outcome. */
#ifndef STUDY_RUN_TOTALS_H
#define STUDY_RUN_TOTALS_H

#include "study/run/run.h"

#include <stddef.h>

/* Returns the number of all messages that were sent. */
uint64_t outcome_messages(const struct outcome *o);
/* Returns the messages, or the bytes, that stayed on their node. */
double outcome_on_node(const uint64_t by_locality[NLOCALITIES]);

/* hosts_most() and hosts_least() return the largest and the least value of a
 * double in struct host_counts over all ranks; NAN if there are none. The other
 * two return sums. */
double hosts_most(const struct outcome *o, size_t offset);
double hosts_least(const struct outcome *o, size_t offset);
#define HOSTS_MOST(o, field) hosts_most(o, offsetof(struct host_counts, field))
#define HOSTS_LEAST(o, field)                                                  \
    hosts_least(o, offsetof(struct host_counts, field))
double hosts_retries(const struct outcome *o);
double hosts_waited_s(const struct outcome *o);

#endif

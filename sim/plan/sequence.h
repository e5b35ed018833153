/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sequence.h - plans that were simulated one by one, each from time 0, as one
 * plan and its result: the whole of an algorithm in rounds. */
#ifndef SIM_PLAN_SEQUENCE_H
#define SIM_PLAN_SEQUENCE_H

#include "sim/plan/exec.h"

#include <stdint.h>

/* A plan begins when the one before it has ended. Its first operations wait for
 * the last one of that plan, so that the critical path continues there. */
struct sequence {
    struct plan plan;
    struct exec_result x; /* without rates of links, because each plan has its
                           * own bins */
    uint32_t last;        /* the operation that ended last */
};

/* The most operations of a sequence, because each needs about 150 bytes. */
enum { SEQUENCE_MOST = 4000000 };

/* Starts a sequence of plans like this one: of its machine and ranks. */
void sequence_init(struct sequence *s, const struct machine *m,
                   const struct plan *like);
/* Appends a plan of messages (plan_msg()), copies and work, and its result,
 * which was simulated with EXEC_DETAILS and all links. */
void sequence_add(struct sequence *s, const struct plan *p,
                  const struct exec_result *x);
/* Adds the counts of n hosts, or NULL, to *all, which is NULL at first. */
void sequence_add_hosts(struct host_counts **all, const struct host_counts *x,
                        uint32_t n);
/* Sorts the links, and keeps the `most` most utilised ones; 0 keeps all. */
void sequence_end(struct sequence *s, unsigned most);
void sequence_clear(struct sequence *s);

#endif

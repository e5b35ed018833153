/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h - how a halo is exchanged: pure functions from machine and halo to
 * a plan. One file each, and one line in list.def. */
#ifndef STRATEGIES_STRATEGY_H
#define STRATEGIES_STRATEGY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>

struct strategy_options {
    bool keep_duplicates;   /* send a value once per GPU that needs it */
    uint64_t message_cap_B; /* split: 0 means the platform's rendezvous limit */
    unsigned ranks_per_node;    /* 0: every core of the node */
    unsigned processes_per_gpu; /* split+dd: 0 means 4, as in the paper */
};

struct strategy {
    const char *name;    /* what --strategy takes: "3-step/staged" */
    const char *summary; /* one line for `sluice list strategies` */
    bool device_aware;   /* messages from and to GPU memory */
    /* Decide. Pure: equal arguments give an equal plan, whatever ran before. */
    int (*plan)(struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err);
};

#define STRATEGY(x) extern const struct strategy x##_strategy;
#include "strategies/list.def"
#undef STRATEGY

extern const struct strategy *const strategies[];
extern const size_t nstrategies;

/* By name; an unknown one is an error that lists the known and suggests. */
const struct strategy *strategy_find(const char *name,
                                     struct err *err) MUST_CHECK;

#endif

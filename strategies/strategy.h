/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h - everything that is known of one strategy, which exchanges a
 * halo. Each strategy is one file (or several of a family share one) and one
 * line in list.def; nothing else names it. */
#ifndef STRATEGIES_STRATEGY_H
#define STRATEGIES_STRATEGY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct strategy_options {
    bool pack; /* buffers are packed and unpacked (exchange.h) */
    /* The data that a GPU sends to another, and gets from it, are contiguous,
     * so that only forwarded data are packed. */
    bool contiguous;
    /* A rank sends to the rank after it first, and so on around; otherwise to
     * its own node first, from the lowest rank on. */
    bool turned;
    /* Operations do not say which values they carry, because no simulated time
     * depends on it. */
    bool no_pieces;
    bool keep_duplicates;    /* a value is sent once per GPU that needs it */
    uint64_t message_cap_B;  /* split; 0 for the platform's rendezvous limit */
    unsigned ranks_per_node; /* 0 for one on every core */
    unsigned processes_per_gpu; /* split+dd; 0 for 4, as in the paper */
};

struct exchange;   /* strategies/exchange/exchange.h */
struct model;      /* strategies/exchange/model.h */
struct model_time; /* strategies/exchange/model.h */

struct strategy {
    const char *name;    /* as --strategy takes it: "3-step/staged" */
    const char *summary; /* one line for `sluice list strategies` */
    const char *help;    /* whole sentences that `sluice show strategy` adds */
    /* Names of the options that it uses: "message-cap ...". */
    const char *options;
    bool device_aware; /* messages are from and to GPU memory */
    /* There is one message per pair of GPUs, which also has the values that
     * several of them need. */
    bool direct;
    /* A value is sent once to each GPU that needs it, as with
     * keep_duplicates. */
    bool spelled;
    /* It is the best case of a pattern that is made to fit it; for other
     * patterns it is shown separately (Lockhart et al. 2022, section 4.6). */
    bool best_case;

    /* One of the two decides; equal arguments give an equal plan, whatever ran
     * before. route says where the parcels of an exchange go, step by step;
     * plan makes the whole plan. */
    int (*route)(struct exchange *x, struct err *err);
    int (*plan)(struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err);
    /* The closed form of its paper; NULL if none is known. */
    void (*predict)(struct model *model, struct model_time *t);
    /* Returns the number of messages that one node sends to another according
     * to its paper, counted from the halo and not from a plan; NULL if the
     * paper does not say. */
    uint64_t (*messages)(const struct machine *m, const struct halo *halo,
                         const struct strategy_options *options, uint32_t from,
                         uint32_t to);
};

#define STRATEGY(x) extern const struct strategy x##_strategy;
#include "strategies/list.def"
#undef STRATEGY

extern const struct strategy *const strategies[];
extern const size_t nstrategies;

/* Returns the strategy of this name; an unknown one is an error that lists the
 * known names and suggests one. */
const struct strategy *strategy_find(const char *name,
                                     struct err *err) MUST_CHECK;

/* Picks the strategies of "a,b", each once, or all if names is NULL. `out` has
 * room for nstrategies. */
int strategies_pick(const struct strategy **out, size_t *n, const char *names,
                    struct err *err) MUST_CHECK;

/* Makes the plan of the strategy; for a halo in rounds the plan of all of them,
 * in each of which a rank begins once its part of the round before is complete
 * (sim/plan/chain.h). A route is a plan only if machine and halo fit each
 * other: this is checked, and so is that the machine can run the plan. If it
 * returns -1 the plan is empty. It is in
 * strategies/exchange/exchange_plan.c. */
int strategy_plan(const struct strategy *s, struct plan *plan,
                  const struct machine *m, const struct halo *halo,
                  const struct strategy_options *options,
                  struct err *err) MUST_CHECK;

/* Does the same for a plan in which each rank stands for the GPU of its number:
 * it has that GPU alone, or none, and its data in host memory. On each node the
 * first on_node[node] GPUs take part, and each value of the halo goes to one of
 * them. If `host` is set, strategies that copy through the host leave out the
 * copies. Whether a machine can run the plan is not checked. */
int strategy_plan_ranks(const struct strategy *s, struct plan *plan,
                        const struct machine *m, const struct halo *halo,
                        const uint32_t *on_node, bool host,
                        const struct strategy_options *options,
                        struct err *err) MUST_CHECK;

#endif

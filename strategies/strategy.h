/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h - how a halo is exchanged: all that is known of one strategy. Each
 * is one file (or several of a family in one) and one line in list.def; nothing
 * else names it. */
#ifndef STRATEGIES_STRATEGY_H
#define STRATEGIES_STRATEGY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct strategy_options {
    bool pack;              /* with the packing of buffers (exchange.h) */
    bool contiguous;        /* what a GPU sends to another, and gets of it, lies
                               together: only what is sent on is packed */
    bool turned;            /* a rank sends to the next rank first, and so on
                               around; else on its node first, from the lowest
                               rank on */
    bool no_pieces;         /* operations do not say which values they carry:
                               nothing that is simulated depends on it */
    bool keep_duplicates;   /* send a value once per GPU that needs it */
    uint64_t message_cap_B; /* split: 0 means the platform's rendezvous limit */
    unsigned ranks_per_node;    /* 0: every core of the node */
    unsigned processes_per_gpu; /* split+dd: 0 means 4, as in the paper */
};

struct exchange;   /* strategies/exchange/exchange.h */
struct model;      /* strategies/exchange/model.h */
struct model_time; /* likewise */

struct strategy {
    const char *name;    /* what --strategy takes: "3-step/staged" */
    const char *summary; /* one line for `sluice list strategies` */
    const char *help;    /* what `sluice show strategy` adds, whole sentences */
    const char *options; /* the options that it looks at: "message-cap ..." */
    bool device_aware;   /* messages from and to GPU memory */
    /* One message per pair of GPUs, with what several of them need in each. */
    bool direct;
    /* A value goes once to each GPU that needs it, as with keep_duplicates. */
    bool spelled;
    /* The best case of a pattern that is made to fit it; for others it is shown
     * apart (Lockhart et al. 2022, section 4.6). */
    bool best_case;

    /* Decide, by one of the two; equal arguments give an equal plan, whatever
     * ran before. route: where the parcels of an exchange go, step by step;
     * plan: everything. */
    int (*route)(struct exchange *x, struct err *err);
    int (*plan)(struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err);
    /* The closed form of its paper, or NULL: none is known. */
    void (*predict)(struct model *model, struct model_time *t);
    /* How many messages its paper says that one node sends to another, counted
     * from the halo and not from a plan; NULL: nothing is said. */
    uint64_t (*messages)(const struct machine *m, const struct halo *halo,
                         const struct strategy_options *options, uint32_t from,
                         uint32_t to);
};

#define STRATEGY(x) extern const struct strategy x##_strategy;
#include "strategies/list.def"
#undef STRATEGY

extern const struct strategy *const strategies[];
extern const size_t nstrategies;

/* By name; an unknown one is an error that lists the known and suggests. */
const struct strategy *strategy_find(const char *name,
                                     struct err *err) MUST_CHECK;

/* Those of "a,b", each once; all for NULL. `out` has room for nstrategies. */
int strategies_pick(const struct strategy **out, size_t *n, const char *names,
                    struct err *err) MUST_CHECK;

/*
 * The strategy's plan; of a halo in rounds that of all of them, in each of
 * which a rank begins when its part of the last is complete (sim/plan/chain.h).
 * A route is one for machines and halos that fit each other: that is checked,
 * and so is that the machine can run the plan. On -1 the plan is empty. (In
 * strategies/exchange/exchange_plan.c.)
 */
int strategy_plan(const struct strategy *s, struct plan *plan,
                  const struct machine *m, const struct halo *halo,
                  const struct strategy_options *options,
                  struct err *err) MUST_CHECK;

/*
 * Likewise, where each rank of the plan stands for the GPU of its number: it
 * has a GPU of that number alone, or none, and its data in host memory. Of the
 * GPUs of a node the first on_node[node] are there, and the halo's value goes
 * to one of them each. host: strategies that copy through the host do it
 * without the copies. Whether a machine can run the plan is not checked.
 */
int strategy_plan_ranks(const struct strategy *s, struct plan *plan,
                        const struct machine *m, const struct halo *halo,
                        const uint32_t *on_node, bool host,
                        const struct strategy_options *options,
                        struct err *err) MUST_CHECK;

#endif

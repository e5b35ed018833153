/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_parts.h - what the files of a GPU's agent share: when a discrete kernel
 * begins, when a persistent one's workers do, and what both do then. */
#ifndef STRATEGIES_AGENTS_AGENT_PARTS_H
#define STRATEGIES_AGENTS_AGENT_PARTS_H

#include "sim/network/engine.h"
#include "strategies/agents/agent.h"

static inline double agent_now(const struct agent *a)
{
    return engine_now(a->t->engine);
}

static inline bool agent_is_persistent(const struct agent *a)
{
    return a->t->in->x->kernel == KERNEL_PERSISTENT;
}

/* --- agent.c -------------------------------------------------------------- */

/* Workers that are idle take a fetch each. */
void agent_workers_take(struct agent *a);
/* The discrete kernel ends, if all that it has taken is done. */
void agent_end_kernel(struct agent *a);

/* --- agent_discrete.c ----------------------------------------------------- */

/* A kernel is launched for all that is queued. */
void agent_start_kernel(struct agent *a);
/* The same of kernels that overlap, when the CPU sees that something waits. */
void agent_poll(struct agent *a);

/* --- agent_persistent.c --------------------------------------------------- */

/* Workers take what there is; when they are idle and only what was put off
 * waits, or they put all of it off, they look for it. */
void agent_start_workers(struct agent *a);
/* Whether what the GPU finds cannot be taken at first. */
bool agent_hides(const struct agent *a);
/* Tasks have pushed `found` vertices. */
void agent_pushed(struct agent *a, const struct task *list, size_t n,
                  uint64_t found);

#endif

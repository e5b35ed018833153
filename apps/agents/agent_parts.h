/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_parts.h - functions that the files of a GPU's agent share, from the top
 * down: agent.c decides what a GPU starts, agent_discrete.c starts and ends
 * discrete kernels, agent_persistent.c the workers of persistent ones, and
 * agent_take.c takes the vertices. The end of an event starts the GPU again by
 * traversal.start. */
#ifndef APPS_AGENTS_AGENT_PARTS_H
#define APPS_AGENTS_AGENT_PARTS_H

#include "sim/network/engine.h"
#include "apps/agents/agent.h"

static inline double agent_now(const struct agent *a)
{
    return engine_now(a->t->engine);
}

static inline bool agent_is_persistent(const struct agent *a)
{
    return a->t->in->x->kernel == KERNEL_PERSISTENT;
}

/* Returns whether the CPU launches a discrete kernel before the last has ended.
 */
static inline bool agent_overlaps(const struct agent *a)
{
    return !agent_is_persistent(a) && a->t->in->x->launch == LAUNCH_OVERLAPPED;
}

/* --- agent_take.c --------------------------------------------------------- */

/* Gives each idle worker a fetch of vertices, as long as vertices wait. */
void agent_workers_take(struct agent *a);

/* --- agent_discrete.c ----------------------------------------------------- */

/* Ends the discrete kernel if all of its vertices are done. */
void agent_end_kernel(struct agent *a);
/* Launches a kernel for all queued vertices. */
void agent_start_kernel(struct agent *a);
/* Does the same for kernels that overlap, once the CPU sees that vertices
 * wait. */
void agent_poll(struct agent *a);

/* --- agent_persistent.c --------------------------------------------------- */

/* Gives workers the waiting vertices. If workers are idle and only vertices
 * that were put off wait, or if the workers put all of them off, they look for
 * those. */
void agent_start_workers(struct agent *a);
/* Returns whether vertices that the GPU finds cannot be dequeued at first. */
bool agent_hides(const struct agent *a);
/* Notes that the n tasks have pushed `found` vertices. */
void agent_pushed(struct agent *a, const struct task *list, size_t n,
                  uint64_t found);

#endif

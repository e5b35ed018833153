/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that access each other's memory: their launch, blocks and flags. */
#include "strategies/collective/peer.h"

#include "sim/plan/exec_processes.h"
#include "strategies/collective/collective_steps.h"

const char *peer_refuses(const struct collective *c)
{
    if (c->memory != COLLECTIVE_DEVICE)
        return "between GPUs only (memory=device)";
    if (c->per_gpu > 1)
        return "one rank on each GPU";
    return NULL;
}

static bool peer_has(const struct machine *m, enum locality where)
{
    return m->messages[RUNTIME_PEER][machine_gpu_path(m)][where].nsegments > 0;
}

int peer_check(struct loop *l, const struct machine *m,
               const struct collective_algorithm *a, const struct collective *c,
               struct err *err)
{
    bool here = peer_has(m, ON_NODE) || c->ranks_per_node < 2;

    (void)l;
    if (here && (c->nodes < 2 || peer_has(m, OFF_NODE)))
        return 1;
    return fail(err, "%s: %s has no runtimes.peer.%s.%s", a->name, m->name,
                msg_path_names[machine_gpu_path(m)],
                here ? "off_node" : "on_node");
}

void peer_launch(struct collective_build *b)
{
    plan_carry_by(b->p, b->m, RUNTIME_PEER);
    b->p->of_costs = true;
}

void peer_access(struct collective_build *b, uint32_t from, uint32_t to,
                 struct collective_range range, enum collective_action action,
                 unsigned blocks)
{
    uint32_t n = b->c->ranks_per_node;

    collective_send(b, from / n == to / n ? PHASE_ON_NODE : PHASE_OFF_NODE,
                    from, to, range, action);
    b->p->ops[b->p->nops - 1].channels = (uint8_t)blocks;
}

/* Lets each rank's next operations wait until its writes are seen. */
static void peer_release(struct collective_build *b)
{
    double s = b->m->costs[RUNTIME_PEER].release_s;

    for (uint32_t r = 0; r < b->ranks && s > 0; r++) {
        uint32_t op = plan_work(b->p, r, s);
        collective_behind(b, r);
        b->after[r] = (struct collective_after){{op}, 1};
    }
}

void peer_barrier(struct collective_build *b, bool releases)
{
    struct collective_range none = {0, 0};

    if (releases)
        peer_release(b);
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t r = 0; r < b->ranks; r++)
            peer_access(b, r, (r + d) % b->ranks, none, COLLECTIVE_STORE, 1);
    collective_step(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solver's state as a snapshot: flows in the order of their names, and all
 * state of links on which future rates depend. */
#include "sim/network/fluid_net.h"
#include "sim/network/snapshot.h"

void fluid_list_flows(const struct fluid *net, uint32_t *flows)
{
    size_t i = 0;

    for (uint32_t n = 0; n < net->nnodes; n++)
        for (uint32_t k = 0; k < net->nodes[n].nmembers; k++)
            flows[i++] = net->nodes[n].members[k].flow;
}

static double flow_to_go_s(const struct fluid *net, uint32_t f, double now_s)
{
    const struct flow *flow = fluid_flow(net, f);
    const struct node *node = &net->nodes[flow->node];
    double to_go = node->members[flow->place].end - node->clock;

    return node->since + to_go / net->level[flow->node] - now_s;
}

void fluid_snapshot_flow(const struct fluid *net, struct snapshot *s,
                         uint32_t f, double now_s)
{
    const struct flow *flow = fluid_flow(net, f);

    snapshot_word(s, (uint64_t)flow->node << 32 | flow->cap);
    snapshot_word(s, flow->nlinks);
    for (uint32_t k = 0; k < flow->nlinks; k++)
        snapshot_word(s, flow->links[k]);
    snapshot_time(s, flow_to_go_s(net, f, now_s));
    if (net->tolerance > 0) /* its duration will count */
        snapshot_time(s, net->start[f] - now_s);
}

static void snapshot_node(const struct fluid *net, struct snapshot *s,
                          uint32_t n)
{
    const struct node *node = &net->nodes[n];

    if (node->is_cap || (!node->active && !node->nmembers && !node->nothers))
        return;
    snapshot_word(s, (uint64_t)n << 3 | (unsigned)node->active << 2 |
                         (unsigned)node->state);
    snapshot_value(s, net->level[n]);
    if (net->tolerance > 0)
        snapshot_value(s, net->hot[n].load);
}

/* With a tolerance levels and loads are part of the state, because they depend
 * on the past. */
void fluid_snapshot(const struct fluid *net, struct snapshot *s, double now_s)
{
    for (uint32_t n = 0; n < net->nnodes; n++)
        snapshot_node(net, s, n);
    snapshot_word(s, net->queue.n);
    for (uint32_t i = net->first_waiting; i < net->nwaiting; i++) {
        const struct waiting *w = &net->waiting[i];
        const struct node *node = &net->nodes[w->node];
        if (node->state != WAITING || node->off_since != w->since)
            continue;
        snapshot_word(s, w->node);
        snapshot_time(s, w->since - now_s);
    }
    if (net->tolerance > 0)
        snapshot_value(s, net->mean_duration);
}

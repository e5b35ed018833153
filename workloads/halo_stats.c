/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes sums and maxima of the messages and values that GPUs and nodes send
 * in a halo. */
#include "workloads/halo.h"

#include <stdlib.h>
#include <string.h>

/* The messages of one GPU or node, to all nodes or to one. */
struct sent {
    uint64_t messages, values, values_dedup, values_shared;
};

static void halo_stats_add(struct sent *sum, const struct sent *more)
{
    sum->messages += more->messages;
    sum->values += more->values;
    sum->values_dedup += more->values_dedup;
    sum->values_shared += more->values_shared;
}

static void raise_to(uint64_t *max, uint64_t value)
{
    if (value > *max)
        *max = value;
}

/* The messages of one node to others: to[node], all 0 except for the listed
 * nodes. */
struct node_sends {
    struct sent *to;
    uint32_t *nodes;
    size_t n;
};

static void add_to_node(struct node_sends *s, uint32_t node,
                        const struct sent *more)
{
    if (!s->to[node].messages)
        s->nodes[s->n++] = node;
    halo_stats_add(&s->to[node], more);
}

/* Sums the messages from the GPU of class `first` to that class's node. */
static struct sent sent_to_node(const struct halo *h, uint32_t first,
                                uint32_t end)
{
    struct sent sent = {0};
    gpu_set any = 0;

    for (uint32_t i = first; i < end; i++) {
        const struct halo_class *c = &h->classes[i];
        uint64_t gpus = gpu_set_count(c->dst_mask);
        any |= c->dst_mask;
        sent.values += c->count * gpus;
        sent.values_dedup += c->count;
        sent.values_shared += gpus > 1 ? c->count : 0;
    }
    sent.messages = gpu_set_count(any);
    return sent;
}

/* Counts the classes of one GPU, from `first` on, and adds the messages to
 * other nodes to node_to. Returns one past its last class. */
static uint32_t count_gpu(const struct halo *h, uint32_t first,
                          struct node_sends *node_to, struct halo_stats *out)
{
    uint32_t src = h->classes[first].src;
    struct sent all = {0}, off_node = {0};
    uint64_t nodes = 0;
    uint32_t i = first;

    while (i < h->nclasses && h->classes[i].src == src) {
        uint32_t end = halo_pair_end(h, i);
        uint32_t dst_node = h->classes[i].dst_node;
        struct sent sent = sent_to_node(h, i, end);

        halo_stats_add(&all, &sent);
        if (dst_node != src / h->gpus_per_node) {
            halo_stats_add(&off_node, &sent);
            add_to_node(node_to, dst_node, &sent);
            nodes++;
            raise_to(&out->max_values_proc_to_node, sent.values);
        }
        i = end;
    }
    out->messages += all.messages;
    out->values += all.values;
    out->gpu_node_pairs += nodes;
    raise_to(&out->max_messages_per_gpu, all.messages);
    raise_to(&out->max_values_per_gpu, all.values);
    raise_to(&out->max_off_node_messages_per_gpu, off_node.messages);
    raise_to(&out->max_off_node_values_per_gpu, off_node.values);
    raise_to(&out->max_off_node_values_per_gpu_dedup, off_node.values_dedup);
    raise_to(&out->max_nodes_per_gpu, nodes);
    return i;
}

/* Counts a node, and resets node_to. */
static void count_node(struct node_sends *node_to, struct halo_stats *out)
{
    struct sent all = {0};
    uint64_t receivers = node_to->n;

    for (size_t i = 0; i < node_to->n; i++) {
        struct sent *to = &node_to->to[node_to->nodes[i]];
        halo_stats_add(&all, to);
        raise_to(&out->max_values_node_to_node, to->values);
        raise_to(&out->max_values_node_to_node_dedup, to->values_dedup);
        raise_to(&out->max_messages_node_to_node, to->messages);
        *to = (struct sent){0};
    }
    node_to->n = 0;
    out->off_node_messages += all.messages;
    out->off_node_values += all.values;
    out->off_node_values_dedup += all.values_dedup;
    out->off_node_values_shared += all.values_shared;
    out->node_pairs += receivers;
    raise_to(&out->max_values_per_node, all.values);
    raise_to(&out->max_values_per_node_dedup, all.values_dedup);
    raise_to(&out->max_nodes_per_node, receivers);
}

void halo_stats(const struct halo *h, struct halo_stats *out)
{
    uint32_t nodes = halo_nodes(h);
    struct node_sends node_to = {xcalloc(nodes, sizeof *node_to.to),
                                 xcalloc(nodes, sizeof *node_to.nodes), 0};
    uint32_t i = 0;

    memset(out, 0, sizeof *out);
    for (uint32_t node = 0; node < nodes; node++) {
        while (i < h->nclasses && h->classes[i].src / h->gpus_per_node == node)
            i = count_gpu(h, i, &node_to, out);
        count_node(&node_to, out);
    }
    free(node_to.to);
    free(node_to.nodes);
}

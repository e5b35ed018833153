/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_nvls_tree.c - an allreduce of several nodes, as NCCL's NVLSTree: in each
 * node a switch adds a part of the vector for one GPU, its head; the heads of a
 * part add and pass it on in two binary trees of nodes, half of the channels in
 * each; then each head's switch sends the sum to all GPUs of its node. Chunks
 * follow each other, so that links in the nodes and NICs work at the same time.
 *
 * A switch's work is a message to the next GPU as in nccl_nvls.c, before the
 * trees. It includes the work after the trees, because the same channels do
 * both; only the last chunk's would come later. The two are synchronised each
 * by itself, so that a chunk takes twice the time between chunks.
 */
#include "strategies/collective/nccl.h"

#include <stdlib.h>

enum { TREES = 2 };

/* A step's operations are, in this order, a message of each GPU to the next
 * one, those up the trees, and those down. */
struct nvls_tree {
    struct loop *l;
    const struct machine *m;
    uint32_t ranks, nodes, per_node, heads;
    uint32_t
        *order[TREES]; /* nodes but the root, from the root's children on */
    uint32_t *place[TREES];     /* order[tree][place[tree][node]] == node */
    uint64_t in_node_B, part_B; /* in a step; a part is of one head and tree */
    unsigned channels;
};

static bool is_root(const struct nvls_tree *t, uint32_t tree, uint32_t node)
{
    return nccl_node_parent(node, t->nodes, tree) == NCCL_NO_PARENT;
}

/* Sorts the nodes of a tree breadth first. */
static void sort_nodes(struct nvls_tree *t, uint32_t tree)
{
    uint32_t *order = xcalloc(t->nodes, sizeof *order), n = 0, at = 0;
    uint32_t *place = xcalloc(t->nodes, sizeof *place), parent = 0;

    while (!is_root(t, tree, parent))
        parent++;
    for (;; parent = order[at++]) {
        for (uint32_t node = 0; node < t->nodes; node++)
            if (nccl_node_parent(node, t->nodes, tree) == parent) {
                place[node] = n;
                order[n++] = node;
            }
        if (at == n)
            break;
    }
    t->order[tree] = order;
    t->place[tree] = place;
}

/* Returns the GPU of a node that is the head of a part. */
static uint32_t head_of(const struct nvls_tree *t, uint32_t head)
{
    return head * t->per_node / t->heads;
}

/* Returns the number of the message between a node and its parent. Messages up
 * begin at the leaves, because they wait for those of children. */
static uint32_t edge_op(const struct nvls_tree *t, bool up, uint32_t head,
                        uint32_t tree, uint32_t node)
{
    uint32_t edges = t->nodes - 1, i = t->place[tree][node];
    uint32_t row = (up ? 0 : t->heads * TREES) + head * TREES + tree;

    return t->ranks + row * edges + (up ? edges - 1 - i : i);
}

/* Lets the newest message wait until a node has the sum of its subtree. */
static void after_subtree(const struct nvls_tree *t, uint32_t head,
                          uint32_t tree, uint32_t node)
{
    struct plan *p = &t->l->body;
    uint32_t at = head_of(t, head);

    /* The message that arrives at the head stands for the switch's sum. */
    plan_after(p, node * t->per_node + (at + t->per_node - 1) % t->per_node);
    for (uint32_t i = 0; i + 1 < t->nodes; i++)
        if (nccl_node_parent(t->order[tree][i], t->nodes, tree) == node)
            plan_after(p, edge_op(t, true, head, tree, t->order[tree][i]));
}

static void tree_edge(const struct nvls_tree *t, bool up, uint32_t head,
                      uint32_t tree, uint32_t node)
{
    uint32_t parent = nccl_node_parent(node, t->nodes, tree);
    uint32_t low = node * t->per_node + head_of(t, head);
    uint32_t high = parent * t->per_node + head_of(t, head);
    uint32_t op = nccl_send(t->l, t->m, up ? low : high, up ? high : low,
                            t->part_B, t->channels);

    plan_after_last(&t->l->body, op | AFTER_SENT);
    if (up)
        after_subtree(t, head, tree, node);
    else if (is_root(t, tree, parent))
        after_subtree(t, head, tree, parent);
    else
        plan_after(&t->l->body, edge_op(t, false, head, tree, parent));
}

static void nvls_tree_body(const struct nvls_tree *t)
{
    uint32_t n = t->per_node, edges = t->nodes - 1;

    for (uint32_t r = 0; r < t->ranks; r++) {
        nccl_send(t->l, t->m, r, r - r % n + (r + 1) % n, t->in_node_B,
                  t->channels);
        plan_after_last(&t->l->body, r | AFTER_SENT);
    }
    for (int up = 1; up >= 0; up--)
        for (uint32_t head = 0; head < t->heads; head++)
            for (uint32_t tree = 0; tree < TREES; tree++)
                for (uint32_t i = 0; i < edges; i++)
                    tree_edge(t, up, head, tree,
                              t->order[tree][up ? edges - 1 - i : i]);
}

static int nvls_tree_loop(struct loop *l, const struct machine *m,
                          const struct collective_algorithm *a,
                          const struct collective *c, struct err *err)
{
    static const struct nccl_chunk_rule rules[] = {
        {16, 131072}, {4, 65536}, {1, 32768}};
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    uint32_t n = c->ranks_per_node;

    if (c->nodes < 2)
        return fail(err, "%s: on several nodes only", a->name);
    if (nccl_check(m, a, c, err) < 0)
        return -1;
    if (!nccl_heads(m, c))
        return fail(err, "%s: %s has GPUs without a switch that reduces",
                    a->name, m->name);
    if (collective_ranks(c) != c->nodes * n)
        return fail(err, "%s: as many ranks on all nodes", a->name);
    nccl_open(l, m, a, c);
    struct nvls_tree t = {.l = l,
                          .m = m,
                          .ranks = c->nodes * n,
                          .nodes = c->nodes,
                          .per_node = n,
                          .heads = nccl_heads(m, c),
                          .channels = nccl_channels(m, c, p)};
    nccl_call(l, m, c, t.channels, 0);
    uint64_t at_once = (uint64_t)t.heads * t.channels;
    uint64_t most_B = c->nodes >= 4 && p->slot_B > 65536 ? 65536 : p->slot_B;
    uint64_t chunk_B = nccl_chunk_B(rules, 3, most_B, c->bytes, at_once);
    uint64_t steps = (c->bytes + chunk_B * at_once - 1) / (chunk_B * at_once);
    l->steps = steps ? (uint32_t)steps : 1;
    l->body.channel_work.after_s = 2 * p->step_s;
    /* The last copies out of the buffers overlap with the trees. */
    l->body.begin_s += p->fill_s_per_B * (double)(chunk_B * t.heads) / 2;
    uint64_t step_B = (c->bytes + l->steps - 1) / l->steps;
    t.in_node_B = step_B + (step_B + t.heads - 1) / t.heads;
    uint64_t parts = (uint64_t)t.heads * TREES;
    t.part_B = (step_B + parts - 1) / parts;
    for (uint32_t tree = 0; tree < TREES; tree++)
        sort_nodes(&t, tree);
    nvls_tree_body(&t);
    for (uint32_t tree = 0; tree < TREES; tree++) {
        free(t.order[tree]);
        free(t.place[tree]);
    }
    return 0;
}

const struct collective_algorithm nccl_nvls_tree_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .by_node = true,
    .name = "nccl_nvls_tree",
    .summary = "by switches in the nodes, trees between them: NCCL's NVLSTree",
    .refuses = nccl_refuses,
    .in_switch = true,
    .runtime = RUNTIME_NCCL_NVLS,
    .make_loop = nvls_tree_loop,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_tree.c - NCCL's trees: chunks go up to a root, are added on the way, and
 * go down again, in a pipeline. Within a node a tree is a chain. Between nodes
 * there are two binary trees, such that the inner nodes of one are leaves of
 * the other (Sanders, Speck, Traeff 2009), each for half of the channels.
 * NCCL's broadcasts and reductions are chains along the rings.
 */
#include "strategies/collective/nccl.h"
#include "strategies/collective/tree.h"

#include <math.h>
#include <stdlib.h>

/* The data in the lines of 640 threads: 60 B each. */
enum { LL128_LINES_B = 640 * 60 };

/* A tree of ranks: parent[rank], and the children child[first[rank]] to before
 * child[first[rank + 1]]. ranks[] is in breadth-first order, the root first. */
struct nccl_tree {
    uint32_t n;
    uint32_t *parent, *ranks, *place; /* ranks[place[r]] == r */
    uint32_t *first, *child;
};

/* --- parents of ranks ----------------------------------------------------- */

uint32_t nccl_node_parent(uint32_t node, uint32_t n, bool second)
{
    uint32_t v = second ? tree_second_node(node, n) : node;

    if (!v)
        return NCCL_NO_PARENT;
    uint32_t up = tree_leaves_odd_parent(v, n);
    return second ? tree_second_rank(up, n) : up;
}

/* Joins the ranks of each node in a chain in the ring's order. The first of a
 * chain has the first of another node's chain as its parent. */
static void nccl_tree_join(struct nccl_tree *t, const uint32_t *order,
                           const struct collective *c, bool second)
{
    for (uint32_t at = 0; at < t->n; at++) {
        uint32_t rank = order[at], node = rank / c->ranks_per_node;
        bool head = at % c->ranks_per_node == 0;
        uint32_t up = nccl_node_parent(node, c->nodes, second);
        t->parent[rank] = !head ? order[at - 1]
                          : up == NCCL_NO_PARENT
                              ? NCCL_NO_PARENT
                              : order[up * c->ranks_per_node];
    }
}

/* Makes a chain along the ring from the root, or (up) to it. */
static void nccl_tree_chain(struct nccl_tree *t, const uint32_t *order,
                            uint32_t root, bool up)
{
    for (uint32_t at = 0; at < t->n; at++) {
        uint32_t before = up ? (at + 1) % t->n : (at + t->n - 1) % t->n;
        t->parent[order[at]] =
            order[at] == root ? NCCL_NO_PARENT : order[before];
    }
}

/* Sorts the ranks breadth first from the root. */
static void nccl_tree_sort(struct nccl_tree *t)
{
    uint32_t end = 0;

    for (uint32_t r = 0; r < t->n; r++)
        if (t->parent[r] == NCCL_NO_PARENT)
            t->ranks[end++] = r;
        else
            t->first[t->parent[r] + 1]++;
    for (uint32_t r = 0; r < t->n; r++)
        t->first[r + 1] += t->first[r];
    uint32_t *next = xcalloc(t->n, sizeof *next);
    for (uint32_t r = 0; r < t->n; r++)
        if (t->parent[r] != NCCL_NO_PARENT)
            t->child[t->first[t->parent[r]] + next[t->parent[r]]++] = r;
    free(next);
    for (uint32_t at = 0; at < end; at++) {
        uint32_t r = t->ranks[at];
        t->place[r] = at;
        for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++)
            t->ranks[end++] = t->child[i];
    }
}

static void nccl_tree_init(struct nccl_tree *t, uint32_t n)
{
    *t = (struct nccl_tree){.n = n};
    t->parent = xcalloc(n, sizeof *t->parent);
    t->ranks = xcalloc(n, sizeof *t->ranks);
    t->place = xcalloc(n, sizeof *t->place);
    t->first = xcalloc((size_t)n + 1, sizeof *t->first);
    t->child = xcalloc(n, sizeof *t->child);
}

static void nccl_tree_clear(struct nccl_tree *t)
{
    free(t->parent);
    free(t->ranks);
    free(t->place);
    free(t->first);
    free(t->child);
}

/* Makes the tree of a group of channels. */
static void nccl_tree_make(struct nccl_tree *t, const struct nccl_groups *g,
                           const struct collective *c, uint32_t group,
                           bool binary)
{
    const uint32_t *order = &g->order[(size_t)group * g->ranks];

    nccl_tree_init(t, g->ranks);
    if (c->kind == COLLECTIVE_ALLREDUCE)
        nccl_tree_join(t, order, c, binary);
    else
        nccl_tree_chain(t, order, c->root, c->kind == COLLECTIVE_REDUCE);
    nccl_tree_sort(t);
}

/* --- bodies --------------------------------------------------------------- */

/* Returns a chunk of a group: slot j of the body is chunk step * slices + j. */
static struct collective_range tree_sends(const struct nccl_carry *c,
                                          uint32_t step, uint32_t g, uint32_t j)
{
    struct collective_range range = nccl_part(c->whole, g, c->groups);

    return nccl_part(range, step * c->slices + j, c->loops * c->slices);
}

static void tree_carry(const void *arg, struct plan *p, uint32_t step,
                       uint32_t i)
{
    const struct nccl_carry *c = arg;
    uint32_t j = i / c->edges % c->slices;

    nccl_put(p, c, tree_sends(c, step, i / c->edges / c->slices, j),
             i % c->edges < c->ups);
}

static uint32_t tree_slot(const struct nccl_carry *c, uint32_t g, uint32_t j)
{
    return (g * c->slices + j) * c->edges;
}

/* The state while a body is made: slot j of group g. */
struct tree_body {
    struct loop *l;
    const struct machine *m;
    const struct nccl_carry *c;
    const struct nccl_tree *t;
    uint32_t g, j;
    unsigned channels;
};

/* Return the number of a rank's message to its parent, and from it. Messages up
 * come first, from the leaves on. */
static uint32_t tree_edge_up(const struct tree_body *b, uint32_t rank)
{
    return b->t->n - 1 - b->t->place[rank];
}

static uint32_t tree_edge_down(const struct tree_body *b, uint32_t rank)
{
    return b->c->ups + b->t->place[rank] - 1;
}

static void tree_send(const struct tree_body *b, uint32_t from, uint32_t to,
                      uint32_t edge)
{
    const struct nccl_carry *c = b->c;
    uint64_t bytes = tree_sends(c, 0, 0, 0).count * c->element_B;

    nccl_send(b->l, b->m, from, to, bytes, b->channels);
    if (b->j)
        plan_after(&b->l->body,
                   (tree_slot(c, b->g, b->j - 1) + edge) | AFTER_SENT);
    else
        plan_after_last(&b->l->body,
                        (tree_slot(c, b->g, c->slices - 1) + edge) |
                            AFTER_SENT);
}

/* Lets the newest message wait for this one, because it forwards its data. */
static void tree_passes(const struct tree_body *b, uint32_t edge)
{
    plan_after(&b->l->body, tree_slot(b->c, b->g, b->j) + edge);
}

/* Lets the newest message wait until the data of this one in the last step have
 * been forwarded, because its slot is free only then. */
static void tree_freed_by(const struct tree_body *b, uint32_t edge)
{
    plan_after_last(&b->l->body, (tree_slot(b->c, b->g, b->j) + edge) |
                                     AFTER_SENT | FOR_RECEIVE);
}

static void tree_up(const struct tree_body *b, uint32_t rank)
{
    const struct nccl_tree *t = b->t;
    uint32_t to = t->parent[rank];

    tree_send(b, rank, to, tree_edge_up(b, rank));
    for (uint32_t i = t->first[rank]; i < t->first[rank + 1]; i++)
        tree_passes(b, tree_edge_up(b, t->child[i]));
    if (t->parent[to] != NCCL_NO_PARENT)
        tree_freed_by(b, tree_edge_up(b, to));
    else if (b->c->edges > b->c->ups)
        for (uint32_t i = t->first[to]; i < t->first[to + 1]; i++)
            tree_freed_by(b, tree_edge_down(b, t->child[i]));
}

static void tree_down(const struct tree_body *b, uint32_t rank)
{
    const struct nccl_tree *t = b->t;
    uint32_t from = t->parent[rank];

    tree_send(b, from, rank, tree_edge_down(b, rank));
    if (t->parent[from] != NCCL_NO_PARENT)
        tree_passes(b, tree_edge_down(b, from));
    else if (b->c->ups)
        for (uint32_t i = t->first[from]; i < t->first[from + 1]; i++)
            tree_passes(b, tree_edge_up(b, t->child[i]));
    for (uint32_t i = t->first[rank]; i < t->first[rank + 1]; i++)
        tree_freed_by(b, tree_edge_down(b, t->child[i]));
}

static void tree_body(struct loop *l, const struct machine *m,
                      const struct collective *asked,
                      const struct nccl_carry *c, const struct nccl_groups *g,
                      uint32_t trees)
{
    struct tree_body b = {.l = l, .m = m, .c = c, .channels = g->channels};
    struct nccl_tree t;

    for (b.g = 0; b.g < c->groups; b.g++) {
        nccl_tree_make(&t, g, asked, b.g / trees, b.g % trees);
        b.t = &t;
        for (b.j = 0; b.j < c->slices; b.j++) {
            for (uint32_t i = t.n - 1; i > 0 && c->ups; i--)
                tree_up(&b, t.ranks[i]);
            for (uint32_t i = 1; i < t.n && c->edges > c->ups; i++)
                tree_down(&b, t.ranks[i]);
        }
        nccl_tree_clear(&t);
    }
}

/* Returns the time of a byte beyond beta in a node. */
static double tree_beside_s_per_B(const struct machine *m, enum runtime by,
                                  const struct nccl_protocol *p)
{
    const struct message_table *t =
        &m->messages[by][machine_gpu_path(m)][ON_NODE];

    return t->nsegments
               ? fmax(0, p->tree_s_per_B -
                             t->segments[t->nsegments - 1].beta_s_per_B)
               : 0;
}

/* Returns the bytes of a channel's chunk. An all-reduce by LL128 has shorter
 * ones than a slot if the vector is short, because a chunk waits for the one
 * before in each of the steps up and down (github.com/NVIDIA/nccl 5067397c,
 * src/enqueue.cc). Its threads pass on their lines as they come, so that no
 * longer piece waits than all threads hold at once. */
static uint64_t tree_chunk_B(const struct collective *c, bool ll128,
                             uint64_t slot_B, uint64_t channels)
{
    static const struct {
        uint64_t chunks, least_B;
    } rules[] = {{64, 131072}, {16, 32768}};
    double ranks = c->ranks_per_node, chunk_B = (double)slot_B;
    double steps = 1 + floor(log2(c->nodes)) + 0.1 * ranks;

    if (!ll128 || c->kind != COLLECTIVE_ALLREDUCE)
        return slot_B;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        while (chunk_B > (double)rules[i].least_B &&
               floor((double)c->bytes / ((double)channels * chunk_B)) <
                   steps * (double)rules[i].chunks / ranks)
            chunk_B /= 2;
    return (uint64_t)fmin(chunk_B, LL128_LINES_B);
}

/* Divides the vector into chunks: a step has as many as there are slots, or
 * fewer. */
static void tree_divide(struct nccl_carry *carry, const struct machine *m,
                        const struct collective *c, uint64_t at_once)
{
    uint64_t chunks = (c->bytes + at_once - 1) / at_once;

    carry->slices = chunks < 1               ? 1
                    : chunks < m->nccl.slots ? (uint32_t)chunks
                                             : m->nccl.slots;
    carry->loops = (uint32_t)((chunks + carry->slices - 1) / carry->slices);
    if (!carry->loops)
        carry->loops = 1;
}

/* Returns the least bytes of a channel. For LL along a ring it is multiplied by
 * the ranks, also if the data are not divided among them: a broadcast by LL on
 * many ranks has few channels (github.com/NVIDIA/nccl v2.8.4-1 to 5067397c,
 * threadThresholds of src/graph/tuning.cc). */
static uint64_t tree_channel_B(const struct collective *c,
                               const struct nccl_protocol *p, enum runtime by)
{
    bool ring = c->kind != COLLECTIVE_ALLREDUCE;

    return ring && by == RUNTIME_NCCL_LL
               ? (uint64_t)p->channel_B * collective_ranks(c)
               : p->channel_B;
}

static int tree_loop(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    uint32_t edges = collective_ranks(c) - 1;
    struct nccl_groups g;

    if (nccl_check(m, a, c, err) < 0)
        return -1;
    nccl_open(l, m, a, c);
    if (!edges)
        return 0;
    nccl_groups_of(&g, m, c, tree_channel_B(c, p, a->runtime));
    bool binary = c->kind == COLLECTIVE_ALLREDUCE && c->nodes > 1;
    uint32_t trees = binary && g.channels > 1 ? 2 : 1;
    struct nccl_carry *carry = xcalloc(1, sizeof *carry);
    g.channels /= trees;
    *carry = (struct nccl_carry){
        .element_B = c->element_B ? c->element_B : 1,
        .pieces = c->pieces,
        .groups = g.n * trees,
        .ups = c->kind == COLLECTIVE_BROADCAST ? 0 : edges,
        .edges = c->kind == COLLECTIVE_ALLREDUCE ? 2 * edges : edges,
    };
    carry->whole.count = c->bytes / carry->element_B;
    /* Messages up and down share a channel's threads; a chain forwards the data
     * while it stores them. */
    if (c->kind == COLLECTIVE_ALLREDUCE)
        l->body.channel_work.beside_s_per_B =
            p->tree_s_per_B > 0 ? tree_beside_s_per_B(m, a->runtime, p)
                                : p->take_s_per_B;
    uint64_t all = (uint64_t)g.channels * carry->groups;
    bool ll128 = a->runtime == RUNTIME_NCCL_LL128;
    tree_divide(carry, m, c, all * tree_chunk_B(c, ll128, p->slot_B, all));
    tree_body(l, m, c, carry, &g, trees);
    l->steps = carry->loops;
    l->arg = carry;
    l->carry = tree_carry;
    nccl_groups_clear(&g);
    return 0;
}

#define TREE(Kind, named, called, protocol, PROTOCOL, words)                   \
    const struct collective_algorithm                                          \
        nccl_##called##_##protocol##_##named##_collective = {                  \
            .kind = COLLECTIVE_##Kind,                                         \
            .by_node = true,                                                   \
            .name = "nccl_" #called "/" #protocol,                             \
            .summary = (words),                                                \
            .refuses = nccl_refuses,                                           \
            .runtime = RUNTIME_NCCL_##PROTOCOL,                                \
            .make_loop = tree_loop,                                            \
    }
#define TREES(protocol, PROTOCOL, of)                                          \
    TREE(ALLREDUCE, allreduce, tree, protocol, PROTOCOL,                       \
         "NCCL's double binary tree, " of);                                    \
    TREE(BROADCAST, broadcast, ring, protocol, PROTOCOL,                       \
         "NCCL's chain along a ring, " of);                                    \
    TREE(REDUCE, reduce, ring, protocol, PROTOCOL,                             \
         "NCCL's chain along a ring, " of)

TREES(simple, SIMPLE, "protocol Simple");
TREES(ll, LL, "protocol LL");
TREES(ll128, LL128, "protocol LL128");

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

enum {
    LL128_LINES_B = 640 * 60, /* the data in the lines of 640 threads */
    LEAST_THREADS = 8,        /* a channel has at least this part of them */
    PIECES = 8
};

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

void nccl_tree_parents(uint32_t *parent, const struct nccl_groups *g,
                       const struct collective *c, uint32_t group, bool second)
{
    struct nccl_tree t = {.n = g->ranks, .parent = parent};

    nccl_tree_join(&t, &g->order[(size_t)group * g->ranks], c, second);
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

/* A chunk is halved, to no less than least_B, while a channel has fewer of them
 * than `chunks`. */
struct tree_rule {
    double chunks;
    uint64_t least_B;
};

static uint64_t tree_halved(const struct tree_rule *rules, size_t n,
                            uint64_t chunk_B, uint64_t bytes, uint64_t channels)
{
    for (size_t i = 0; i < n; i++)
        while (chunk_B > rules[i].least_B &&
               (double)(bytes / (channels * chunk_B)) < rules[i].chunks)
            chunk_B /= 2;
    return chunk_B;
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

/* Returns the bytes that a channel's threads pass on in a round of their lines.
 * NCCL halves the threads of the one channel of LL that is left, as long as its
 * vector is below the least of a channel. */
static uint64_t chain_round_B(const struct collective *c,
                              const struct nccl_protocol *p, enum runtime by)
{
    uint64_t least_B = tree_channel_B(c, p, by), round_B = p->channel_B;

    if (by == RUNTIME_NCCL_LL128)
        return LL128_LINES_B;
    while (c->bytes < least_B && round_B > 1 &&
           round_B > p->channel_B / LEAST_THREADS) {
        least_B /= 2;
        round_B /= 2;
    }
    return round_B;
}

/* Returns the bytes that a chain's rank passes on at once: a slot of Simple,
 * and lines of LL and LL128 as they come. A channel's part of the vector has at
 * most PIECES pieces, if a slot is not less, because more of them would change
 * little and take long to simulate. */
static uint64_t chain_piece_B(const struct collective *c,
                              const struct nccl_protocol *p, enum runtime by,
                              uint64_t channels)
{
    uint64_t piece_B = c->bytes / (channels * PIECES);
    uint64_t lines_B = chain_round_B(c, p, by);

    if (by == RUNTIME_NCCL_SIMPLE || piece_B > p->slot_B)
        return p->slot_B;
    return piece_B > lines_B ? piece_B : lines_B;
}

/* Returns the bytes of a channel's chunk. An all-reduce has shorter ones than a
 * slot if the vector is short, because a chunk waits for the one before in each
 * of the steps up and down (github.com/NVIDIA/nccl 5067397c, src/enqueue.cc):
 * by LL128, and by Simple before version 2.20 and in RCCL. LL128's threads pass
 * on their lines as they come, so that no longer piece waits than all threads
 * hold at once. */
static uint64_t tree_chunk_B(const struct machine *m,
                             const struct collective *c, enum runtime by,
                             uint64_t channels)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, by);
    unsigned version = m->nccl.version ? m->nccl.version : NCCL_NEWEST;
    double doublings = floor(log2(c->nodes)), ranks = c->ranks_per_node;
    double steps = (1 + doublings + 0.1 * ranks) / ranks;
    double depth = ranks - 1 + doublings;

    if (c->kind == COLLECTIVE_ALLREDUCE && by == RUNTIME_NCCL_LL128) {
        const struct tree_rule rules[] = {{64 * steps, 131072},
                                          {16 * steps, 32768}};
        uint64_t chunk_B = tree_halved(rules, 2, p->slot_B, c->bytes, channels);
        return chunk_B < LL128_LINES_B ? chunk_B : LL128_LINES_B;
    }
    if (c->kind == COLLECTIVE_ALLREDUCE && by == RUNTIME_NCCL_SIMPLE &&
        (version < 220 || nccl_is_rccl(nccl_generation_of(m)))) {
        const struct tree_rule rules[] = {
            {8 * depth, 131072}, {4 * depth, 65536}, {depth, 32768}};
        return tree_halved(rules, 3, p->slot_B, c->bytes, channels);
    }
    return c->kind == COLLECTIVE_ALLREDUCE ? p->slot_B
                                           : chain_piece_B(c, p, by, channels);
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

/* Sets the work of a chain. A round takes as long of few threads as of all. */
static void chain_work(struct channel_work *w, const struct machine *m,
                       const struct collective *c,
                       const struct nccl_protocol *p, enum runtime by)
{
    uint64_t round_B = chain_round_B(c, p, by);

    w->less_s = p->ring_less_s;
    w->after_s_per_B = fmax(0, p->round_s / (double)round_B -
                                   nccl_beta_s_per_B(m, by, round_B));
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
    bool chain = c->kind != COLLECTIVE_ALLREDUCE;
    (chain ? nccl_groups_of
           : nccl_tree_groups_of)(&g, m, c, tree_channel_B(c, p, a->runtime));
    nccl_call(l, m, c, g.n * g.channels, 0);
    bool binary = !chain && c->nodes > 1;
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
            p->tree_s_per_B > 0
                ? fmax(0, p->tree_s_per_B -
                              nccl_beta_s_per_B(m, a->runtime, UINT64_MAX))
                : p->take_s_per_B;
    else
        chain_work(&l->body.channel_work, m, c, p, a->runtime);
    uint64_t all = (uint64_t)g.channels * carry->groups;
    tree_divide(carry, m, c, all * tree_chunk_B(m, c, a->runtime, all));
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

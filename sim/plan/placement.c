/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the nodes of ranks, and renumbers plans by them. */
#include "sim/plan/placement.h"

#include "sim/transport/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SAID (~0u)

/* The entries of a file by rank. */
struct places {
    unsigned *node, *local, *core; /* NOT_SAID if absent */
    unsigned *line;                /* 0 if not read yet */
    uint32_t ranks;
    uint32_t bad; /* the rank of an error */
};

static void places_init(struct places *s, uint32_t ranks)
{
    *s = (struct places){.ranks = ranks};
    s->node = xcalloc(ranks, sizeof *s->node);
    s->local = xcalloc(ranks, sizeof *s->local);
    s->core = xcalloc(ranks, sizeof *s->core);
    s->line = xcalloc(ranks, sizeof *s->line);
    for (uint32_t r = 0; r < ranks; r++)
        s->node[r] = s->local[r] = s->core[r] = NOT_SAID;
}

static void places_clear(struct places *s)
{
    free(s->node);
    free(s->local);
    free(s->core);
    free(s->line);
}

void placement_clear(struct placement *p)
{
    free(p->path);
    free(p->slot);
    free(p->node_at);
    free(p->core);
    *p = (struct placement){0};
}

/* --- the file ------------------------------------------------------------- */

static int read_place(struct places *s, const struct csv *t, size_t row,
                      const struct node_names *names, struct err *err)
{
    const struct machine *m = names->m;
    uint64_t rank;

    if (csv_count(t, row, "rank", &rank, err) < 0)
        return -1;
    if (rank >= s->ranks)
        return fail(err,
                    "%s:%u: rank: %llu of %u rows: ranks are to be 0 to %u, "
                    "each once",
                    t->path, t->lines[row], (unsigned long long)rank, s->ranks,
                    s->ranks - 1);
    if (s->line[rank])
        return fail(err, "%s:%u: rank: %llu is in line %u already", t->path,
                    t->lines[row], (unsigned long long)rank, s->line[rank]);
    s->line[rank] = t->lines[row];
    if (!csv_text(t, row, "node"))
        return fail(err, "%s:%u: no column 'node'", t->path, t->lines[row]);
    if (node_names_find(names, csv_text(t, row, "node"), &s->node[rank], err) <
        0)
        return fail_in(err, "%s:%u: node", t->path, t->lines[row]);
    if (csv_column(t, "local") >= 0 &&
        csv_below(t, row, "local", m->ncores, &s->local[rank], err) < 0)
        return -1;
    if (csv_column(t, "core") >= 0 &&
        csv_below(t, row, "core", m->ncores, &s->core[rank], err) < 0)
        return -1;
    return 0;
}

/* --- slots ---------------------------------------------------------------- */

/* Numbers the nodes of the machine that the job uses. */
static void number_nodes(struct placement *p, unsigned *number,
                         const struct machine *m, const struct places *s)
{
    for (unsigned n = 0; n < m->network.nodes; n++)
        number[n] = NOT_SAID;
    p->node_at = xcalloc(s->ranks, sizeof *p->node_at);
    for (uint32_t r = 0; r < s->ranks; r++) {
        unsigned *n = &number[s->node[r]];
        if (*n == NOT_SAID) {
            *n = p->nodes;
            p->node_at[p->nodes++] = s->node[r];
        }
    }
}

/* Finds the place of each rank on its node; p->slot is only that for now. */
static int find_locals(struct placement *p, const unsigned *number,
                       const struct machine *m, struct places *s,
                       struct err *err)
{
    unsigned *used = xcalloc(p->nodes, sizeof *used);
    int result = 0;

    for (uint32_t r = 0; r < s->ranks && result == 0; s->bad = r++) {
        unsigned *here = &used[number[s->node[r]]];
        p->slot[r] = s->local[r] == NOT_SAID ? *here : s->local[r];
        if (++*here > m->ncores)
            result = fail(err,
                          "rank %u: more ranks on node %u than the %u cores "
                          "of %s",
                          r, s->node[r], m->ncores, m->name);
        if (p->slot[r] >= p->ranks_per_node)
            p->ranks_per_node = p->slot[r] + 1;
    }
    free(used);
    return result;
}

static int find_slots(struct placement *p, const unsigned *number,
                      struct places *s, struct err *err)
{
    uint32_t room = p->nodes * p->ranks_per_node;
    uint32_t *taken = xcalloc(room, sizeof *taken);
    int result = 0;

    p->in_blocks = true;
    for (uint32_t r = 0; r < s->ranks && result == 0; s->bad = r++) {
        uint32_t slot = number[s->node[r]] * p->ranks_per_node + p->slot[r];
        if (taken[slot])
            result = fail(err, "rank %u: place %u on node %u is rank %u's", r,
                          p->slot[r], s->node[r], taken[slot] - 1);
        taken[slot] = r + 1;
        p->slot[r] = slot;
        p->in_blocks &= slot == r;
    }
    free(taken);
    return result;
}

static int find_cores(struct placement *p, struct places *s, struct err *err)
{
    if (!s->ranks || s->core[0] == NOT_SAID)
        return 0;
    p->core = xcalloc(p->ranks_per_node, sizeof *p->core);
    for (unsigned i = 0; i < p->ranks_per_node; i++)
        p->core[i] = NOT_SAID;
    for (uint32_t r = 0; r < s->ranks; r++) {
        unsigned *core = &p->core[p->slot[r] % p->ranks_per_node];
        s->bad = r;
        if (*core != NOT_SAID && *core != s->core[r])
            return fail(err,
                        "rank %u: core %u: the ranks of place %u are on core "
                        "%u of other nodes",
                        r, s->core[r], p->slot[r] % p->ranks_per_node, *core);
        *core = s->core[r];
    }
    for (unsigned i = 0; i < p->ranks_per_node; i++)
        if (p->core[i] == NOT_SAID)
            p->core[i] = i;
    return 0;
}

static int placement_of(struct placement *p, const struct machine *m,
                        struct places *s, struct err *err)
{
    unsigned *number = xcalloc(m->network.nodes, sizeof *number);

    p->ranks = s->ranks;
    p->slot = xcalloc(s->ranks, sizeof *p->slot);
    number_nodes(p, number, m, s);
    int result = find_locals(p, number, m, s, err) < 0 ||
                         find_slots(p, number, s, err) < 0 ||
                         find_cores(p, s, err) < 0
                     ? -1
                     : 0;
    free(number);
    return result;
}

int placement_load(struct placement *p, const char *path,
                   const struct machine *m, struct err *err)
{
    struct node_names names;
    struct places s;
    struct csv t;
    int result = 0;

    *p = (struct placement){0};
    if (csv_load(&t, path, err) < 0)
        return -1;
    if (t.nrows > PLAN_MAX_RANKS) {
        result = fail(err,
                      "%s: %zu rows: expected at most as many ranks as "
                      "a plan can have",
                      path, t.nrows);
        csv_clear(&t);
        return result;
    }
    if (node_names_load(&names, m, err) < 0) {
        csv_clear(&t);
        return -1;
    }
    places_init(&s, (uint32_t)t.nrows);
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = read_place(&s, &t, i, &names, err);
    if (result == 0 && placement_of(p, m, &s, err) < 0)
        result = fail_in(err, "%s:%u", path, s.line[s.bad]);
    p->path = xstrdup(path);
    places_clear(&s);
    node_names_clear(&names);
    csv_clear(&t);
    if (result < 0)
        placement_clear(p);
    return result;
}

int placement_make(struct placement *p, const struct machine *m,
                   const unsigned *node_of_rank, uint32_t ranks,
                   struct err *err)
{
    struct places s;

    *p = (struct placement){0};
    places_init(&s, ranks);
    memcpy(s.node, node_of_rank, ranks * sizeof *s.node);
    int result = placement_of(p, m, &s, err);
    places_clear(&s);
    if (result < 0)
        placement_clear(p);
    return result;
}

/* --- plans ---------------------------------------------------------------- */

struct machine placement_machine(const struct placement *p,
                                 const struct machine *m)
{
    struct machine placed = *m;

    placed.network.node_at = p->node_at;
    return placed;
}

/* The shape of a plan before it is moved. */
struct moving {
    const struct placement *to;
    unsigned ranks_per_node, ngpus;
};

static uint32_t moved_gpu(const struct moving *v, uint32_t gpu, uint32_t rank)
{
    unsigned each = v->to->ranks_per_node;
    uint32_t slot = v->to->slot[rank], local = gpu % v->ngpus;

    if (slot % each != rank % v->ranks_per_node)
        local = slot % each * v->ngpus / each;
    return slot / each * v->ngpus + local;
}

static void move_op(const struct moving *v, struct op *o)
{
    if (o->src_gpu != NO_GPU)
        o->src_gpu = moved_gpu(v, o->src_gpu, o->src);
    if (o->dst_gpu != NO_GPU)
        o->dst_gpu = moved_gpu(v, o->dst_gpu, o->dst);
    o->src = v->to->slot[o->src];
    o->dst = v->to->slot[o->dst];
}

static int check_ranks(const struct placement *p, const struct plan *plan,
                       struct err *err)
{
    for (size_t i = 0; i < plan->nops; i++) {
        const struct op *o = &plan->ops[i];
        uint32_t most = o->src > o->dst ? o->src : o->dst;
        if (most >= p->ranks)
            return fail(err, "%s: has no node for rank %u of %s",
                        p->path ? p->path : "placement", most, plan->name);
    }
    return 0;
}

static void move_plan(const struct placement *p, const struct machine *m,
                      struct plan *plan)
{
    struct moving v = {p, plan->ranks_per_node, m->ngpus};

    for (size_t i = 0; i < plan->nops; i++) {
        move_op(&v, &plan->ops[i]);
        if (plan->match && op_matches(plan->ops[i].kind) &&
            plan->match[i].peer < p->ranks)
            plan->match[i].peer = p->slot[plan->match[i].peer];
    }
}

int placement_apply(const struct placement *p, const struct machine *m,
                    struct plan *plan, struct err *err)
{
    struct plan shape;

    if (check_ranks(p, plan, err) < 0)
        return -1;
    move_plan(p, m, plan);
    if (p->in_blocks && !p->core && plan->nodes == p->nodes &&
        plan->ranks_per_node == p->ranks_per_node)
        return 0;
    plan_init(&shape, m, "", p->nodes, p->ranks_per_node, p->core);
    plan->nodes = p->nodes;
    plan->ranks_per_node = p->ranks_per_node;
    free(plan->core);
    plan->core = shape.core;
    shape.core = NULL;
    plan_clear(&shape);
    return 0;
}

int placement_apply_loop(const struct placement *p, const struct machine *m,
                         struct loop *loop, struct err *err)
{
    if (loop->turning && !p->in_blocks)
        return 1;
    for (unsigned i = 0; i < loop->nmore; i++)
        if (placement_apply(p, m, &loop->more[i].body, err) < 0)
            return -1;
    return placement_apply(p, m, &loop->body, err);
}

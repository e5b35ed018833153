/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the algorithm of a trace's collective as the library would, plans it,
 * and keeps the plan for equal calls. */
#include "apps/replay/template.h"

#include "base/opts.h"
#include "sim/plan/exec.h"

#include <stdlib.h>
#include <string.h>

struct template_slot {
    struct template_key key;
    struct template *of; /* NULL if free */
};

/* If kept plans have more operations than this, all are dropped. */
#define MOST_KEPT_OPS (4u << 20)

/* --- choice of the algorithm ---------------------------------------------- */

/* Returns the kind in strategies/collective; -1 if it has none. */
static int template_kind(enum trace_collective kind)
{
    switch (kind) {
    case TRACE_BROADCAST:
        return COLLECTIVE_BROADCAST;
    case TRACE_REDUCE:
        return COLLECTIVE_REDUCE;
    case TRACE_ALLREDUCE:
        return COLLECTIVE_ALLREDUCE;
    case TRACE_ALLGATHER:
        return COLLECTIVE_ALLGATHER;
    case TRACE_ALLTOALL:
        return COLLECTIVE_ALLTOALL;
    case TRACE_REDUCE_SCATTER:
        return COLLECTIVE_REDUCE_SCATTER;
    default:
        return -1;
    }
}

/* Returns whether an algorithm can be used, because all messages of a replay
 * have one runtime. */
static bool template_can_be(const struct collective_algorithm *a)
{
    return a->runtime == RUNTIME_MPI && !a->in_switch && !a->shared;
}

/* Chooses an algorithm: "NAME" for all kinds that have it, "KIND=NAME" for
 * one. */
static int templates_choose(struct templates *ts, char *word, struct err *err)
{
    char *name = strchr(word, '=');
    bool found = false;

    if (name)
        *name++ = '\0';
    for (size_t i = 0; i < ncollectives; i++) {
        const struct collective_algorithm *a = collectives[i];
        if (strcmp(a->name, name ? name : word) != 0 ||
            (name && strcmp(collective_kind_names[a->kind], word) != 0))
            continue;
        if (!template_can_be(a))
            return fail(err, "%s: not of a trace, whose messages are MPI's",
                        a->name);
        ts->chosen[a->kind] = a;
        found = true;
    }
    if (found)
        return 0;
    return fail(err,
                "%s%s%s: no such algorithm (sluice list algorithms; "
                "KIND=NAME for one kind)",
                word, name ? "=" : "", name ? name : "");
}

int templates_init(struct templates *ts, const struct machine *m,
                   const struct collective_library *library,
                   const char *algorithms, struct err *err)
{
    int result = 0;

    *ts = (struct templates){.m = m, .library = library};
    if (!library)
        ts->library = library_of(m, COLLECTIVE_HOST);
    if (!algorithms || !strcmp(algorithms, "auto"))
        return 0;
    char *list = xstrdup(algorithms), *rest = list;
    for (char *word; result == 0 && (word = strsep(&rest, ","));)
        result = templates_choose(ts, word, err);
    free(list);
    return result < 0 ? fail_in(err, "--algorithm") : 0;
}

/* --- the members' places -------------------------------------------------- */

/* Returns the shape of the members: blocks on nodes, all but the last equal, if
 * they are placed like that; otherwise `mixed`, with blocks of equal size in
 * their place. */
static struct collective template_shape(const struct template_members *of,
                                        unsigned nodes_most)
{
    struct collective c = {.ranks = of->n, .element_B = 1};
    unsigned *on = xcalloc(nodes_most, sizeof *on);
    uint32_t first = 1, turns = 0;

    while (first < of->n && of->node[first] == of->node[0])
        first++;
    for (uint32_t i = 0; i < of->n; i++) {
        c.nodes += on[of->node[i]]++ == 0;
        turns += i && of->node[i] != of->node[i - 1];
        c.mixed |= i && i % first == 0 && of->node[i] == of->node[i - 1];
        c.mixed |= of->node[i] != of->node[i / first * first];
    }
    c.mixed |= turns + 1 != c.nodes;
    c.ranks_per_node = c.mixed ? (of->n + c.nodes - 1) / c.nodes : first;
    /* because equal blocks may need fewer nodes */
    c.nodes = (of->n + c.ranks_per_node - 1) / c.ranks_per_node;
    free(on);
    return c;
}

static unsigned template_element(uint64_t bytes)
{
    return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
}

/* Returns the collective as strategies/collective describes it. */
static struct collective template_asked(const struct templates *ts,
                                        const struct collective *shape,
                                        const struct template_key *key)
{
    struct collective c = *shape;
    bool blocks = key->kind == TRACE_ALLGATHER || key->kind == TRACE_ALLTOALL ||
                  key->kind == TRACE_REDUCE_SCATTER;

    c.kind =
        (enum collective_kind)template_kind((enum trace_collective)key->kind);
    c.root = key->kind == TRACE_BROADCAST || key->kind == TRACE_REDUCE
                 ? key->root
                 : 0;
    c.element_B = template_element(key->bytes);
    c.bytes = key->bytes * (blocks ? shape->ranks : 1);
    if (key->in_gpu && ts->m->ngpus) {
        c.memory = COLLECTIVE_DEVICE;
        c.per_gpu = (c.ranks_per_node + ts->m->ngpus - 1) / ts->m->ngpus;
    }
    return c;
}

/* --- plans ---------------------------------------------------------------- */

static bool template_try(struct plan *p, const struct templates *ts,
                         const struct collective_algorithm *a,
                         const struct collective *c)
{
    struct err why;

    return a && template_can_be(a) &&
           collective_plan(p, ts->m, a, NULL, c, &why) == 0;
}

static int template_plan(struct plan *p, struct templates *ts,
                         const struct collective *c, struct err *err)
{
    struct library_choice choice = library_choose(ts->library, ts->m, c);
    const struct collective_algorithm *chosen = ts->chosen[c->kind];

    if (template_try(p, ts, chosen, c))
        return 0;
    ts->unchosen += chosen != NULL;
    if (template_try(p, ts, choice.ours, c))
        return 0;
    ts->others++;
    for (size_t i = 0; i < ncollectives; i++)
        if (collectives[i]->kind == c->kind && !collectives[i]->by_node &&
            template_try(p, ts, collectives[i], c))
            return 0;
    return fail(err, "no algorithm can be planned for %u ranks and %llu B",
                c->ranks, (unsigned long long)c->bytes);
}

/* --- ends and beginnings -------------------------------------------------- */

/* Returns the ends of operations that another operation of their rank waits
 * for: bit 0 for the receiver's, bit 1 for the sender's. */
static uint8_t *template_waited_for(const struct plan *p)
{
    uint8_t *waited = xcalloc(p->nops ? p->nops : 1, 1);

    for (size_t i = 0; i < p->ndeps; i++)
        waited[p->deps[i] & DEP_OP] |= p->deps[i] & AFTER_SENT ? 2 : 1;
    return waited;
}

static void template_add_exit(struct template *t, uint32_t member, uint32_t dep,
                              bool fill)
{
    if (fill)
        t->exits[t->first_exit[member]++] = dep;
    else
        t->first_exit[member + 1]++;
}

static void template_each_exit(struct template *t, const uint8_t *waited,
                               bool fill)
{
    for (uint32_t i = 0; i < t->plan.nops; i++) {
        const struct op *o = &t->plan.ops[i];
        if (!(waited[i] & 1))
            template_add_exit(t, o->dst, i, fill);
        if (o->kind == OP_MSG && !(waited[i] & 2) && o->src != o->dst)
            template_add_exit(t, o->src, i | AFTER_SENT, fill);
    }
}

static void template_find_exits(struct template *t, uint32_t n)
{
    uint8_t *waited = template_waited_for(&t->plan);

    t->first_exit = xcalloc((size_t)n + 2, sizeof *t->first_exit);
    template_each_exit(t, waited, false);
    for (uint32_t i = 0; i < n; i++)
        t->first_exit[i + 1] += t->first_exit[i];
    t->exits = xcalloc(t->first_exit[n] + 1, sizeof *t->exits);
    template_each_exit(t, waited, true);
    memmove(t->first_exit + 1, t->first_exit, n * sizeof *t->first_exit);
    t->first_exit[0] = 0;
    free(waited);
}

/* Finds the ends without dependencies, because they begin after their rank's
 * operations before the collective. */
static void template_find_begins(struct template *t)
{
    const struct plan *p = &t->plan;

    t->begins = xcalloc(p->nops ? p->nops : 1, 1);
    for (size_t i = 0; i < p->nops; i++) {
        uint8_t has = 0;
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            has |=
                p->deps[d] & FOR_RECEIVE ? TEMPLATE_RECEIVER : TEMPLATE_SENDER;
        t->begins[i] = (uint8_t)(TEMPLATE_SENDER & ~has);
        if (p->ops[i].kind == OP_MSG)
            t->begins[i] |= (uint8_t)(TEMPLATE_RECEIVER & ~has);
    }
}

static void template_clear(struct template *t)
{
    plan_clear(&t->plan);
    free(t->begins);
    free(t->exits);
    free(t->first_exit);
    *t = (struct template){0};
}

static int template_make(struct template *t, struct templates *ts,
                         const struct template_key *key,
                         const struct template_members *members,
                         struct err *err)
{
    struct collective shape = template_shape(members, ts->m->network.nodes);
    struct collective asked = template_asked(ts, &shape, key);

    *t = (struct template){0};
    if (template_is_own(key, members)) {
        asked.kind = COLLECTIVE_ALLTOALL;
        template_build(&t->plan, ts->m, &asked, key, members);
    } else if (template_plan(&t->plan, ts, &asked, err) < 0) {
        return -1;
    }
    template_find_begins(t);
    template_find_exits(t, members->n);
    return 0;
}

/* --- kept ----------------------------------------------------------------- */

static bool template_same(const struct template_key *a,
                          const struct template_key *b)
{
    return a->kind == b->kind && a->in_gpu == b->in_gpu && a->root == b->root &&
           a->comm == b->comm && a->bytes == b->bytes;
}

static struct template_slot *templates_seek(const struct templates *ts,
                                            const struct template_key *k)
{
    uint64_t h = (k->bytes * 0x9e3779b97f4a7c15u) ^
                 ((uint64_t)k->comm << 20 ^ (uint64_t)k->root << 5 ^
                  (uint64_t)k->kind << 1 ^ k->in_gpu);
    size_t i = (size_t)((h * 0xbf58476d1ce4e5b9u) >> 32) & (ts->size - 1);

    while (ts->slots[i].of && !template_same(&ts->slots[i].key, k))
        i = (i + 1) & (ts->size - 1);
    return &ts->slots[i];
}

static void templates_empty(struct templates *ts)
{
    for (size_t i = 0; i < ts->size; i++) {
        if (ts->slots[i].of)
            template_clear(ts->slots[i].of);
        free(ts->slots[i].of);
    }
    free(ts->slots);
    ts->slots = NULL;
    ts->size = ts->used = ts->ops = 0;
}

static void templates_grow(struct templates *ts)
{
    struct template_slot *old = ts->slots;
    size_t size = ts->size;

    ts->size = size ? 2 * size : 64;
    ts->slots = xcalloc(ts->size, sizeof *ts->slots);
    for (size_t i = 0; i < size; i++)
        if (old[i].of)
            *templates_seek(ts, &old[i].key) = old[i];
    free(old);
}

void templates_clear(struct templates *ts)
{
    templates_empty(ts);
    template_clear(&ts->scratch);
}

const struct template *templates_get(struct templates *ts,
                                     const struct template_key *key,
                                     const struct template_members *members,
                                     struct err *err)
{
    if (members->bytes || members->counts) {
        template_clear(&ts->scratch);
        return template_make(&ts->scratch, ts, key, members, err) < 0
                   ? NULL
                   : &ts->scratch;
    }
    if (ts->ops > MOST_KEPT_OPS)
        templates_empty(ts);
    if (2 * (ts->used + 1) > ts->size)
        templates_grow(ts);
    struct template_slot *slot = templates_seek(ts, key);
    if (slot->of)
        return slot->of;
    struct template *t = xcalloc(1, sizeof *t);
    if (template_make(t, ts, key, members, err) < 0) {
        free(t);
        return NULL;
    }
    *slot = (struct template_slot){*key, t};
    ts->used++;
    ts->ops += t->plan.nops;
    return t;
}

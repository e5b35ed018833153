/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the operations of a loop that are alike by colour refinement: all that
 * might be alike have one colour at first, and get different ones once their
 * neighbours have. A colour is a hash of 64 bits, so that two different ones
 * among a million are equal by chance in one run of ten million. */
#include "sim/plan/fold.h"

#include "sim/transport/transport.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 32 };
#define NIC (UINT32_C(1) << 31) /* while the number of links is not known */

/* The operations, links and NICs are vertices, in this order. Operation i is
 * joined to those that it waits for, and to joined[first[i]] to before
 * joined[first[i + 1]], which are its links and its NIC. */
struct refinement {
    const struct plan *body;
    uint32_t nops, nlinks, n;
    uint32_t *first, *joined;
    size_t njoined, room;
    uint64_t *colour, *next;
    uint32_t *messages; /* of each NIC, so far */
    /* A hash table of colours, and the first vertex of each. */
    uint32_t *table;
    size_t size;
};

static uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t hash_with(uint64_t colour, uint64_t x)
{
    return hash(colour + UINT64_C(0x9e3779b97f4a7c15) * (x + 1));
}

static uint64_t hash_real(uint64_t colour, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return hash_with(colour, bits);
}

/* --- the first colours ---------------------------------------------------- */

static struct transfer fold_transfer(struct fabric *f, const struct plan *p,
                                     const struct op *o)
{
    return (struct transfer){.f = f,
                             .bytes = o->bytes,
                             .from = o->src,
                             .to = o->dst,
                             .from_gpu = o->src_gpu,
                             .to_gpu = o->dst_gpu,
                             .runtime = (uint8_t)p->runtime};
}

static void fold_join(struct refinement *r, uint32_t vertex)
{
    if (r->njoined == r->room) {
        r->room = 2 * r->room + 64;
        r->joined = xrealloc(r->joined, r->room, sizeof *r->joined);
    }
    r->joined[r->njoined++] = vertex;
}

/* Returns whether a message may have to wait for others of its NIC. */
static bool fold_nic_limits(const struct transfer *t, int nic)
{
    const struct nic *n = fabric_nic(t, nic);

    return transfer_gap_s(t, nic) > 0 ||
           (!segment_gets(t->segment) &&
            (n->places.places || n->other_rack.places));
}

/* Joins an operation to its links, and to its NIC, whose number counts from 0
 * for now. Returns false if it has no route that stays. */
static bool fold_join_op(struct refinement *r, struct fabric *f, uint32_t i)
{
    const struct op *o = &r->body->ops[i];
    struct transfer t = fold_transfer(f, r->body, o);
    uint32_t links[MOST_LINKS];
    double wire_B = transfer_push_prepare(&t, o->channels);
    int nic = transfer_nic(&t);
    size_t n = engine_route(f->engine, fabric_gpu(f, t.from_gpu),
                            fabric_gpu(f, t.to_gpu), nic, ROUTE_LIMITS, links,
                            MOST_LINKS);
    uint64_t colour = hash_real(0, wire_B);

    r->first[i] = (uint32_t)r->njoined;
    for (size_t k = 0; k < n; k++)
        fold_join(r, links[k]);
    colour = hash_with(colour, (uintptr_t)t.segment);
    colour = hash_with(colour, t.bytes);
    colour = hash_with(colour, (uint64_t)t.channels << 1 | t.leaves);
    colour = hash_real(colour, transfer_far_s(&t));
    if (t.leaves && fold_nic_limits(&t, nic)) {
        uint32_t number = fabric_nic_number(&t, nic);
        fold_join(r, number | NIC);
        /* Of messages that ask for a NIC at the same time, the first in the
         * body has it first. */
        colour = hash_with(colour, ++r->messages[number]);
    }
    r->colour[i] = colour;
    return n > 0;
}

/* Gives colours to links and NICs. */
static void fold_colour_others(struct refinement *r, const struct fabric *f)
{
    struct link_use use;

    for (uint32_t i = 0; i < r->nlinks; i++) {
        engine_link_use(f->engine, i, &use);
        r->colour[r->nops + i] = hash_real(1, use.bandwidth_Bps);
    }
    for (uint32_t i = r->nops + r->nlinks; i < r->n; i++) {
        const struct nic *nic = &f->nics[i - r->nops - r->nlinks];
        uint64_t colour = hash_real(2, nic->gap_s);
        colour = hash_with(colour, nic->places.places);
        r->colour[i] = hash_with(colour, nic->other_rack.places);
    }
}

static bool fold_prepare(struct refinement *r, const struct plan *body,
                         struct fabric *f)
{
    uint32_t nops = (uint32_t)body->nops;
    uint32_t nnics = body->nodes * f->m->nnics;

    *r = (struct refinement){.body = body, .nops = nops};
    r->first = xcalloc((size_t)nops + 1, sizeof *r->first);
    r->colour = xcalloc(nops, sizeof *r->colour);
    r->messages = xcalloc(nnics, sizeof *r->messages);
    for (uint32_t i = 0; i < nops; i++)
        if (!fold_join_op(r, f, i))
            return false;
    r->first[nops] = (uint32_t)r->njoined;
    r->nlinks = (uint32_t)engine_link_count(f->engine);
    r->n = nops + r->nlinks + nnics;
    for (size_t k = 0; k < r->njoined; k++)
        r->joined[k] = r->joined[k] & NIC
                           ? (r->joined[k] & ~NIC) + nops + r->nlinks
                           : r->joined[k] + nops;
    r->colour = xrealloc(r->colour, r->n, sizeof *r->colour);
    fold_colour_others(r, f);
    r->next = xcalloc(r->n, sizeof *r->next);
    for (r->size = 1; r->size < 2 * (size_t)r->n;)
        r->size *= 2;
    r->table = xcalloc(r->size, sizeof *r->table);
    return true;
}

static void refinement_clear(struct refinement *r)
{
    free(r->first);
    free(r->joined);
    free(r->colour);
    free(r->next);
    free(r->messages);
    free(r->table);
}

/* --- refinement ----------------------------------------------------------- */

/* Gives each vertex a colour that depends on its own and on those of its
 * neighbours, whatever their order. */
static void refine(struct refinement *r)
{
    const struct plan *p = r->body;
    uint64_t *next = r->next;

    memcpy(next, r->colour, r->n * sizeof *next);
    for (uint32_t i = 0; i < r->nops; i++) {
        uint64_t sum = r->colour[i], own = hash_with(r->colour[i], 3);
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            sum +=
                hash_with(r->colour[p->deps[d] & DEP_OP], p->deps[d] & ~DEP_OP);
        for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++) {
            sum += hash_with(r->colour[r->joined[k]], 5);
            next[r->joined[k]] += own;
        }
        next[i] = sum;
    }
    for (uint32_t v = 0; v < r->n; v++)
        next[v] = hash(next[v]);
    r->next = r->colour;
    r->colour = next;
}

/* Sets stands[] of vertices to the first one with their colour; returns the
 * number of colours. */
static uint32_t fold_classes(struct refinement *r, uint32_t *stands)
{
    uint32_t classes = 0;

    memset(r->table, 0, r->size * sizeof *r->table);
    for (uint32_t v = 0; v < r->n; v++) {
        size_t at = r->colour[v] & (r->size - 1);
        while (r->table[at] && r->colour[r->table[at] - 1] != r->colour[v])
            at = (at + 1) & (r->size - 1);
        if (!r->table[at]) {
            r->table[at] = v + 1;
            classes++;
        }
        stands[v] = r->table[at] - 1;
    }
    return classes;
}

/* Refines until no class is divided any more. Returns false if there are too
 * many classes for it to pay. */
static bool fold_refine(struct refinement *r, uint32_t *stands)
{
    uint32_t classes = 0, before;

    do {
        before = classes;
        refine(r);
        classes = fold_classes(r, stands);
        if (classes > r->n / 2)
            return false;
    } while (classes > before);
    return true;
}

/* Returns whether no link and no NIC has two operations that are alike. */
static bool fold_shares_none(const struct refinement *r, const uint32_t *stands)
{
    uint32_t *last = xcalloc(r->n, sizeof *last);
    bool none = true;

    /* Operations of one class are visited one after the other: `of` lists them
     * class by class. */
    uint32_t *count = xcalloc((size_t)r->nops + 1, sizeof *count);
    uint32_t *of = xcalloc(r->nops, sizeof *of);
    for (uint32_t i = 0; i < r->nops; i++)
        count[stands[i] + 1]++;
    for (uint32_t i = 0; i < r->nops; i++)
        count[i + 1] += count[i];
    for (uint32_t i = 0; i < r->nops; i++)
        of[count[stands[i]]++] = i;
    for (uint32_t k = 0; k < r->nops && none; k++) {
        uint32_t i = of[k], mark = stands[i] + 1;
        for (uint32_t j = r->first[i]; j < r->first[i + 1]; j++) {
            none = none && last[r->joined[j]] != mark;
            last[r->joined[j]] = mark;
        }
    }
    free(last);
    free(count);
    free(of);
    return none;
}

/* --- folding -------------------------------------------------------------- */

bool fold_may(const struct loop *l)
{
    if (l->nmore || l->turning || l->at_once || l->body.match ||
        !transports[l->body.runtime]->push)
        return false;
    for (size_t i = 0; i < l->body.nops; i++)
        if (l->body.ops[i].kind != OP_MSG || l->body.ops[i].src_gpu == NO_GPU)
            return false;
    return l->body.nops > 0;
}

/* Keeps who stands for links and NICs, each counted from 0. */
static void fold_keep(struct fold *out, const struct refinement *r,
                      const uint32_t *stands, const struct loop *l)
{
    uint32_t nnics = r->n - r->nops - r->nlinks;

    loop_fold(&out->loop, l, stands);
    out->links = xcalloc(r->nlinks, sizeof *out->links);
    out->nics = xcalloc(nnics, sizeof *out->nics);
    for (uint32_t i = 0; i < r->nlinks; i++)
        out->links[i] = stands[r->nops + i] - r->nops;
    for (uint32_t i = 0; i < nnics; i++)
        out->nics[i] = stands[r->nops + r->nlinks + i] - r->nops - r->nlinks;
}

/* --- nodes that are alike ------------------------------------------------- */

static uint32_t fold_first(const uint32_t *stands, uint32_t link)
{
    while (stands[link] != link)
        link = stands[link];
    return link;
}

/* Lets the links of one route stand for those of another, or the other way. */
static void fold_unite(uint32_t *stands, const uint32_t *a, const uint32_t *b,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t x = fold_first(stands, a[i]), y = fold_first(stands, b[i]);
        stands[x > y ? x : y] = x > y ? y : x;
    }
}

/* Visits the routes of an operation's kind from each node, in its place to
 * node `away` further on; the first visit only numbers their links. */
static void fold_turn_op(struct fabric *f, const struct plan *p,
                         const struct op *o, uint32_t *stands)
{
    struct transfer t = fold_transfer(f, p, o);
    uint32_t first[MOST_LINKS], links[MOST_LINKS], n = p->nodes;
    uint32_t gpus = f->m->ngpus, from = t.from_gpu, to = t.to_gpu % gpus;
    uint32_t away = t.to_gpu / gpus ? 1 : 0;

    (void)transfer_push_prepare(&t, o->channels);
    for (uint32_t node = 0; node < n; node++) {
        size_t found = engine_route(
            f->engine, fabric_gpu(f, node * gpus + from),
            fabric_gpu(f, (node + away) % n * gpus + to), transfer_nic(&t),
            ROUTE_ALL, node ? links : first, MOST_LINKS);
        if (stands && node)
            fold_unite(stands, links, first, found);
    }
}

/* Visits each pair of GPUs once, on one node and on two. */
static void fold_turn_pairs(struct fabric *f, const struct plan *p,
                            uint32_t *stands)
{
    uint32_t gpus = f->m->ngpus;
    bool *seen = xcalloc((size_t)2 * gpus * gpus, sizeof *seen);

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        bool *pair = &seen[(o->dst_gpu >= gpus ? gpus * gpus : 0) +
                           o->src_gpu * gpus + o->dst_gpu % gpus];
        if (!*pair)
            fold_turn_op(f, p, o, stands);
        *pair = true;
    }
    free(seen);
}

/* Folds a loop of one node: its links and NICs stand for those of all. */
static void fold_nodes(struct fold *out, const struct loop *l, struct fabric *f)
{
    const struct plan *p = &l->body;
    uint32_t nnics = p->nodes * f->m->nnics;
    uint32_t *own = xcalloc(p->nops, sizeof *own);

    for (uint32_t i = 0; i < p->nops; i++)
        own[i] = i;
    loop_fold(&out->loop, l, own);
    out->loop.of_one_node = false;
    free(own);
    fold_turn_pairs(f, p, NULL);
    size_t nlinks = engine_link_count(f->engine);
    out->links = xcalloc(nlinks, sizeof *out->links);
    for (uint32_t i = 0; i < nlinks; i++)
        out->links[i] = i;
    fold_turn_pairs(f, p, out->links);
    for (uint32_t i = 0; i < nlinks; i++)
        out->links[i] = fold_first(out->links, i);
    out->nics = xcalloc(nnics, sizeof *out->nics);
    for (uint32_t i = 0; i < nnics; i++)
        out->nics[i] = i % f->m->nnics;
}

/* --- the whole ------------------------------------------------------------ */

bool fold_make(struct fold *out, const struct machine *m, const struct loop *l,
               struct engine *e)
{
    const struct plan *p = &l->body;
    struct refinement r = {0};
    struct fabric f;

    if (!fold_may(l))
        return false;
    fabric_init(&f, e, m, p->nodes, p->ranks_per_node, p->core);
    if (l->of_one_node) {
        fold_nodes(out, l, &f);
        fabric_clear(&f);
        return true;
    }
    bool folds = fold_prepare(&r, p, &f);
    uint32_t *stands = xcalloc(r.n, sizeof *stands);
    folds = folds && fold_refine(&r, stands) && fold_shares_none(&r, stands);
    if (folds)
        fold_keep(out, &r, stands, l);
    else
        engine_rewind(e); /* links are numbered as if nothing had been tried */
    free(stands);
    refinement_clear(&r);
    fabric_clear(&f);
    return folds;
}

void fold_clear(struct fold *fold)
{
    loop_clear(&fold->loop);
    free(fold->links);
    free(fold->nics);
}

void fold_carry(const struct fold *fold, const struct machine *m,
                const struct loop *l, struct engine *e)
{
    const struct plan *p = &l->body;
    struct fabric f;

    if (l->of_one_node) {
        engine_add_up_carried(e, fold->links);
        return;
    }
    fabric_init(&f, e, m, p->nodes, p->ranks_per_node, p->core);
    engine_forget_carried(e);
    for (size_t i = 0; i < p->nops; i++) {
        struct transfer t = fold_transfer(&f, p, &p->ops[i]);
        double wire_B = transfer_push_prepare(&t, p->ops[i].channels);
        engine_carry(e, fabric_gpu(&f, t.from_gpu), fabric_gpu(&f, t.to_gpu),
                     transfer_nic(&t), wire_B * l->steps, l->steps);
    }
    fabric_clear(&f);
}

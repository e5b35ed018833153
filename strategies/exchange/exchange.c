/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the plan of a route: packs parcels into copies and messages, step by
 * step. */
#include "strategies/exchange/exchange.h"

#include <assert.h>
#include <stdlib.h>

unsigned exchange_gpus(const struct exchange *x, uint32_t node)
{
    if (x->alone)
        return x->on_node[node];

    uint32_t before = node * x->halo->gpus_per_node;
    uint32_t rest = x->halo->ngpus - before;

    return rest < x->halo->gpus_per_node ? rest : x->halo->gpus_per_node;
}

unsigned exchange_ranks(const struct exchange *x, uint32_t node)
{
    return x->alone ? x->on_node[node] : x->plan->ranks_per_node;
}

unsigned exchange_share(const struct exchange *x, unsigned i)
{
    return x->alone ? 1 : x->share[i];
}

uint32_t exchange_rank(const struct exchange *x, uint32_t node, unsigned i,
                       unsigned process)
{
    assert(i < exchange_gpus(x, node) && process < exchange_share(x, i));
    if (x->alone)
        return node * x->plan->ranks_per_node + i;
    return node * x->plan->ranks_per_node + x->first[i] + process;
}

uint32_t exchange_receiver(const struct exchange *x, const struct parcel *p)
{
    return exchange_rank(x, p->dst_node, parcel_gpu(p), 0);
}

/* Returns the GPU, numbered in the job, that a rank serves. */
static uint32_t exchange_gpu_of(const struct exchange *x, uint32_t rank)
{
    uint32_t local = rank % x->plan->ranks_per_node;

    if (x->alone)
        return rank;
    for (unsigned i = 0; i < x->m->ngpus; i++)
        if (local >= x->first[i] && local < x->first[i] + x->share[i])
            return plan_node(x->plan, rank) * x->m->ngpus + i;
    assert(!"a rank without a GPU");
    return NO_GPU;
}

void exchange_collect(struct exchange *x, bool per_gpu)
{
    uint32_t gpn = x->halo->gpus_per_node;

    for (uint32_t c = 0; c < x->halo->nclasses; c++) {
        const struct halo_class *class = &x->halo->classes[c];
        uint32_t node = class->src / gpn;
        uint32_t rank = exchange_rank(x, node, class->src % gpn, 0);
        parcels_push(&x->parcels, (struct parcel){
                                      .piece = {c, 0, class->count},
                                      .src = class->src,
                                      .src_node = node,
                                      .dst_node = class->dst_node,
                                      .dst_mask = class->dst_mask,
                                      .dst_first = class->dst_first,
                                      .at = rank,
                                      .to = rank,
                                      .op = AT_OWNER,
                                  });
    }
    if (per_gpu) {
        parcels_per_gpu(&x->parcels, false);
        parcels_per_gpu(&x->parcels, true);
    }
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return (a > b) - (a < b);
}

/* Lets the newest operation wait for the operations that brought these
 * parcels. */
static void exchange_load_deps(struct exchange *x, const struct parcel *run,
                               size_t n)
{
    size_t ops = 0;

    if (x->scratch_room < n) {
        x->scratch_room = n * 2;
        x->scratch = xrealloc(x->scratch, x->scratch_room, sizeof *x->scratch);
    }
    /* Adjacent parcels often came by the same operation. */
    for (size_t i = 0; i < n; i++)
        if (run[i].op != AT_OWNER && (!ops || x->scratch[ops - 1] != run[i].op))
            x->scratch[ops++] = run[i].op;
    if (ops > 1)
        qsort(x->scratch, ops, sizeof *x->scratch, by_number);
    for (size_t i = 0; i < ops; i++)
        if (!i || x->scratch[i] != x->scratch[i - 1])
            plan_after(x->plan, x->scratch[i]);
}

/* Adds these values to the newest operation; adjacent ones become one piece. */
static void exchange_load_pieces(struct exchange *x, const struct parcel *run,
                                 size_t n)
{
    struct piece piece = run[0].piece;

    if (x->options->no_pieces)
        return;
    for (size_t i = 1; i < n; i++) {
        const struct piece *next = &run[i].piece;
        if (next->class_id == piece.class_id &&
            next->first == piece.first + piece.count) {
            piece.count += next->count;
            continue;
        }
        plan_piece(x->plan, piece);
        piece = *next;
    }
    plan_piece(x->plan, piece);
}

static void exchange_load(struct exchange *x, uint32_t op, struct parcel *run,
                          size_t n)
{
    exchange_load_deps(x, run, n);
    exchange_load_pieces(x, run, n);
    for (size_t i = 0; i < n; i++) {
        run[i].op = op;
        run[i].at = run[i].to;
    }
}

/* Returns the end of the run of parcels at one rank that begins at i. */
static size_t rank_end(const struct parcels *p, size_t i)
{
    size_t end = i + 1;

    while (end < p->n && p->items[end].at == p->items[i].at)
        end++;
    return end;
}

static uint64_t exchange_bytes(const struct exchange *x,
                               const struct parcel *run, size_t n)
{
    return parcels_values(run, n) * x->halo->value_bytes;
}

static void exchange_copy(struct exchange *x, struct parcel *run, size_t n,
                          enum copy_dir dir)
{
    uint32_t op =
        plan_copy(x->plan, dir == D2H ? PHASE_COPY_OUT : PHASE_COPY_IN, run->at,
                  dir, exchange_gpu_of(x, run->at), exchange_bytes(x, run, n));

    exchange_load(x, op, run, n);
}

static void exchange_pack(struct exchange *x, struct parcel *run, size_t n,
                          enum phase phase, bool synced)
{
    uint32_t op =
        plan_pack(x->plan, phase, run->at, exchange_gpu_of(x, run->at),
                  exchange_bytes(x, run, n), synced);

    exchange_load(x, op, run, n);
}

static bool exchange_packs_ends(const struct exchange *x)
{
    return x->options->pack && !x->options->contiguous;
}

void exchange_copy_out(struct exchange *x)
{
    struct parcel *p;
    size_t end;

    if (x->host)
        return;
    parcels_sort_by_op(&x->parcels);
    p = x->parcels.items;
    for (size_t i = 0; i < x->parcels.n; i = end) {
        end = rank_end(&x->parcels, i);
        if (exchange_packs_ends(x)) /* the copy follows on the same stream */
            exchange_pack(x, &p[i], end - i, PHASE_PACK, x->device);
        if (!x->device)
            exchange_copy(x, &p[i], end - i, D2H);
    }
}

/* Lists of the packs of each rank, newest first: the newest one of rank r is
 * operation last[r] - 1, the one before operation k is before[k] - 1; 0 ends
 * the list. */
struct packs {
    uint32_t *last, *before;
};

static struct packs exchange_list_packs(const struct plan *p)
{
    struct packs list = {
        xcalloc((size_t)p->nodes * p->ranks_per_node, sizeof *list.last),
        xcalloc(p->nops, sizeof *list.before)};

    for (uint32_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_PACK) {
            list.before[i] = list.last[p->ops[i].src];
            list.last[p->ops[i].src] = i + 1;
        }
    return list;
}

void exchange_copy_in(struct exchange *x)
{
    struct packs packs;
    struct parcel *p;
    size_t end;

    if (x->host)
        return;
    packs = exchange_list_packs(x->plan);
    parcels_sort_by_op(&x->parcels);
    p = x->parcels.items;
    for (size_t i = 0; i < x->parcels.n; i = end) {
        end = rank_end(&x->parcels, i);
        if (!x->device)
            exchange_copy(x, &p[i], end - i, H2D);
        else if (exchange_packs_ends(x))
            exchange_pack(x, &p[i], end - i, PHASE_UNPACK, false);
        else
            continue;
        for (uint32_t k = packs.last[p[i].at]; k; k = packs.before[k - 1])
            plan_after(x->plan, k - 1);
        if (!x->device && exchange_packs_ends(x))
            exchange_pack(x, &p[i], end - i, PHASE_UNPACK, false);
    }
    free(packs.last);
    free(packs.before);
}

/* --- sends ---------------------------------------------------------------- */

/* Returns whether a message brought the parcel here and another one forwards
 * it. */
static bool is_sent_on(const struct exchange *x, const struct parcel *p)
{
    return p->at != p->to && p->op != AT_OWNER &&
           x->plan->ops[p->op].kind == OP_MSG;
}

/* Packs the parcels that are forwarded, in the memory of the GPU or of the
 * rank. */
static void exchange_pack_again(struct exchange *x, struct parcel *run,
                                size_t n, uint32_t gpu)
{
    struct parcels *again = &x->packed;
    uint32_t op;

    again->n = 0;
    for (size_t i = 0; i < n; i++)
        if (is_sent_on(x, &run[i]))
            parcels_push(again, run[i]);
    if (!again->n)
        return;
    op = plan_pack(x->plan, PHASE_PACK, run->at, gpu,
                   exchange_bytes(x, again->items, again->n), gpu != NO_GPU);
    exchange_load_deps(x, again->items, again->n);
    exchange_load_pieces(x, again->items, again->n);
    for (size_t i = 0; i < n; i++)
        if (is_sent_on(x, &run[i]))
            run[i].op = op;
}

static void exchange_pack_on_gpus(struct exchange *x)
{
    size_t end;

    for (size_t i = 0; i < x->parcels.n; i = end) {
        end = rank_end(&x->parcels, i);
        exchange_pack_again(x, &x->parcels.items[i], end - i,
                            exchange_gpu_of(x, x->parcels.items[i].at));
    }
}

static bool travel_together(const struct parcel *a, const struct parcel *b,
                            enum phase phase)
{
    return a->at == b->at && a->to == b->to &&
           (phase != PHASE_OFF_NODE || a->part == b->part);
}

/* Plans the messages of these parcels, which are all at one rank. */
static void exchange_send_run(struct exchange *x, struct parcel *p, size_t n,
                              enum phase phase)
{
    size_t end;

    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && travel_together(&p[i], &p[end], phase);
             end++)
            ;
        if (p[i].at == p[i].to)
            continue;
        if (x->options->pack && !x->device)
            exchange_pack_again(x, &p[i], end - i, NO_GPU);
        uint32_t op = plan_msg(
            x->plan, parcel_leaves(&p[i]) ? phase : PHASE_ON_NODE, p[i].at,
            p[i].to, x->device ? exchange_gpu_of(x, p[i].at) : NO_GPU,
            x->device ? exchange_gpu_of(x, p[i].to) : NO_GPU,
            exchange_bytes(x, &p[i], end - i));
        exchange_load(x, op, &p[i], end - i);
    }
}

/* Returns the number of a rank's parcels that go to ranks before it, if ranks
 * send to the next rank first (turned), else 0. */
static size_t exchange_before(const struct exchange *x, const struct parcel *p,
                              size_t n)
{
    size_t before = 0;

    while (x->options->turned && before < n && p[before].to < p[before].at)
        before++;
    return before;
}

void exchange_send(struct exchange *x, enum phase phase)
{
    size_t end;

    parcels_sort_by_op(&x->parcels);
    if (x->options->pack && x->device)
        exchange_pack_on_gpus(x);
    for (size_t i = 0; i < x->parcels.n; i = end) {
        struct parcel *p = &x->parcels.items[i];
        end = rank_end(&x->parcels, i);
        size_t before = exchange_before(x, p, end - i);
        exchange_send_run(x, p + before, end - i - before, phase);
        exchange_send_run(x, p, before, phase);
    }
}

static void exchange_deliver(struct exchange *x, bool leaving, enum phase phase)
{
    parcels_per_gpu(&x->parcels, leaving);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (parcel_leaves(p) == leaving)
            p->to = exchange_receiver(x, p);
    }
    exchange_send(x, phase);
}

void exchange_on_node(struct exchange *x)
{
    exchange_deliver(x, false, PHASE_ON_NODE);
}

void exchange_scatter(struct exchange *x)
{
    exchange_deliver(x, true, PHASE_SCATTER);
}

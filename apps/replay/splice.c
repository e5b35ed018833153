/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans a phase of a trace by an exchange strategy, and copies it into the plan
 * of the whole trace. */
#include "apps/replay/splice.h"

#include "sim/plan/ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- members -------------------------------------------------------------- */

/* A rank of the phase: its slot, and its number in the strategy's plan. */
struct member {
    uint32_t slot, rank, number;
};

struct members {
    struct member *of;       /* sorted by rank */
    uint32_t n, nodes, most; /* most: ranks on one node */
    uint32_t *on_node;
};

static int by_slot(const void *left, const void *right)
{
    const struct member *a = left, *b = right;

    return (a->slot > b->slot) - (a->slot < b->slot);
}

static int by_rank(const void *left, const void *right)
{
    const struct member *a = left, *b = right;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Lists the members by rank; nodes without members, and other ranks, are left
 * out. */
static void members_list(struct members *s, const struct trace_phase *p,
                         const struct splice_ranks *where)
{
    unsigned each = where->ranks_per_node;

    *s = (struct members){.n = p->nranks};
    s->of = xcalloc(s->n, sizeof *s->of);
    s->on_node = xcalloc(s->n, sizeof *s->on_node);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t r = p->ranks[i];
        s->of[i] = (struct member){where->slot ? where->slot[r] : r, r, 0};
    }
    qsort(s->of, s->n, sizeof *s->of, by_slot);
    for (uint32_t i = 0; i < s->n; i++) {
        s->nodes += !i || s->of[i].slot / each != s->of[i - 1].slot / each;
        uint32_t *here = &s->on_node[s->nodes - 1];
        s->of[i].number = (*here)++;
        s->most = *here > s->most ? *here : s->most;
    }
    uint32_t node = 0, left = s->on_node[0];
    for (uint32_t i = 0; i < s->n; i++, left--) {
        if (!left)
            left = s->on_node[++node];
        s->of[i].number += node * s->most;
    }
    qsort(s->of, s->n, sizeof *s->of, by_rank);
}

static void members_clear(struct members *s)
{
    free(s->of);
    free(s->on_node);
}

static uint32_t member_number(const struct members *s, uint32_t rank)
{
    const struct member key = {.rank = rank};
    const struct member *found =
        bsearch(&key, s->of, s->n, sizeof key, by_rank);

    return found->number;
}

/* --- the strategy's plan -------------------------------------------------- */

static bool goes_as_it_is(const struct phase_volume *v)
{
    return v->src == v->dst || !v->bytes;
}

static int by_class(const void *left, const void *right)
{
    const struct halo_class *a = left, *b = right;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst_node != b->dst_node)
        return a->dst_node < b->dst_node ? -1 : 1;
    if (a->dst_first != b->dst_first)
        return a->dst_first < b->dst_first ? -1 : 1;
    return a->dst_mask < b->dst_mask ? -1 : a->dst_mask > b->dst_mask;
}

/* Makes the halo, in which a value is a byte. */
static void splice_halo(struct halo *h, const struct members *s,
                        const struct trace_phase *p)
{
    *h = (struct halo){.ngpus = s->nodes * s->most,
                       .gpus_per_node = s->most,
                       .value_bytes = 1};
    h->classes = xcalloc(p->nvolumes, sizeof *h->classes);
    for (size_t i = 0; i < p->nvolumes; i++) {
        const struct phase_volume *v = &p->volumes[i];
        if (goes_as_it_is(v))
            continue;
        assert(s->most); /* the volume's ranks are members */
        uint32_t dst = member_number(s, v->dst), local = dst % s->most;
        h->classes[h->nclasses++] = (struct halo_class){
            .src = member_number(s, v->src),
            .dst_node = dst / s->most,
            .dst_mask = gpu_set_of(local % GPU_SET_BITS),
            .dst_first = local / GPU_SET_BITS * GPU_SET_BITS,
            .count = v->bytes};
    }
    qsort(h->classes, h->nclasses, sizeof *h->classes, by_class);
}

int splice_make(struct splice *s, const struct strategy *strategy,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where,
                const struct strategy_options *options, struct err *err)
{
    struct members members;

    if (!where->host && where->ranks_per_node > m->ngpus)
        return fail(err,
                    "%s: %u ranks on a node, with their data in GPU memory; "
                    "%s has %u GPUs: one for each is needed",
                    strategy->name, where->ranks_per_node, m->name, m->ngpus);
    *s = (struct splice){0};
    members_list(&members, phase, where);
    splice_halo(&s->halo, &members, phase);
    int result =
        strategy_plan_ranks(strategy, &s->plan, m, &s->halo, members.on_node,
                            where->host, options, err);
    s->rank = xmalloc(s->halo.ngpus * sizeof *s->rank);
    memset(s->rank, 0xff, s->halo.ngpus * sizeof *s->rank);
    for (uint32_t i = 0; i < members.n; i++)
        s->rank[members.of[i].number] = members.of[i].rank;
    members_clear(&members);
    if (result < 0)
        splice_clear(s);
    return result;
}

void splice_clear(struct splice *s)
{
    plan_clear(&s->plan);
    halo_clear(&s->halo);
    free(s->rank);
    *s = (struct splice){0};
}

/* --- copying into the whole plan ------------------------------------------ */

struct splicing {
    const struct splice *s;
    struct plan *to;
    const struct trace_phase *phase;
    uint32_t *after;
    uint32_t shift;
    unsigned ngpus; /* 0 if data are in host memory */
};

static uint32_t *after_of(const struct splicing *x, uint32_t rank)
{
    return &x->after[trace_phase_member(x->phase, rank)];
}

static uint32_t gpu_of(const struct splicing *x, uint32_t rank)
{
    return plan_gpu_of(x->to, x->ngpus, rank);
}

/* Makes the newest operation begin, or its receive be posted, after its ranks'
 * operations before the phase. */
static void splice_hold(const struct splicing *x, uint32_t src, uint32_t dst,
                        bool sent_freely, bool received_freely)
{
    if (sent_freely && *after_of(x, src) != NO_OP)
        plan_after(x->to, *after_of(x, src));
    if (received_freely && *after_of(x, dst) != NO_OP)
        plan_posted_after(x->to, *after_of(x, dst));
}

static void splice_op(const struct splicing *x, uint32_t i)
{
    const struct plan *p = &x->s->plan;
    uint32_t copy = plan_add_copy(x->to, p, i);
    struct op *o = &x->to->ops[copy];

    o->src = x->s->rank[o->src];
    o->dst = x->s->rank[o->dst];
    if (o->src_gpu != NO_GPU)
        o->src_gpu = gpu_of(x, o->src);
    if (o->dst_gpu != NO_GPU)
        o->dst_gpu = gpu_of(x, o->dst);
    uint32_t src = o->src, dst = o->dst;
    bool message = o->kind == OP_MSG;
    for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
        plan_after(x->to, p->deps[d] + x->shift);
    splice_hold(x, src, dst, !plan_is_held(p, 0, i, false),
                message && src != dst && !plan_is_held(p, 0, i, true));
}

/* Adds a message between two ranks, as in the trace. */
static uint32_t splice_message(const struct splicing *x,
                               const struct phase_volume *v,
                               const struct splice_ranks *where)
{
    const uint32_t *slot = where->slot;
    unsigned each = where->ranks_per_node;
    bool stays = (slot ? slot[v->src] : v->src) / each ==
                 (slot ? slot[v->dst] : v->dst) / each;
    uint32_t op =
        plan_msg(x->to, stays ? PHASE_ON_NODE : PHASE_OFF_NODE, v->src, v->dst,
                 x->ngpus ? gpu_of(x, v->src) : NO_GPU,
                 x->ngpus ? gpu_of(x, v->dst) : NO_GPU, v->bytes);

    splice_hold(x, v->src, v->dst, true, v->src != v->dst);
    return op;
}

/* Makes the last operations of each rank in the phase the ones after which it
 * continues. */
static void splice_join(const struct splicing *x)
{
    const struct trace_phase *p = x->phase;
    struct rank_ends ends = rank_ends_list(x->to, x->shift);
    uint32_t *joint = xcalloc(p->nranks, sizeof *joint);

    for (uint32_t i = 0; i < p->nranks; i++) {
        uint32_t r = p->ranks[i];
        joint[i] = plan_work(x->to, r, 0);
        if (ends.first[r] == ends.first[r + 1] && x->after[i] != NO_OP)
            plan_after(x->to, x->after[i]);
        for (size_t e = ends.first[r]; e < ends.first[r + 1]; e++)
            plan_after(x->to, ends.ends[e]);
    }
    memcpy(x->after, joint, p->nranks * sizeof *joint);
    free(joint);
    rank_ends_clear(&ends);
}

void splice_add(const struct splice *s, struct plan *to,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where, uint32_t *after)
{
    const struct splicing x = {.s = s,
                               .to = to,
                               .phase = phase,
                               .after = after,
                               .shift = (uint32_t)to->nops,
                               .ngpus = where->host ? 0 : m->ngpus};

    for (uint32_t i = 0; i < s->plan.nops; i++)
        splice_op(&x, i);
    for (size_t i = 0; i < phase->nvolumes; i++)
        if (goes_as_it_is(&phase->volumes[i]))
            splice_message(&x, &phase->volumes[i], where);
    if (to->origin)
        plan_origin_together(to->origin, x.shift, (uint32_t)to->nops);
    splice_join(&x);
}

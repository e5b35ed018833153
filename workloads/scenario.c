/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the message patterns of Fig 4.3 of Lockhart et al. 2022 as halos. */
#include "workloads/scenario.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int scenario_check(unsigned gpus_per_node, const struct scenario *s,
                          struct err *err)
{
    if (halo_check_shape(gpus_per_node, gpus_per_node, err) < 0)
        return -1;
    if (!s->messages || !s->nodes || !s->bytes)
        return fail(err, "messages, nodes and bytes: expected above 0");
    if (s->nodes > UINT32_MAX / HALO_MAX_GPUS_PER_NODE - 1)
        return fail(err, "%u nodes are too many", s->nodes);
    if (s->bytes > UINT64_MAX / s->messages)
        return fail(err, "%u messages of %llu bytes are too many", s->messages,
                    (unsigned long long)s->bytes);
    if (!(s->duplicates >= 0 && s->duplicates <= 1))
        return fail(err, "duplicates: expected 0 to 1, got %g", s->duplicates);
    return 0;
}

/* Returns the GPU that sends message j. */
static unsigned sender(const struct scenario *s, unsigned gpus, unsigned j)
{
    unsigned each = s->messages / gpus, more = s->messages % gpus;

    if (s->best_case)
        return j % s->nodes % gpus;
    return j < more * (each + 1) ? j / (each + 1) : (j - more) / each;
}

/* Returns the number of messages of each pair: counts[(src * nodes + node) *
 * gpus + dst]. The caller frees it. */
static uint64_t *count_messages(const struct scenario *s, unsigned gpus)
{
    size_t npairs = (size_t)gpus * s->nodes;
    uint64_t *counts = xcalloc(npairs * gpus, sizeof *counts);
    unsigned *turn = xcalloc(npairs, sizeof *turn);

    for (unsigned j = 0; j < s->messages; j++) {
        unsigned src = sender(s, gpus, j);
        size_t pair = (size_t)src * s->nodes + j % s->nodes;
        counts[pair * gpus + (src + turn[pair]++) % gpus]++;
    }
    free(turn);
    return counts;
}

static void add_class(struct halo *h, uint32_t src, uint32_t node, gpu_set mask,
                      uint64_t count)
{
    if (count)
        h->classes[h->nclasses++] =
            (struct halo_class){src, node, mask, 0, count};
}

/* Adds the bytes from src to one node: those that all its partners there need,
 * and the rest for each. */
static void add_pair(struct halo *h, const struct scenario *s, uint32_t src,
                     uint32_t node, const uint64_t *counts)
{
    unsigned gpus = h->gpus_per_node, partners = 0;
    uint64_t all = 0, least = UINT64_MAX;
    gpu_set mask = 0;

    for (unsigned g = 0; g < gpus; g++) {
        if (!counts[g])
            continue;
        mask |= gpu_set_of(g);
        partners++;
        all += counts[g];
        least = counts[g] < least ? counts[g] : least;
    }
    uint64_t shared = 0;
    if (partners > 1)
        shared = (uint64_t)fmin(floor(s->duplicates * (double)all *
                                      (double)s->bytes / (partners - 1)),
                                (double)(least * s->bytes));
    /* The mask of all comes after those of one, because a halo is sorted. */
    for (unsigned g = 0; g < gpus; g++)
        if (counts[g])
            add_class(h, src, node, gpu_set_of(g),
                      counts[g] * s->bytes - shared);
    add_class(h, src, node, mask, shared);
}

int scenario_halo(struct halo *out, unsigned gpus_per_node,
                  const struct scenario *s, struct err *err)
{
    if (scenario_check(gpus_per_node, s, err) < 0)
        return fail_in(err, "scenario");

    uint32_t ngpus = (s->nodes + 1) * gpus_per_node;
    uint64_t *counts = count_messages(s, gpus_per_node);
    *out = (struct halo){
        .ngpus = ngpus, .gpus_per_node = gpus_per_node, .value_bytes = 1};
    out->gpu_rows = xcalloc(ngpus, sizeof *out->gpu_rows);
    out->gpu_nnz = xcalloc(ngpus, sizeof *out->gpu_nnz);
    out->classes =
        xcalloc((size_t)gpus_per_node * s->nodes * (gpus_per_node + 1),
                sizeof *out->classes);
    for (uint32_t src = 0; src < gpus_per_node; src++)
        for (uint32_t node = 0; node < s->nodes; node++)
            add_pair(out, s, src, node + 1,
                     &counts[((size_t)src * s->nodes + node) * gpus_per_node]);
    free(counts);
    return 0;
}

/* Lets the newest operation of `out` carry the next `bytes` of the values, from
 * piece *at on, of which *done values have been sent. */
static void cut_pieces(struct plan *out, const struct plan *in,
                       const struct halo *halo, uint32_t *at, uint64_t *done,
                       uint64_t bytes)
{
    uint64_t values = bytes / halo->value_bytes;

    while (values) {
        const struct piece *p = &in->pieces[*at];
        uint64_t take = p->count - *done < values ? p->count - *done : values;
        plan_piece(out, (struct piece){p->class_id, p->first + *done, take});
        values -= take;
        *done += take;
        if (*done == p->count) {
            (*at)++;
            *done = 0;
        }
    }
}

/* The operations in the new plan for one of the old plan. */
struct place {
    uint32_t first, n;
};

static void add_deps(struct plan *out, const struct plan *in, size_t op,
                     const struct place *places)
{
    for (uint32_t i = plan_first_dep(in, op); i < plan_end_dep(in, op); i++) {
        uint32_t dep = in->deps[i];
        struct place place = places[dep & DEP_OP];
        for (uint32_t k = 0; k < place.n; k++)
            plan_after(out, (place.first + k) | (dep & AFTER_SENT));
    }
}

static void add_op(struct plan *out, const struct op *op, uint64_t bytes)
{
    if (op->kind == OP_MSG)
        plan_msg(out, (enum phase)op->phase, op->src, op->dst, op->src_gpu,
                 op->dst_gpu, bytes);
    else if (op->kind == OP_WORK)
        plan_work(out, op->src, op->work_s);
    else if (op->dir == D2D)
        plan_copy_peer(out, (enum phase)op->phase, op->src, op->src_gpu,
                       op->dst_gpu, bytes);
    else
        plan_copy(out, (enum phase)op->phase, op->src, (enum copy_dir)op->dir,
                  op->src_gpu, bytes);
}

void scenario_unmerge(struct plan *out, const struct plan *in,
                      const struct halo *halo, uint64_t message_B)
{
    struct place *places = xcalloc(in->nops, sizeof *places);

    /* Values are not divided. */
    message_B -= message_B % halo->value_bytes;
    assert(message_B > 0);
    plan_init(out, NULL, in->name, in->nodes, in->ranks_per_node, in->core);
    for (size_t i = 0; i < in->nops; i++) {
        const struct op *op = &in->ops[i];
        bool cut = op->kind == OP_MSG && op->phase == PHASE_OFF_NODE;
        uint32_t piece = plan_first_piece(in, i);
        uint64_t left = op->bytes, done = 0;
        places[i].first = (uint32_t)out->nops;
        do {
            uint64_t bytes = cut && left > message_B ? message_B : left;
            add_op(out, op, bytes);
            add_deps(out, in, i, places);
            if (plan_npieces(in, i))
                cut_pieces(out, in, halo, &piece, &done, bytes);
            places[i].n++;
            left -= bytes;
        } while (left);
    }
    free(places);
}

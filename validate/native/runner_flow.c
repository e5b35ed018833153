/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the values of a halo through one execution: only values that have
 * arrived are sent, and in the end each GPU must have all that it needs. */
#include "validate/native/runner.h"

#include <stdlib.h>
#include <string.h>

/* The values of each class at a place, and which of them are there. */
struct store {
    uint8_t **bytes; /* one per class; NULL for none */
    bool **there;
};

struct flow {
    /* Host memory of this rank; by GPU of the node. */
    struct store host, *device;
    uint8_t *text; /* buffer for the largest operation */
    /* For each class, and each GPU of its node that needs it. */
    uint64_t *arrived;
    size_t *entry; /* for each class, the first of its GPUs in `arrived` */
    size_t nentries;
};

static uint32_t runner_flow_first_gpu(const struct runner *r)
{
    return (uint32_t)r->n->node * r->ngpus;
}

static void store_clear(struct store *s, uint32_t nclasses)
{
    for (uint32_t c = 0; c < nclasses && s->bytes; c++) {
        free(s->bytes[c]);
        free(s->there[c]);
    }
    free(s->bytes);
    free(s->there);
}

static void store_class(struct store *s, const struct runner *r, uint32_t c)
{
    const struct halo *h = r->halo;

    if (!s->bytes) {
        s->bytes = xcalloc(h->nclasses, sizeof *s->bytes);
        s->there = xcalloc(h->nclasses, sizeof *s->there);
    }
    if (!s->bytes[c]) {
        s->bytes[c] = xmalloc(h->classes[c].count * h->value_bytes);
        s->there[c] = xcalloc(h->classes[c].count, sizeof(bool));
    }
}

/* Return the store that an operation reads its values from, and the one that it
 * writes them to: this rank's host memory or a GPU's. */
static struct store *source(struct runner *r, const struct op *o, uint32_t *gpu)
{
    bool device = o->kind == OP_COPY ? o->dir != H2D : o->src_gpu != NO_GPU;

    *gpu = device ? o->src_gpu : NO_GPU;
    return device ? &r->flow->device[o->src_gpu - runner_flow_first_gpu(r)]
                  : &r->flow->host;
}

static struct store *target(struct runner *r, const struct op *o, uint32_t *gpu)
{
    *gpu = o->kind != OP_COPY ? o->dst_gpu
           : o->dir == H2D    ? o->src_gpu
           : o->dir == D2D    ? o->dst_gpu
                              : NO_GPU;
    return *gpu != NO_GPU ? &r->flow->device[*gpu - runner_flow_first_gpu(r)]
                          : &r->flow->host;
}

/* Sets the values that the owner of a class has at the start. */
static void own(struct runner *r, struct store *s, uint32_t c)
{
    const struct halo *h = r->halo;

    runner_put_values(s->bytes[c], r,
                      (struct piece){c, 0, h->classes[c].count});
    memset(s->there[c], true, h->classes[c].count);
}

void flow_pack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    uint32_t gpu, size = r->halo->value_bytes;
    struct store *s = source(r, o, &gpu);
    uint8_t *to = r->flow->text;

    if (!r->out[op] || !plan_npieces(r->plan, op))
        return;
    for (uint32_t i = plan_first_piece(r->plan, op);
         i < plan_end_piece(r->plan, op); i++) {
        struct piece p = r->plan->pieces[i];
        bool fresh = !s->bytes || !s->bytes[p.class_id];
        store_class(s, r, p.class_id);
        if (fresh && gpu == r->halo->classes[p.class_id].src)
            own(r, s, p.class_id);
        for (uint64_t v = p.first; v < p.first + p.count; v++)
            if (!s->there[p.class_id][v])
                native_die("%s: operation %u sends value %llu of class %u, "
                           "which has not arrived",
                           r->plan->name, op, (unsigned long long)v,
                           p.class_id);
        memcpy(to, s->bytes[p.class_id] + p.first * size, p.count * size);
        to += p.count * size;
    }
    runner_move(r, r->out[op], r->flow->text, o->bytes);
}

/* Counts a value that arrives, if its GPU needs it; it is called once per
 * value. */
static void count_arrival(struct runner *r, uint32_t gpu, uint32_t c)
{
    const struct halo_class *k = &r->halo->classes[c];
    uint32_t bit = gpu % r->ngpus;
    size_t at = r->flow->entry[c];

    if (gpu == NO_GPU || gpu / r->ngpus != k->dst_node ||
        !(k->dst_mask >> bit & 1))
        return;
    at += gpu_set_count(k->dst_mask & (gpu_set_of(bit) - 1));
    r->flow->arrived[at]++;
}

void flow_unpack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    uint32_t gpu, size = r->halo->value_bytes;
    struct store *s = target(r, o, &gpu);
    const uint8_t *from = r->flow->text;

    if (!r->in[op] || !plan_npieces(r->plan, op))
        return;
    runner_move(r, r->flow->text, r->in[op], o->bytes);
    for (uint32_t i = plan_first_piece(r->plan, op);
         i < plan_end_piece(r->plan, op); i++) {
        struct piece p = r->plan->pieces[i];
        store_class(s, r, p.class_id);
        memcpy(s->bytes[p.class_id] + p.first * size, from, p.count * size);
        from += p.count * size;
        for (uint64_t v = p.first; v < p.first + p.count; v++) {
            if (!s->there[p.class_id][v])
                count_arrival(r, gpu, p.class_id);
            s->there[p.class_id][v] = true;
        }
    }
}

struct flow *flow_new(const struct runner *r)
{
    struct flow *f = xcalloc(1, sizeof *f);
    const struct halo *h = r->halo;
    uint64_t most = 1;

    f->device = xcalloc(r->ngpus, sizeof *f->device);
    f->entry = xcalloc(h->nclasses, sizeof *f->entry);
    for (uint32_t c = 0; c < h->nclasses; c++) {
        f->entry[c] = f->nentries;
        f->nentries += gpu_set_count(h->classes[c].dst_mask);
    }
    f->arrived = xcalloc(f->nentries, sizeof *f->arrived);
    for (uint32_t op = 0; op < r->plan->nops; op++)
        if (plan_npieces(r->plan, op) && r->plan->ops[op].bytes > most)
            most = r->plan->ops[op].bytes;
    f->text = xmalloc(most);
    return f;
}

void flow_free(struct flow *f, const struct runner *r)
{
    store_clear(&f->host, r->halo->nclasses);
    for (unsigned g = 0; g < r->ngpus; g++)
        store_clear(&f->device[g], r->halo->nclasses);
    free(f->device);
    free(f->entry);
    free(f->arrived);
    free(f->text);
    free(f);
}

/* Checks that, over all ranks of a GPU, every value that it needs has arrived
 * exactly once. */
void flow_check(const struct runner *r)
{
    const struct flow *f = r->flow;
    uint64_t *all = xcalloc(f->nentries, sizeof *all);

    MPI_TRY(MPI_Reduce(f->arrived, all, (int)f->nentries, MPI_UINT64_T, MPI_SUM,
                       0, MPI_COMM_WORLD));
    for (uint32_t c = 0; c < r->halo->nclasses && r->n->rank == 0; c++) {
        const struct halo_class *k = &r->halo->classes[c];
        int gpus = (int)gpu_set_count(k->dst_mask);
        for (int g = 0; g < gpus; g++)
            if (all[f->entry[c] + (size_t)g] != k->count)
                native_die("%s: of the %llu values of class %u, %llu have "
                           "arrived at GPU no. %d of node %u that needs them",
                           r->plan->name, (unsigned long long)k->count, c,
                           (unsigned long long)all[f->entry[c] + (size_t)g], g,
                           k->dst_node);
    }
    free(all);
}

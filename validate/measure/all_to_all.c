/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BenchPress' all-to-all of GPUs as plans, in its four variants. */
#include "validate/measure/all_to_all.h"

#include <stdlib.h>

struct a2a {
    struct plan *p;
    const struct machine *m;
    const struct experiment *x;
    unsigned gpus, per_gpu; /* GPUs in all, ranks of each */
};

/* Rank q of a GPU: the GPUs of a node share its ranks in blocks. */
static uint32_t rank_of(const struct a2a *a, unsigned gpu, unsigned q)
{
    unsigned node = gpu / a->m->ngpus, local = gpu % a->m->ngpus;

    return node * a->p->ranks_per_node + local * a->per_gpu + q;
}

/* A message from GPU to GPU of every pair, itself included, in rank order. */
static void all_pairs(const struct a2a *a, const uint32_t *before,
                      uint32_t *first)
{
    bool aware = a->x->strategy == CUDA_AWARE;

    *first = (uint32_t)a->p->nops;
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned d = 0; d < a->gpus; d++) {
            plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, 0), rank_of(a, d, 0),
                     aware ? g : NO_GPU, aware ? d : NO_GPU, a->x->bytes);
            if (before)
                plan_after(a->p, before[g]);
        }
}

static void copy_to_cpu(const struct a2a *a)
{
    uint32_t *out = xcalloc(a->gpus, sizeof *out), first;
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++)
        out[g] = plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, 0), D2H, g, all);
    all_pairs(a, out, &first);
    for (unsigned g = 0; g < a->gpus; g++) {
        plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
        for (unsigned s = 0; s < a->gpus; s++)
            plan_after(a->p, first + s * a->gpus + g);
        /* Waitall waits for the sends too. */
        for (unsigned d = 0; d < a->gpus; d++)
            plan_after(a->p, (first + g * a->gpus + d) | AFTER_SENT);
    }
    free(out);
}

/* Of GPU `own`, rank q sends this many messages of x.bytes. */
static unsigned all_to_all_parts(const struct a2a *a, unsigned own, unsigned q)
{
    unsigned n = 0;

    for (unsigned d = 0; d < a->gpus; d++)
        n += d % a->per_gpu == (own + q) % a->per_gpu;
    return n;
}

/*
 * All ranks take part. By a bug of the program all messages of rank q of a GPU
 * go to rank q of one GPU, q further on. ready[g * per_gpu + q] must be done
 * before they leave (NO_OP: nothing). first[] gets the number of their first.
 */
static void all_ranks(const struct a2a *a, const uint32_t *ready,
                      uint32_t *first)
{
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            uint32_t before = ready[(size_t)g * a->per_gpu + q];
            first[(size_t)g * a->per_gpu + q] = (uint32_t)a->p->nops;
            for (unsigned k = 0; k < all_to_all_parts(a, g, q); k++) {
                plan_msg(a->p, PHASE_OFF_NODE, rank_of(a, g, q),
                         rank_of(a, (g + q) % a->gpus, q), NO_GPU, NO_GPU,
                         a->x->bytes);
                if (before != NO_OP)
                    plan_after(a->p, before);
            }
        }
}

/* The newest op comes after all messages that rank q of GPU g gets. */
static void after_parts(const struct a2a *a, const uint32_t *first, unsigned g,
                        unsigned q)
{
    unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;

    for (unsigned k = 0; k < all_to_all_parts(a, from, q); k++)
        plan_after(a->p, first[(size_t)from * a->per_gpu + q] + k);
}

/* The first rank of a GPU copies all and hands the others their parts with
 * blocking sends; the parts come back to it in the end. */
static void extra_message(const struct a2a *a)
{
    size_t n = (size_t)a->gpus * a->per_gpu;
    uint32_t *ready = xcalloc(n, sizeof *ready);
    uint32_t *first = xcalloc(n, sizeof *first);
    uint64_t all = a->gpus * a->x->bytes;

    for (unsigned g = 0; g < a->gpus; g++) {
        uint32_t before =
            plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, 0), D2H, g, all);
        bool sent = false;
        for (unsigned q = 1; q < a->per_gpu; q++) {
            uint64_t bytes = all_to_all_parts(a, g, q) * a->x->bytes;
            ready[(size_t)g * a->per_gpu + q] = NO_OP;
            if (!bytes)
                continue;
            uint32_t op = plan_msg(a->p, PHASE_GATHER, rank_of(a, g, 0),
                                   rank_of(a, g, q), NO_GPU, NO_GPU, bytes);
            plan_after(a->p, sent ? before | AFTER_SENT : before);
            ready[(size_t)g * a->per_gpu + q] = before = op;
            sent = true;
        }
        ready[(size_t)g * a->per_gpu] = sent ? before | AFTER_SENT : before;
    }
    all_ranks(a, ready, first);
    for (unsigned g = 0; g < a->gpus; g++) {
        uint32_t back = (uint32_t)a->p->nops, nback = 0;
        for (unsigned q = 1; q < a->per_gpu; q++) {
            unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;
            uint64_t bytes = all_to_all_parts(a, from, q) * a->x->bytes;
            if (!bytes)
                continue;
            plan_msg(a->p, PHASE_SCATTER, rank_of(a, g, q), rank_of(a, g, 0),
                     NO_GPU, NO_GPU, bytes);
            after_parts(a, first, g, q);
            nback++;
        }
        plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, 0), H2D, g, all);
        after_parts(a, first, g, 0);
        for (uint32_t i = 0; i < nback; i++)
            plan_after(a->p, back + i);
    }
    free(ready);
    free(first);
}

/* Every rank copies its own part out and in; a rank without a part does
 * nothing. */
static void dup_devptr(const struct a2a *a)
{
    size_t n = (size_t)a->gpus * a->per_gpu;
    uint32_t *ready = xcalloc(n, sizeof *ready);
    uint32_t *first = xcalloc(n, sizeof *first);

    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++)
            ready[(size_t)g * a->per_gpu + q] =
                all_to_all_parts(a, g, q)
                    ? plan_copy(a->p, PHASE_COPY_OUT, rank_of(a, g, q), D2H, g,
                                all_to_all_parts(a, g, q) * a->x->bytes)
                    : NO_OP;
    all_ranks(a, ready, first);
    for (unsigned g = 0; g < a->gpus; g++)
        for (unsigned q = 0; q < a->per_gpu; q++) {
            unsigned from = (g + a->gpus - q % a->gpus) % a->gpus;
            if (!all_to_all_parts(a, from, q))
                continue;
            plan_copy(a->p, PHASE_COPY_IN, rank_of(a, g, q), H2D, g,
                      all_to_all_parts(a, from, q) * a->x->bytes);
            after_parts(a, first, g, q);
        }
    free(ready);
    free(first);
}

int all_to_all_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err)
{
    struct a2a a = {p, m, x, x->nodes * m->ngpus, x->ranks_per_node / m->ngpus};
    uint32_t first;

    if (x->ranks_per_node > m->ncores || a.per_gpu == 0)
        return fail(err, "%s has %u cores and %u GPUs: %u ranks do not fit",
                    m->name, m->ncores, m->ngpus, x->ranks_per_node);
    plan_init(p, m, "all_to_all_v", x->nodes, x->ranks_per_node, NULL);
    switch (x->strategy) {
    case CUDA_AWARE:
        all_pairs(&a, NULL, &first);
        break;
    case COPY_TO_CPU:
        copy_to_cpu(&a);
        break;
    case EXTRA_MESSAGE:
        extra_message(&a);
        break;
    default:
        dup_devptr(&a);
    }
    return 0;
}

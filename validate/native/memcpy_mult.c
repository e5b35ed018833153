/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several ranks copy to or from every GPU of a node at once. */
#include "validate/native/bench.h"
#include "validate/native/copies.h"
#include "validate/native/mps.h"

struct mult {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned gpus, per_gpu; /* ranks of a GPU, in blocks */
    unsigned most;          /* that copy at once */
};

static void memcpy_mult_points(const struct mult *b, struct copies *c,
                               unsigned copying)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    const char *dir = copy_dir_names[c->dir];

    for (c->bytes = b->o->sizes.from; c->bytes <= b->o->sizes.to;
         c->bytes *= b->o->sizes.factor) {
        struct samples s;
        copies_check(c);
        repeat(&s, b->n, &how, copies_batch, c);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%u,%u,%llu,%d,%u,%.6e", dir, dir, copying,
                      b->gpus, (unsigned long long)c->bytes, b->n->per_node,
                      s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

static int memcpy_mult_measure(const struct mult *b, struct err *err)
{
    unsigned gpu = (unsigned)b->n->local / b->per_gpu;
    unsigned place = (unsigned)b->n->local % b->per_gpu;
    struct copies c;

    /* Ranks that are left over have no GPU. */
    bool has = b->n->node == 0 && gpu < b->gpus && place < b->most;
    if (copies_init(&c, b->n, has, gpu, -1, b->o->sizes.to, err) < 0)
        return -1;
    for (unsigned copying = 1; copying <= b->most; copying++)
        for (int d = H2D; d <= D2H; d++) {
            c.active = has && place < copying;
            c.dir = (enum copy_dir)d;
            memcpy_mult_points(b, &c, copying);
        }
    copies_clear(&c);
    return 0;
}

static int deal_ranks(struct mult *b, unsigned gpus, unsigned copiers,
                      struct err *err)
{
    unsigned ranks = (unsigned)b->n->per_node;

    if (copies_gpus(&b->gpus, b->n, gpus, err) < 0)
        return -1;
    /* What was not asked for gives way. */
    if (!gpus && b->gpus > ranks)
        b->gpus = ranks;
    if (b->gpus > ranks)
        return fail(err, "--gpus %u: there are %u ranks on a node", b->gpus,
                    ranks);
    b->per_gpu = ranks / b->gpus;
    if (copiers > b->per_gpu)
        return fail(err, "--copiers %u: there are %u ranks for each GPU",
                    copiers, b->per_gpu);
    b->most = copiers ? copiers : b->per_gpu < 10 ? b->per_gpu : 10;
    return 0;
}

int bench_memcpy_mult(struct native *n, int argc, char **argv, struct err *err)
{
    static const char *const notes[] = {
        "on every GPU of one node at once, the first copying_ranks_per_gpu of "
        "its ranks (in blocks) each copy bytes_per_rank, not split, on a "
        "stream of their own: cudaMemcpyAsync, then cudaStreamSynchronize; "
        "all other ranks sleep",
        "time_s: elapsed/iterations, maximum over the ranks; one row a batch, "
        "after two that do not count",
        COPIES_HOST_NOTE, NULL};
    struct bench_options o = {.sizes = {4, 4u << 20},
                              .copies = true,
                              .about =
                                  "1, 2, ... ranks of every GPU of the first "
                                  "node copy at once, each --sizes; the\n"
                                  "time is that of the slowest. Without a GPU "
                                  "memcpy between host buffers.\n"};
    unsigned gpus = 0, copiers = 0;
    const char *mps = NULL;
    const struct opt more[] = {
        COPIES_OPTIONS(mps, gpus),
        {"copiers", OPT_COUNT, &copiers, "N",
         "at most N ranks of each GPU at once (its ranks, up to 10)"},
        {0}};
    struct table t;
    struct mult b = {.n = n, .o = &o, .t = &t};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "memcpy_mult [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (deal_ranks(&b, gpus, copiers, err) < 0 ||
        mps_find(&o.native.config, n, mps, err) < 0 ||
        table_open(&t, n, &o.native,
                   "copies by several ranks of each GPU at once, one node",
                   notes,
                   "direction_printed,direction_performed,"
                   "copying_ranks_per_gpu,gpus_copying,bytes_per_rank,"
                   "ranks_per_node,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, memcpy_mult_measure(&b, err), err);
}

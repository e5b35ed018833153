/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times several ranks that copy to or from every GPU of a node at once, in one
 * direction or both. */
#include "validate/measure/experiment.h"
#include "validate/native/bench.h"
#include "validate/native/copies.h"
#include "validate/native/mps.h"

struct mult {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned gpus, per_gpu; /* ranks per GPU, in blocks */
    unsigned most;          /* most ranks that copy at once */
    bool wanted[NCOPY_PATTERNS];

    /* The current point. */
    enum copy_pattern pattern;
    struct copies *c;
};

static double mult_batch(void *arg, unsigned iterations)
{
    const struct mult *b = arg;
    double time_s = 0;

    if (b->pattern != COPY_TURNS)
        return copies_batch(b->c, iterations);
    for (unsigned i = 0; i < iterations; i++) {
        b->c->dir = D2H;
        time_s += copies_batch(b->c, 1);
        b->c->dir = H2D;
        time_s += copies_batch(b->c, 1);
    }
    return time_s / (double)iterations;
}

static void memcpy_mult_points(struct mult *b, unsigned copying)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    struct copies *c = b->c;
    const char *dir =
        b->pattern == COPY_ONE_WAY ? copy_dir_names[c->dir] : "both";

    for (c->bytes = b->o->sizes.from; c->bytes <= b->o->sizes.to;
         c->bytes *= b->o->sizes.factor) {
        struct samples s;
        copies_check(c);
        repeat(&s, b->n, &how, mult_batch, b);
        for (size_t i = 0; i < s.n; i++)
            table_row(b->t, "%s,%s,%u,%u,%llu,%d,%s,%u,%.6e", dir, dir, copying,
                      b->gpus, (unsigned long long)c->bytes, b->n->per_node,
                      copy_pattern_names[b->pattern], s.iterations, s.s[i]);
        samples_clear(&s);
    }
}

static void memcpy_mult_patterns(struct mult *b, unsigned copying,
                                 unsigned place)
{
    for (int d = H2D; d <= D2H && b->wanted[COPY_ONE_WAY]; d++) {
        b->pattern = COPY_ONE_WAY;
        b->c->dir = (enum copy_dir)d;
        memcpy_mult_points(b, copying);
    }
    for (int p = COPY_HALF; p < NCOPY_PATTERNS; p++) {
        b->pattern = (enum copy_pattern)p;
        b->c->dir = place % 2 ? D2H : H2D;
        /* A rank alone has no other half. */
        if (b->wanted[p] && (p == COPY_TURNS || copying > 1))
            memcpy_mult_points(b, copying);
    }
}

static int memcpy_mult_measure(struct mult *b, struct err *err)
{
    unsigned gpu = (unsigned)b->n->local / b->per_gpu;
    unsigned place = (unsigned)b->n->local % b->per_gpu;
    struct copies c;

    /* Ranks that are left over have no GPU. */
    bool has = b->n->node == 0 && gpu < b->gpus && place < b->most;
    if (copies_init(&c, b->n, has, gpu, -1, b->o->sizes.to, err) < 0)
        return -1;
    b->c = &c;
    for (unsigned copying = 1; copying <= b->most; copying++) {
        c.active = has && place < copying;
        memcpy_mult_patterns(b, copying, place);
    }
    b->c = NULL;
    copies_clear(&c);
    return 0;
}

static int deal_ranks(struct mult *b, unsigned gpus, unsigned copiers,
                      struct err *err)
{
    unsigned ranks = (unsigned)b->n->per_node;

    if (copies_gpus(&b->gpus, b->n, gpus, err) < 0)
        return -1;
    /* A default number of GPUs is reduced to the number of ranks; one that the
     * user names is not. */
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
        "pattern: one_way: all copy in that direction; half: ranks of even "
        "number to the GPU, of odd number from it; turns: each from the GPU "
        "and then to it, time_s is that of both",
        "time_s: elapsed/iterations, maximum over the ranks; one row a batch, "
        "after two that do not count",
        COPIES_HOST_NOTE, NULL};
    struct bench_options o = {.sizes = {4, 4u << 20},
                              .copies = true,
                              .about =
                                  "1, 2, ... ranks of every GPU of the first "
                                  "node copy at once, each --sizes; the "
                                  "time is that of the slowest. Without a GPU "
                                  "memcpy between host buffers.\n"};
    unsigned gpus = 0, copiers = 0;
    const char *mps = NULL, *patterns = NULL;
    const struct opt more[] = {
        COPIES_OPTIONS(mps, gpus),
        {"patterns", OPT_TEXT, &patterns, "LIST",
         "of one_way,half,turns: each direction, both at once, one after the "
         "other (one_way)"},
        {"copiers", OPT_COUNT, &copiers, "N",
         "at most N ranks of each GPU at once (its ranks, up to 10)"},
        {0}};
    struct table t;
    struct mult b = {
        .n = n, .o = &o, .t = &t, .wanted = {[COPY_ONE_WAY] = true}};
    bool helped;

    if (bench_begin(n, &o, argc, argv, "memcpy_mult [OPTIONS]", more, &helped,
                    err) < 0)
        return -1;
    if (helped)
        return 0;
    if (bench_list(b.wanted, copy_pattern_names, NCOPY_PATTERNS, "patterns",
                   patterns, err) < 0 ||
        deal_ranks(&b, gpus, copiers, err) < 0 ||
        mps_find(&o.native, n, mps, err) < 0 ||
        table_open(&t, n, &o.native,
                   "copies by several ranks of each GPU at once, one node",
                   notes,
                   "direction_printed,direction_performed,"
                   "copying_ranks_per_gpu,gpus_copying,bytes_per_rank,"
                   "ranks_per_node,pattern,iterations,time_s",
                   err) < 0)
        return -1;
    return table_end(&t, n, memcpy_mult_measure(&b, err), err);
}

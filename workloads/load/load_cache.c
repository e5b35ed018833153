/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the matrices that loads read last, and the halos of their
 * partitions. */
#include "workloads/load/load_cache.h"

#include "base/memo.h"
#include "platforms/platform_cache.h"
#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

/* Only one matrix is kept because it may be large; its halos are small. */
enum { KEEP_MATRICES = 1, KEEP_HALOS = 32 };

struct load_cache {
    struct memo *matrices, *halos;
    struct platform_cache *platforms;
};

struct wanted_halo {
    struct load_cache *cache;
    const char *words, *partition;
    unsigned gpus, gpus_per_node;
};

static int make_matrix(void *value, const void *arg, struct err *err)
{
    return matrix_from_workload(value, arg, err);
}

static void clear_matrix(void *value)
{
    matrix_clear(value);
}

static int make_halo(void *value, const void *arg, struct err *err)
{
    const struct wanted_halo *w = arg;
    struct memo *matrices = w->cache->matrices;
    const struct matrix *m = memo_take(matrices, w->words, w->words, err);

    if (!m)
        return -1;
    int result =
        matrix_halo_by(value, m, w->partition, w->gpus, w->gpus_per_node, err);
    memo_give(matrices, m);
    return result;
}

static void clear_halo(void *value)
{
    halo_clear(value);
}

struct load_cache *load_cache_new(void)
{
    static const struct memo_kind matrices = {
        sizeof(struct matrix), make_matrix, clear_matrix, KEEP_MATRICES};
    static const struct memo_kind halos = {sizeof(struct halo), make_halo,
                                           clear_halo, KEEP_HALOS};
    struct load_cache *c = xcalloc(1, sizeof *c);

    c->matrices = memo_new(&matrices);
    c->halos = memo_new(&halos);
    c->platforms = platform_cache_new();
    return c;
}

void load_cache_free(struct load_cache *c)
{
    if (!c)
        return;
    memo_free(c->halos);
    memo_free(c->matrices);
    platform_cache_free(c->platforms);
    free(c);
}

struct platform_cache *load_cache_platforms(struct load_cache *c)
{
    return c ? c->platforms : NULL;
}

static void *copy_array(const void *from, size_t n, size_t bytes)
{
    void *to = xcalloc(n + 1, bytes);

    if (n)
        memcpy(to, from, n * bytes);
    return to;
}

/* Copies the halo of a matrix, which has one round. */
static void copy_halo(struct halo *to, const struct halo *from)
{
    *to = *from;
    to->classes =
        copy_array(from->classes, from->nclasses, sizeof *from->classes);
    to->gpu_rows =
        copy_array(from->gpu_rows, from->ngpus, sizeof *from->gpu_rows);
    to->gpu_nnz = copy_array(from->gpu_nnz, from->ngpus, sizeof *from->gpu_nnz);
}

int load_cache_halo(struct halo *h, struct load_cache *c, const char *words,
                    const char *partition, unsigned gpus,
                    unsigned gpus_per_node, struct err *err)
{
    const struct wanted_halo wanted = {c, words, partition, gpus,
                                       gpus_per_node};
    char *key =
        xasprintf("%s\n%s\n%u\n%u", words, partition, gpus, gpus_per_node);
    const struct halo *kept = memo_take(c->halos, key, &wanted, err);

    free(key);
    if (!kept)
        return -1;
    copy_halo(h, kept);
    memo_give(c->halos, kept);
    return 0;
}

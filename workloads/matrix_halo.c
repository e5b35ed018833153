/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derives the halo of a partitioned matrix, node by node, by a radix sort of
 * (sender, receivers) keys. */
#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

/* Each node is handled alone: the GPUs of a node that need a column are one
 * mask, so a nonzero costs one access to the masks and nothing else. The
 * columns found are then counted by (owner, mask). */
struct classes {
    struct halo_class *items;
    size_t n;
};

struct job {
    const struct matrix *m;
    const uint32_t *part;
    uint32_t ngpus, gpus_per_node;
    const uint32_t *rows; /* sorted by GPU */
    /* Start of each GPU in rows; one more at the end. */
    const uint64_t *gpu_start;
};

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS };

static unsigned bits_for(uint64_t n)
{
    unsigned bits = 0;

    while (bits < 64 && n >> bits)
        bits++;
    return bits;
}

/* Sorts by the low `bits` bits. The result is in *keys; *spare is scratch
 * space. */
static void radix_sort(uint64_t **keys, uint64_t **spare, size_t n,
                       unsigned bits)
{
    size_t start[RADIX + 1];

    for (unsigned shift = 0; shift < bits; shift += RADIX_BITS) {
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < n; i++)
            start[((*keys)[i] >> shift & (RADIX - 1)) + 1]++;
        for (size_t d = 1; d < RADIX; d++)
            start[d] += start[d - 1];
        for (size_t i = 0; i < n; i++)
            (*spare)[start[(*keys)[i] >> shift & (RADIX - 1)]++] = (*keys)[i];

        uint64_t *sorted = *spare;
        *spare = *keys;
        *keys = sorted;
    }
}

/* Makes a class of each run of equal keys. */
static struct classes count_runs(const uint64_t *keys, size_t n,
                                 unsigned mask_bits, uint32_t dst_node)
{
    struct classes runs = {0};

    for (size_t i = 0; i < n; i++)
        runs.n += i == 0 || keys[i] != keys[i - 1];
    runs.items = xcalloc(runs.n, sizeof *runs.items);
    runs.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1])
            runs.items[runs.n++] = (struct halo_class){
                .src = (uint32_t)(keys[i] >> mask_bits),
                .dst_node = dst_node,
                .dst_mask = keys[i] & ((UINT64_C(1) << mask_bits) - 1),
            };
        runs.items[runs.n - 1].count++;
    }
    return runs;
}

/* Memory that the nodes use one after the other. */
struct scratch {
    /* Per column: the GPUs of the node that need it, as `words` words. */
    uint32_t *mask;
    uint32_t words;
    uint32_t *touched; /* columns with a mask */
    uint64_t *keys, *spare;
    size_t keys_room;
};

static gpu_set needers(const struct scratch *s, uint32_t col)
{
    gpu_set needed_by = 0;

    for (uint32_t w = 0; w < s->words; w++)
        needed_by |= (gpu_set)s->mask[(size_t)col * s->words + w] << 32 * w;
    return needed_by;
}

/* Adds a GPU to a column on a node of several words. The column is new if none
 * of its words has a bit. */
static void touch_wide(struct scratch *s, uint32_t col, uint32_t gpu,
                       size_t *ntouched)
{
    if (!needers(s, col))
        s->touched[(*ntouched)++] = col;
    s->mask[(size_t)col * s->words + gpu / 32] |= UINT32_C(1) << gpu % 32;
}

static void touch_narrow(struct scratch *s, uint32_t col, uint32_t bit,
                         size_t *ntouched)
{
    if (!s->mask[col])
        s->touched[(*ntouched)++] = col;
    s->mask[col] |= bit;
}

static size_t touch_columns(const struct job *job, uint32_t node,
                            struct scratch *s)
{
    const struct matrix *m = job->m;
    uint32_t first = node * job->gpus_per_node;
    size_t ntouched = 0;

    for (uint32_t g = first; g < first + job->gpus_per_node && g < job->ngpus;
         g++) {
        uint32_t bit = UINT32_C(1) << (g - first) % 32;
        for (uint64_t i = job->gpu_start[g]; i < job->gpu_start[g + 1]; i++) {
            uint32_t row = job->rows[i];
            uint64_t k = m->row_ptr[row], end = m->row_ptr[row + 1];
            for (; s->words == 1 && k < end; k++)
                touch_narrow(s, m->col[k], bit, &ntouched);
            for (; k < end; k++)
                touch_wide(s, m->col[k], g - first, &ntouched);
        }
    }
    return ntouched;
}

static int by_owner(const void *left, const void *right)
{
    const struct halo_class *a = left, *b = right;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return (a->dst_mask > b->dst_mask) - (a->dst_mask < b->dst_mask);
}

/* Merges classes of one value each that are alike. */
static struct classes merge_values(struct halo_class *values, size_t n)
{
    struct classes runs = {.items = values};

    qsort(values, n, sizeof *values, by_owner);
    for (size_t i = 0; i < n; i++)
        if (i && !by_owner(&values[i], &values[runs.n - 1]))
            values[runs.n - 1].count++;
        else
            values[runs.n++] = values[i];
    return runs;
}

/* Returns the GPUs that need a touched column, without its owner, which has it
 * already. Clears the column's mask. */
static gpu_set take_needers(const struct job *job, struct scratch *s,
                            uint32_t col, uint32_t node)
{
    gpu_set needed_by = needers(s, col);
    uint32_t owner = job->part[col];

    memset(&s->mask[(size_t)col * s->words], 0, s->words * sizeof *s->mask);
    if (owner / job->gpus_per_node == node)
        needed_by &= ~gpu_set_of(owner % job->gpus_per_node);
    return needed_by;
}

/* Counts the classes of a node with more than 32 GPUs, whose sets do not fit
 * into a key. */
static struct classes wide_classes(const struct job *job, uint32_t node,
                                   struct scratch *s)
{
    size_t ntouched = touch_columns(job, node, s), n = 0;
    struct halo_class *values = xcalloc(ntouched, sizeof *values);

    for (size_t i = 0; i < ntouched; i++) {
        uint32_t col = s->touched[i];
        gpu_set needed_by = take_needers(job, s, col, node);
        if (needed_by)
            values[n++] = (struct halo_class){.src = job->part[col],
                                              .dst_node = node,
                                              .dst_mask = needed_by,
                                              .count = 1};
    }
    return merge_values(values, n);
}

static struct classes node_classes(const struct job *job, uint32_t node,
                                   struct scratch *s)
{
    unsigned mask_bits = job->gpus_per_node;
    size_t ntouched = touch_columns(job, node, s);
    size_t n = 0;

    if (ntouched > s->keys_room) {
        s->keys_room = ntouched;
        s->keys = xrealloc(s->keys, ntouched, sizeof *s->keys);
        s->spare = xrealloc(s->spare, ntouched, sizeof *s->spare);
    }
    for (size_t i = 0; i < ntouched; i++) {
        uint32_t col = s->touched[i];
        uint32_t owner = job->part[col];
        uint32_t mask = s->mask[col];
        s->mask[col] = 0;
        /* A GPU has its own values already. */
        if (owner / job->gpus_per_node == node)
            mask &= ~(UINT32_C(1) << owner % job->gpus_per_node);
        if (mask)
            s->keys[n++] = (uint64_t)owner << mask_bits | mask;
    }
    radix_sort(&s->keys, &s->spare, n, bits_for(job->ngpus) + mask_bits);
    return count_runs(s->keys, n, mask_bits, node);
}

static void all_nodes(const struct job *job, struct classes *of_node,
                      uint32_t nodes)
{
    uint32_t words = (job->gpus_per_node + 31) / 32;
    struct scratch s = {
        .mask = xcalloc((size_t)job->m->rows * words, sizeof *s.mask),
        .words = words,
        .touched = xcalloc(job->m->rows, sizeof *s.touched),
    };

    for (uint32_t n = 0; n < nodes; n++)
        of_node[n] =
            words == 1 ? node_classes(job, n, &s) : wide_classes(job, n, &s);
    free(s.mask);
    free(s.touched);
    free(s.keys);
    free(s.spare);
}

/* Returns the rows of GPU 0, then those of GPU 1, ..., each in order. The
 * caller frees them. */
static uint32_t *rows_by_gpu(const struct halo *h, const uint32_t *part,
                             uint32_t nrows, uint64_t *gpu_start)
{
    uint32_t *rows = xcalloc(nrows, sizeof *rows);
    uint64_t *next = xcalloc(h->ngpus, sizeof *next);

    gpu_start[0] = 0;
    for (uint32_t g = 0; g < h->ngpus; g++) {
        next[g] = gpu_start[g];
        gpu_start[g + 1] = gpu_start[g] + h->gpu_rows[g];
    }
    for (uint32_t row = 0; row < nrows; row++)
        rows[next[part[row]]++] = row;
    free(next);
    return rows;
}

/* Sorts the classes of all nodes by src, then node, by a stable counting
 * sort. */
static int gather_classes(struct halo *h, const struct classes *of_node,
                          struct err *err)
{
    uint64_t *next = xcalloc((size_t)h->ngpus + 1, sizeof *next);
    uint32_t nodes = halo_nodes(h);
    uint64_t total = 0;

    for (uint32_t n = 0; n < nodes; n++) {
        total += of_node[n].n;
        for (size_t i = 0; i < of_node[n].n; i++)
            next[of_node[n].items[i].src + 1]++;
    }
    if (total > UINT32_MAX) {
        free(next);
        return fail(err, "%llu classes of values: more than can be numbered",
                    (unsigned long long)total);
    }
    for (uint32_t g = 0; g < h->ngpus; g++)
        next[g + 1] += next[g];

    h->nclasses = (uint32_t)total;
    h->classes = xcalloc(total, sizeof *h->classes);
    for (uint32_t n = 0; n < nodes; n++)
        for (size_t i = 0; i < of_node[n].n; i++)
            h->classes[next[of_node[n].items[i].src]++] = of_node[n].items[i];
    free(next);
    return 0;
}

static int count_rows(struct halo *h, const struct matrix *m,
                      const uint32_t *part, struct err *err)
{
    for (uint32_t row = 0; row < m->rows; row++) {
        if (part[row] >= h->ngpus)
            return fail(err, "row %u is on GPU %u: there are %u GPUs", row,
                        part[row], h->ngpus);
        h->gpu_rows[part[row]]++;
        h->gpu_nnz[part[row]] += m->row_ptr[row + 1] - m->row_ptr[row];
    }
    return 0;
}

int matrix_halo(struct halo *out, const struct matrix *m, const uint32_t *part,
                uint32_t ngpus, uint32_t gpus_per_node, struct err *err)
{
    if (halo_check_shape(ngpus, gpus_per_node, err) < 0)
        return -1;

    *out = (struct halo){.ngpus = ngpus,
                         .gpus_per_node = gpus_per_node,
                         .value_bytes = m->value_bytes ? m->value_bytes : 8,
                         .rows = m->rows,
                         .nnz = m->row_ptr[m->rows],
                         .gpu_rows = xcalloc(ngpus, sizeof *out->gpu_rows),
                         .gpu_nnz = xcalloc(ngpus, sizeof *out->gpu_nnz)};
    if (count_rows(out, m, part, err) < 0) {
        halo_clear(out);
        return -1;
    }

    uint32_t nodes = halo_nodes(out);
    uint64_t *gpu_start = xcalloc((size_t)ngpus + 1, sizeof *gpu_start);
    uint32_t *rows = rows_by_gpu(out, part, m->rows, gpu_start);
    struct classes *of_node = xcalloc(nodes, sizeof *of_node);

    all_nodes(&(struct job){.m = m,
                            .part = part,
                            .rows = rows,
                            .gpu_start = gpu_start,
                            .ngpus = ngpus,
                            .gpus_per_node = gpus_per_node},
              of_node, nodes);
    int rc = gather_classes(out, of_node, err);
    for (uint32_t n = 0; n < nodes; n++)
        free(of_node[n].items);
    free(of_node);
    free(rows);
    free(gpu_start);
    if (rc < 0)
        halo_clear(out);
    return rc;
}

int matrix_halo_by(struct halo *out, const struct matrix *m, const char *how,
                   uint32_t ngpus, uint32_t gpus_per_node, struct err *err)
{
    uint32_t *part = xcalloc(m->rows, sizeof *part);
    int rc = matrix_partition(part, m, ngpus, how, err);

    if (rc == 0)
        rc = matrix_halo(out, m, part, ngpus, gpus_per_node, err);
    free(part);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders rows by reverse Cuthill-McKee. */
#include "workloads/rcm.h"

#include <stdlib.h>

struct levels {
    const struct matrix *m;
    uint32_t *queue; /* rows of a walk, by level */
    uint32_t *seen;  /* per row: the last walk that met it */
    uint32_t walk;
};

static uint64_t length_of(const struct matrix *m, uint32_t row)
{
    return m->row_ptr[row + 1] - m->row_ptr[row];
}

/* Compares rows by length, short ones first, then by number. */
static int by_length(const void *left, const void *right, void *matrix)
{
    const struct matrix *m = matrix;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    uint64_t x = length_of(m, a), y = length_of(m, b);

    if (x != y)
        return x < y ? -1 : 1;
    return (a > b) - (a < b);
}

/* Appends the neighbours of the row that are not met yet, and returns the new
 * end of the queue. */
static uint32_t rcm_step(struct levels *l, uint32_t row, uint32_t end)
{
    uint32_t begin = end;

    for (uint64_t k = l->m->row_ptr[row]; k < l->m->row_ptr[row + 1]; k++) {
        uint32_t col = l->m->col[k];
        if (l->seen[col] == l->walk)
            continue;
        l->seen[col] = l->walk;
        l->queue[end++] = col;
    }
    if (end - begin > 1)
        qsort_r(l->queue + begin, end - begin, sizeof *l->queue, by_length,
                (void *)l->m);
    return end;
}

/* Walks the component of `root`. Returns its number of rows, and sets the
 * number of levels and the beginning of the last level. */
static uint32_t rcm_walk(struct levels *l, uint32_t root, uint32_t *nlevels,
                         uint32_t *last)
{
    uint32_t begin = 0, end = 1;

    l->walk++;
    l->seen[root] = l->walk;
    l->queue[0] = root;
    *nlevels = 0;
    for (;;) {
        uint32_t next = end;
        for (uint32_t i = begin; i < end; i++)
            next = rcm_step(l, l->queue[i], next);
        ++*nlevels;
        *last = begin;
        if (next == end)
            return end;
        begin = end;
        end = next;
    }
}

/* Returns a row from which there are many levels, found by repeated walks from
 * the end of the walk before. */
static uint32_t far_row(struct levels *l, uint32_t root)
{
    uint32_t nlevels, last, more;
    uint32_t n = rcm_walk(l, root, &nlevels, &last);

    for (;;) {
        uint32_t best = l->queue[last];
        for (uint32_t i = last + 1; i < n; i++)
            if (length_of(l->m, l->queue[i]) < length_of(l->m, best))
                best = l->queue[i];
        n = rcm_walk(l, best, &more, &last);
        if (more <= nlevels)
            return best;
        nlevels = more;
    }
}

void rcm_order(uint32_t *order, const struct matrix *m)
{
    struct levels l = {.m = m,
                       .queue = xcalloc(m->rows, sizeof *l.queue),
                       .seen = xcalloc(m->rows, sizeof *l.seen)};
    bool *done = xcalloc(m->rows, sizeof *done);
    uint32_t n = 0, nlevels, last;

    for (uint32_t row = 0; row < m->rows; row++) {
        if (done[row])
            continue;
        uint32_t here = rcm_walk(&l, far_row(&l, row), &nlevels, &last);
        for (uint32_t i = 0; i < here; i++) {
            done[l.queue[i]] = true;
            order[m->rows - 1 - n++] = l.queue[i];
        }
    }
    free(l.queue);
    free(l.seen);
    free(done);
}

uint32_t rcm_bandwidth(const uint32_t *order, const struct matrix *m)
{
    uint32_t *at = xcalloc(m->rows, sizeof *at), most = 0;

    for (uint32_t i = 0; i < m->rows; i++)
        at[order[i]] = i;
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++) {
            uint32_t a = at[row], b = at[m->col[k]];
            uint32_t far = a > b ? a - b : b - a;
            most = far > most ? far : most;
        }
    free(at);
    return most;
}

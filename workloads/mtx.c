/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads MatrixMarket files, plain or gzipped, with several threads. */
#include "workloads/mtx.h"
#include "workloads/workload.h"

#include "base/jobs.h"
#include "base/packed.h"
#include "workloads/lines.h"
#include "workloads/mtx_line.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 8 };

/*
 * The threads take turns twice. One after the other they read (and unpack) a
 * piece of the file; each checks its piece while others read; then they add
 * their results in the order of the pieces. Only there is it known with which
 * line and entry of the file a piece begins.
 */
struct reading {
    struct lines file;
    struct mtx_lines at; /* after the last piece that was added */
    struct mtx_pairs *parts;
    size_t nparts, room;
    pthread_mutex_t lock; /* protects all of this */
    pthread_cond_t added_one;
    size_t taken, added; /* numbers of pieces */
    bool failed;         /* the error is in at.err */
};

/* The state of one thread. */
struct desk {
    struct lines_piece piece;
    struct mtx_pairs pairs; /* entries of the piece */
};

static void add_part(struct reading *r, struct mtx_pairs part)
{
    if (r->nparts == r->room) {
        r->room = 2 * r->room + 16;
        r->parts = xrealloc(r->parts, r->room, sizeof *r->parts);
    }
    r->parts[r->nparts++] = part;
}

/* Parses a piece that begins anywhere in the file; *s then has its numbers of
 * lines and entries. Returns -1 if one of them is wrong. */
static int check_piece(struct mtx_lines *s, struct desk *d)
{
    struct err ignored;

    s->err = &ignored;
    s->entries = UINT64_MAX;
    s->line = 1; /* not 0, because there is no banner here */
    s->seen = 0;
    mtx_pairs_empty(&d->pairs);
    int rc = mtx_lines_read(s, d->piece.text, d->piece.len, &d->pairs);
    s->line--;
    return rc;
}

/* Adds a piece, after all pieces before it. */
static void add_piece(struct reading *r, struct desk *d,
                      const struct mtx_lines *found, int rc,
                      struct mtx_pairs part)
{
    if (rc == 0 && found->seen <= r->at.entries - r->at.seen) {
        r->at.line += found->line;
        r->at.seen += found->seen;
        add_part(r, part);
        return;
    }
    /* This parses it again with its true beginning, for the error. */
    mtx_pairs_clear(&part);
    mtx_pairs_empty(&d->pairs);
    rc = mtx_lines_read(&r->at, d->piece.text, d->piece.len, &d->pairs);
    assert(rc < 0);
    r->failed = true;
}

static void *read_pieces(void *arg)
{
    struct reading *r = arg;
    struct desk d = {.piece = lines_piece_new(&r->file)};

    pthread_mutex_lock(&r->lock);
    while (!r->failed && lines_next(&r->file, &d.piece)) {
        size_t number = r->taken++;
        struct mtx_lines found = r->at;
        pthread_mutex_unlock(&r->lock);

        int rc = check_piece(&found, &d);
        struct mtx_pairs part = mtx_pairs_copy(&d.pairs);

        pthread_mutex_lock(&r->lock);
        while (r->added < number && !r->failed)
            pthread_cond_wait(&r->added_one, &r->lock);
        if (r->failed)
            mtx_pairs_clear(&part);
        else
            add_piece(r, &d, &found, rc, part);
        r->added++;
        pthread_cond_broadcast(&r->added_one);
    }
    pthread_mutex_unlock(&r->lock);
    free(d.piece.text);
    mtx_pairs_clear(&d.pairs);
    return NULL;
}

static void read_by_threads(struct reading *r, unsigned n)
{
    pthread_t threads[MAX_THREADS];
    unsigned started = 0;

    while (started + 1 < n && started < MAX_THREADS &&
           !pthread_create(&threads[started], NULL, read_pieces, r))
        started++;
    read_pieces(r);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Reads up to the size, and the entries of the piece that has it. */
static int read_head(struct reading *r, struct desk *d)
{
    while (r->at.stage != MTX_AT_ENTRIES && lines_next(&r->file, &d->piece)) {
        const char *p = d->piece.text, *end = p + d->piece.len;
        while (p < end && r->at.stage != MTX_AT_ENTRIES) {
            size_t left = (size_t)(end - p);
            const char *next = (const char *)memchr(p, '\n', left) + 1;
            if (mtx_line(&r->at, p, (size_t)(next - p)) < 0)
                return -1;
            p = next;
        }
        if (mtx_lines_read(&r->at, p, (size_t)(end - p), &d->pairs) < 0)
            return -1;
        add_part(r, mtx_pairs_copy(&d->pairs));
    }
    return 0;
}

static int check_end(struct reading *r)
{
    struct mtx_lines *s = &r->at;
    bool begun;

    if (lines_check(&r->file, &begun, s->err) < 0) {
        s->line += begun;
        return mtx_fail_here(s);
    }
    if (s->stage == MTX_AT_BANNER)
        return mtx_fail(s, "not a MatrixMarket file: it is empty");
    if (s->stage == MTX_AT_SIZE)
        return mtx_fail(s, "the file ends before its size is stated");
    if (s->seen < s->entries)
        return mtx_fail(s, "the file ends here, after %llu of %llu entries",
                        (unsigned long long)s->seen,
                        (unsigned long long)s->entries);
    return 0;
}

static int read_file(struct reading *r, unsigned threads)
{
    struct desk d = {.piece = lines_piece_new(&r->file)};
    int rc = read_head(r, &d);

    free(d.piece.text);
    mtx_pairs_clear(&d.pairs);
    if (rc < 0)
        return -1;
    if (!r->file.all)
        read_by_threads(r, threads);
    return r->failed ? -1 : check_end(r);
}

/* These functions handle each entry once and, if `mirrored`, those off the
 * diagonal also as their mirror images. */
static void count_rows(uint64_t *count, const struct mtx_pairs *part,
                       bool mirrored)
{
    const uint8_t *at = part->bytes;
    struct mtx_pair p = {0};

    for (uint64_t i = 0; i < part->n; i++) {
        mtx_pairs_take(&at, &p);
        count[p.row]++;
        if (mirrored && p.row != p.col)
            count[p.col]++;
    }
}

static void fill_rows(uint32_t *col, uint64_t *next,
                      const struct mtx_pairs *part, bool mirrored)
{
    const uint8_t *at = part->bytes;
    struct mtx_pair p = {0};

    for (uint64_t i = 0; i < part->n; i++) {
        mtx_pairs_take(&at, &p);
        col[next[p.row]++] = p.col;
        if (mirrored && p.row != p.col)
            col[next[p.col]++] = p.row;
    }
}

/* Fills the matrix; frees the parts. */
static void fill_matrix(struct matrix *m, struct reading *r)
{
    bool mirrored = r->at.kind.lower_only;
    size_t n = (size_t)r->at.rows;

    *m = (struct matrix){.rows = (uint32_t)n};
    m->row_ptr = xcalloc(n + 2, sizeof *m->row_ptr);
    /* Counts are two places up, so that after filling, [r] is the beginning of
     * r. */
    for (size_t i = 0; i < r->nparts; i++)
        count_rows(m->row_ptr + 2, &r->parts[i], mirrored);
    for (size_t row = 0; row < n; row++)
        m->row_ptr[row + 2] += m->row_ptr[row + 1];
    m->col = xcalloc(m->row_ptr[n + 1], sizeof *m->col);
    for (size_t i = 0; i < r->nparts; i++) {
        fill_rows(m->col, m->row_ptr + 1, &r->parts[i], mirrored);
        mtx_pairs_clear(&r->parts[i]);
    }
    matrix_unique(m);
}

/* Returns "bcsstk18" for "data/bcsstk18.mtx.gz"; the caller frees it. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t n = packed_before(name, ".mtx");

    return xasprintf("%.*s", (int)(n ? n : packed_stem(name)), name);
}

int mtx_read(struct matrix *m, const char *path, struct mtx_how how,
             struct err *err)
{
    struct reading r = {.at = {.path = path, .err = err},
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .added_one = PTHREAD_COND_INITIALIZER};

    if (lines_open(&r.file, path, how.piece_B, err) < 0)
        return -1;
    r.at.max_text_B = r.file.max_text_B;
    int rc = read_file(&r, how.threads);
    lines_close(&r.file);
    if (rc == 0) {
        fill_matrix(m, &r);
        m->name = name_of(path);
    }
    for (size_t i = 0; i < r.nparts; i++)
        mtx_pairs_clear(&r.parts[i]);
    free(r.parts);
    return rc;
}

int matrix_read(struct matrix *m, const char *path, struct err *err)
{
    struct mtx_how how = {.threads = jobs_cores(), .piece_B = LINES_PIECE_B};

    return mtx_read(m, path, how, err);
}

const struct workload spmv_workload = {
    .prefix = "spmv:",
    .words = "spmv:FILE",
    .summary = "the product of a sparse matrix, .mtx or .mtx.gz, by rows",
    .help = "Each GPU owns a part of the rows and of the vector (--partition), "
            "and needs the values\nof the columns in its rows.",
    .options = MATRIX_OPTIONS,
    .platform = "lassen",
    .matrix = matrix_read,
};

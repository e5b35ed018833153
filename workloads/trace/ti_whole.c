/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each rank its part of one file of all ranks. If the lines of each rank
 * are contiguous, the parts are views of the file; else the lines are first
 * sorted by rank into a file without a name. */
#include "workloads/trace/ti.h"

#include "base/temporary.h"
#include "workloads/trace/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sizes of the buffers of one rank, and of all together. */
#define SPOOL_B ((size_t)1 << 13)
#define SPOOL_ALL_B ((size_t)1 << 26)

/* --- one file of all ranks ------------------------------------------------ */

struct ti_extent {
    uint64_t bytes, lines;
    /* Offset of its first line in the file, or of the next line to write. */
    uint64_t at;
    uint64_t before; /* lines before it in the file */
    uint64_t runs;   /* number of contiguous runs of its lines */
};

/* The parts of the ranks. */
struct ti_extents {
    struct ti_extent *of;
    size_t room;
    uint32_t ranks; /* the highest rank plus 1 */
};

/* Reads the rank of a line. Returns 1 if it has one, 0 if the line is empty or
 * a comment. */
static int ti_rank_of(const struct trace *t, struct scan line, uint64_t number,
                      uint64_t bytes, uint32_t *rank, struct err *err)
{
    uint64_t r;

    if (scan_is_long(line))
        return fail(err, "%s:%" PRIu64 ": " SCAN_LINE_LONG, t->path, number);
    if (ti_says_nothing(line))
        return 0;
    if (!scan_whole(&line, &r))
        return fail(err, "%s:%" PRIu64 ": expected the number of a rank",
                    t->path, number);
    /* Each rank has a line, of "0 a" and its end at least. */
    if (r >= bytes / 4 + 1 || r >= NO_PEER)
        return fail(err,
                    "%s:%" PRIu64 ": rank %" PRIu64 " in a file of %" PRIu64
                    " B: expected one line or more of each rank",
                    t->path, number, r, bytes);
    *rank = (uint32_t)r;
    return 1;
}

static struct ti_extent *ti_extent_of(struct ti_extents *x, uint32_t rank)
{
    if (rank >= x->room) {
        size_t room = x->room ? x->room : 64;
        while (room <= rank)
            room *= 2;
        x->of = xrealloc(x->of, room, sizeof *x->of);
        memset(x->of + x->room, 0, (room - x->room) * sizeof *x->of);
        x->room = room;
    }
    if (rank >= x->ranks)
        x->ranks = rank + 1;
    return &x->of[rank];
}

static int ti_measure(const struct trace *t, struct input *in,
                      struct ti_extents *x, struct err *err)
{
    uint64_t number = 0, bytes = (uint64_t)(in->end - in->begin);
    uint32_t rank, last = NO_PEER;

    while (in->at < in->end) {
        const char *begin = in->at;
        struct scan line = scan_line(in->at, in->end, &in->at);
        number++;
        input_pass(in);
        int says = ti_rank_of(t, line, number, bytes, &rank, err);
        if (says < 0)
            return -1;
        if (!says)
            continue;
        struct ti_extent *e = ti_extent_of(x, rank);
        if (!e->runs) {
            e->at = (uint64_t)(begin - in->begin);
            e->before = number - 1;
        }
        e->runs += rank != last;
        e->bytes += (uint64_t)(line.end - begin) + 1;
        e->lines++;
        last = rank;
    }
    return 0;
}

static int ti_check_extents(const struct trace *t, const struct ti_extents *x,
                            struct err *err)
{
    for (uint32_t r = 0; r < x->ranks; r++)
        if (!x->of[r].runs)
            return fail(err,
                        "%s: no line of rank %" PRIu32 ", but of rank %" PRIu32,
                        t->path, r, x->ranks - 1);
    return x->ranks ? 0 : fail(err, "%s: no line of a trace", t->path);
}

/* Makes a rank's view of the mapped bytes, which begins at a whole page. */
static void ti_view(struct ti_rank *r, const struct input *whole, uint64_t from,
                    uint64_t to, uint64_t before)
{
    uint64_t page = from & ~(uint64_t)0xffff;

    r->in = (struct input){whole->begin + page, whole->begin + to,
                           whole->begin + from, 0};
    r->first = r->in.at;
    r->before = before;
}

/* Makes the views of contiguous lines: each ends at the next line of another
 * rank, so its end is that of the file. */
static void ti_views(struct ti *ti, const struct ti_extents *x)
{
    uint64_t end = (uint64_t)(ti->whole.end - ti->whole.begin);

    for (uint32_t r = 0; r < x->ranks; r++) {
        const struct ti_extent *e = &x->of[r];
        ti_view(&ti->ranks[r], &ti->whole, e->at, end, e->before);
    }
}

/* --- one file, the ranks' lines mixed ------------------------------------- */

/* A file without a name that has the lines of each rank together, each after
 * its number. */
struct ti_spool {
    FILE *f;
    char *block; /* each_B bytes per rank */
    size_t each_B, *used;
    struct ti_extent *of;
};

static int ti_spool_flush(struct ti_spool *s, uint32_t rank, struct err *err)
{
    const char *from = s->block + (size_t)rank * s->each_B;
    struct ti_extent *e = &s->of[rank];

    for (size_t done = 0; done < s->used[rank];) {
        ssize_t n = pwrite(fileno(s->f), from + done, s->used[rank] - done,
                           (off_t)(e->at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_work(err, "the temporary file cannot be written: %s",
                             strerror(errno));
        done += (size_t)n;
    }
    e->at += s->used[rank];
    s->used[rank] = 0;
    return 0;
}

static int ti_spool_bytes(struct ti_spool *s, uint32_t rank, const void *bytes,
                          size_t n, struct err *err)
{
    const char *from = bytes;

    while (n > 0) {
        size_t room = s->each_B - s->used[rank], part = n < room ? n : room;
        memcpy(s->block + (size_t)rank * s->each_B + s->used[rank], from, part);
        s->used[rank] += part;
        from += part;
        n -= part;
        if (s->used[rank] == s->each_B && ti_spool_flush(s, rank, err) < 0)
            return -1;
    }
    return 0;
}

static int ti_spool_line(struct ti_spool *s, uint32_t rank, uint64_t number,
                         struct scan line, struct err *err)
{
    size_t n = (size_t)(line.end - line.at);

    if (s->used[rank] + sizeof number + n + 1 >= s->each_B)
        return ti_spool_bytes(s, rank, &number, sizeof number, err) < 0 ||
                       ti_spool_bytes(s, rank, line.at, n, err) < 0
                   ? -1
                   : ti_spool_bytes(s, rank, "\n", 1, err);
    char *to = s->block + (size_t)rank * s->each_B + s->used[rank];
    memcpy(to, &number, sizeof number);
    memcpy(to + sizeof number, line.at, n);
    to[sizeof number + n] = '\n';
    s->used[rank] += sizeof number + n + 1;
    return 0;
}

static int ti_spool_lines(const struct trace *t, struct ti_spool *s,
                          struct input *in, struct err *err)
{
    uint64_t number = 0, bytes = (uint64_t)(in->end - in->begin);
    uint32_t rank;

    while (in->at < in->end) {
        struct scan line = scan_line(in->at, in->end, &in->at);
        number++;
        input_pass(in);
        int says = ti_rank_of(t, line, number, bytes, &rank, err);
        if (says < 0 || (says && ti_spool_line(s, rank, number, line, err) < 0))
            return -1;
    }
    return 0;
}

/* Sets the offset of each rank's part. Returns the size of the file. */
static uint64_t ti_spool_places(struct ti_extents *x)
{
    uint64_t at = 0;

    for (uint32_t r = 0; r < x->ranks; r++) {
        x->of[r].bytes += x->of[r].lines * sizeof(uint64_t);
        x->of[r].at = at;
        at += x->of[r].bytes;
    }
    return at;
}

static int ti_spool_map(struct ti *ti, FILE *f, uint64_t bytes, struct err *err)
{
    void *at = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(f), 0);

    if (at == MAP_FAILED)
        return fail_work(err, "%s", strerror(errno));
    input_close(&ti->whole);
    ti->whole.begin = ti->whole.at = at;
    ti->whole.end = ti->whole.begin + bytes;
    return 0;
}

static int ti_spool_all(struct trace *t, struct ti *ti, struct ti_extents *x,
                        struct err *err)
{
    struct ti_spool s = {.f = temporary_file(err), .of = x->of};
    uint64_t bytes = ti_spool_places(x);
    int result = s.f ? 0 : -1;

    s.each_B = SPOOL_ALL_B / x->ranks;
    s.each_B = s.each_B > SPOOL_B ? SPOOL_B : s.each_B < 64 ? 64 : s.each_B;
    s.block = xmalloc(x->ranks * s.each_B);
    s.used = xcalloc(x->ranks, sizeof *s.used);
    ti->whole.at = ti->whole.begin;
    ti->whole.given_back = 0;
    if (result == 0)
        result = ti_spool_lines(t, &s, &ti->whole, err);
    for (uint32_t r = 0; r < x->ranks && result == 0; r++)
        result = ti_spool_flush(&s, r, err);
    if (result == 0)
        result = ti_spool_map(ti, s.f, bytes, err);
    free(s.block);
    free(s.used);
    if (s.f)
        fclose(s.f);
    return result < 0 ? fail_in(err, "%s", t->path) : 0;
}

static void ti_spool_views(struct ti *ti, const struct ti_extents *x)
{
    ti->numbered = true;
    for (uint32_t r = 0; r < x->ranks; r++) {
        /* The end of its part, because all of it is written. */
        uint64_t end = x->of[r].at;
        ti_view(&ti->ranks[r], &ti->whole, end - x->of[r].bytes, end, 0);
    }
}

static int ti_share_out(struct trace *t, struct ti *ti, struct ti_extents *x,
                        struct err *err)
{
    bool apart = true;

    if (ti_measure(t, &ti->whole, x, err) < 0 ||
        ti_check_extents(t, x, err) < 0)
        return -1;
    for (uint32_t r = 0; r < x->ranks; r++)
        apart = apart && x->of[r].runs == 1;
    if (!apart && ti_spool_all(t, ti, x, err) < 0)
        return -1;
    trace_set_ranks(t, x->ranks);
    ti->ranks = xcalloc(x->ranks, sizeof *ti->ranks);
    if (apart)
        ti_views(ti, x);
    else
        ti_spool_views(ti, x);
    for (uint32_t r = 0; r < x->ranks; r++)
        t->rank[r] =
            (struct trace_rank){.file = ti->files[0], .places_lines = true};
    return 0;
}

int ti_open_one(struct trace *t, struct ti *ti, char *path, struct err *err)
{
    struct ti_extents x = {0};

    ti->files = xcalloc(1, sizeof *ti->files);
    ti->files[0] = path;
    ti->nfiles = 1;
    ti->shared = true;
    if (input_open(&ti->whole, path, err) < 0)
        return -1;
    int result = ti_share_out(t, ti, &x, err);
    free(x.of);
    return result;
}

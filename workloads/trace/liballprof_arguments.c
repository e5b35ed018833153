/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the arguments of a call in a liballprof trace. */
#include "workloads/trace/liballprof.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- fields --------------------------------------------------------------- */

int liballprof_fail(struct liballprof_line *l, const char *what)
{
    int n = l->s.end - l->s.at < 40 ? (int)(l->s.end - l->s.at) : 40;

    return trace_fail(l->t, l->rank, l->e, l->err, "expected %s at '%.*s'",
                      what, n, l->s.at);
}

/* Skips a colon or comma; returns false if there is none. */
static bool liballprof_over(struct liballprof_line *l, char separator)
{
    if (l->s.at == l->s.end || *l->s.at != separator)
        return false;
    l->s.at++;
    return true;
}

static int liballprof_whole(struct liballprof_line *l, char separator,
                            const char *what, uint64_t *out)
{
    if (!liballprof_over(l, separator) || !scan_digits(&l->s, out))
        return liballprof_fail(l, what);
    return 0;
}

static int liballprof_signed(struct liballprof_line *l, char separator,
                             const char *what, int64_t *out)
{
    uint64_t n;
    bool over = liballprof_over(l, separator),
         below = over && liballprof_over(l, '-');

    if (!over || !scan_digits(&l->s, &n))
        return liballprof_fail(l, what);
    *out = below ? -(int64_t)n : (int64_t)n;
    return 0;
}

/* Skips one field, whatever its contents. */
static int liballprof_skip(struct liballprof_line *l)
{
    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "another argument");
    const char *colon = memchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));
    l->s.at = colon ? colon : l->s.end;
    return 0;
}

int liballprof_time(struct liballprof_line *l, double *out)
{
    uint64_t us, part = 0;

    *out = NAN;
    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "a time");
    if (liballprof_over(l, '-'))
        return 0;
    if (!scan_digits(&l->s, &us))
        return liballprof_fail(l, "a time");
    const char *point = l->s.at;
    if (liballprof_over(l, '.')) {
        struct scan digits = {l->s.at,
                              l->s.end - l->s.at > 6 ? l->s.at + 6 : l->s.end};
        if (!scan_digits(&digits, &part))
            return liballprof_fail(l, "a time");
        for (int i = (int)(digits.at - point); i < 7; i++)
            part *= 10;
        l->s.at = digits.at;
        while (l->s.at < l->s.end && (unsigned char)(*l->s.at - '0') < 10)
            l->s.at++;
    }
    /* The origin is subtracted as a whole number, because that loses no
     * digits. */
    *out = (double)(int64_t)(us - l->x->origin_us) / 1e6 +
           (double)part * 1e-12 + l->r->clock_s;
    return 0;
}

/* --- arguments ------------------------------------------------------------ */

static int liballprof_count(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a count", &n) < 0)
        return -1;
    if (n < 0 || n > INT32_MAX)
        return liballprof_fail(l, "a count from 0 to 2147483647");
    l->count = (uint64_t)n;
    l->list = -1;
    return 0;
}

/* Reads "number,size,extent" of a type and multiplies the counts before it by
 * its size, which makes them bytes. */
static int liballprof_type(struct liballprof_line *l)
{
    uint64_t size;

    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "a type, its size and extent");
    const char *comma = memchr(l->s.at, ',', (size_t)(l->s.end - l->s.at));
    l->s.at = comma ? comma : l->s.end;
    if (liballprof_whole(l, ',', "the size of a type", &size) < 0)
        return -1;
    if (size > INT32_MAX)
        return liballprof_fail(l, "a size of a type up to 2147483647");
    while (l->s.at < l->s.end && *l->s.at != ':')
        l->s.at++;
    if (l->list >= 0) {
        for (uint64_t i = 0; i < l->ncounts; i++)
            l->r->counts[l->list][i] *= size;
    } else if (l->nbytes < 2) {
        l->bytes[l->nbytes++] = l->count * size;
    }
    return 0;
}

/* Reads a pointer, then one count per member, into the list `which`. */
static int liballprof_counts(struct liballprof_line *l, bool which)
{
    struct liballprof_rank *r = l->r;
    uint64_t n = 0;

    if (liballprof_skip(l) < 0)
        return -1;
    if (!r->counts[which])
        r->counts[which] = xcalloc(l->t->ranks, sizeof *r->counts[which]);
    do {
        int64_t count;
        if (liballprof_signed(l, n ? ',' : ':', "a count for each member",
                              &count) < 0)
            return -1;
        if (n == l->t->ranks)
            return liballprof_fail(l, "no more counts than ranks");
        /* Counts that are significant only at the root may be anything on other
         * ranks. */
        r->counts[which][n++] =
            count > 0 && count <= INT32_MAX ? (uint64_t)count : 0;
    } while (l->s.at < l->s.end && *l->s.at == ',');
    l->ncounts = n;
    l->list = which;
    if (which)
        l->e->recv_counts = r->counts[1];
    else
        l->e->counts = r->counts[0];
    l->e->ncounts = n;
    return 0;
}

static int liballprof_rank_argument(struct liballprof_line *l, int64_t *out)
{
    return liballprof_signed(l, ':', "a rank", out);
}

/* Reads a rank. The meaning of negative ranks depends on the MPI:
 * MPI_ANY_SOURCE and MPI_PROC_NULL are -1 and -2 in Open MPI, -2 and -1 in
 * MPICH; a send has no wildcard. The communicator, whose handle identifies the
 * MPI, comes later in the line, so -1 and -2 are kept until then. */
static int liballprof_peer(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_rank_argument(l, &n) < 0)
        return -1;
    if (n < -2 || n >= l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "rank %" PRId64 " of %" PRIu32, n, l->t->ranks);
    if (l->npeers < 2)
        l->peer[l->npeers++] =
            n < 0 ? UINT32_MAX + 1 + (uint32_t)n : (uint32_t)n;
    return 0;
}

static int liballprof_tag(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a tag", &n) < 0)
        return -1;
    if (n < -1 || n >= ANY_TAG)
        return trace_fail(l->t, l->rank, l->e, l->err, "tag %" PRId64, n);
    if (l->ntags < 2)
        l->tag[l->ntags++] = n < 0 ? ANY_TAG : (uint32_t)n;
    return 0;
}

static int liballprof_root(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_rank_argument(l, &n) < 0)
        return -1;
    if (n < 0 || n >= l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "root %" PRId64 " of %" PRIu32, n, l->t->ranks);
    l->e->peer = (uint32_t)n;
    return 0;
}

/* Finds our number for the handle of a communicator. If the handle is new, it
 * is the oldest communicator that the rank has made and not used yet; if there
 * is none, it is the world. */
static int liballprof_find_comm(struct liballprof_line *l, uint64_t handle,
                                uint64_t size, uint32_t *out)
{
    struct liballprof_rank *r = l->r;

    for (size_t i = r->ncomms; i-- > 0;)
        if (r->comms[i].handle == handle) {
            *out = r->comms[i].number;
            return 0;
        }
    if (r->oldest_made < r->next_comm)
        *out = r->oldest_made++;
    else if (size == l->t->ranks)
        *out = TRACE_WORLD;
    else
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "a communicator of %" PRIu64 " of %" PRIu32
                          " ranks, of which the trace does not say who they "
                          "are",
                          size, l->t->ranks);
    r->comms = xrealloc(r->comms, r->ncomms + 1, sizeof *r->comms);
    r->comms[r->ncomms++] = (struct liballprof_comm){handle, *out};
    return 0;
}

/* Reads "handle,rank,size". */
static int liballprof_comm(struct liballprof_line *l)
{
    uint64_t handle, me, size;

    if (liballprof_whole(l, ':', "a communicator", &handle) < 0 ||
        liballprof_whole(l, ',', "a rank in it", &me) < 0 ||
        liballprof_whole(l, ',', "its size", &size) < 0)
        return -1;
    if (me >= size || size > l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "rank %" PRIu64 " in a communicator of %" PRIu64
                          ", but there are %" PRIu32 " ranks",
                          me, size, l->t->ranks);
    if (liballprof_find_comm(l, handle, size, &l->e->comm) < 0)
        return -1;
    if (l->e->comm == TRACE_WORLD && me != l->rank)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "it says that it is rank %" PRIu64
                          " of the world: is it the file of another rank or "
                          "run?",
                          me);
    l->has_comm = true;
    return 0;
}

static int liballprof_whole_argument(struct liballprof_line *l, uint32_t *out)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a whole number", &n) < 0)
        return -1;
    /* Keys are compared as signed numbers, colours for equality. */
    *out = (uint32_t)n;
    return 0;
}

int liballprof_argument(struct liballprof_line *l, char kind, bool *second_list)
{
    switch (kind) {
    case 'n':
        return liballprof_count(l);
    case 't':
        return liballprof_type(l);
    case 'x':
        return liballprof_peer(l);
    case 'g':
        return liballprof_tag(l);
    case 'c':
        return liballprof_comm(l);
    case 'r':
        return liballprof_root(l);
    case 'q':
    case 'A':
        return liballprof_whole(l, ':', "an address", &l->address);
    case 'a':
        return liballprof_whole(l, ':', "a number of requests", &l->howmany);
    case 'v':
        return liballprof_counts(l, *second_list);
    case 'd':
        return liballprof_skip(l) < 0 ? -1 : liballprof_skip(l);
    case 'k':
        return liballprof_whole_argument(l, &l->e->color);
    case 'y':
        return liballprof_whole_argument(l, &l->e->key);
    default:
        return liballprof_skip(l);
    }
}

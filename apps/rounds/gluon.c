/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the proxies of a Cartesian vertex cut consistent, and counts the
 * messages for that. */
#include "apps/rounds/gluon.h"

#include <stdlib.h>
#include <string.h>

/* --- forms of an update --------------------------------------------------- */

uint64_t update_bytes(enum update_form form, uint64_t shared, uint64_t updated,
                      unsigned value_B)
{
    switch (form) {
    case UPDATE_ALL:
        return FORM_B + LENGTH_B + shared * value_B;
    case UPDATE_BITS:
        return FORM_B + LENGTH_B + (shared + 63) / 64 * 8 + LENGTH_B +
               updated * value_B;
    case UPDATE_OFFSETS:
        return FORM_B + LENGTH_B + updated * 4 + LENGTH_B + updated * value_B;
    case UPDATE_NONE:
    case NUPDATE_FORMS:
        break;
    }
    return FORM_B;
}

enum update_form update_form(uint64_t shared, uint64_t updated,
                             unsigned value_B)
{
    enum update_form best = UPDATE_ALL;

    if (!updated)
        return UPDATE_NONE;
    for (enum update_form f = UPDATE_BITS; f < NUPDATE_FORMS; f++)
        if (update_bytes(f, shared, updated, value_B) <
            update_bytes(best, shared, updated, value_B))
            best = f;
    return best;
}

/* --- memory --------------------------------------------------------------- */

void gluon_init(struct gluon *g, const struct hosts *h, unsigned value_B)
{
    uint32_t most = 1;

    *g = (struct gluon){.hosts = h, .value_B = value_B};
    g->updated = xcalloc(h->n, sizeof *g->updated);
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t n = h->host[i].masters + h->host[i].mirrors;
        g->updated[i].is = xcalloc((size_t)n + 1, 1);
        g->updated[i].list = xmalloc(((size_t)n + 1) * sizeof(uint32_t));
        most = n > most ? n : most;
    }
    g->from = xmalloc(most * sizeof *g->from);
    g->to = xmalloc(most * sizeof *g->to);
    g->outgoing = xcalloc(h->columns, sizeof(void *));
    for (uint32_t c = 0; c < h->columns; c++)
        g->outgoing[c] = xmalloc(most * sizeof(struct reader));
    g->noutgoing = xcalloc(h->columns, sizeof *g->noutgoing);
}

void gluon_clear(struct gluon *g)
{
    for (uint32_t i = 0; g->updated && i < g->hosts->n; i++) {
        free(g->updated[i].is);
        free(g->updated[i].list);
    }
    for (uint32_t c = 0; g->outgoing && c < g->hosts->columns; c++)
        free(g->outgoing[c]);
    free(g->updated);
    free(g->from);
    free(g->to);
    free(g->outgoing);
    free(g->noutgoing);
    memset(g, 0, sizeof *g);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorts the updated proxies in rising order: many of them by a scan of all, few
 * by a sort. */
static void sort_updated(struct updated *u, uint32_t n)
{
    if (u->n < n / 16) {
        qsort(u->list, u->n, sizeof *u->list, by_number);
        return;
    }
    u->n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (u->is[i])
            u->list[u->n++] = i;
}

static void forget_updated(struct updated *u)
{
    for (uint32_t i = 0; i < u->n; i++)
        u->is[u->list[i]] = 0;
    u->n = 0;
}

/* --- messages ------------------------------------------------------------- */

static void gluon_message(const struct gluon *g, struct round_step *s,
                          uint32_t src, uint32_t dst, uint32_t shared,
                          uint32_t updated)
{
    enum update_form form = update_form(shared, updated, g->value_B);
    struct round_message *m = round_add_message(s, src, dst);

    m->bytes = update_bytes(form, shared, updated, g->value_B);
    m->values = form == UPDATE_ALL ? shared : updated;
    m->gather.vertices = m->scatter.vertices = m->values;
}

/* Sends the updated mirrors on host `at` of masters on `of`, which begin at
 * *next in the sorted list. */
static void reduce_to(struct gluon *g, struct round_step *s, uint32_t at,
                      uint32_t of, uint32_t *next)
{
    const struct hosts *h = g->hosts;
    const struct host *one = &h->host[at];
    const struct updated *u = &g->updated[at];
    uint32_t end = one->masters + one->mirror_begin[of + 1], n = 0;

    for (; *next < u->n && u->list[*next] < end; ++*next) {
        uint32_t local = u->list[*next];
        g->from[n] = local;
        g->to[n++] = one->mirror[local - one->masters] - h->begin[of];
    }
    gluon_message(g, s, at, of, hosts_shared(h, at, of), n);
    if (n)
        g->reduce(g->state, of, g->to, at, g->from, n);
}

/* Sends to the hosts of the same column, from the next one below on, because
 * then not all hosts begin with the masters of the same host. */
static void gluon_reduce(struct gluon *g, struct round_step *s, uint32_t at)
{
    const struct hosts *h = g->hosts;
    struct updated *u = &g->updated[at];
    uint32_t own = h->host[at].masters;

    sort_updated(u, own + h->host[at].mirrors);
    for (uint32_t k = 1; k < h->rows; k++) {
        uint32_t of = (at + k * h->columns) % h->n, next = 0, low = 0;
        uint32_t begin = own + h->host[at].mirror_begin[of];
        if (!hosts_shared(h, at, of))
            continue;
        for (next = u->n; low < next;) {
            uint32_t middle = low + (next - low) / 2;
            if (u->list[middle] < begin)
                low = middle + 1;
            else
                next = middle;
        }
        reduce_to(g, s, at, of, &next);
    }
}

/* Collects the updates for the masters' readers, by column. */
static void collect_outgoing(struct gluon *g, uint32_t at)
{
    const struct hosts *h = g->hosts;
    const struct host *one = &h->host[at];
    const struct updated *u = &g->updated[at];

    memset(g->noutgoing, 0, h->columns * sizeof *g->noutgoing);
    for (uint32_t i = 0; i < u->n; i++) {
        uint32_t v = u->list[i];
        if (v >= one->masters)
            continue; /* because it is a mirror, which has been sent */
        for (uint32_t k = one->reader_begin[v]; k < one->reader_begin[v + 1];
             k++) {
            uint32_t c = one->reader[k].host % h->columns;
            g->outgoing[c][g->noutgoing[c]++] =
                (struct reader){v, one->reader[k].local};
        }
    }
}

static void gluon_broadcast(struct gluon *g, struct round_step *s, uint32_t at)
{
    const struct hosts *h = g->hosts;
    uint32_t row = at / h->columns * h->columns;

    collect_outgoing(g, at);
    for (uint32_t k = 1; k < h->columns; k++) {
        uint32_t c = (at % h->columns + k) % h->columns, n = g->noutgoing[c];
        if (!hosts_shared(h, row + c, at))
            continue;
        for (uint32_t i = 0; i < n; i++) {
            g->from[i] = g->outgoing[c][i].host;
            g->to[i] = g->outgoing[c][i].local;
        }
        gluon_message(g, s, at, row + c, hosts_shared(h, row + c, at), n);
        if (n)
            g->broadcast(g->state, row + c, g->to, at, g->from, n);
    }
}

/* Forgets mirrors, because they were sent; masters stay, because the messages
 * updated them. */
static void forget_mirrors(struct updated *u, uint32_t masters)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < u->n; i++) {
        if (u->list[i] < masters)
            u->list[n++] = u->list[i];
        else
            u->is[u->list[i]] = 0;
    }
    u->n = n;
}

void gluon_sync(struct gluon *g, struct round *r)
{
    const struct hosts *h = g->hosts;
    struct round_step *s;

    if (h->rows > 1) {
        s = round_add_step(r, STEP_REDUCE);
        for (uint32_t at = 0; at < h->n; at++)
            gluon_reduce(g, s, at);
    }
    for (uint32_t at = 0; at < h->n; at++) {
        forget_mirrors(&g->updated[at], h->host[at].masters);
        sort_updated(&g->updated[at], h->host[at].masters);
    }
    if (h->columns > 1) {
        s = round_add_step(r, STEP_BROADCAST);
        for (uint32_t at = 0; at < h->n; at++)
            gluon_broadcast(g, s, at);
    }
    for (uint32_t at = 0; at < h->n; at++)
        forget_updated(&g->updated[at]);
}

static uint64_t window_B(const struct hosts *h, uint32_t at, uint32_t from,
                         unsigned value_B)
{
    bool row = from / h->columns == at / h->columns;
    uint32_t shared =
        row ? hosts_shared(h, at, from) : hosts_shared(h, from, at);

    return shared ? update_bytes(UPDATE_ALL, shared, shared, value_B) : 0;
}

uint64_t *gluon_windows(const struct hosts *h, unsigned value_B)
{
    uint64_t *sum = xcalloc(h->n, sizeof *sum);

    for (uint32_t at = 0; at < h->n; at++)
        for (uint32_t from = 0; from < h->n; from++)
            if (from != at)
                sum[at] += window_B(h, at, from, value_B);
    return sum;
}

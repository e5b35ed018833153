/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any events of up to eight ranks, some of which make communicators from each
 * other: they are refused in one line, or counted so that the sums are those of
 * the ranks, twice the same. */
#include "tests/trace_toys.h"
#include "workloads/trace/stats.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes of one event. */
enum { EVENT_B = 8, LISTED = 4 };

/* Makes an event; lists of members, and clocks, are drawn from few numbers. */
static void make_event(struct trace *t, const uint8_t *d, uint32_t *list)
{
    uint32_t rank = d[0] % t->ranks;
    struct trace_event *e = trace_toy_add(
        t, rank, (enum trace_call)(d[1] % NTRACE_CALLS), d[1] & 64 ? "x" : "y");

    e->collective = d[2] % NTRACE_COLLECTIVES;
    e->how = d[2] % (TRACE_KNOWN + 1);
    e->comm = d[3] & 7;
    e->new_comm = d[3] & 128 ? NO_COMM : d[3] >> 3 & 7;
    e->color = d[4] & 3;
    e->key = (uint32_t)(int8_t)d[4];
    e->peer = d[5] == 255 ? ANY_RANK : d[5] == 254 ? NO_PEER : d[5];
    e->tag = d[6] == 255 ? ANY_TAG : d[6];
    e->got_peer = d[6] & 1 ? ANY_RANK : d[6] & 7;
    e->bytes = (uint64_t)d[7] << (d[6] & 31);
    e->place = d[7] & 1 ? 7 : e->place;
    for (size_t i = 0; i < LISTED; i++)
        list[i] = d[4 + i] & 7;
    e->members = list;
    e->nmembers = d[2] >> 4 & 7 ? d[2] >> 4 & 3 : LISTED;
    if (d[3] & 64) {
        e->begin_s = d[7];
        e->end_s = e->begin_s + d[6] - 16;
    }
}

static uint64_t sum_up(const struct trace_stats *s)
{
    uint64_t events = 0, sends = 0, bytes = 0, sizes = 0, tags = 0;

    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        const struct trace_rank_stats *k = &s->rank[r];
        events += k->events;
        sends += k->sends;
        bytes += k->send_bytes;
        if (k->top_tuple > k->messages_to || k->peers > s->trace->ranks ||
            !(k->compute_s >= 0 && k->in_calls_s >= 0))
            abort();
    }
    for (int i = 0; i < TRACE_SIZES; i++)
        sizes += s->sizes[i];
    for (size_t i = 0; i < s->ntags; i++)
        tags += s->tags[i].messages;
    if (events != s->events || sends != s->messages || bytes != s->bytes ||
        sizes != s->messages || tags != s->messages)
        abort();
    for (uint32_t i = 0; i < trace_comms_n(s->comms); i++)
        if (trace_comms_get(s->comms, i)->n > s->trace->ranks)
            abort();
    return events * 31 + s->pairs * 7 + s->odd_pairs + s->unknown_comm +
           trace_comms_n(s->comms);
}

static uint64_t count(struct trace *t)
{
    struct trace_stats s;
    struct err err = {0};

    for (uint32_t r = 0; r < t->ranks; r++)
        if (!t->rank[r].missing && trace_rewind(t, r, &err) < 0)
            abort();
    if (trace_stats_read(&s, t, &err) < 0) {
        if (!err.text[0] || strchr(err.text, '\n'))
            abort();
        return 0;
    }
    uint64_t sum = sum_up(&s);
    trace_stats_clear(&s);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace t;
    uint32_t *lists;

    if (size < 2 || size > 1 << 16)
        return 0;
    size_t n = (size - 2) / EVENT_B;
    lists = xcalloc(n + 1, LISTED * sizeof *lists);
    trace_toy_open(&t, data[0] % 8 + 1u);
    t.has_clock = data[0] & 128;
    for (uint32_t r = 0; r < t.ranks; r++)
        t.rank[r].missing = data[1] & 1u << r;
    for (size_t i = 0; i < n; i++)
        make_event(&t, data + 2 + i * EVENT_B, lists + i * LISTED);
    if (count(&t) != count(&t))
        abort();
    trace_close(&t);
    free(lists);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_bytes.h - any bytes as a trace of one format: it is refused in one
 * line, or read to its end, twice the same, with ranks and counts within their
 * bounds. */
#ifndef TESTS_FUZZ_TRACE_BYTES_H
#define TESTS_FUZZ_TRACE_BYTES_H

#include "tests/fuzz/memory_file.h"
#include "workloads/trace/trace.h"

#include <stdbool.h>
#include <string.h>

static inline void fuzz_trace_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

static inline void fuzz_trace_event(const struct trace *t,
                                    const struct trace_event *e)
{
    bool message = e->call == TRACE_SEND || e->call == TRACE_RECV;

    if (e->call >= NTRACE_CALLS || e->collective >= NTRACE_COLLECTIVES)
        abort();
    if (message && e->peer >= t->ranks && e->peer != NO_PEER &&
        (e->call == TRACE_SEND || e->peer != ANY_RANK))
        abort();
    if (e->call == TRACE_SEND && e->tag == ANY_TAG && e->peer != NO_PEER)
        abort();
    if (e->ncounts > t->ranks || (!e->name && e->call != TRACE_COMPUTE))
        abort();
    if (!isnan(e->work_s) && !(e->work_s >= 0))
        abort();
    if (!(e->work_flops >= 0) || e->end_s < e->begin_s)
        abort();
}

/* Returns a number that depends on all events of the rank, and is the same each
 * time it is read. */
static inline uint64_t fuzz_trace_rank(struct trace *t, uint32_t rank,
                                       bool *good)
{
    struct trace_event e;
    struct err err = {0};
    uint64_t sum = 1;
    int result;

    while ((result = trace_next(t, rank, &e, &err)) > 0) {
        fuzz_trace_event(t, &e);
        sum = sum * 31 + e.call + 7 * e.place + 13 * e.bytes + e.request;
        for (size_t i = 0; i < e.nrequests + e.nstarted; i++)
            sum = sum * 31 + e.requests[i];
        for (size_t i = 0; i < e.ncounts; i++)
            sum += (e.counts ? e.counts[i] : 0) +
                   (e.recv_counts ? e.recv_counts[i] : 0);
        for (size_t i = 0; i < e.nmembers; i++)
            sum = sum * 31 + e.members[i];
    }
    if (result < 0)
        fuzz_trace_error(&err);
    *good = result == 0;
    return sum;
}

static inline void fuzz_trace_path(const char *format, const char *path)
{
    struct trace t;
    struct err err = {0};
    bool good, again;
    char *words = xasprintf("%s:%s", format, path);

    if (trace_open(&t, words, &err) == 0) {
        for (uint32_t r = 0; r < t.ranks && r < 64; r++) {
            if (t.rank[r].missing)
                continue;
            uint64_t sum = fuzz_trace_rank(&t, r, &good);
            if (trace_rewind(&t, r, &err) < 0 ||
                fuzz_trace_rank(&t, r, &again) != sum || again != good)
                abort();
        }
        trace_close(&t);
    } else {
        fuzz_trace_error(&err);
    }
    free(words);
}

static inline void fuzz_trace(const char *format, const uint8_t *data,
                              size_t size)
{
    struct memory_file f;

    memory_file_open(&f, data, size);
    fuzz_trace_path(format, f.path);
    memory_file_close(&f);
}

#endif

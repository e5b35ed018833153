/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a DUMPI file: it is refused, or gives events that are in order
 * and that are equal when read again. */
#include "tests/fuzz/memory_file.h"
#include "workloads/trace/trace.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bound of a fuzzer's time for the lists of a large world. */
#define MOST_EVENTS 100000

static void check(const struct trace *t, const struct trace_event *e,
                  uint64_t *sum)
{
    if (e->call >= NTRACE_CALLS || e->collective >= NTRACE_COLLECTIVES)
        abort();
    if (!e->name || strncmp(e->name, "MPI", 3) != 0)
        abort();
    if (e->comm == TRACE_WORLD && e->peer != NO_PEER && e->peer != ANY_RANK &&
        e->peer >= t->ranks)
        abort();
    if (e->bytes > INT64_MAX || e->begin_s > e->end_s)
        abort();
    for (size_t i = 0; i < e->nrequests; i++)
        *sum = *sum * 31 + e->requests[i];
    for (size_t i = 0; i < e->nmembers; i++)
        *sum = *sum * 31 + e->members[i];
    for (size_t i = 0; i < e->ncounts; i++)
        *sum = *sum * 31 + (e->counts ? e->counts[i] : 0) +
               (e->recv_counts ? e->recv_counts[i] : 0);
    *sum = *sum * 31 + e->call + e->peer + e->bytes + e->place + e->request;
}

/* Reads all events of the rank that the trace has; stores their sum, and
 * returns how they ended. */
static int read_all(struct trace *t, uint32_t rank, uint64_t *sum,
                    struct err *err)
{
    struct trace_event e;
    size_t n = 0;
    int result;

    *sum = 0;
    while ((result = trace_next(t, rank, &e, err)) > 0 && n++ < MOST_EVENTS)
        check(t, &e, sum);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct trace t;
    struct err err = {0};
    char words[64];
    uint64_t once, twice;
    uint32_t rank = 0;

    memory_file_open(&f, data, size);
    snprintf(words, sizeof words, "dumpi:%s", f.path);
    int result = trace_open(&t, words, &err);
    if (result == 0) {
        while (t.rank[rank].missing)
            rank++;
        result = read_all(&t, rank, &once, &err);
        if (trace_rewind(&t, rank, &err) < 0 ||
            read_all(&t, rank, &twice, &err) != result || once != twice)
            abort();
        trace_close(&t);
    }
    if (result < 0 && (!err.text[0] || strchr(err.text, '\n')))
        abort();
    memory_file_close(&f);
    return 0;
}

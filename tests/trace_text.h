/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_text.h - the events of a rank of a trace as text, a line each: place,
 * name and kind, and any peer, tag, bytes and requests. */
#ifndef TESTS_TRACE_TEXT_H
#define TESTS_TRACE_TEXT_H

#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const trace_text_calls[NTRACE_CALLS] = {
    "compute", "send", "recv",  "probe",  "wait", "poll",     "all",   "comm",
    "put",     "get",  "flush", "cancel", "init", "finalize", "other", "?"};

static inline void trace_text_rank(FILE *f, const char *what, uint32_t rank)
{
    if (rank == ANY_RANK)
        fprintf(f, " %s any", what);
    else if (rank == NO_PEER)
        fprintf(f, " %s none", what);
    else
        fprintf(f, " %s %" PRIu32, what, rank);
}

static inline void trace_text_counts(FILE *f, const char *what,
                                     const uint64_t *counts, size_t n)
{
    if (counts)
        fprintf(f, " %s", what);
    for (size_t i = 0; counts && i < n; i++)
        fprintf(f, "%c%" PRIu64, i ? ',' : ' ', counts[i]);
}

static inline void trace_text_message(FILE *f, const struct trace_event *e)
{
    bool message = e->call == TRACE_SEND || e->call == TRACE_RECV ||
                   e->call == TRACE_PROBE;

    if (e->call == TRACE_COLLECTIVE)
        fprintf(f, " %s", trace_collective_names[e->collective]);
    if (message || e->call == TRACE_COLLECTIVE)
        trace_text_rank(f, e->call == TRACE_RECV ? "from" : "to", e->peer);
    if (message && e->tag == ANY_TAG)
        fprintf(f, " tag any");
    else if (message)
        fprintf(f, " tag %" PRIu32, e->tag);
    if (message && e->bytes == UINT64_MAX)
        fprintf(f, " any B");
    else if (message || e->bytes)
        fprintf(f, " %" PRIu64 " B", e->bytes);
    if (e->recv_bytes)
        fprintf(f, " %" PRIu64 " B each", e->recv_bytes);
    trace_text_counts(f, "to", e->counts, e->ncounts);
    trace_text_counts(f, "from", e->recv_counts, e->ncounts);
}

static inline void trace_text_event(FILE *f, const struct trace_event *e)
{
    fprintf(f, "%" PRIu64 " %s %s%s%s", e->place, e->name ? e->name : "-",
            e->blocks ? "blocking " : "", e->free ? "free " : "",
            trace_text_calls[e->call]);
    trace_text_message(f, e);
    if (e->work_flops > 0)
        fprintf(f, " %g flops", e->work_flops);
    if (!isnan(e->work_s))
        fprintf(f, " %g s", e->work_s);
    if (!isnan(e->begin_s))
        fprintf(f, " [%.9g, %.9g]", e->begin_s, e->end_s);
    if (e->in_gpu)
        fprintf(f, " gpu");
    if (e->lane)
        fprintf(f, " lane %u", (unsigned)e->lane);
    if (e->request != NO_REQUEST)
        fprintf(f, " #%" PRIu64, e->request);
    for (size_t i = 0; i < e->nrequests + e->nstarted; i++)
        fprintf(f, " %s%" PRIu64, i < e->nrequests ? "after #" : "behind #",
                e->requests[i]);
    fputc('\n', f);
}

/* Returns all events of one rank; an error is the last line. The caller frees
 * it. */
static inline char *trace_text(struct trace *t, uint32_t rank)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct trace_event e;
    struct err err = {0};
    int result;

    while ((result = trace_next(t, rank, &e, &err)) > 0)
        trace_text_event(f, &e);
    if (result < 0)
        fprintf(f, "%s\n", err.text);
    fclose(f);
    return text;
}

static inline void check_trace_text(struct trace *t, uint32_t rank,
                                    const char *want)
{
    char *got = trace_text(t, rank);

    CHECK(!strcmp(got, want));
    if (strcmp(got, want))
        fprintf(stderr, "--- rank %" PRIu32 ": got\n%s--- expected\n%s", rank,
                got, want);
    free(got);
}

/* Returns the error of opening the trace, or else of reading its ranks to their
 * ends; "" if it is read. The caller frees it. */
static inline char *trace_refusal(const char *words)
{
    struct trace t;
    struct trace_event e;
    struct err err = {0};
    int result = trace_open(&t, words, &err);

    if (result < 0)
        return xstrdup(err.text);
    for (uint32_t r = 0; r < t.ranks && result == 0; r++)
        while ((result = t.rank[r].missing ? 0 : trace_next(&t, r, &e, &err)) >
               0)
            ;
    trace_close(&t);
    return xstrdup(result < 0 ? err.text : "");
}

/* Checks that a file of this name and text is refused with an error that has
 * `part`. */
static inline void check_trace_refused(const char *name, const char *text,
                                       const char *part)
{
    char *path = scratch_file(name, text), *got = trace_refusal(path);

    CHECK_HAS(got, part);
    CHECK(!strchr(got, '\n'));
    unlink(path);
    free(got);
    free(path);
}

/* Opens the trace of these words; ends the test if that fails. */
static inline void check_open(struct trace *t, const char *words)
{
    struct err err = {0};

    if (trace_open(t, words, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

/* Checks that one of its remarks has this part. */
static inline void check_remark(const struct trace *t, const char *part)
{
    bool found = false;

    for (size_t i = 0; i < t->nremarks; i++)
        found |= strstr(t->remarks[i], part) != NULL;
    CHECK(found);
    if (!found)
        fprintf(stderr, "no remark has '%s'\n", part);
}

/* Counts how often the text has this part. */
static inline size_t lines_with(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

#endif

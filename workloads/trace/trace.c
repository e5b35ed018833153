/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens traces: finds the format of a file, and has the functions that all
 * formats share. */
#include "workloads/trace/trace.h"

#include "workloads/trace/input.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const trace_collective_names[NTRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = "barrier",
    [TRACE_BROADCAST] = "broadcast",
    [TRACE_REDUCE] = "reduce",
    [TRACE_ALLREDUCE] = "allreduce",
    [TRACE_GATHER] = "gather",
    [TRACE_SCATTER] = "scatter",
    [TRACE_ALLGATHER] = "allgather",
    [TRACE_ALLTOALL] = "alltoall",
    [TRACE_REDUCE_SCATTER] = "reduce-scatter",
    [TRACE_SCAN] = "scan",
    [TRACE_EXSCAN] = "exscan",
};

const struct trace_event trace_event_blank = {.peer = NO_PEER,
                                              .got_peer = ANY_RANK,
                                              .got_tag = ANY_TAG,
                                              .new_comm = NO_COMM,
                                              .request = NO_REQUEST,
                                              .work_s = NAN,
                                              .begin_s = NAN,
                                              .end_s = NAN};

/* --- the format ----------------------------------------------------------- */

/* Returns the format that the words name before a colon, and moves them to the
 * path after it; NULL if they name none. */
static const struct trace_format *trace_named(const char **words)
{
    for (size_t i = 0; i < ntrace_formats; i++) {
        size_t n = strlen(trace_formats[i]->name);
        if (strncmp(*words, trace_formats[i]->name, n) || (*words)[n] != ':')
            continue;
        *words += n + 1;
        return trace_formats[i];
    }
    return NULL;
}

/* Returns "a, b, c"; the caller frees it. */
static char *trace_known(void)
{
    char *text = xstrdup("");

    for (size_t i = 0; i < ntrace_formats; i++) {
        char *longer =
            xasprintf("%s%s%s", text, i ? ", " : "", trace_formats[i]->name);
        free(text);
        text = longer;
    }
    return text;
}

static const struct trace_format *trace_seen(const char *path, struct err *err)
{
    char head[TRACE_HEAD_B];
    size_t n;

    if (input_head(path, head, sizeof head, &n, err) < 0)
        return NULL;
    for (size_t i = 0; i < ntrace_formats; i++)
        if (trace_formats[i]->is(path, head, n))
            return trace_formats[i];
    char *known = trace_known();
    (void)fail(err,
               "%s: not a trace of a known format (%s): say which before a "
               "colon, as in dumpi:FILE",
               path, known);
    free(known);
    return NULL;
}

/* --- the interface -------------------------------------------------------- */

int trace_open(struct trace *t, const char *words, struct err *err)
{
    const char *path = words;
    const struct trace_format *format = trace_named(&path);

    *t = (struct trace){0};
    if (!*path)
        return fail(err, "%s: expected a file", words);
    if (!format && !(format = trace_seen(path, err)))
        return -1;
    t->format = format;
    t->path = xstrdup(path);
    if (format->open(t, err) == 0)
        return 0;
    trace_close(t);
    return -1;
}

void trace_close(struct trace *t)
{
    if (t->format)
        t->format->close(t);
    for (size_t i = 0; i < t->nremarks; i++)
        free(t->remarks[i]);
    free(t->remarks);
    free(t->rank);
    free(t->path);
    *t = (struct trace){0};
}

int trace_next(struct trace *t, uint32_t rank, struct trace_event *e,
               struct err *err)
{
    assert(rank < t->ranks && !t->rank[rank].missing);
    return t->format->next(t, rank, e, err);
}

int trace_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    assert(rank < t->ranks && !t->rank[rank].missing);
    return t->format->rewind(t, rank, err);
}

void trace_set_ranks(struct trace *t, uint32_t ranks)
{
    t->ranks = ranks;
    t->rank = xcalloc(ranks, sizeof *t->rank);
}

void trace_remark(struct trace *t, const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        err_no_memory("a remark");
    va_end(args);
    t->remarks = xrealloc(t->remarks, t->nremarks + 1, sizeof *t->remarks);
    t->remarks[t->nremarks++] = text;
}

void trace_remark_count(struct trace *t, size_t *at, uint64_t n,
                        const char *text)
{
    if (!n)
        return;
    if (!*at) {
        trace_remark(t, "%s", "");
        *at = t->nremarks;
    }
    free(t->remarks[*at - 1]);
    t->remarks[*at - 1] = xasprintf("%llu %s", (unsigned long long)n, text);
}

int trace_fail(const struct trace *t, uint32_t rank,
               const struct trace_event *e, struct err *err, const char *format,
               ...)
{
    const struct trace_rank *r = &t->rank[rank];
    char text[sizeof err->text];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(err, "%s:%s%llu: rank %u: %s%s%s", r->file ? r->file : t->path,
                r->places_lines ? "" : " byte ", (unsigned long long)e->place,
                rank, e->name ? e->name : "", e->name ? ": " : "", text);
}

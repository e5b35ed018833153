/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - runs a time-independent trace without time: each rank continues
 * until it waits for a message that is not posted on both sides, as if all
 * sends were rendezvous. It does not know plans, because it could not
 * contradict them if it did. */
#ifndef TESTS_TRACE_H
#define TESTS_TRACE_H

#include "base/err.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace_message {
    uint32_t src, dst, tag;
    uint64_t bytes[2]; /* sent, received */
    /* Line numbers of the send and the receive, from 1; 0 if there is none. */
    size_t posted[2], waited[2];
};

struct trace_text {
    char *copy, **lines; /* the lines of all ranks, in the file's order */
    size_t nlines;
    size_t *at, *end; /* first and last line of each rank */
    size_t line;      /* the current line */
    uint32_t ranks;
    struct trace_message *messages; /* indexed by tag, which is unique */
    uint32_t nmessages;
    size_t sends, recvs, waits;
    double sleep_s;
    char error[256];
};

#define trace_fail(t, ...)                                                     \
    (snprintf((t)->error, sizeof(t)->error, __VA_ARGS__), -1)

static inline int trace_post(struct trace_text *t, uint32_t src, uint32_t dst,
                             uint32_t tag, uint64_t bytes, int side)
{
    if (tag >= t->nmessages || src >= t->ranks || dst >= t->ranks)
        return trace_fail(t, "a tag or rank beyond all");
    struct trace_message *m = &t->messages[tag];
    if (m->posted[side])
        return trace_fail(t, "tag %" PRIu32 " twice", tag);
    if (m->posted[!side] &&
        (m->src != src || m->dst != dst || m->bytes[!side] != bytes))
        return trace_fail(t, "tag %" PRIu32 ": its sides differ", tag);
    m->src = src;
    m->dst = dst;
    m->bytes[side] = bytes;
    m->posted[side] = t->line;
    return 1;
}

static inline int trace_wait(struct trace_text *t, uint32_t rank, uint32_t src,
                             uint32_t dst, uint32_t tag)
{
    if (tag >= t->nmessages || (rank != src && rank != dst))
        return trace_fail(t, "a wait for what is not its own");
    struct trace_message *m = &t->messages[tag];
    int side = rank == dst;
    if (!m->posted[side] || m->src != src || m->dst != dst)
        return trace_fail(t, "rank %" PRIu32 " waits for what it never posted",
                          rank);
    if (!m->posted[!side])
        return 0;
    if (m->waited[side])
        return trace_fail(t, "tag %" PRIu32 ": waited for twice", tag);
    t->waits++;
    m->waited[side] = t->line;
    return 1;
}

/* Runs a line. Returns 1 if it is done, 0 if it has to wait, -1 on an error. */
static inline int trace_step(struct trace_text *t, uint32_t rank,
                             const char *line)
{
    uint32_t who, a, b, c;
    uint64_t bytes;
    char action[16];
    double s;
    int n = 0;

    if (sscanf(line, "%" SCNu32 " %15s%n", &who, action, &n) != 2 ||
        who != rank)
        return trace_fail(t, "line: %s", line);
    line += n;
    if (!strcmp(action, "isend") || !strcmp(action, "irecv")) {
        bool send = action[1] == 's';
        if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu64, &a, &b, &bytes) !=
            3)
            return trace_fail(t, "arguments: %s", line);
        t->sends += send;
        t->recvs += !send;
        return trace_post(t, send ? rank : a, send ? a : rank, b, bytes, !send);
    }
    if (!strcmp(action, "wait"))
        return sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu32, &a, &b, &c) == 3
                   ? trace_wait(t, rank, a, b, c)
                   : trace_fail(t, "arguments: %s", line);
    if (!strcmp(action, "sleep")) {
        if (sscanf(line, "%lf", &s) != 1 || !(s > 0))
            return trace_fail(t, "arguments: %s", line);
        t->sleep_s += s;
        return 1;
    }
    return !strcmp(action, "init") || !strcmp(action, "waitall") ||
                   !strcmp(action, "finalize")
               ? 1
               : trace_fail(t, "action: %s", action);
}

static inline int trace_read(struct trace_text *t, char *copy)
{
    size_t n = 0;

    for (const char *c = copy; *c; c++)
        n += *c == '\n';
    t->lines = xcalloc(n + 1, sizeof *t->lines);
    t->at = xcalloc(n + 1, sizeof *t->at);
    t->end = xcalloc(n + 1, sizeof *t->end);
    t->messages = xcalloc(4 * n + 1, sizeof *t->messages);
    t->nmessages = 4 * (uint32_t)n + 1; /* includes operations without a line */
    for (char *line; (line = strsep(&copy, "\n"));) {
        if (!*line)
            continue;
        uint32_t rank = (uint32_t)strtoul(line, NULL, 10);
        if (strstr(line, " init")) {
            if (rank != t->ranks++)
                return trace_fail(t, "rank %" PRIu32 " out of order", rank);
            t->at[rank] = t->nlines;
        }
        t->lines[t->nlines++] = line;
        if (t->ranks)
            t->end[t->ranks - 1] = t->nlines;
    }
    return 0;
}

static inline int trace_run(struct trace_text *t)
{
    bool moved = true, left = true;

    while (moved) {
        moved = left = false;
        for (uint32_t r = 0; r < t->ranks; r++) {
            int rc = 1;
            for (; t->at[r] < t->end[r]; t->at[r]++, moved = true) {
                t->line = t->at[r] + 1;
                rc = trace_step(t, r, t->lines[t->at[r]]);
                if (rc <= 0)
                    break;
            }
            if (rc < 0)
                return -1;
            left = left || t->at[r] < t->end[r];
        }
    }
    for (uint32_t i = 0; i < t->nmessages; i++)
        if (!t->messages[i].posted[0] != !t->messages[i].posted[1])
            return trace_fail(t, "tag %" PRIu32 " has one side", i);
    return left ? trace_fail(t, "a deadlock") : 0;
}

static inline void trace_clear(struct trace_text *t)
{
    free(t->lines);
    free(t->at);
    free(t->end);
    free(t->messages);
    free(t->copy);
}

/* Returns -1 if the trace is wrong, with the reason in t->error. The caller
 * calls trace_clear() in both cases. */
static inline int trace_check(struct trace_text *t, const char *text)
{
    memset(t, 0, sizeof *t);
    t->copy = xstrdup(text);
    return trace_read(t, t->copy) < 0 ? -1 : trace_run(t);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dumpi_text.h - the events of a DUMPI file that a test wrote (dumpi_toys.h),
 * as text, a line each. */
#ifndef TESTS_DUMPI_TEXT_H
#define TESTS_DUMPI_TEXT_H

#include "tests/check.h"
#include "tests/dumpi_toys.h"
#include "workloads/trace/trace.h"

static const char *const call_words[NTRACE_CALLS] = {
    "compute", "send", "recv",  "probe",  "wait", "poll",     "all",   "comm",
    "put",     "get",  "flush", "cancel", "init", "finalize", "other", "?"};

static inline void peer_line(FILE *f, char sign, uint32_t peer)
{
    if (peer == ANY_RANK)
        fprintf(f, " %cany", sign);
    else if (peer == NO_PEER)
        fprintf(f, " %cnone", sign);
    else
        fprintf(f, " %c%u", sign, peer);
}

static inline void counts_line(FILE *f, const char *what, const uint64_t *at,
                               size_t n)
{
    for (size_t i = 0; at && i < n; i++)
        fprintf(f, "%s%llu", i ? "," : what, (unsigned long long)at[i]);
}

static inline void message_line(FILE *f, const struct trace_event *e)
{
    bool tagged = e->call == TRACE_SEND || e->call == TRACE_RECV ||
                  e->call == TRACE_PROBE || e->call == TRACE_POLL;

    if (e->peer != NO_PEER || tagged)
        peer_line(f, '@', e->peer);
    if (tagged && e->tag == ANY_TAG)
        fprintf(f, " tany");
    else if (tagged)
        fprintf(f, " t%u", e->tag);
    if (e->got_peer != ANY_RANK)
        fprintf(f, " got %u t%d", e->got_peer, (int)e->got_tag);
    if (e->bytes || e->recv_bytes)
        fprintf(f, " %lluB", (unsigned long long)e->bytes);
    if (e->recv_bytes)
        fprintf(f, "/%lluB", (unsigned long long)e->recv_bytes);
    counts_line(f, " to ", e->counts, e->ncounts);
    counts_line(f, " from ", e->recv_counts, e->ncounts);
}

/* Prints a line such as "send!s c1 @3 t7 40B #5": it blocks, is synchronous, in
 * communicator 1, to rank 3 with tag 7. */
static inline void event_line(FILE *f, const struct trace_event *e)
{
    fprintf(f, "%s%s%s", call_words[e->call], e->blocks ? "!" : "",
            e->synchronous ? "s" : "");
    if (e->call == TRACE_COLLECTIVE)
        fprintf(f, " %s", trace_collective_names[e->collective]);
    if (e->comm)
        fprintf(f, " c%u", e->comm);
    message_line(f, e);
    if (e->call == TRACE_COMM) {
        fprintf(f, " how %u", e->how);
        if (e->new_comm == NO_COMM)
            fprintf(f, " none");
        else
            fprintf(f, " new %u", e->new_comm);
        if (e->how == TRACE_SPLIT)
            fprintf(f, " %d %d", (int)e->color, (int)e->key);
        for (size_t i = 0; i < e->nmembers; i++)
            fprintf(f, "%s%u", i ? "," : " of ", e->members[i]);
    }
    if (e->request != NO_REQUEST)
        fprintf(f, " #%llx", (unsigned long long)e->request);
    for (size_t i = 0; i < e->nrequests; i++)
        fprintf(f, " after %llx", (unsigned long long)e->requests[i]);
    fputc('\n', f);
}

/* Returns all events of a rank; an error is the last line. The caller frees
 * it. */
static inline char *text_of(struct trace *t, uint32_t rank)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct trace_event e;
    struct err err = {0};
    int result;

    while ((result = trace_next(t, rank, &e, &err)) > 0)
        event_line(f, &e);
    if (result < 0)
        fprintf(f, "%s\n", strstr(err.text, "rank "));
    fclose(f);
    return text;
}

static inline void check_text(const char *got, const char *want, int line)
{
    check_count++;
    if (!strcmp(got, want))
        return;
    check_failures++;
    fprintf(stderr, "%s:%d: got\n%s--- expected\n%s", __FILE__, line, got,
            want);
}

/* Closes and opens the file as rank 1 of 4, and checks its events, twice. */
static inline void check_file(struct toy_file *f, const char *want, int line)
{
    struct trace t;
    struct err err = {0};

    toy_close(f);
    char *path = toy_write(f, "toy-0001.bin");
    char *meta = scratch_file("toy.meta", "numprocs=4\nfileprefix=toy\n");
    if (trace_open(&t, path, &err) < 0) {
        check_text(err.text, want, line);
    } else {
        char *once = text_of(&t, 1);
        CHECK(trace_rewind(&t, 1, &err) == 0);
        char *twice = text_of(&t, 1);
        check_text(once, want, line);
        CHECK(!strcmp(once, twice));
        free(once);
        free(twice);
        trace_close(&t);
    }
    unlink(path);
    unlink(meta);
    free(path);
    free(meta);
}
#define CHECK_FILE(f, want) check_file(&(f), want, __LINE__)

#endif

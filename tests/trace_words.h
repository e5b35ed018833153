/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_words.h - traces in memory, a text for each rank. Words: s1 and r1
 * begin a send to and a receive from rank 1, S1 and R1 are the same but block;
 * .T adds a tag (default 0), :B the bytes (default 8). r* receives from any
 * rank. w waits for all begun requests, w1 for the oldest one, w0 for none, c
 * computes, b is a barrier of all, q is a query (MPI_Comm_rank).
 */
#ifndef TESTS_TRACE_WORDS_H
#define TESTS_TRACE_WORDS_H

#include "workloads/trace/trace.h"

#include <stdlib.h>
#include <string.h>

struct words_rank {
    struct trace_event *events;
    uint64_t *requests; /* 0, 1, 2, ... */
    uint64_t begun, waited;
    size_t n, at;
};

static inline int words_next(struct trace *t, uint32_t rank,
                             struct trace_event *e, struct err *err)
{
    struct words_rank *r = &((struct words_rank *)t->state)[rank];

    (void)err;
    if (r->at == r->n)
        return 0;
    *e = r->events[r->at++];
    return 1;
}

static inline int words_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    (void)err;
    ((struct words_rank *)t->state)[rank].at = 0;
    return 0;
}

static inline void words_close(struct trace *t)
{
    struct words_rank *r = t->state;

    for (uint32_t i = 0; i < t->ranks; i++) {
        free(r[i].events);
        free(r[i].requests);
    }
    free(r);
}

static const struct trace_format words_format = {.name = "words",
                                                 .next = words_next,
                                                 .rewind = words_rewind,
                                                 .close = words_close};

static inline void words_begin(struct words_rank *r, struct trace_event *e,
                               const char *word)
{
    const char *tag = strchr(word, '.'), *bytes = strchr(word, ':');
    char kind = word[0];

    *e = trace_event_new(strchr("sS", kind) ? TRACE_SEND : TRACE_RECV);
    e->name = strchr("sS", kind) ? "send" : "receive";
    e->peer = word[1] == '*' ? ANY_RANK : (uint32_t)strtoul(word + 1, NULL, 10);
    e->tag = tag ? (uint32_t)strtoul(tag + 1, NULL, 10) : 0;
    e->bytes = bytes ? strtoull(bytes + 1, NULL, 10) : 8;
    e->blocks = strchr("SR", kind) != NULL;
    if (!e->blocks)
        e->request = r->begun++;
}

static inline void words_word(struct words_rank *r, const char *word)
{
    struct trace_event *e = &r->events[r->n++];

    switch (word[0]) {
    case 'w':
        *e = trace_event_new(TRACE_WAIT);
        e->nrequests = r->begun - r->waited;
        if (word[1] && e->nrequests)
            e->nrequests = word[1] != '0';
        e->requests = &r->requests[r->waited];
        r->waited += e->nrequests;
        break;
    case 'c':
        *e = trace_event_new(TRACE_COMPUTE);
        e->work_s = 1e-6;
        break;
    case 'b':
        *e = trace_event_new(TRACE_COLLECTIVE);
        e->collective = TRACE_BARRIER;
        e->blocks = true;
        break;
    case 'q':
        *e = trace_event_new(TRACE_OTHER);
        break;
    default:
        words_begin(r, e, word);
    }
}

static inline void words_open(struct trace *t, uint32_t ranks,
                              const char *const *texts)
{
    *t = (struct trace){.format = &words_format, .path = xstrdup("words")};
    trace_set_ranks(t, ranks);
    struct words_rank *all = xcalloc(ranks, sizeof *all);
    t->state = all;
    for (uint32_t i = 0; i < ranks; i++) {
        char *copy = xstrdup(texts[i]), *rest = copy;
        size_t most = strlen(copy) + 1;
        all[i].events = xcalloc(most, sizeof *all[i].events);
        all[i].requests = xcalloc(most, sizeof *all[i].requests);
        for (size_t k = 0; k < most; k++)
            all[i].requests[k] = k;
        for (char *word; (word = strsep(&rest, " "));)
            if (*word)
                words_word(&all[i], word);
        free(copy);
    }
}

#endif

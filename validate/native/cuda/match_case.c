/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates queues of messages and receives to be matched, and checks the
 * unmatched ones. */
#include "validate/native/cuda/match_case.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

/* Sorts the envelopes into queues, without changing the order within a queue.
 * Returns the first of each; the caller frees them. */
static uint32_t *deal(struct match_envelope *e, uint32_t n, uint32_t queues)
{
    struct match_envelope *old = xcalloc(n, sizeof *old);
    uint32_t *first = xcalloc((size_t)queues + 1, sizeof *first);
    uint32_t at = 0;

    memcpy(old, e, n * sizeof *old);
    for (uint32_t q = 0; q < queues; q++) {
        first[q] = at;
        for (uint32_t i = 0; i < n; i++)
            if (queues == 1 || old[i].src % queues == q)
                e[at++] = old[i];
    }
    first[queues] = at;
    free(old);
    return first;
}

void match_case_init(struct match_case *c, uint32_t n, uint32_t queues,
                     unsigned ranks, unsigned tags, struct match_mix mix)
{
    const struct match_draw drawn = {
        .length = n,
        .ranks = ranks,
        .tags = tags,
        .lost = (uint32_t)((uint64_t)n * mix.unexpected / 100),
        .wild = (uint32_t)((uint64_t)n * mix.wildcards / 100)};

    *c = (struct match_case){.n = n, .queues = queues};
    c->messages = xcalloc(n, sizeof *c->messages);
    c->receives = xcalloc(n, sizeof *c->receives);
    match_draw_fill(c->messages, c->receives, &drawn);
    c->first_message = deal(c->messages, n, queues);
    c->first_receive = deal(c->receives, n, queues);
}

void match_case_clear(struct match_case *c)
{
    free(c->messages);
    free(c->receives);
    free(c->first_message);
    free(c->first_receive);
    memset(c, 0, sizeof *c);
}

static uint32_t length(const uint32_t *first, uint32_t q)
{
    return first[q + 1] - first[q];
}

uint32_t match_case_longest(const struct match_case *c)
{
    uint32_t most = 0;

    for (uint32_t q = 0; q < c->queues; q++) {
        uint32_t m = length(c->first_message, q);
        uint32_t r = length(c->first_receive, q);
        most = m > most ? m : most;
        most = r > most ? r : most;
    }
    return most;
}

void match_case_serial(const struct match_case *c, uint32_t *taken)
{
    for (uint32_t q = 0; q < c->queues; q++) {
        uint32_t m = c->first_message[q], r = c->first_receive[q];
        match_serial(taken + r, c->messages + m, length(c->first_message, q),
                     c->receives + r, length(c->first_receive, q));
        for (; r < c->first_receive[q + 1]; r++)
            if (taken[r] != MATCH_LEFT)
                taken[r] += m;
    }
}

static bool queue_left(const struct match_case *c, const uint32_t *taken,
                       const unsigned char *gone, uint32_t q,
                       const uint32_t *messages, const uint32_t *receives,
                       const uint32_t *nleft)
{
    uint32_t m = 0, r = 0, base = c->first_receive[q];

    for (uint32_t i = c->first_message[q]; i < c->first_message[q + 1]; i++)
        if (!gone[i] && messages[c->first_message[q] + m++] != i)
            return false;
    for (uint32_t i = 0; i < length(c->first_receive, q); i++)
        if (taken[base + i] == MATCH_LEFT && receives[base + r++] != i)
            return false;
    return nleft[q] == m && nleft[c->queues + q] == r;
}

bool match_case_left(const struct match_case *c, const uint32_t *taken,
                     const uint32_t *messages, const uint32_t *receives,
                     const uint32_t *nleft)
{
    unsigned char *gone = xcalloc((size_t)c->n + 1, 1);
    bool good = true;

    for (uint32_t r = 0; r < c->n; r++)
        if (taken[r] != MATCH_LEFT)
            gone[taken[r]] = 1;
    for (uint32_t q = 0; q < c->queues && good; q++)
        good = queue_left(c, taken, gone, q, messages, receives, nleft);
    free(gone);
    return good;
}

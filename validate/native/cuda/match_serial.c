/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching on the CPU, with which the kernels' results are compared, and the
 * shapes of their launches. */
#include "validate/native/cuda/match.h"

#include "base/err.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, WARPS = 32, THREADS = WARP * WARPS };

static unsigned at_most(unsigned v, unsigned most)
{
    return v < most ? v : most;
}

static unsigned parts(unsigned n, unsigned of)
{
    return (n + of - 1) / of;
}

struct match_shape match_shape_matrix(unsigned queues, unsigned longest)
{
    struct match_shape s = {.scan_warps = at_most(parts(longest, WARP), WARPS)};

    assert(queues > 0);
    if (s.scan_warps < 1)
        s.scan_warps = 1;
    s.reducer = s.scan_warps > 1 && s.scan_warps < WARPS;
    unsigned warps = s.scan_warps + s.reducer;
    s.groups = at_most(queues, WARPS / warps);
    s.ctas = parts(queues, s.groups);
    s.threads = s.groups * warps * WARP;
    return s;
}

unsigned match_memory_matrix(struct match_shape s)
{
    return s.scan_warps == 1
               ? 0
               : s.groups * (1 + 2 * s.scan_warps * (MATCH_WINDOW + 1)) *
                     (unsigned)sizeof(uint32_t);
}

struct match_shape match_shape_hash(unsigned queues, unsigned longest)
{
    struct match_shape s = {.ctas = queues, .groups = 1};

    s.threads = at_most(parts(longest, WARP) * WARP, THREADS);
    if (s.threads < WARP)
        s.threads = WARP;
    s.small = s.threads / 4;
    return s;
}

unsigned match_memory_hash(struct match_shape s)
{
    return 6 * s.small *
           (unsigned)(sizeof(struct match_envelope) + sizeof(uint32_t));
}

void match_serial(uint32_t *taken, const struct match_envelope *messages,
                  uint32_t nmessages, const struct match_envelope *receives,
                  uint32_t nreceives)
{
    /* next[0] is the first of the unmatched messages, and next[i + 1] follows
     * message i. */
    uint32_t *next = xcalloc((size_t)nmessages + 1, sizeof *next);

    for (uint32_t i = 0; i <= nmessages; i++)
        next[i] = i;
    for (uint32_t r = 0; r < nreceives; r++) {
        uint32_t *link = &next[0];
        while (*link < nmessages && !match_fits(receives[r], messages[*link]))
            link = &next[*link + 1];
        taken[r] = *link < nmessages ? *link : MATCH_LEFT;
        if (*link < nmessages)
            *link = next[*link + 1];
    }
    free(next);
}

/* --- without ordering ----------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct match_envelope *x = a, *y = b;

    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static struct match_envelope *sorted(const struct match_envelope *e, uint32_t n)
{
    struct match_envelope *all = xcalloc((size_t)n + 1, sizeof *all);

    if (n) {
        memcpy(all, e, n * sizeof *all);
        qsort(all, n, sizeof *all, by_name);
    }
    return all;
}

/* Returns the most pairs that are possible, by a merge of both in order. */
static uint32_t pairs(const struct match_envelope *messages, uint32_t nmessages,
                      const struct match_envelope *receives, uint32_t nreceives)
{
    struct match_envelope *a = sorted(messages, nmessages);
    struct match_envelope *b = sorted(receives, nreceives);
    uint32_t n = 0;

    for (uint32_t i = 0, j = 0; i < nmessages && j < nreceives;) {
        int order = by_name(&a[i], &b[j]);
        n += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    free(a);
    free(b);
    return n;
}

int match_unordered(const uint32_t *taken,
                    const struct match_envelope *messages, uint32_t nmessages,
                    const struct match_envelope *receives, uint32_t nreceives)
{
    unsigned char *gone = xcalloc((size_t)nmessages + 1, 1);
    uint32_t n = 0;
    int good = 1;

    for (uint32_t r = 0; r < nreceives && good; r++) {
        if (taken[r] == MATCH_LEFT)
            continue;
        good = taken[r] < nmessages && !gone[taken[r]] &&
               !by_name(&receives[r], &messages[taken[r]]);
        if (good)
            gone[taken[r]] = 1;
        n++;
    }
    free(gone);
    /* The pairs fit, and there are as many as possible; therefore each name has
     * the right number. */
    return good && n == pairs(messages, nmessages, receives, nreceives);
}

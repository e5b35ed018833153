/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of numbers that grow, and the comparison of two snapshots. */
#include "sim/network/snapshot.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *snapshot_room(void *list, size_t n, size_t *room)
{
    if (n < *room)
        return list;
    *room = *room ? 2 * *room : 256;
    return xrealloc(list, *room, sizeof(uint64_t));
}

void snapshot_word(struct snapshot *s, uint64_t word)
{
    s->words = snapshot_room(s->words, s->nwords, &s->words_room);
    s->words[s->nwords++] = word;
}

void snapshot_time(struct snapshot *s, double from_now_s)
{
    s->times_s = snapshot_room(s->times_s, s->ntimes, &s->times_room);
    s->times_s[s->ntimes++] = from_now_s;
}

void snapshot_value(struct snapshot *s, double value)
{
    s->values = snapshot_room(s->values, s->nvalues, &s->values_room);
    s->values[s->nvalues++] = value;
}

static bool snapshot_near(double a, double b, double within)
{
    return a == b || fabs(a - b) <= within;
}

bool snapshot_equal(const struct snapshot *a, const struct snapshot *b,
                    double within_s, double part)
{
    if (a->nwords != b->nwords || a->ntimes != b->ntimes ||
        a->nvalues != b->nvalues ||
        (a->nwords &&
         memcmp(a->words, b->words, a->nwords * sizeof *a->words) != 0))
        return false;
    for (size_t i = 0; i < a->ntimes; i++)
        if (!snapshot_near(a->times_s[i], b->times_s[i], within_s))
            return false;
    for (size_t i = 0; i < a->nvalues; i++)
        if (!snapshot_near(a->values[i], b->values[i],
                           part * fabs(b->values[i])))
            return false;
    return true;
}

void snapshot_empty(struct snapshot *s)
{
    s->nwords = s->ntimes = s->nvalues = 0;
}

void snapshot_clear(struct snapshot *s)
{
    free(s->words);
    free(s->times_s);
    free(s->values);
    memset(s, 0, sizeof *s);
}

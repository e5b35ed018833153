/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strategies/traverse_state.h"

#include <math.h>

/* Of the time: at least 327 for each of TRAVERSE_PARTS. */
#define BINS 65536

void traverse_stats_begin(struct traversal *t)
{
    time_bins_init(&t->used_B, BINS);
}

void traverse_note_use(struct traversal *t, double from_s, double to_s,
                       double bytes, double wire_B)
{
    int size = 0;

    time_bins_add(&t->used_B, from_s, to_s, wire_B);
    while (size + 1 < TRAVERSE_SIZES && bytes >= ldexp(2, size))
        size++;
    t->r->sizes[size]++;
    t->r->transfers++;
    t->r->transfer_B += (uint64_t)bytes;
    t->r->wire_B += (uint64_t)wire_B;
}

static void share_use(struct traversal *t)
{
    double all = 0, most = 0;

    time_bins_share(&t->used_B, t->r->used_B, TRAVERSE_PARTS, t->r->time_s);
    time_bins_clear(&t->used_B);
    for (int i = 0; i < TRAVERSE_PARTS; i++) {
        all += t->r->used_B[i];
        most = fmax(most, t->r->used_B[i]);
    }
    t->r->peak_over_mean = all > 0 ? most / (all / TRAVERSE_PARTS) : 0;
}

void traverse_stats_end(struct traversal *t)
{
    share_use(t);
}

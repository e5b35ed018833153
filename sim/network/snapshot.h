/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot.h - the state of a simulation at a moment as lists of numbers, so
 * that the states of two moments can be compared: integers (which operation
 * holds which resource), times relative to that moment, and other values. Each
 * owner of a part of the state writes it, always in the same order. */
#ifndef SIM_NETWORK_SNAPSHOT_H
#define SIM_NETWORK_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A snapshot whose bytes are all 0 is empty. */
struct snapshot {
    uint64_t *words;
    double *times_s, *values;
    size_t nwords, ntimes, nvalues;
    size_t words_room, times_room, values_room;
};

void snapshot_word(struct snapshot *s, uint64_t word);
/* Appends a time relative to now; the past is below 0. */
void snapshot_time(struct snapshot *s, double from_now_s);
void snapshot_value(struct snapshot *s, double value);

/* Returns whether words are equal, times differ by at most within_s, and values
 * by at most that fraction (part). */
bool snapshot_equal(const struct snapshot *a, const struct snapshot *b,
                    double within_s, double part);

/* Empties it and keeps its memory. */
void snapshot_empty(struct snapshot *s);
void snapshot_clear(struct snapshot *s);

#endif

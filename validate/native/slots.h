/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slots.h - message buffers that are used in turn, and written before they are
 * sent (enum buffers). */
#ifndef VALIDATE_NATIVE_SLOTS_H
#define VALIDATE_NATIVE_SLOTS_H

#include "validate/measure/sweep.h"
#include "validate/native/native.h"

#include <stdint.h>

#define SLOTS_OPTION(list)                                                     \
    {                                                                          \
        "buffers", OPT_TEXT, &(list), "LIST", BUFFERS_HELP                     \
    }

struct slots {
    const struct native *n;
    char *memory;
    bool device;    /* it is GPU memory */
    double clock_s; /* duration of one reading of the clock */
    enum buffers kind;
    uint64_t bytes, stride; /* size of one buffer, distance of two */
    uint64_t count, next;
    double writing_s; /* time of writing since slots_begin() */
};

/* Sets the kinds that --buffers asks for; all if it is NULL. */
int slots_option(bool wanted[NBUFFERS], const char *list,
                 struct err *err) MUST_CHECK;
/* Returns the bytes of memory for `count` buffers of `bytes` at a time, for
 * each wanted kind. */
uint64_t slots_room(const bool wanted[NBUFFERS], uint64_t bytes,
                    uint64_t count);

/* Starts to use buffers of `bytes` in `memory`, which has at least
 * slots_room(): as many in turn as the span of the kind holds, at least
 * `at_once`. The memory is borrowed. */
void slots_begin(struct slots *s, const struct native *n, void *memory,
                 bool device, enum buffers kind, uint64_t bytes,
                 uint64_t at_once);
/* Returns the next buffer, for a receive. */
void *slots_take(struct slots *s);
/* Returns the next buffer, for a send; it is written if the kind says so. */
void *slots_write(struct slots *s);
/* Returns the seconds of writing since slots_begin() or the last call. */
double slots_writing_s(struct slots *s);

/* Returns the duration of one reading of the clock, which is part of every
 * measured interval. */
double slots_clock_s(void);

#endif

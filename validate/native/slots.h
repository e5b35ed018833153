/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slots.h - message buffers that are used in turn, and written before they are
 * sent: a message whose bytes lie in the cache of the core that receives it, or
 * in pages that nobody wrote, takes less time than one of a program that
 * computes. */
#ifndef VALIDATE_NATIVE_SLOTS_H
#define VALIDATE_NATIVE_SLOTS_H

#include "validate/native/native.h"

#include <stdint.h>

enum slots_kind {
    SLOTS_SAME,    /* one buffer, which nobody writes */
    SLOTS_WRITTEN, /* written just before each send; twice the L2 in turn */
    SLOTS_COLD,    /* written once; half of the last-level cache in turn */
    NSLOTS_KINDS
};
extern const char *const slots_names[NSLOTS_KINDS]; /* column `buffers` */

/* What the names mean, for the head of a file. */
#define SLOTS_NOTE                                                             \
    "buffers: same: one buffer for each message, which nobody writes; "        \
    "written: written just before each send, the time of that taken off, and " \
    "used in turn through twice the L2 of a core; cold: written once, used "   \
    "in turn through half of the last-level cache, of each rank and direction"

#define SLOTS_OPTION(list)                                                     \
    {                                                                          \
        "buffers", OPT_TEXT, &(list), "LIST", "of same, written, cold (all)"   \
    }

struct slots {
    const struct native *n;
    char *memory;
    bool device;    /* GPU memory */
    double clock_s; /* what one reading of the clock takes */
    enum slots_kind kind;
    uint64_t bytes, stride; /* of one */
    uint64_t count, next;
    double writing_s; /* spent since slots_begin() */
};

/* What --buffers asks for; NULL: all. */
int slots_option(bool wanted[NSLOTS_KINDS], const char *list,
                 struct err *err) MUST_CHECK;
/* Memory for `count` buffers of `bytes` at a time, of each wanted kind. */
uint64_t slots_room(const bool wanted[NSLOTS_KINDS], uint64_t bytes,
                    uint64_t count);

/*
 * From now on buffers of `bytes` out of `memory`, which has slots_room() of
 * them or more: as many are used in turn as go into the span of the kind,
 * at least `at_once`.
 */
void slots_begin(struct slots *s, const struct native *n, void *memory,
                 bool device, enum slots_kind kind, uint64_t bytes,
                 uint64_t at_once);
/* The next buffer, for a receive. */
void *slots_take(struct slots *s);
/* The next buffer, for a send: written, if the kind says so. */
void *slots_write(struct slots *s);
/* What writing took since slots_begin() or the last call of this. */
double slots_writing_s(struct slots *s);

/* What one reading of the clock takes: it is in every time between two. */
double slots_clock_s(void);

#endif

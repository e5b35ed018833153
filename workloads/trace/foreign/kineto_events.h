/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kineto_events.h - an event of a profile while its keys are read, and its
 * place in the profile. */
#ifndef WORKLOADS_TRACE_FOREIGN_KINETO_EVENTS_H
#define WORKLOADS_TRACE_FOREIGN_KINETO_EVENTS_H

#include "workloads/trace/foreign/kineto.h"

struct kineto_event {
    char phase[2], category[24];
    char *name;
    size_t name_n, name_room;
    double begin_us, us;
    int64_t thread, stream;
    int64_t correlation;
    uint64_t place;
    struct kineto_words words;
    int64_t dims; /* elements of the first input */
    bool has_dims;
    char type[32];
    size_t inputs, types;
};

/* Doubles the room of an array that is full. */
#define KINETO_GROW(array, n, room)                                            \
    do {                                                                       \
        if ((n) == (room)) {                                                   \
            (room) = (room) ? 2 * (room) : 64;                                 \
            (array) = xrealloc(array, room, sizeof *(array));                  \
        }                                                                      \
    } while (0)

/* Forgets the last event's values; `place` is the offset of the new one. */
void kineto_event_begin(struct kineto_event *e, uint64_t place);
/* Returns whether an event's arguments are needed; its category and name
 * usually come before them. */
bool kineto_event_wants_arguments(const struct kineto_event *e);
/* Adds an event whose keys were all read to the profile, and its group and name
 * to the world, if it is of a kind that a trace needs. */
void kineto_event_end(struct kineto_event *e, struct kineto_world *w,
                      struct kineto_profile *p);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls_list.h - the calls of a list; for calls.c, which makes it, and
 * calls_run.c. */
#ifndef VALIDATE_NATIVE_CALLS_LIST_H
#define VALIDATE_NATIVE_CALLS_LIST_H

#include "validate/native/calls.h"
#include "validate/native/runner.h"

enum call_kind {
    CALL_SEND,
    CALL_RECEIVE,
    CALL_POST_SEND,    /* nonblocking */
    CALL_POST_RECEIVE, /* nonblocking */
    CALL_WAIT,         /* for `count` requests from `first` on */
    CALL_COPY,         /* with a wait for it */
    CALL_GPU,          /* the copies that follow are GPU `count`'s */
    CALL_WORK,         /* the CPU is busy for work_s */
    CALL_STORE         /* of a collective's elements: `store` */
};

struct call {
    enum call_kind kind;
    uint32_t op;
    int peer, tag, bytes;
    char *from, *at; /* the memory that it reads, and that it writes */
    struct slots *from_slots, *at_slots; /* in place of it; or NULL */
    size_t copied_B;
    double work_s;
    void (*store)(struct runner *r, uint32_t op);
    uint32_t first, count;
};

#endif

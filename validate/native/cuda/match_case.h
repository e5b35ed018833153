/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match_case.h - generates messages and receives to be matched; equal arguments
 * give equal ones. */
#ifndef VALIDATE_NATIVE_CUDA_MATCH_CASE_H
#define VALIDATE_NATIVE_CUDA_MATCH_CASE_H

#include "validate/native/cuda/match.h"

#include <stdbool.h>

struct match_mix {
    unsigned wildcards; /* per cent of the receives, with one queue only */
    /* Per cent of the messages, and of the receives, that match nothing. */
    unsigned unexpected;
};

/* n messages and n receives, sorted into queues by source, otherwise in a
 * random order. Each source has equally many, except for the remainder. */
struct match_case {
    uint32_t n, queues;
    struct match_envelope *messages, *receives;
    uint32_t *first_message, *first_receive; /* queues + 1 of each */
};

void match_case_init(struct match_case *c, uint32_t n, uint32_t queues,
                     unsigned ranks, unsigned tags, struct match_mix mix);
void match_case_clear(struct match_case *c);
/* Returns the number of messages or receives, whichever are more, of the
 * longest queue. */
uint32_t match_case_longest(const struct match_case *c);
/* Applies match_serial() to every queue, with places as in match_work. */
void match_case_serial(const struct match_case *c, uint32_t *taken);
/* Returns whether these are the messages and receives that `taken` leaves
 * unmatched, in order: see match_work. Receives count from the first of their
 * queue. */
bool match_case_left(const struct match_case *c, const uint32_t *taken,
                     const uint32_t *messages, const uint32_t *receives,
                     const uint32_t *nleft);

#endif

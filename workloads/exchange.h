/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - messages between ranks in rounds, from a file or random. */
#ifndef WORKLOADS_EXCHANGE_H
#define WORKLOADS_EXCHANGE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan.h"

#include <stdint.h>

struct exchange_msg {
    uint32_t round, src, dst;
    uint64_t bytes;
};

struct exchange {
    uint32_t ranks, rounds; /* highest numbers in the messages, plus 1 */
    /* Sorted by round, then in the order of the file. */
    struct exchange_msg *msgs;
    size_t nmsgs;
};

void exchange_clear(struct exchange *x);

/* Reads a CSV file with the columns round,src,dst,bytes; numbers count from
 * 0. */
int exchange_read(struct exchange *x, const char *path,
                  struct err *err) MUST_CHECK;

/*
 * Draws the messages of "random:ranks=R,messages=M,rounds=K,bytes=A..B,seed=S":
 * M messages from every rank to uniformly random other ranks, divided into K
 * rounds, with uniform sizes. More ranks than most_ranks are refused before
 * anything is drawn.
 */
int exchange_draw(struct exchange *x, const char *workload, uint32_t most_ranks,
                  struct err *err) MUST_CHECK;

/* Makes a plan with one rank on every core, from node 0 on. A round begins for
 * a rank when all messages that it sends and receives in the round before are
 * complete: then it posts the receives of the round, and its sends. */
int exchange_to_plan(struct plan *p, const struct machine *m,
                     const struct exchange *x, struct err *err) MUST_CHECK;

/* Makes the plan of a file, as workload.messages does. */
int exchange_file_messages(struct plan *p, uint32_t *ranks,
                           const struct machine *m, const char *path,
                           struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - messages between ranks in rounds: read or random. */
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
    uint32_t ranks, rounds;    /* the largest number of the messages, plus 1 */
    struct exchange_msg *msgs; /* by round, else in order of the file */
    size_t nmsgs;
};

void exchange_clear(struct exchange *x);

/* A CSV file with the columns round,src,dst,bytes (numbers from 0). */
int exchange_read(struct exchange *x, const char *path,
                  struct err *err) MUST_CHECK;

/*
 * "random:ranks=R,messages=M,rounds=K,bytes=A..B,seed=S": M messages of every
 * rank to uniformly random other ranks, dealt to K rounds, sizes uniform; more
 * than most_ranks are refused before they are drawn.
 */
int exchange_draw(struct exchange *x, const char *workload, uint32_t most_ranks,
                  struct err *err) MUST_CHECK;

/*
 * One rank on every core, from node 0 on. A round begins for a rank when all
 * messages that it sends and receives in the round before are complete: then it
 * posts the receives of the round, and its sends.
 */
int exchange_to_plan(struct plan *p, const struct machine *m,
                     const struct exchange *x, struct err *err) MUST_CHECK;

/* The plan of a file, as workload.messages. */
int exchange_file_messages(struct plan *p, uint32_t *ranks,
                           const struct machine *m, const char *path,
                           struct err *err) MUST_CHECK;

#endif

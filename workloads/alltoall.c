/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop in which every rank sends every rank the same number of bytes. The
 * body has one message per rank, so that memory is needed only for messages
 * that are in flight. */
#include "workloads/workload.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

struct alltoall {
    uint64_t ranks, bytes;
    bool at_once;
};

/* Returns the text after "KEY", or NULL. */
static const char *alltoall_after(const char *at, const char *key)
{
    size_t len = strlen(key);

    return at && strncmp(at, key, len) == 0 ? at + len : NULL;
}

static int alltoall_read(struct alltoall *a, const char *words,
                         const struct machine *m, struct err *err)
{
    const char *at = alltoall_after(words, "alltoall:ranks=");

    at = at ? number_take_whole(at, &a->ranks) : NULL;
    at = alltoall_after(at, ",bytes=");
    at = at ? number_take_bytes(at, &a->bytes) : NULL;
    if (!at || (strcmp(at, ",exchange=pairwise") != 0 &&
                strcmp(at, ",exchange=nonblocking") != 0))
        return fail(err, "%s: expected %s", words, alltoall_workload.words);
    a->at_once = !strcmp(at, ",exchange=nonblocking");
    if (a->ranks < 2 || a->ranks > PLAN_MAX_RANKS ||
        a->bytes > (uint64_t)1 << 50)
        return fail(err,
                    "%s: expected 2 ranks or more, at most %u, and at "
                    "most 2^50 bytes",
                    words, PLAN_MAX_RANKS);
    if (a->ranks > machine_cores(m))
        return fail(err, "%s: the machine has %u cores", words,
                    machine_cores(m));
    return 0;
}

/* Lets the receive and the send of a step wait for the send and the receive of
 * the same rank in the step before. */
static void alltoall_wait(struct plan *p, uint32_t rank)
{
    plan_after_last(p, rank | AFTER_SENT);
    plan_after_last(p, rank);
    plan_after_last(p, rank | FOR_RECEIVE | AFTER_SENT);
    plan_after_last(p, rank | FOR_RECEIVE);
}

static int alltoall_loop(struct loop *l, uint32_t *ranks,
                         const struct machine *m, const char *words,
                         struct err *err)
{
    struct alltoall a;

    if (alltoall_read(&a, words, m, err) < 0)
        return -1;
    *ranks = (uint32_t)a.ranks;
    *l =
        (struct loop){.steps = *ranks, .turning = *ranks, .at_once = a.at_once};
    plan_init(&l->body, m, "all-to-all", 1, m->ncores, NULL);
    if (plan_spread(&l->body, m, *ranks, err) < 0) {
        loop_clear(l);
        return -1;
    }
    l->body.working_set_B = 2.0 * (double)a.ranks * (double)a.bytes;
    for (uint32_t r = 0; r < *ranks; r++) {
        uint32_t to = a.at_once ? (r + 1) % *ranks : r;
        plan_msg(&l->body, PHASE_OFF_NODE, r, to, NO_GPU, NO_GPU, a.bytes);
        if (!a.at_once)
            alltoall_wait(&l->body, r);
    }
    return 0;
}

const struct workload alltoall_workload = {
    .prefix = "alltoall:ranks=",
    .words = "alltoall:ranks=R,bytes=B,exchange=pairwise|nonblocking",
    .summary = "every rank sends every rank B bytes, itself among them",
    .help =
        "In step i rank r sends to r + i and receives from r - i. pairwise: "
        "from i = 0, itself,\non, a send and a receive at a time; a rank "
        "begins a step when both of the step before\nare complete. "
        "nonblocking: from i = 1 on, itself last, all posted at the "
        "beginning.\nMessages are made as they are sent, so that memory does "
        "not grow with their number.",
    .options = "nodes ranks-per-node placement runtime runtime-exhaustion",
    .platform = "lassen",
    .loop = alltoall_loop,
};

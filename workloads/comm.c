/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm.c - messages between GPUs, in rounds, from a CSV file. */
#include "base/csv.h"
#include "base/opts.h"
#include "workloads/exchange.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

#define COMM_MAX_B (UINT64_C(1) << 50) /* limit of one message */

struct comm_msg {
    uint32_t round;
    struct halo_msg of;
};

static int comm_check_columns(const struct csv *t, struct err *err)
{
    for (size_t i = 0; i < t->ncols; i++)
        if (!opt_in_list("round src dst bytes", t->names[i]))
            return fail(err, "%s: column '%s': expected round, src, dst, bytes",
                        t->path, t->names[i]);
    return 0;
}

static int comm_read_row(struct comm_msg *m, const struct csv *t, size_t row,
                         uint32_t gpus, struct err *err)
{
    struct halo_msg *of = &m->of;

    if (csv_column(t, "round") >= 0 &&
        csv_below(t, row, "round", PLAN_MAX_RANKS, &m->round, err) < 0)
        return -1;
    if (csv_below(t, row, "src", PLAN_MAX_RANKS, &of->src, err) < 0 ||
        csv_below(t, row, "dst", PLAN_MAX_RANKS, &of->dst, err) < 0 ||
        csv_count(t, row, "bytes", &of->values, err) < 0)
        return -1;
    if (of->src >= gpus || of->dst >= gpus)
        return fail(err, "%s:%u: GPU %u: there are %u GPUs, from 0", t->path,
                    t->lines[row], of->src >= gpus ? of->src : of->dst, gpus);
    if (of->src == of->dst)
        return fail(err, "%s:%u: GPU %u sends to itself", t->path,
                    t->lines[row], of->src);
    if (of->values > COMM_MAX_B)
        return fail(err, "%s:%u: bytes: expected at most 2^50", t->path,
                    t->lines[row]);
    return 0;
}

static int comm_by_round(const void *left, const void *right)
{
    const struct comm_msg *a = left, *b = right;

    return a->round < b->round ? -1 : a->round > b->round;
}

/* Makes the halo of one round from its n messages. */
static int comm_make_round(struct halo *h, const struct comm_msg *msgs,
                           size_t n, uint32_t gpus, uint32_t gpus_per_node,
                           struct err *err)
{
    struct halo_msg *round = xcalloc(n, sizeof *round);

    for (size_t i = 0; i < n; i++)
        round[i] = msgs[i].of;
    int result = halo_from_messages(h, gpus, gpus_per_node, 1, round, n, err);
    free(round);
    return result;
}

static int comm_make(struct halo *h, const struct comm_msg *msgs, size_t n,
                     uint32_t gpus, uint32_t gpus_per_node, struct err *err)
{
    struct halo *rounds = NULL;
    uint32_t nrounds = 0, room = 0;
    int result = 0;

    for (size_t i = 0, end; i < n && result == 0; i = end) {
        for (end = i + 1; end < n && msgs[end].round == msgs[i].round; end++)
            ;
        if (nrounds == room) {
            room = room ? 2 * room : 16;
            rounds = xrealloc(rounds, room, sizeof *rounds);
        }
        result = comm_make_round(&rounds[nrounds], &msgs[i], end - i, gpus,
                                 gpus_per_node, err);
        nrounds += result == 0;
    }
    if (result == 0)
        halo_from_rounds(h, rounds, nrounds);
    for (uint32_t k = 0; k < nrounds; k++)
        halo_clear(&rounds[k]);
    free(rounds);
    return result;
}

static int comm_traffic(struct halo *h, uint32_t gpus, uint32_t gpus_per_node,
                        const char *path, struct err *err)
{
    struct csv t;

    if (csv_load(&t, path, err) < 0)
        return -1;
    struct comm_msg *msgs = xcalloc(t.nrows, sizeof *msgs);
    int result = comm_check_columns(&t, err);
    if (result == 0 && !t.nrows)
        result = fail(err, "%s: no messages", path);
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = comm_read_row(&msgs[i], &t, i, gpus, err);
    if (result == 0) {
        qsort(msgs, t.nrows, sizeof *msgs, comm_by_round);
        result = comm_make(h, msgs, t.nrows, gpus, gpus_per_node, err);
    }
    free(msgs);
    csv_clear(&t);
    return result;
}

const struct workload comm_workload = {
    .prefix = "comm:",
    .words = "comm:FILE.csv",
    .summary = "messages between GPUs: round,src,dst,bytes",
    .help =
        "GPUs are numbered from 0, node by node; without --gpus and --nodes "
        "there are as many as\nthe file names. Messages of one round and pair "
        "of GPUs are one; without a column round\nall are of one. A round "
        "begins for a GPU when all that it sends and receives in the round\n"
        "before is complete. What one GPU sends to another lies together in "
        "its memory: only\nwhat is sent on on the way is packed.",
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = comm_traffic,
    .names_gpus = true,
};

/* --- ranks ---------------------------------------------------------------- */

static int comm_ranks_messages(struct plan *p, uint32_t *ranks,
                               const struct machine *m, const char *words,
                               struct err *err)
{
    return exchange_file_messages(
        p, ranks, m, words + strlen(comm_ranks_workload.prefix), err);
}

const struct workload comm_ranks_workload = {
    .prefix = "comm:ranks:",
    .words = "comm:ranks:FILE.csv",
    .summary = "messages between ranks: round,src,dst,bytes",
    .help = "src and dst are ranks with host memory instead of GPUs; the "
            "messages are carried out as\nthey are given. It is exchange: by "
            "another name.",
    .options = "nodes ranks-per-node runtime runtime-exhaustion",
    .platform = "lassen",
    .messages = comm_ranks_messages,
};

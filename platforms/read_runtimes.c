/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of runtimes beside MPI: their message tables, and those of
 * their threads for a message. */
#include "platforms/read.h"

#include <string.h>

const char *const rma_epoch_names[NRMA_EPOCHS] = {"pscw", "fence"};

/* Bits of the runtimes that have a number. */
enum {
    LCI = 1 << RUNTIME_LCI,
    PROBE = 1 << RUNTIME_MPI_PROBE,
    RMA = 1 << RUNTIME_MPI_RMA,
    ALL = LCI | PROBE | RMA
};

enum cost_kind { COST_TIME, COST_RATE, COST_BYTES, COST_COUNT };

/* The numbers, in the order in which they are shown. */
static const struct cost {
    const char *key;
    unsigned of; /* runtimes */
    enum cost_kind kind;
    double unit;
    size_t at; /* in struct runtime_costs */
    bool needed;
} costs[] = {
#define FIELD(field) offsetof(struct runtime_costs, field)
    {"call_us", ALL, COST_TIME, 1e-6, FIELD(call_s), true},
    {"call_thread_ns", ALL, COST_TIME, 1e-9, FIELD(call_thread_s), false},
    {"threads", ALL, COST_COUNT, 1, FIELD(threads), false},
    {"devices", ALL, COST_COUNT, 1, FIELD(devices), false},
    {"dequeue_us", LCI | PROBE, COST_TIME, 1e-6, FIELD(dequeue_s), false},
    {"copy_GBps", LCI | PROBE, COST_RATE, 1e9, FIELD(copy_Bps), false},
    {"send_us", ALL, COST_TIME, 1e-6, FIELD(send_s), false},
    {"recv_us", ALL, COST_TIME, 1e-6, FIELD(recv_s), false},
    {"send_ns_per_byte", ALL, COST_TIME, 1e-9, FIELD(send_s_per_B), false},
    {"recv_ns_per_byte", ALL, COST_TIME, 1e-9, FIELD(recv_s_per_B), false},
    {"large_send_ns_per_byte", LCI | PROBE, COST_TIME, 1e-9,
     FIELD(large_send_s_per_B), false},
    {"large_recv_ns_per_byte", LCI | PROBE, COST_TIME, 1e-9,
     FIELD(large_recv_s_per_B), false},
    {"poll_us", ALL, COST_TIME, 1e-6, FIELD(poll_s), false},
    {"packet_bytes", LCI, COST_BYTES, 1, FIELD(packet_B), true},
    {"packets_per_host", LCI, COST_COUNT, 1, FIELD(packets_per_host), true},
    {"eager_bytes", PROBE, COST_BYTES, 1, FIELD(eager_B), false},
    {"flush_us", PROBE, COST_TIME, 1e-6, FIELD(flush_s), false},
    {"test_us", PROBE, COST_TIME, 1e-6, FIELD(test_s), false},
    {"entry_ns", PROBE, COST_TIME, 1e-9, FIELD(entry_s), false},
    {"unexpected_bytes", PROBE, COST_BYTES, 1, FIELD(unexpected_B), false},
    {"start_us", RMA, COST_TIME, 1e-6, FIELD(start_s), false},
    {"complete_us", RMA, COST_TIME, 1e-6, FIELD(complete_s), false},
    {"post_us", RMA, COST_TIME, 1e-6, FIELD(post_s), false},
    {"wait_us", RMA, COST_TIME, 1e-6, FIELD(wait_s), false},
    {"fence_us", RMA, COST_TIME, 1e-6, FIELD(fence_s), false},
    {"lock_us", RMA, COST_TIME, 1e-6, FIELD(lock_s), false},
    {"window_us", RMA, COST_TIME, 1e-6, FIELD(window_s), false},
    {"windows", RMA, COST_COUNT, 1, FIELD(windows), false},
#undef FIELD
};
enum { NCOSTS = sizeof costs / sizeof costs[0] };

bool runtime_has_costs(int runtime)
{
    return ALL >> runtime & 1;
}

double runtime_pool_B(const struct runtime_costs *c, uint32_t processes)
{
    return (double)c->packet_B * c->packets_per_host * processes;
}

static void *cost_place(struct runtime_costs *c, const struct cost *k)
{
    return (char *)c + k->at;
}

static int read_runtime_cost(struct runtime_costs *c, const struct cost *k,
                             const struct json *o, struct err *err)
{
    if (!json_member(o, k->key) && !k->needed)
        return 0;
    switch (k->kind) {
    case COST_TIME:
        return read_not_negative(o, k->key, k->unit, cost_place(c, k), err);
    case COST_RATE:
        return read_positive(o, k->key, k->unit, cost_place(c, k), err);
    case COST_COUNT:
        return read_unsigned(o, k->key, 1, 1000000, cost_place(c, k), err);
    case COST_BYTES:
        break;
    }
    unsigned bytes;
    if (read_unsigned(o, k->key, 1, 1u << 31, &bytes, err) < 0)
        return -1;
    *(uint64_t *)cost_place(c, k) = bytes;
    return 0;
}

static int read_cost_words(struct runtime_costs *c, const struct json *o,
                           struct err *err)
{
    static const char *const exhaustions[] = {"wait", "error"};
    unsigned word;

    if (json_member(o, "exhaustion")) {
        if (read_name(o, "exhaustion", exhaustions, 2, &word, err) < 0)
            return -1;
        c->exhaustion_fails = word == 1;
    }
    if (json_member(o, "epoch")) {
        if (read_name(o, "epoch", rma_epoch_names, NRMA_EPOCHS, &word, err) < 0)
            return -1;
        c->epoch = (enum rma_epoch)word;
    }
    return source_read(&c->source, o, "source", err);
}

int runtime_costs_read(struct runtime_costs *c, int runtime,
                       const struct json *o, struct err *err)
{
    const char *keys[NCOSTS + 3] = {"source"};
    size_t n = 1;

    for (size_t i = 0; i < NCOSTS; i++)
        if (costs[i].of >> runtime & 1)
            keys[n++] = costs[i].key;
    keys[n++] = runtime == RUNTIME_MPI_RMA ? "epoch" : "exhaustion";
    if (json_only_keys(o, keys, n, err) < 0)
        return -1;
    *c = (struct runtime_costs){.devices = 1, .windows = 1};
    for (size_t i = 0; i < NCOSTS; i++)
        if (costs[i].of >> runtime & 1 &&
            read_runtime_cost(c, &costs[i], o, err) < 0)
            return -1;
    return read_cost_words(c, o, err);
}

bool runtime_cost(const struct runtime_costs *c, int runtime, size_t i,
                  const char **key, double *value)
{
    const struct cost *k = costs;

    for (; k < costs + NCOSTS; k++)
        if (k->of >> runtime & 1 && i-- == 0)
            break;
    if (k == costs + NCOSTS)
        return false;
    const void *at = (const char *)c + k->at;
    *key = k->key;
    *value = k->kind == COST_BYTES   ? (double)*(const uint64_t *)at
             : k->kind == COST_COUNT ? *(const unsigned *)at
                                     : *(const double *)at / k->unit;
    return true;
}

/* --- all that a platform says of a runtime -------------------------------- */

static int read_runtime(struct machine *m, enum runtime r, const struct json *o,
                        struct err *err)
{
    const char *keys[NPATHS + 1] = {"costs"};
    struct json *own;

    memcpy(keys + 1, msg_path_names, sizeof msg_path_names);
    if (json_only_keys(o, runtime_has_costs(r) ? keys : keys + 1,
                       NPATHS + runtime_has_costs(r), err) < 0 ||
        read_message_paths(m, r, o, err) < 0)
        return -1;
    if (!json_member(o, "costs"))
        return 0;
    if (json_get_object(o, "costs", &own, err) < 0)
        return -1;
    return runtime_costs_read(&m->costs[r], r, own, err) < 0
               ? fail_at_place(err, "costs")
               : 0;
}

int read_runtimes(struct machine *m, const struct json *o, struct err *err)
{
    /* `messages` has the first one's. */
    const enum runtime first = RUNTIME_MPI + 1;

    if (json_only_keys(o, runtime_names + first, NRUNTIMES - first, err) < 0)
        return -1;
    for (enum runtime r = first; r < NRUNTIMES; r++) {
        struct json *own;
        if (!json_member(o, runtime_names[r]))
            continue;
        if (json_get_object(o, runtime_names[r], &own, err) < 0)
            return -1;
        if (read_runtime(m, r, own, err) < 0)
            return fail_at_place(err, "%s", runtime_names[r]);
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of runtimes besides MPI: their message tables, and the costs
 * of their threads for a message. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include <string.h>

const char *const rma_epoch_names[NRMA_EPOCHS] = {"pscw", "fence"};

/* Bits of the runtimes that have a number. */
enum {
    LCI = 1 << RUNTIME_LCI,
    PROBE = 1 << RUNTIME_MPI_PROBE,
    RMA = 1 << RUNTIME_MPI_RMA,
    ALL = LCI | PROBE | RMA,
    PEER = 1 << RUNTIME_PEER
};

enum { MOST = 1000000 };
#define MOST_B (1u << 31)
static const char *const exhaustion_words[] = {"wait", "error"};

#define AT(field) offsetof(struct runtime_costs, field)
static const struct key rows[] = {
    {"call_us", KEY_FROM_0, AT(call_s), ALL, ALL, .group = "compute threads",
     .help = "a thread's call that sends"},
    {"call_thread_ns", KEY_FROM_0, AT(call_thread_s), .only = ALL,
     .group = "compute threads",
     .help = "how much longer it takes for each other thread that calls "
             "meanwhile"},
    {"threads", KEY_WHOLE, AT(threads), .only = ALL, .least = 1, .most = MOST,
     .group = "compute threads",
     .help = "threads that call (left out: one less than cores)"},
    {"devices", KEY_WHOLE, AT(devices), .only = ALL, .initial = 1, .least = 1,
     .most = MOST, .group = "compute threads",
     .help = "devices among which the threads divide"},
    {"dequeue_us", KEY_FROM_0, AT(dequeue_s), .only = LCI | PROBE,
     .group = "compute threads", .help = "a thread takes a message in"},
    {"copy_GBps", KEY_POSITIVE, AT(copy_Bps), .only = LCI | PROBE,
     .group = "compute threads",
     .help = "rate of a core, into a packet and out of it (left out: no "
             "time)"},
    {"send_us", KEY_FROM_0, AT(send_s), .only = ALL,
     .group = "communication thread", .help = "each message that is sent"},
    {"recv_us", KEY_FROM_0, AT(recv_s), .only = ALL,
     .group = "communication thread", .help = "each message that comes"},
    {"send_ns_per_byte", KEY_FROM_0, AT(send_s_per_B), .only = ALL,
     .group = "communication thread", .help = "each byte that is sent"},
    {"recv_ns_per_byte", KEY_FROM_0, AT(recv_s_per_B), .only = ALL,
     .group = "communication thread", .help = "each byte that comes"},
    {"large_send_ns_per_byte", KEY_FROM_0, AT(large_send_s_per_B),
     .only = LCI | PROBE, .group = "communication thread",
     .help = "more, if the message is larger than a packet or eager: memory "
             "is new and pinned"},
    {"large_recv_ns_per_byte", KEY_FROM_0, AT(large_recv_s_per_B),
     .only = LCI | PROBE, .group = "communication thread",
     .help = "the same of a message that comes"},
    {"poll_us", KEY_FROM_0, AT(poll_s), .only = ALL,
     .group = "communication thread",
     .help = "a time round its loop that finds nothing"},
    {"packet_bytes", KEY_BYTES, AT(packet_B), LCI, LCI, .least = 1,
     .most = MOST_B, .help = "the largest eager message"},
    {"packets_per_host", KEY_WHOLE, AT(packets_per_host), LCI, LCI, .least = 1,
     .most = MOST, .help = "packets of a process's pool for each process"},
    {"eager_bytes", KEY_BYTES, AT(eager_B), .only = PROBE, .least = 1,
     .most = MOST_B,
     .help = "the largest eager message (left out: that of the mpi)"},
    {"flush_us", KEY_FROM_0, AT(flush_s), .only = PROBE,
     .help = "small messages wait so long for others"},
    {"test_us", KEY_FROM_0, AT(test_s), .only = PROBE,
     .help = "test of a request, each time round"},
    {"entry_ns", KEY_FROM_0, AT(entry_s), .only = PROBE,
     .help = "each entry of the lists that a match looks at"},
    {"unexpected_bytes", KEY_BYTES, AT(unexpected_B), .only = PROBE, .least = 1,
     .most = MOST_B,
     .help = "eager messages that are not received yet at most (left out: "
             "any)"},
    {"start_us", KEY_FROM_0, AT(start_s), .only = RMA,
     .help = "start of an epoch with each peer"},
    {"complete_us", KEY_FROM_0, AT(complete_s), .only = RMA,
     .help = "its completion"},
    {"post_us", KEY_FROM_0, AT(post_s), .only = RMA,
     .help = "post of an epoch for each peer"},
    {"wait_us", KEY_FROM_0, AT(wait_s), .only = RMA,
     .help = "the wait for its end"},
    {"fence_us", KEY_FROM_0, AT(fence_s), .only = RMA, .help = "a fence"},
    {"lock_us", KEY_FROM_0, AT(lock_s), .only = RMA,
     .help = "more of each call, for MPI_THREAD_MULTIPLE"},
    {"window_us", KEY_FROM_0, AT(window_s), .only = RMA,
     .help = "all processes create a window"},
    {"windows", KEY_WHOLE, AT(windows), .only = RMA, .initial = 1, .least = 1,
     .most = MOST,
     .help = "windows of each process: data types times patterns"},
    {"epoch", KEY_WORD, AT(epoch), .only = RMA, .words = rma_epoch_names,
     .nwords = NRMA_EPOCHS, .help = "how epochs are opened and closed"},
    {"exhaustion", KEY_OTHER, .only = LCI | PROBE,
     .help = "wait, or error if there is no packet or buffer (left out: wait)"},
    {"kernel_us", KEY_FROM_0, AT(kernel_s), PEER, PEER, .group = "kernels",
     .help = "start of a kernel behind another one in a CUDA graph"},
    {"release_us", KEY_FROM_0, AT(release_s), .only = PEER, .group = "kernels",
     .help = "until other GPUs see a kernel's writes before its flag"},
    {"source", KEY_SOURCE, AT(source), ALL | PEER, ALL | PEER,
     .help = "where the numbers are from"},
};
#undef AT
const struct key_table runtime_costs_keys = {
    "runtimes.NAME.costs",
    "the time of a process's threads for a message under lci, mpi_probe or "
    "mpi_rma; that of kernels under peer",
    KEY_ROWS(rows), KEY_ROWS(runtime_names), .benchmark = "runtime"};

bool runtime_has_costs(int runtime)
{
    return (ALL | PEER) >> runtime & 1;
}

double runtime_pool_B(const struct runtime_costs *c, uint32_t processes)
{
    return (double)c->packet_B * c->packets_per_host * processes;
}

int runtime_costs_read(struct runtime_costs *c, int runtime,
                       const struct json *o, struct err *err)
{
    unsigned word;

    if (keys_read(&runtime_costs_keys, c, o, 1u << runtime, err) < 0)
        return -1;
    if (!json_member(o, "exhaustion"))
        return 0;
    if (read_name(o, "exhaustion", exhaustion_words, 2, &word, err) < 0)
        return -1;
    c->exhaustion_fails = word == 1;
    return 0;
}

/* --- all keys of a runtime ------------------------------------------------ */

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
    /* `messages` has the tables of the first one */
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

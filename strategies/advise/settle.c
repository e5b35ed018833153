/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the benchmark that measures a number of a platform. */
#include "strategies/advise/settle.h"

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The first row whose two parts are in the key, in this order, decides; NULL
 * matches any. */
static const struct {
    const char *first, *then, *benchmark;
} rows[] = {
    {"runtimes.", NULL, "runtime"},
    {"matching.", NULL, "matching"},
    {"nccl.", NULL, "nccl"},
    {"gap_", NULL, "maxrate"},
    {"messages_at_once", NULL, "all_to_all_v"},
    {"other_peer_us", NULL, "fan"},
    {"off_node", "send_", "mult_pong"},
    {"off_node", "recv_", "mult_pong"},
    {"off_node", "_shares", "mult_pong"},
    {"off_node", "ack_us", "mult_pong"},
    {"messages.", "send_", "ring"},
    {"messages.", "recv_", "ring"},
    {"messages.", "_shares", "ring"},
    {"messages.", "self_", "fan"},
    {"messages.", NULL, "ping_pong"},
    {"copies.", "engine_", "memcpy_mult"},
    {"copies.", "time_slice", "memcpy_mult"},
    {"copies.", NULL, "memcpy"},
    {"gpu.access", NULL, "gpu"},
    {"gpu.calls", NULL, "gpu"},
    {"gpu.", NULL, "pack"},
    {"wire_types.", "nic", "maxrate"},
    {"wire_types.", NULL, "memcpy_mult"},
    {"network.process_", NULL, "maxrate"},
    {"network.", NULL, "maxrate"},
    {"copy_GBps", NULL, "pack"},
    {"reduce_GBps", NULL, "collective"},
};

const char *settle_benchmark(const char *key)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = strstr(key, rows[i].first);
        if (at && (!rows[i].then || strstr(at, rows[i].then)))
            return rows[i].benchmark;
    }
    return "all";
}

/* Returns whether `sluice calibrate` fits a parameter by this benchmark
 * alone. */
static bool is_calibrated(const char *benchmark)
{
    static const char *const fitted[] = {
        "ping_pong",   "maxrate",  "mult_pong", "memcpy",
        "memcpy_mult", "matching", "runtime"};

    for (size_t i = 0; i < sizeof fitted / sizeof fitted[0]; i++)
        if (!strcmp(benchmark, fitted[i]))
            return true;
    return false;
}

char *settle_commands(const char *key, const char *platform)
{
    const char *benchmark = settle_benchmark(key);

    if (!is_calibrated(benchmark))
        return xasprintf("mpirun ... sluice-native %s -o %s.csv", benchmark,
                         benchmark);
    return xasprintf("mpirun ... sluice-native %s -o %s.csv; sluice calibrate "
                     "%s.csv --base %s -o mine.json",
                     benchmark, benchmark, benchmark, platform);
}

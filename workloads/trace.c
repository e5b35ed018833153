/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table row of traces of applications as workloads (workloads/trace). */
#include "workloads/workload.h"

const struct workload trace_workload = {
    .prefix = "trace:",
    .words = "trace:FILE or trace:FORMAT:FILE",
    .summary = "what the ranks of an application did: a trace (sluice list "
               "formats)",
    .help = "Messages, waits and collectives of each rank in their order, and "
            "between them what\nthe rank computed, --compute-scale times as "
            "long. Collectives are carried out as the\nlibrary does it, or by "
            "--algorithm. Halo-like phases, what ranks begin to send and "
            "receive without\nblocking and then wait for together, are also "
            "brought by every strategy.",
    .options = "nodes ranks-per-node placement compute-scale flops "
               "as-received all-in-gpus algorithm library matching no-packing "
               "runtime runtime-exhaustion",
    .own = "compute-scale flops as-received all-in-gpus",
    .platform = "lassen",
    .trace = true,
};

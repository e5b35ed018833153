/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table row of PageRank as a workload. */
#include "workloads/workload.h"

const struct workload pagerank_workload = {
    .prefix = "pagerank:",
    .words = "pagerank:GRAPH",
    .summary = "PageRank of a graph",
    .help = "By residues that are pushed along the arcs until none is above "
            "the threshold, or by sweeps\nthrough all vertices until no rank "
            "changes by more than it, as the execution has it; runs\nfor real "
            "on simulated GPUs, and is compared with a power iteration. With "
            "--runtime: "
            "on\nhosts, residues above the threshold, in at most 100 rounds "
            "unless --max-iterations says.",
    .options = GRAPH_OPTIONS " damping threshold max-iterations",
    .round_options = ROUND_OPTIONS " damping threshold max-iterations",
    .own = "damping threshold max-iterations",
    .platform = "daisy",
    .algorithm = "pagerank",
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table row of breadth-first search as a workload. */
#include "workloads/workload.h"

const struct workload bfs_workload = {
    .prefix = "bfs:",
    .words = "bfs:GRAPH",
    .summary = "breadth-first search of a graph, a file or generated "
               "(sluice show graph --help)",
    .help = "Runs for real on simulated GPUs, from --source (the vertex of "
            "most arcs), and is\ncompared with a plain computation. With "
            "--runtime: on hosts, level by "
            "level.",
    .options = GRAPH_OPTIONS " source",
    .round_options = ROUND_OPTIONS " source",
    .own = "source",
    .platform = "daisy",
    .algorithm = "bfs",
};

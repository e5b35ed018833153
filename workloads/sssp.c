/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table row of shortest paths as a workload. */
#include "workloads/workload.h"

const struct workload sssp_workload = {
    .prefix = "sssp:",
    .words = "sssp:GRAPH",
    .summary = "shortest paths from a vertex of a graph, on hosts (--runtime)",
    .help =
        "From --source (the vertex of most arcs), in rounds on hosts; the "
        "weight of an arc is the\nfile's (MatrixMarket, DIMACS, METIS), or a "
        "number from 1 to --max-weight by a hash of its two\nvertices.",
    .round_options = ROUND_OPTIONS " source max-weight",
    .own = "source max-weight",
    .platform = "dane",
    .algorithm = "sssp",
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table row of connected components as a workload. */
#include "workloads/workload.h"

const struct workload cc_workload = {
    .prefix = "cc:",
    .words = "cc:GRAPH",
    .summary = "connected components of a graph, on hosts (--runtime)",
    .help = "Every vertex takes the smallest number of a vertex that it hears "
            "of, in rounds on hosts; arcs\ncount both ways.",
    .round_options = ROUND_OPTIONS,
    .platform = "dane",
    .algorithm = "cc",
};

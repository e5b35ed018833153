/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the shapes of workloads. */
#include "study/run/shapes.h"

#include "study/run/graph_rounds.h"
#include "study/run/job_parts.h"

const struct job_shape job_shapes[NSHAPES] = {
    [SHAPE_HALO] = {.runtimes = RUNTIMES_OF_EACH,
                    .closed_forms = true,
                    .choose = job_choose_exchange,
                    .partition = partition_check,
                    .make = job_make_halo,
                    .plan = job_plan_halo},
    [SHAPE_PLAN] = {.no_strategy = "which is carried out as it is given",
                    .runtimes = RUNTIMES_OF_EACH,
                    .as_given = true,
                    .make = job_make_plan},
    [SHAPE_GRAPH] = {.executions = true,
                     .no_repeat = "graphs on GPUs",
                     .choose = job_choose_executions,
                     .partition = graph_partition_check,
                     .make = job_make_graph,
                     .no_plan = "what it sends depends on when"},
    [SHAPE_COLLECTIVE] =
        {.no_strategy = "whose candidates are algorithms: say --algorithm",
         .choose = job_choose_algorithms,
         .make = job_make_collective,
         .plan = job_plan_collective},
    [SHAPE_TRACE] = {.runtimes = RUNTIMES_OF_EACH,
                     .as_given = true,
                     .choose = job_choose_replay,
                     .make = job_make_trace,
                     .plan = job_plan_replay},
    [SHAPE_ROUNDS] = {.platform = "dane",
                      .runtimes = RUNTIMES_ALONE,
                      .on_hosts = true,
                      .no_repeat = "graphs on hosts (--runtime): an algorithm "
                                   "ends when no vertex is active",
                      .partition = job_check_cut,
                      .make = graph_rounds_load,
                      .no_plan = "each of its rounds has one"},
};

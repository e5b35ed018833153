/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openmpi.c - the fixed rules of Open MPI's component "tuned". */
#include "strategies/collective/libraries/library.h"

#define RULE(KIND, ranks, bytes, algorithm)                                    \
    {COLLECTIVE_##KIND, ranks, false, bytes, false, #algorithm},
static const struct library_rule openmpi_rules[] = {
#include "strategies/collective/libraries/openmpi.def"
};
#undef RULE

/* linear_sync is mapped to linear, because without a limit it has as many
 * messages under way. The rules use no segments, and one chain for
 * broadcasts. */
static const struct library_name openmpi_names[] = {
    {COLLECTIVE_ALLREDUCE, "segmented_ring", "ring_segmented"},
    {COLLECTIVE_ALLGATHER, "neighbor", "neighbor_exchange"},
    {COLLECTIVE_ALLGATHER, "two_proc", "recursive_doubling"},
    {COLLECTIVE_BROADCAST, "basic_linear", "linear"},
    {COLLECTIVE_BROADCAST, "binary_tree", "binary"},
    {COLLECTIVE_BROADCAST, "chain", "pipeline"},
    {COLLECTIVE_BROADCAST, "split_binary_tree", "split_binary"},
    {COLLECTIVE_REDUCE_SCATTER, "basic_linear", "linear"},
    {COLLECTIVE_ALLTOALL, "linear_sync", "linear"},
    {COLLECTIVE_ALLTOALL, "modified_bruck", "bruck"},
    {COLLECTIVE_ALLTOALL, "two_proc", "pairwise"},
};

const struct collective_library openmpi_library = {
    .name = "openmpi",
    .summary = "fixed rules of Open MPI 5.0.9 and 4.1 (coll/tuned)",
    .mpis = "openmpi open-mpi ompi spectrum spectrum-mpi hpcx fjmpi",
    .by_block = 1u << COLLECTIVE_ALLGATHER | 1u << COLLECTIVE_REDUCE_SCATTER |
                1u << COLLECTIVE_ALLTOALL,
    .rules = openmpi_rules,
    .nrules = sizeof openmpi_rules / sizeof openmpi_rules[0],
    .names = openmpi_names,
    .nnames = sizeof openmpi_names / sizeof openmpi_names[0],
    /* A user selects these by coll_tuned_KIND_algorithm (5.0.9). */
    .told = {[COLLECTIVE_ALLREDUCE] = "linear allgather_reduce",
             [COLLECTIVE_ALLGATHER] = "linear sparbit direct",
             [COLLECTIVE_REDUCE_SCATTER] = "nonoverlapping ring",
             [COLLECTIVE_BROADCAST] = "chain scatter_allgather_ring"},
};

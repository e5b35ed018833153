/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpich.c - the rules of MPICH 4.2.3 (github.com/pmodels/mpich 09ca854,
 * maint/tuning/coll/mpir/generic.json; facts re-tabulated) for sums of built-in
 * types. The rules of its devices are left out, which divide a collective into
 * one on each node and one between nodes. */
#include "strategies/collective/libraries/library.h"

/* MPICH says "at most N" and this table "below N + 1". */
static const struct library_rule mpich_rules[] = {
    {COLLECTIVE_ALLREDUCE, 0, false, 9, false, "recursive_doubling"},
    {COLLECTIVE_ALLREDUCE, 0, false, 0, true, "recursive_doubling"},
    {COLLECTIVE_ALLREDUCE, 0, false, 0, false, "reduce_scatter_allgather"},
    {COLLECTIVE_ALLGATHER, 0, true, 524288, false, "recursive_doubling"},
    {COLLECTIVE_ALLGATHER, 0, true, 0, false, "ring"},
    {COLLECTIVE_ALLGATHER, 0, false, 81920, false, "brucks"},
    {COLLECTIVE_ALLGATHER, 0, false, 0, false, "ring"},
    {COLLECTIVE_REDUCE_SCATTER, 0, false, 524288, false, "recursive_halving"},
    {COLLECTIVE_REDUCE_SCATTER, 0, false, 0, false, "pairwise"},
    {COLLECTIVE_BROADCAST, 8, false, 0, false, "binomial"},
    {COLLECTIVE_BROADCAST, 0, false, 12289, false, "binomial"},
    {COLLECTIVE_BROADCAST, 0, true, 524289, false,
     "scatter_recursive_doubling_allgather"},
    {COLLECTIVE_BROADCAST, 0, false, 0, false, "scatter_ring_allgather"},
    {COLLECTIVE_REDUCE, 0, false, 2049, false, "binomial"},
    {COLLECTIVE_REDUCE, 0, false, 0, true, "binomial"},
    {COLLECTIVE_REDUCE, 0, false, 0, false, "reduce_scatter_gather"},
    {COLLECTIVE_ALLTOALL, 8, false, 32769, false, "scattered"},
    {COLLECTIVE_ALLTOALL, 8, false, 0, false, "pairwise"},
    {COLLECTIVE_ALLTOALL, 0, false, 257, false, "brucks"},
    {COLLECTIVE_ALLTOALL, 0, false, 32769, false, "scattered"},
    {COLLECTIVE_ALLTOALL, 0, false, 0, false, "pairwise"},
};

static const struct library_name mpich_names[] = {
    {COLLECTIVE_ALLREDUCE, "reduce_scatter_allgather", "rabenseifner"},
    {COLLECTIVE_ALLGATHER, "brucks", "bruck"},
    {COLLECTIVE_BROADCAST, "scatter_recursive_doubling_allgather",
     "scatter_allgather"},
    {COLLECTIVE_BROADCAST, "scatter_ring_allgather", "scatter_allgather_ring"},
    {COLLECTIVE_REDUCE, "reduce_scatter_gather", "rabenseifner"},
    {COLLECTIVE_ALLTOALL, "brucks", "bruck"},
};

const struct collective_library mpich_library = {
    .name = "mpich",
    .summary = "rules of MPICH 4.2.3, independent of the device",
    .mpis = "mpich mvapich mvapich2 intel-mpi cray cray-mpich",
    .by_block = 1u << COLLECTIVE_ALLTOALL,
    .rules = mpich_rules,
    .nrules = sizeof mpich_rules / sizeof mpich_rules[0],
    .names = mpich_names,
    .nnames = sizeof mpich_names / sizeof mpich_names[0],
    /* A user selects these by MPIR_CVAR_KIND_INTRA_ALGORITHM (4.2.3). */
    .told = {[COLLECTIVE_ALLREDUCE] = "ring",
             [COLLECTIVE_REDUCE_SCATTER] = "recursive_doubling"},
};

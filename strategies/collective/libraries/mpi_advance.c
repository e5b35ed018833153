/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_advance.c - MPI Advance (Bienz, Schafer, Skjellum 2023;
 * github.com/mpi-advance/locality_aware), which has no rules: the user selects
 * its algorithms. */
#include "strategies/collective/libraries/library.h"

const struct collective_library mpi_advance_library = {
    .name = "mpi_advance",
    .summary = "MPI Advance's locality-aware collectives, on top of an MPI",
    .told = {[COLLECTIVE_ALLGATHER] = "ring bruck locality_aware_bruck",
             [COLLECTIVE_ALLTOALL] =
                 ("direct bruck hierarchical multileader_hierarchical "
                  "node_aware locality_aware multileader_node_aware")},
};

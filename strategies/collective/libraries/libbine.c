/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libbine.c - libbine (github.com/HLC-Lab/pico 413bc5d): its algorithms are
 * selected by name and run on top of an MPI. In PICO's tables their names end
 * in _over. */
#include "strategies/collective/libraries/library.h"

const struct collective_library libbine_library = {
    .name = "libbine",
    .summary = "libbine's collectives, on top of an MPI (PICO 413bc5d)",
    .told =
        {[COLLECTIVE_ALLREDUCE] =
             ("recursive_doubling rabenseifner ring bine_lat bine_bdw_remap "
              "bine_bdw_remap_segmented bine_block_by_block"),
         [COLLECTIVE_ALLGATHER] =
             ("ring recursive_doubling bruck sparbit bine_permute_remap "
              "bine_send_remap bine_block_by_block bine_2_blocks"),
         [COLLECTIVE_REDUCE_SCATTER] =
             ("ring recursive_halving recursive_distance_doubling "
              "bine_permute_remap bine_send_remap bine_block_by_block"),
         [COLLECTIVE_BROADCAST] =
             "scatter_allgather bine_lat bine_lat_reversed bine_bdw_remap",
         [COLLECTIVE_REDUCE] = "bine_lat bine_bdw",
         [COLLECTIVE_ALLTOALL] = "bine"},
};

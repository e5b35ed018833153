/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mvapich2.c - MVAPICH2's collectives of vectors in GPU memory, which move
 * through the host (Faraji and Afsahi 2018, 2.3); all others are MPICH's. */
#include "strategies/collective/libraries/library.h"

const struct collective_library mvapich2_library = {
    .name = "mvapich2",
    .summary = "MVAPICH2's collectives of GPU memory, by way of the host",
    .mpis = "mvapich mvapich2",
    .told = {[COLLECTIVE_ALLREDUCE] = "mvapich2 mvapich2_gdr",
             [COLLECTIVE_ALLGATHER] = "mvapich2 mvapich2_gdr"},
};

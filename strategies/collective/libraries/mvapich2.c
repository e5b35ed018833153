/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mvapich2.c - what MVAPICH2 does with vectors in GPUs, beside MPICH's
 * algorithms: by way of the host (Faraji and Afsahi 2018, 2.3). */
#include "strategies/collective/libraries/library.h"

const struct collective_library mvapich2_library = {
    .name = "mvapich2",
    .summary = "MVAPICH2's collectives of GPU memory, by way of the host",
    .mpis = "mvapich mvapich2",
    .told = {[COLLECTIVE_ALLREDUCE] = "mvapich2 mvapich2_gdr",
             [COLLECTIVE_ALLGATHER] = "mvapich2 mvapich2_gdr"},
};

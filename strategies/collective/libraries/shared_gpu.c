/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_gpu.c - collectives of ranks that share GPUs, which their authors
 * added to their own MPI (Faraji and Afsahi 2018); sluice-native has them,
 * too. */
#include "strategies/collective/libraries/library.h"

const struct collective_library shared_gpu_library = {
    .name = "shared_gpu",
    .summary = "of ranks that share GPUs (Faraji and Afsahi 2018)",
    .told = {[COLLECTIVE_ALLREDUCE] =
                 "gsb_gsb gsb_btb btb_gsb btb_btb static dynamic",
             [COLLECTIVE_ALLGATHER] = "static dynamic"},
};

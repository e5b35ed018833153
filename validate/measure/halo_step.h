/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halo_step.h - one step of a stencil code on a square periodic grid: kernel,
 * packing, halo exchange between GPUs, unpacking. */
#ifndef VALIDATE_MEASURE_HALO_STEP_H
#define VALIDATE_MEASURE_HALO_STEP_H

#include "validate/measure/experiment.h"

/* Plans the step of CabanaGhost's game of life
 * (github.com/CUP-ECS/CabanaGhost): 8 bytes per cell, one rank per GPU, blocks
 * of a grid of ranks that is as square as possible, eight neighbours, some of
 * which may be the same. The kernel comes first; then for each neighbour a
 * packing kernel, its synchronisation and a message out of GPU memory; then for
 * each message, in order of arrival, an unpacking kernel, without a wait for it
 * (Cabana, Cabana_Grid_HaloBase.hpp: packBuffer ends with a fence, unpackBuffer
 * does not). These kernels move their bytes twice through GPU memory. */
int halo_step_plan(struct plan *p, const struct machine *m,
                   const struct experiment *x, struct err *err) MUST_CHECK;

#endif

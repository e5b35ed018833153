/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcm.h - reverse Cuthill-McKee: an order of rows in which nonzeros are near
 * the diagonal. */
#ifndef WORKLOADS_RCM_H
#define WORKLOADS_RCM_H

#include "workloads/matrix.h"

/*
 * Computes the order: order[i] is the row that comes i-th. `m` must be
 * symmetric. Each component is numbered level by level from a row far from the
 * others (George and Liu 1979), within a level by the order of the level before
 * and by the rows' lengths, and finally reversed. Equal input gives equal
 * order.
 */
void rcm_order(uint32_t *order, const struct matrix *m);

/* Returns the largest distance of a nonzero from the diagonal in that order. */
uint32_t rcm_bandwidth(const uint32_t *order, const struct matrix *m);

#endif

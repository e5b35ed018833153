/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcm.h - reverse Cuthill-McKee: an order of rows in which nonzeros are near
 * the diagonal. */
#ifndef WORKLOADS_RCM_H
#define WORKLOADS_RCM_H

#include "workloads/matrix.h"

/*
 * order[i] is the row that comes i-th. `m` is symmetric. Each component is
 * numbered level by level from a row far from the others (George and Liu 1979),
 * within a level by the order of the level before and by the rows' lengths, and
 * all of it turned round. Equal input, equal order.
 */
void rcm_order(uint32_t *order, const struct matrix *m);

/* The largest distance of a nonzero from the diagonal in that order. */
uint32_t rcm_bandwidth(const uint32_t *order, const struct matrix *m);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_extrapolates.h - marks an answer that lies beyond the measured ranges
 * of its machine, as a line and as a member "extrapolates". If it lies within,
 * nothing is printed. */
#ifndef CLI_PRINT_EXTRAPOLATES_H
#define CLI_PRINT_EXTRAPOLATES_H

#include "base/json.h"
#include "study/advise/extrapolates.h"

void print_extrapolates(const struct machine *m, const struct answered *a);
void add_extrapolates(struct json *doc, const struct machine *m,
                      const struct answered *a);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_extrapolates.h - the mark of an answer that lies beyond what was
 * measured on its machine, as a line and as a member "extrapolates". Nothing is
 * printed of one that does not. */
#ifndef CLI_PRINT_EXTRAPOLATES_H
#define CLI_PRINT_EXTRAPOLATES_H

#include "base/json.h"
#include "strategies/advise/extrapolates.h"

void print_extrapolates(const struct machine *m, const struct answered *a);
void add_extrapolates(struct json *doc, const struct machine *m,
                      const struct answered *a);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_phases.h - prints the phases of a trace that strategies exchange, if a
 * strategy was tried. */
#ifndef CLI_PRINT_PHASES_H
#define CLI_PRINT_PHASES_H

#include "base/json.h"
#include "study/run/job.h"

void print_trace_phases(const struct job *j);
void add_trace_phases(struct json *doc, const struct job *j);

#endif

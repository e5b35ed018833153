/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_rounds_json.h - prints the same results as JSON. */
#ifndef CLI_PRINT_ROUNDS_JSON_H
#define CLI_PRINT_ROUNDS_JSON_H

#include "study/run/graph_rounds.h"

void print_rounds_json(const struct graph_rounds *g, bool details);

#endif

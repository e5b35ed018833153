/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_script.h - figures whose tables a script makes. */
#ifndef CLI_FIGURE_SCRIPT_H
#define CLI_FIGURE_SCRIPT_H

#include "base/json.h"
#include "cli/figure.h"

/* Makes the table of the figure in->name by results/papers/figures.py, with the
 * options in->request (struct figure.make). */
int figure_script_make(FILE *csv, FILE *vars, const struct figure_input *in,
                       struct err *err) MUST_CHECK;
/* Has the script do something else than a figure; NULL with err on failure. The
 * caller frees the answer. */
struct json *figure_script_ask(const char *what, const struct json *request,
                               struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_advice.h - a picture of an advice: the times of the ways with their
 * intervals, and the elasticities. */
#ifndef CLI_FIGURE_ADVICE_H
#define CLI_FIGURE_ADVICE_H

#include "cli/print_advice.h"

/* Writes FOLDER/fig-advise.csv, .svg, .pdf and .png and tells on standard
 * error. The advice has draws and its why. */
int figure_advice(const struct advice_results *r, const char *folder,
                  struct err *err) MUST_CHECK;

#endif

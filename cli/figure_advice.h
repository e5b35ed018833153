/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_advice.h - pictures of advices: of one the times of the ways with
 * their intervals, and the elasticities; of a range of sizes the times by size.
 */
#ifndef CLI_FIGURE_ADVICE_H
#define CLI_FIGURE_ADVICE_H

#include "cli/figure_draw.h"
#include "cli/print_advice.h"

/* Opens FOLDER/fig-advise.csv, .svg, .pdf and .png, of sizes
 * fig-advise-sizes.*, before anything is simulated; not over a file that the
 * request reads. */
struct advice_figure {
    const char *folder;
    const struct figure *figure;
    struct figure_files files;
};
int figure_advice_open(struct advice_figure *f, bool sizes, const char *folder,
                       const struct request *r, struct err *err) MUST_CHECK;
/* Draws into them and tells on standard error. The advice has draws and its
 * why. Else figure_abandon() the files. */
int figure_advice(struct advice_figure *f, const struct advice_results *r,
                  struct err *err) MUST_CHECK;
int figure_advised_sizes(struct advice_figure *f, const struct advised_sizes *s,
                         const struct advice_results *asked,
                         struct err *err) MUST_CHECK;

#endif

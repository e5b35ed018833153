/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_advice.h - pictures of an advice: the times of the candidates with
 * their intervals, and the elasticities; for a range of sizes the times by
 * size. */
#ifndef CLI_FIGURE_ADVICE_H
#define CLI_FIGURE_ADVICE_H

#include "cli/figure_draw.h"
#include "cli/print_advice.h"

/* The open files FOLDER/fig-advise.csv, .svg, .pdf and .png, or with `sizes`
 * fig-advise-sizes.*. They are opened before anything is simulated; fails if
 * the request reads one of them. */
struct advice_figure {
    const char *folder;
    const struct figure *figure;
    struct figure_files files;
};
int figure_advice_open(struct advice_figure *f, bool sizes, const char *folder,
                       const struct request *r, struct err *err) MUST_CHECK;
/* Draw into the files and report them on standard error. The advice has draws
 * and its `why`. If there is nothing to draw, call figure_abandon() on the
 * files instead. */
int figure_advice(struct advice_figure *f, const struct advice_results *r,
                  struct err *err) MUST_CHECK;
int figure_advised_sizes(struct advice_figure *f, const struct advised_sizes *s,
                         const struct advice_results *asked,
                         struct err *err) MUST_CHECK;

#endif

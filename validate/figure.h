/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - the figures of Lockhart et al. 2022 as tables of our own numbers,
 * one row a point. The templates in results/figures/ draw them. */
#ifndef VALIDATE_FIGURE_H
#define VALIDATE_FIGURE_H

#include "sim/err.h"
#include "sim/machine.h"

#include <stddef.h>
#include <stdio.h>

struct figure_input {
    const struct machine *m;
    const char *const *workloads; /* as --workload says them */
    size_t nworkloads;            /* 0: the figure's own */
};

struct figure {
    const char *name; /* as the paper numbers it: "2.5" */
    const char *about;
    bool of_workloads; /* it shows workloads; the others ignore them */
    /* Column names and rows go to `csv`; what the template must know besides,
     * as gnuplot assignments, to `vars`. */
    int (*make)(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err);
};

extern const struct figure figures[];
extern const size_t nfigures;

/* An unknown name is an error that lists the known and suggests. */
const struct figure *figure_find(const char *name, struct err *err) MUST_CHECK;

/* One each, in a file of their own. */
int figure_ping(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err) MUST_CHECK;
int figure_ppn(FILE *csv, FILE *vars, const struct figure_input *in,
               struct err *err) MUST_CHECK;
int figure_copies(FILE *csv, FILE *vars, const struct figure_input *in,
                  struct err *err) MUST_CHECK;
int figure_halo_model(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err) MUST_CHECK;
int figure_halo(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err) MUST_CHECK;
int figure_scenarios(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;

#endif

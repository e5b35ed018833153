/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - a figure or table of numbers, one row a point, which a template in
 * results/figures/ draws. */
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/measure/native_results.h"

#include <stddef.h>
#include <stdio.h>

/*
 * The texts of the user that a picture shows: a platform, a workload, a place.
 * gnuplot must never see such a text within a script, because it could be a
 * command there. It reads each as digits from a separate file, and scripts have
 * only the texts' numbers.
 */
struct figure_texts {
    FILE *to;
    unsigned n;
};
/* Adds the text and returns its number among all texts of the figure, from
 * 1. */
unsigned figure_text(struct figure_texts *texts, const char *text);
/* Does the same for the name of a workload's panel: a matrix's file without
 * folder and endings, or all of a generated one's words. */
unsigned figure_workload(struct figure_texts *texts, const char *workload);

struct figure_input {
    struct figure_texts *texts;
    /* For a figure that a script makes: its name, and the user's options. */
    const char *name;
    const struct json *request;
    const struct machine *m;             /* NULL if the figure has its own */
    const char *const *workloads;        /* as --workload takes them */
    size_t nworkloads;                   /* 0 for the figure's own */
    const struct native_results *native; /* simulated */
    const char *const *measured;         /* files of measurements */
    size_t nmeasured;
    unsigned gpus, nodes;  /* a collective's; 0 if not given */
    const char *algorithm; /* a collective's; NULL if not given */
    /* For pictures of a sweep; otherwise NULL. */
    const struct sweep_picture *sweep;
    const struct plot *plot; /* for a table of results; otherwise NULL */
    const struct advice_picture *advice; /* for an advice; otherwise NULL */
};

enum figure_of { OF_NOTHING, OF_NATIVE, OF_MEASURED, OF_SIZES };

struct figure {
    /* "2.5", the number in a paper; "atos-table-2" is a table. */
    const char *name;
    const char *about;
    const char *platform; /* the default; NULL if it has its own machine */
    bool of_workloads;    /* it shows workloads; other figures accept none */
    bool of_cells;        /* it shows cells, which a script chooses */
    enum figure_of of;    /* the input that it needs */
    const char *group;    /* "lockhart"; NULL for a general one */
    /* Writes column names and rows to `csv`, where all names from the user are
     * in quotes, and nothing else is. Writes further data for the template to
     * `vars`, as gnuplot assignments of numbers and words of ours; for a table,
     * its text in Markdown. */
    int (*make)(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err);
};

bool figure_is_table(const struct figure *f);

/* Functions in the files of their names. */
int figure_ratio(FILE *csv, FILE *vars, const struct figure_input *in,
                 struct err *err) MUST_CHECK;
int figure_collective(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err) MUST_CHECK;
int figure_native(FILE *csv, FILE *vars, const struct figure_input *in,
                  struct err *err) MUST_CHECK;

#endif

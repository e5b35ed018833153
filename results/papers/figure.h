/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - the figures of Lockhart et al. 2022 and of Faraji and Afsahi 2018
 * and the figures and tables of Chen et al. 2022, of Klenk et al. 2017 and of
 * Dang et al. 2018 as tables of our own numbers, one row a point. The templates
 * in results/figures/ draw the figures. */
#ifndef RESULTS_PAPERS_FIGURE_H
#define RESULTS_PAPERS_FIGURE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/measure/native_results.h"
#include "results/papers/study.h"

#include <stddef.h>
#include <stdio.h>

/*
 * What a picture shows of what the user named: a platform, a workload, a
 * place. gnuplot must never see such a text within a script, where it could be
 * a command: it reads each as digits from a file of its own, and scripts know
 * their number only.
 */
struct figure_texts {
    FILE *to;
    unsigned n;
};
/* Adds the text; its number among all of the figure, from 1. */
unsigned figure_text(struct figure_texts *texts, const char *text);
/* The same, of a panel of this workload: a matrix's file without folder and
 * endings, or the whole of a made up one. */
unsigned figure_workload(struct figure_texts *texts, const char *workload);

struct figure_input {
    struct figure_texts *texts;
    const struct machine *m;      /* NULL: the figure has its own */
    const char *const *workloads; /* as --workload says them */
    size_t nworkloads;            /* 0: the figure's own */
    const struct study_choice *choice;
    const struct cells *cells; /* with those of the choice simulated */
    const struct native_results *native; /* simulated */
    const char *const *measured;         /* files of measurements */
    size_t nmeasured;
    unsigned gpus, nodes;                /* of a collective; 0: not said */
    const char *algorithm;               /* likewise; NULL */
    const struct sweep_picture *sweep;   /* of pictures of a sweep; NULL */
    const struct plot *plot;             /* of a table of results; NULL */
    const struct advice_picture *advice; /* of an advice; NULL */
};

enum figure_of { OF_NOTHING, OF_NATIVE, OF_MEASURED, OF_SIZES };

struct figure {
    const char *name; /* as the paper numbers it: "2.5"; "atos-5" of Chen et
                         al.; "atos-table-2" is no figure */
    const char *about;
    const char *platform; /* where none is said; NULL: it has its own */
    bool of_workloads;    /* it shows workloads; the others have none */
    const struct study_choice *choice; /* the cells it shows; NULL: none */
    enum figure_of of;                 /* what must be given for it */
    /* Column names and rows go to `csv`, in which names from the user stand in
     * quotes, and only they. What the template must know besides, as gnuplot
     * assignments of numbers and words of ours, goes to `vars`; of a table its
     * text, in Markdown. */
    int (*make)(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err);
};

bool figure_is_table(const struct figure *f);
bool figure_is_atos(const struct figure *f);
bool figure_is_faraji(const struct figure *f);
bool figure_is_klenk(const struct figure *f);
bool figure_is_lci(const struct figure *f);

extern const struct figure figures[];
extern const size_t nfigures;

/* " (1/16)", or nothing where it is `usual`. */
void figure_scale(FILE *md, double scale, double usual);

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
int figure_ratio(FILE *csv, FILE *vars, const struct figure_input *in,
                 struct err *err) MUST_CHECK;
int figure_collective(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err) MUST_CHECK;
int figure_native(FILE *csv, FILE *vars, const struct figure_input *in,
                  struct err *err) MUST_CHECK;
/* figure_shared.c */
int figure_shared_6(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_shared_7(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_shared_8(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_shared_9(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_shared_10(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_11(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_12(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_15(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_16(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_17(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_shared_18(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_atos_payload(FILE *csv, FILE *vars, const struct figure_input *in,
                        struct err *err) MUST_CHECK;
int figure_atos_put(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_atos_nodes(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err) MUST_CHECK;
int figure_atos_scaling(FILE *csv, FILE *vars, const struct figure_input *in,
                        struct err *err) MUST_CHECK;
int figure_atos_times(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err) MUST_CHECK;
int figure_atos_workload(FILE *csv, FILE *vars, const struct figure_input *in,
                         struct err *err) MUST_CHECK;

/* figure_matching.c */
int figure_klenk_4(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err) MUST_CHECK;
int figure_klenk_5(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err) MUST_CHECK;
int figure_klenk_6b(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_match(FILE *csv, FILE *vars, const struct figure_input *in,
                 struct err *err) MUST_CHECK;
/* figure_runtime_inputs.c */
int figure_runtime_table_1(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err) MUST_CHECK;
/* figure_runtimes.c */
int figure_runtime_table_2(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err) MUST_CHECK;
int figure_runtime_table_4(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err) MUST_CHECK;
int figure_runtime_1(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_runtime_3(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_runtime_4(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_runtime_5(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err) MUST_CHECK;
int figure_runtime_order(FILE *csv, FILE *vars, const struct figure_input *in,
                         struct err *err) MUST_CHECK;
/* figure_queues.c */
int figure_klenk_2(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err) MUST_CHECK;
int figure_klenk_6a(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err) MUST_CHECK;
int figure_klenk_table_1(FILE *csv, FILE *md, const struct figure_input *in,
                         struct err *err) MUST_CHECK;
int figure_klenk_table_2(FILE *csv, FILE *md, const struct figure_input *in,
                         struct err *err) MUST_CHECK;

#endif

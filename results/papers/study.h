/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - simulates the cells of Chen et al. 2022 into a file, one row each,
 * so that it can be interrupted and gone on with. */
#ifndef RESULTS_PAPERS_STUDY_H
#define RESULTS_PAPERS_STUDY_H

#include "results/papers/cells.h"

struct study_names {
    const char *const *items;
    size_t n; /* 0: all */
};

/* Which cells. */
struct study_choice {
    struct study_names applications, machines, frameworks, graphs;
    /* Bit N: those with N GPUs, up to 8; 0: all. */
    unsigned gpus;
};

bool study_wants(const struct study_choice *choice, const struct cell_key *k);
/* Every name is one of the cells', and there is a cell of all of them. */
int study_check(const struct study_choice *choice, const struct cells *c,
                struct err *err) MUST_CHECK;

struct study_request {
    const char *path; /* of the file; "-": all are simulated, onto standard
                         output */
    const struct study_choice *choices; /* cells of any of them */
    size_t nchoices;
    /* "1/16", or "NAME=1/16,..." for some graphs; the last that fits counts.
     * Where none does, a cell of any scale will do; a stale one is simulated
     * again at its own, and one that is not there at the graph's
     * (results/papers/study_cell.h). */
    struct study_names scales;
    /* A folder that graphs and partitions are kept in, so that each is made
     * once (results/papers/study_graphs.h); NULL: none are kept. */
    const char *graphs;
    bool keep_stale;  /* what another model made is left as it is */
    bool only_graphs; /* those of the chosen cells are made, and no more */
    unsigned jobs;    /* processes at once, up to 8; 0: as many as processors */
    bool quiet;       /* else it says on standard error where it is */
};

struct study_done {
    size_t chosen, simulated;
    size_t stale; /* made by another model: simulated again, unless kept */
};

/*
 * Simulates what is chosen and not in the file, or was made by another model.
 * Each row is written whole when its cell is done; what ends the study, an
 * error of one cell too, leaves those before.
 */
int study_run(struct study_done *done, const struct study_request *r,
              struct err *err) MUST_CHECK;

#endif

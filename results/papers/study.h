/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - simulates the cells of Chen et al. 2022 into a file, one row each,
 * so that it can be interrupted and continued. */
#ifndef RESULTS_PAPERS_STUDY_H
#define RESULTS_PAPERS_STUDY_H

#include "results/papers/cells.h"

struct study_names {
    const char *const *items;
    size_t n; /* 0 for all */
};

/* A choice of cells. */
struct study_choice {
    struct study_names applications, machines, frameworks, graphs;
    /* If bit N is set, cells with N GPUs, up to 8; 0 for all. */
    unsigned gpus;
};

bool study_wants(const struct study_choice *choice, const struct cell_key *k);
/* Checks that every name is one of the cells', and that some cell has all of
 * them. */
int study_check(const struct study_choice *choice, const struct cells *c,
                struct err *err) MUST_CHECK;

struct study_request {
    /* The path of the file; "-" simulates all of them onto standard output. */
    const char *path;
    const struct study_choice *choices; /* cells of any of them */
    size_t nchoices;
    /* "1/16", or "NAME=1/16,..." for some graphs; the last that fits counts. If
     * none fits, a cell of any scale is accepted; a stale one is simulated
     * again at its own scale, and a missing one at the graph's
     * (results/papers/study_cell.h). */
    struct study_names scales;
    /* A folder that stores graphs and partitions, so that each is made once
     * (results/papers/study_graphs.h); NULL if none are stored. */
    const char *graphs;
    bool keep_stale;  /* keep results of another model */
    bool only_graphs; /* only make the graphs of the chosen cells */
    unsigned jobs;    /* processes at once, up to 8; 0 for one per core */
    bool quiet;       /* no progress on standard error */
};

struct study_done {
    size_t chosen, simulated;
    size_t stale; /* made by another model; simulated again, unless kept */
};

/*
 * Simulates the chosen cells that the file lacks, or that another model made.
 * Each row is written whole when its cell is done; if the study ends early, for
 * an error of one cell too, the rows before remain.
 */
int study_run(struct study_done *done, const struct study_request *r,
              struct err *err) MUST_CHECK;

#endif

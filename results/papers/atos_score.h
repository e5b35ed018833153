/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atos_score.h - the agreement of simulated cells of Chen et al. 2022 with the
 * printed ones. Cells of one GPU do not count, because the rates of work are
 * fitted to them. */
#ifndef RESULTS_PAPERS_ATOS_SCORE_H
#define RESULTS_PAPERS_ATOS_SCORE_H

#include "results/papers/study.h"

/* Returns the time on one GPU divided by that of the cell; NAN if one of the
 * two is not known, or if both are predicted on graphs of different scale. */
double atos_speedup(const struct cells *c, const struct cell_key *k,
                    bool printed);
/* Returns the fastest of the choice's frameworks on the cell's graph and GPUs;
 * NULL if one that has such a cell has no time, or one of another scale. */
const struct cell *atos_winner(const struct cells *c,
                               const struct study_choice *x,
                               const struct cell_key *k, bool printed);
/* Returns whether the cell is the winner, or within 10 % of it. */
bool atos_ties(const struct cells *c, const struct study_choice *x,
               const struct cell *cell, bool printed);

enum { ATOS_FRAMEWORKS = 8 };
struct atos_score {
    /* A race is a graph and a number of GPUs on which the printed winner is
     * ahead by more than 10 %. Of all races, the counts are those with the same
     * predicted winner, and those whose printed winner is also the one with one
     * GPU. */
    size_t races, same_winner, baseline_winner;
    size_t races_tied; /* the two fastest are printed within 10 % */
    /* Pairs of frameworks whose printed times differ by more than 5 %: all of
     * them, those predicted in the printed order, and those whose order is the
     * printed one with one GPU. */
    size_t pairs, ordered, baseline_ordered;
    /* Races and pairs that are left out because one of their cells is no
     * prediction. */
    size_t races_fitted, pairs_fitted;
    /* For each of the choice's frameworks: the self speed-ups within a factor
     * of 1.3 of the printed ones, and all of them. */
    size_t near[ATOS_FRAMEWORKS], speedups[ATOS_FRAMEWORKS];
    double speedup_error; /* the median |predicted / printed - 1| */
    size_t near_speedups, all_speedups;
    double time_error; /* the same for the times */
    size_t times;
    /* Self speed-ups whose time is no prediction, so that they are not counted
     * above. */
    size_t speedups_fitted;
    /* Printed cells that have not been simulated at full size. */
    size_t races_not_run, speedups_not_run;
};

/* Scores only the cells at full size, because the printed times are those of
 * whole graphs. */
struct atos_score atos_score(const struct cells *c,
                             const struct study_choice *x,
                             const char *application);

#endif

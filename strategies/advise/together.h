/* SPDX-License-Identifier: GPL-3.0-or-later */
/* together.h - which numbers of a machine vary together. */
#ifndef STRATEGIES_ADVISE_TOGETHER_H
#define STRATEGIES_ADVISE_TOGETHER_H

#include "strategies/advise/parameters.h"

/*
 * Numbers of one provenance are one parameter
 * - of both ends of a message, in one segment or runtime;
 * - of all segments, on a node of all localities, if nobody measured how costs
 *   divide between CPUs and wire: it is assumed once;
 * - of one segment in all localities on a node, and of a copy in both, if
 *   nobody measured it;
 * - of devices of one kind.
 * Where the name of a group would be of other numbers, too, it is of fewer
 * numbers: of one locality, or one segment.
 */
enum together_how {
    TOGETHER_WIDE,
    TOGETHER_TABLE, /* not over localities */
    TOGETHER_PAIR,  /* the two ends */
    TOGETHER_ALONE,
    NTOGETHERS
};

struct together {
    const struct number *all;
    size_t n;
    char **classes; /* of each number, for each enum together_how */
};
void together_init(struct together *t, const struct number *all, size_t n);
void together_clear(struct together *t);
/* Those that vary with the number `first`, and are not in a parameter (of
 * SIZE_MAX): their places, ascending, how many, and their name (settings.h),
 * which the caller frees. */
size_t together_find(char **name, size_t *chosen, const struct together *t,
                     size_t first);

/* The name of exactly these numbers (settings.h); where no group is of them and
 * no others, their keys with commas. The caller frees. */
char *together_name(const struct number *all, size_t nall, const size_t *chosen,
                    size_t n);

/* Whether a number is how a cost divides between CPUs and wire. */
bool key_divides(const char *key);

#endif

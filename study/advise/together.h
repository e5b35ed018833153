/* SPDX-License-Identifier: GPL-3.0-or-later */
/* together.h - the groups of a machine's numbers that vary together. */
#ifndef STUDY_ADVISE_TOGETHER_H
#define STUDY_ADVISE_TOGETHER_H

#include "study/advise/parameters.h"

/*
 * Numbers of one provenance are one parameter
 * - if they belong to both ends of a message, in one segment or runtime;
 * - over all segments, and all localities on a node, if nobody measured how
 *   costs divide between CPUs and wire, because that is assumed once;
 * - over one segment of all localities on a node, and over both localities of a
 *   copy, if nobody measured it;
 * - over devices of one kind.
 *
 * If the name of a group would contain other numbers, the group is narrowed to
 * one locality, or one segment.
 */
enum together_how {
    TOGETHER_WIDE,
    TOGETHER_TABLE, /* within one locality */
    TOGETHER_PAIR,  /* the two ends */
    TOGETHER_ALONE,
    NTOGETHERS
};

struct together {
    const struct number *all;
    size_t n;
    char **classes; /* a class of each number for each enum together_how */
};
void together_init(struct together *t, const struct number *all, size_t n);
void together_clear(struct together *t);
/* Finds the numbers that vary with the number `first` and are in no parameter
 * yet (SIZE_MAX). Sets `chosen` to their indices in ascending order and *name
 * to their name (settings.h), which the caller frees; returns their number. */
size_t together_find(char **name, size_t *chosen, const struct together *t,
                     size_t first);

/* Returns the name of exactly these numbers (settings.h), or their keys with
 * commas if no group consists of them. The caller frees it. */
char *together_name(const struct number *all, size_t nall, const size_t *chosen,
                    size_t n);

/* Returns whether a key has two numbers that are shares. */
bool key_is_shares(const char *key);
/* Returns whether a number divides a cost between CPUs and wire. */
bool key_divides(const char *key);

#endif

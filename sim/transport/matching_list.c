/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching by two lists that the receiver's CPU searches from their beginning,
 * one of posted receives and one of unexpected messages. */
#include "sim/transport/matcher.h"

double match_list_s(const struct matching *l, double attempts, double entries)
{
    return l->attempt_s * attempts + l->entry_s * entries;
}

/* If in order, each receive takes the first remaining message, if reversed the
 * last one; a receive that fits none looks at all of them. */
double match_list_entries(struct match_load load)
{
    double left = load.messages, sum = 0;
    double missed = load.receives - load.matched;
    /* On average a receive that fits none comes when half of the matches are
     * done. */
    double seen = load.messages - load.matched / 2;

    if (load.order == MATCH_IN_ORDER)
        sum = load.matched;
    else if (load.order == MATCH_REVERSED)
        sum = load.matched * left - load.matched * (load.matched - 1) / 2;
    else
        sum = (load.matched * (left + 1) -
               load.matched * (load.matched - 1) / 2) /
              2;
    return sum + missed * seen;
}

const struct match_engine list_matcher = {
    .summary = "two lists that the receiver's CPU searches",
};

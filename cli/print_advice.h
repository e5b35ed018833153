/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_advice.h - the answer of `sluice advise`. */
#ifndef CLI_PRINT_ADVICE_H
#define CLI_PRINT_ADVICE_H

#include "strategies/advise/extrapolates.h"
#include "strategies/advise/reach.h"
#include "strategies/advise/sizes.h"
#include "strategies/advise/why.h"

struct advice_results {
    const struct request *request;
    const struct ways *ways;
    const struct advise_options
        *options; /* ways_options(); of sizes as asked */
    const struct advice *advice;
    const struct why *why;              /* NULL: not asked for */
    const struct outcome *fastest;      /* on the machine as it is */
    const struct rounds_time *on_hosts; /* likewise, of a graph there; all 0 */
    bool by_table; /* the model error is that of what is asked */
    bool details;  /* all ways, all parameters that matter, the spreads */
};

void print_advice(const struct advice_results *r);
void print_advice_json(const struct advice_results *r);

/* A row for each size; with details all ways of each. */
void print_advised_sizes(const struct advised_sizes *s,
                         const struct advice_results *asked);
void print_advised_sizes_json(const struct advised_sizes *s,
                              const struct advice_results *asked);

/* What a time is reached with: an answer for each key. */
void print_reach(const struct reach *answers, size_t n, double time_s);
void print_reach_json(const struct reach *answers, size_t n, double time_s);

/* Parts of the above. */
bool advice_by_table(const struct advice_results *r);
/* Returns beyond which of what was measured the advice lies, by the decisions
 * of its kind, else by all that the machine was measured with; "" if it does
 * not. The words are there or the advice's. */
const char *advice_extrapolates(char words[EXTRAPOLATES_ROOM],
                                const struct advice_results *r);
void print_advice_range(const struct advice_results *r);
void print_advice_place(const struct ways *w);
void print_advice_ways(const struct advice_results *r);
void print_advice_rules(const struct advice_results *r);
struct json;
void add_advice_place(struct json *doc, const struct advice_results *r);
void add_advice(struct json *doc, const struct advice_results *r);

const char *advice_way_name(const struct advice_results *r, size_t way);
/* The words of a machine: its name, or the file. */
const char *advice_platform(const struct advice_results *r);

#endif

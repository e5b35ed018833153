/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_advice.h - prints the results of `sluice advise`. */
#ifndef CLI_PRINT_ADVICE_H
#define CLI_PRINT_ADVICE_H

#include "study/advise/extrapolates.h"
#include "study/advise/reach.h"
#include "study/advise/sizes.h"
#include "study/advise/why.h"

struct advice_results {
    const struct request *request;
    const struct candidates *candidates;
    /* The result of candidates_options(), or the options as asked if there is a
     * range of sizes. */
    const struct advise_options *options;
    const struct advice *advice;
    const struct why *why;         /* NULL if not asked for */
    const struct outcome *fastest; /* its outcome on the nominal machine */
    bool by_table; /* the model error is that of the kind of request */
    bool details;  /* all candidates, all parameters that matter, the spreads */
};

void print_advice(const struct advice_results *r);
void print_advice_json(const struct advice_results *r);

/* Print a row for each size; with details, all candidates of each. */
void print_advised_sizes(const struct advised_sizes *s,
                         const struct advice_results *asked);
void print_advised_sizes_json(const struct advised_sizes *s,
                              const struct advice_results *asked);

/* Print for each of the n answers the value of its key with which the time is
 * reached. */
void print_reach(const struct reach *answers, size_t n, double time_s);
void print_reach_json(const struct reach *answers, size_t n, double time_s);

/* Parts of the functions above. */
bool advice_by_table(const struct advice_results *r);
/* Returns the ends of the measured ranges beyond which the advice lies: those
 * of the measured decisions of its kind, or else of all measurements of the
 * machine; "" if it lies within. The text is in `words` or belongs to the
 * advice. */
const char *advice_extrapolates(char words[EXTRAPOLATES_ROOM],
                                const struct advice_results *r);
void print_advice_range(const struct advice_results *r);
void print_advice_place(const struct candidates *w);
void print_advice_candidates(const struct advice_results *r);
void print_advice_rules(const struct advice_results *r);
struct json;
void add_advice_place(struct json *doc, const struct advice_results *r);
void add_advice(struct json *doc, const struct advice_results *r);

const char *advice_candidate_name(const struct advice_results *r,
                                  size_t candidate);
/* Returns the machine's name, or its file as the request names it. */
const char *advice_platform(const struct advice_results *r);

#endif

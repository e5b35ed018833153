/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_print.h - prints the errors of the simulator, by groups of
 * points. */
#ifndef CLI_VALIDATE_PRINT_H
#define CLI_VALIDATE_PRINT_H

#include "base/json.h"
#include "validate/measure/decisions.h"
#include "validate/measure/measured.h"

void errors_print(const struct error_summary *list, size_t n);
struct json *errors_json(const struct error_summary *list, size_t n);
/* Print the same with bias, noise of the measurements and baseline. */
void groups_print(const struct error_summary *list, size_t n);
void groups_json(struct json *groups, const char *platform,
                 const struct error_summary *list, size_t n);
/* Print the kinds and their first parts as lines of a Markdown table. */
void groups_print_summary_head(void);
void groups_print_summary(const char *platform,
                          const struct error_summary *list, size_t n);

/* Print the cost of following the simulator's decisions; nothing if there are
 * none. */
void decisions_print(const struct decision_score *list, size_t n);
void decisions_print_cases(const struct decisions *d);
void decisions_print_summary_head(void);
void decisions_print_summary(const char *platform,
                             const struct decision_score *list, size_t n);
void decisions_json(struct json *scores, struct json *cases,
                    const char *platform, const struct decisions *d,
                    const struct decision_score *list, size_t n);

#endif

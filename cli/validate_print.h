/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_print.h - how far the simulator is off, by groups of points. */
#ifndef CLI_VALIDATE_PRINT_H
#define CLI_VALIDATE_PRINT_H

#include "base/json.h"
#include "validate/measure/measured.h"

void errors_print(const struct error_summary *list, size_t n);
struct json *errors_json(const struct error_summary *list, size_t n);
/* The same with bias, noise of the measurements and baseline. */
void groups_print(const struct error_summary *list, size_t n);
struct json *groups_json(const struct error_summary *list, size_t n);

#endif

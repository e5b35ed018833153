/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_log.h - the points of a log, size by size, as `sluice validate`
 * prints them. */
#ifndef CLI_VALIDATE_LOG_H
#define CLI_VALIDATE_LOG_H

#include "validate/measure/measured.h"

/* Prints measured and simulated times, and the errors of the simulation and of
 * the baseline, and the bandwidths. */
void log_print_points(const struct measured *f);

/* The functions that print a table: an operation on the same ranks. */
struct log_table_printer {
    void (*head)(const struct measured_point *first, const char *name,
                 void *arg);
    void (*row)(const struct measured_point *p, void *arg);
    void (*end)(void *arg);
};
void log_tables(const struct measured *f, const struct log_table_printer *to,
                void *arg);

/* Returns bytes per second: of a collective those of the busiest link of a
 * rank, as nccl-tests count them, of messages those of all pairs in all
 * directions. */
double log_busbw(const struct measured_point *p, double time_s);

#endif

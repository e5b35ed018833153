/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_parts.h - functions for fit.c and the files that fit one part each: they
 * gather points of the measurements, and put numbers into the document. Callers
 * of a fit only need fit.h. */
#ifndef VALIDATE_CALIBRATE_FIT_PARTS_H
#define VALIDATE_CALIBRATE_FIT_PARTS_H

#include "base/json.h"
#include "validate/calibrate/fit.h"

/* Points of some groups and the files they are from. */
struct fit_set {
    const struct measured_point **points;
    size_t n;
    char from[256]; /* "a.csv, b.csv (BenchPress ac2ede1)" */
};

/*
 * Puts the alpha_us and beta_ns_per_byte of a segment or a row of copies;
 * `before` is the segment of smaller sizes, or NULL.
 *  - With fewer than 3 points the old numbers stay.
 *  - The slope is left out if the segment fits as well without one, or if it is
 *    to be flat. The last segment needs one, because it has no limit: its beta
 *    stays as it was if the fitted one is not above 0.
 *  - An alpha that the data do not determine is that of the segment before,
 *    because a larger message has no smaller latency.
 */
void fit_put_segment(struct fit *f, struct json *segment,
                     const struct json *before, const char *path,
                     const struct fit_set *set, const struct fit_point *points,
                     size_t n, bool flat);
/* The parts, in this order. */
int fit_messages(struct fit *f, struct err *err) MUST_CHECK;
int fit_near(struct fit *f, struct err *err) MUST_CHECK;
int fit_copies(struct fit *f, struct err *err) MUST_CHECK;
int fit_message_ends(struct fit *f, struct err *err) MUST_CHECK;
/* Runs after the ends. A limit is known to be between two sizes that were
 * measured: next_from_bytes of a segment is the first size of the next segment,
 * and up_to_bytes, moved by mult_pong of sizes between those of ping-pongs, the
 * last of its own. */
int fit_limits(struct fit *f, struct err *err) MUST_CHECK;
int fit_shared(struct fit *f, struct err *err) MUST_CHECK; /* simulates */
int fit_network(struct fit *f, struct err *err) MUST_CHECK;
int fit_nic_wire(struct fit *f, struct err *err) MUST_CHECK; /* simulates */
/* Raises wires, and rates of the network, that limit a message to less than its
 * measured rate, to that rate; those that were measured separately are reported
 * instead. */
int fit_wires(struct fit *f, struct err *err) MUST_CHECK; /* simulates */
/* Fits the numbers of NCCL to calls of collectives in logs (fit_nccl.def). */
int fit_nccl(struct fit *f, struct err *err) MUST_CHECK; /* simulates */
/* Sets "measured" of the document to the ranges of the files. */
int fit_ranges(struct fit *f, struct err *err) MUST_CHECK;

typedef bool fit_wanted(const struct measured_point *p, const void *arg);
/* Gathers the points of groups such as "ping_pong/cpu/on_node" (NULL ends the
 * list), by rising bytes, pairs and messages; all of them if `wanted` is NULL.
 * fit_set_clear() frees the set. */
void fit_gather(struct fit_set *set, const struct fit *f,
                const char *const *groups, fit_wanted *wanted, const void *arg);
void fit_set_clear(struct fit_set *set);

/* Puts a fitted number, times `unit`, at `key` of object o, rounded to four
 * digits, and adds a row. If `kept` is NULL, the number is judged here (it is
 * kept if not above 0, or if its interval is wider than the number). Returns
 * whether the number was replaced. */
bool fit_put(struct fit *f, struct json *o, const char *path, const char *key,
             double unit, struct fit_number fitted, size_t points,
             double residual, const char *kept);
bool fit_good(struct fit_number number);
/* Returns why it is not good, or NULL. */
const char *fit_doubt(struct fit_number number);
/* Does the same without a judgement; `note`, or NULL, is a remark about it. */
void fit_set_number(struct fit *f, struct json *o, const char *path,
                    const char *key, double unit, struct fit_number fitted,
                    size_t points, double residual, const char *note);
void fit_add_row(struct fit *f, const struct fit_row *row);

/* Returns a residual in percent, rounded to the 0.1 % that a source states. */
double fit_percent(double residual);
/* Sets the statement about a number in the source at `key` of o: a fit to N
 * points of these files, with its residual. If number is NULL, the statement is
 * about all numbers that no other statement names. */
void fit_source(struct json *o, const char *key, const char *number,
                const struct fit_set *set, size_t points, const char *what,
                double residual);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parameters.h - the numbers of a machine that cost time, with their sources
 * and spreads; and machines in which they are others. */
#ifndef STRATEGIES_ADVISE_PARAMETERS_H
#define STRATEGIES_ADVISE_PARAMETERS_H

#include "base/json.h"
#include "platforms/machine.h"
#include "strategies/advise/spread.h"

/*
 * A parameter is a time, a rate, or how a message's cost divides between CPUs
 * and wire. Counts, sizes and limits are what a machine is and do not vary;
 * but a limit of a segment that is known to be between two sizes (up_to_bytes
 * and next_from_bytes) is anywhere there. Limits come behind all others.
 *
 * Numbers are one parameter where they are one statement: the same key and
 * words of the same source and the same value (a NIC that is there twice), or
 * one assumption of how costs divide between CPUs and wire that is made with
 * the same words in several places ("each CPU is busy for a whole ping-pong").
 * All others vary independently of each other: the fit of one
 * segment says nothing of the next one's residual.
 */
struct parameter {
    char *key;    /* of the first of its numbers, as --set takes it */
    double value; /* in the key's unit; of shares: the sum of both */
    bool rate;    /* more is faster */
    bool shares;  /* two numbers, of sender and receiver */
    enum provenance from;
    struct spread spread;
    char *words;    /* of the source */
    size_t nplaces; /* numbers that are this one */
};

struct parameters {
    struct parameter *list;
    size_t n;
    struct json *doc; /* a copy of the machine's */
    char *path;       /* of the machine's file */
    size_t *of_leaf;  /* the parameter of each number of the document */
    size_t nleaves;
};

/* Of a platform's document (platform_json()), which is copied. */
void parameters_of(struct parameters *p, const struct json *doc,
                   const char *path);
void parameters_clear(struct parameters *p);
/* SIZE_MAX: the machine has no such parameter. */
size_t parameters_find(const struct parameters *p, const char *key);

/* Makes machines, one at a time; each thread needs one of its own. Borrows the
 * parameters. */
struct machine_maker {
    const struct parameters *of;
    struct json *doc;
    struct json **leaves;
    double *values, *seconds; /* as given; of shares the sender's, receiver's */
    double *most;             /* of limits: how large they may be; else 0 */
    size_t nleaves;
    struct json **rendezvous; /* segments with after_match_us */
    size_t nrendezvous;
};
void maker_init(struct machine_maker *k, const struct parameters *p);
void maker_clear(struct machine_maker *k);
/*
 * The machine in which every parameter is `factors` times itself; all 1: the
 * machine itself, bit for bit. Shares stay at most 1 together, and a part of
 * a cost at most the whole. machine_clear() frees it.
 */
int maker_machine(struct machine *m, struct machine_maker *k,
                  const double *factors, struct err *err) MUST_CHECK;

#endif

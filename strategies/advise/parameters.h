/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parameters.h - the numbers of a machine that cost time, with their sources
 * and spreads; and machines in which they are others. */
#ifndef STRATEGIES_ADVISE_PARAMETERS_H
#define STRATEGIES_ADVISE_PARAMETERS_H

#include "base/json.h"
#include "platforms/machine.h"
#include "strategies/advise/spread.h"

/*
 * A number is a time, a rate, or how a message's cost divides between CPUs and
 * wire. Counts, sizes and limits are what a machine is and do not vary;
 * but a limit of a segment that is known to be between two sizes (up_to_bytes
 * and next_from_bytes) is anywhere there. Limits come behind all others.
 */
struct number {
    char *key;    /* as --set takes it */
    double value; /* in the key's unit; of shares: the sum of both */
    bool rate;    /* more is faster */
    bool shares;  /* two numbers, of sender and receiver */
    bool limit;   /* of a segment, in whole bytes */
    enum provenance from;
    struct spread spread;
    const struct json *in; /* the object that has it */
    size_t of;             /* its parameter; SIZE_MAX: not yet known */
};

/*
 * A parameter is a number, or a group of numbers that vary together
 * (together.h). All vary independently of each other: the fit of one segment
 * says nothing of the next one's residual.
 */
struct parameter {
    char *key;    /* its name, as --set takes it with a factor (settings.h) */
    double value; /* and what follows: of the first of its numbers */
    bool rate, shares, limit;
    enum provenance from;
    struct spread spread;
    size_t nplaces; /* numbers that are this one; 0: they were all taken */
};

struct parameters {
    struct parameter *list;
    size_t n;
    struct number *numbers; /* in the document's order */
    size_t nnumbers;
    struct json *doc; /* a copy of the machine's */
    char *path;       /* of the machine's file */
};

/* Of a platform's document (platform_json()), which is copied. */
void parameters_of(struct parameters *p, const struct json *doc,
                   const char *path);
void parameters_clear(struct parameters *p);
/* Whether a key is of the two numbers of shares. */
bool key_is_shares(const char *key);
/* How many are costs: these come first, and limits of segments behind them. A
 * limit is drawn, but a percent of it is no machine's, since it is in whole
 * bytes: it has neither an elasticity nor a flip. */
size_t parameters_costs(const struct parameters *p);
/* SIZE_MAX: the machine has no such parameter. */
size_t parameters_find(const struct parameters *p, const char *key);
/*
 * Makes one parameter of exactly the numbers that a name is of, which leave
 * the parameters that they were in, so that these are named by the rest; and
 * another of those that the group has inversely (SIZE_MAX: none). SIZE_MAX:
 * there is no such number.
 */
size_t parameters_take(struct parameters *p, const char *name, size_t *inverse);

/* Makes machines, one at a time; each thread needs one of its own. Borrows the
 * parameters. */
struct machine_maker {
    const struct parameters *of;
    struct json *doc;
    struct json **leaves;
    double *values, *seconds; /* as given; of shares the sender's, receiver's */
    double *most;             /* of limits: how large they may be; else 0 */
    size_t nleaves;
    bool exact; /* parts are not cut to the whole: if they are more, there is no
                   machine */
};
void maker_init(struct machine_maker *k, const struct parameters *p);
void maker_clear(struct machine_maker *k);
/*
 * The machine in which every parameter is `factors` times itself; all 1: the
 * machine itself, bit for bit. Shares stay at most 1 together, and a part of
 * a cost at most the whole, unless `exact`: then -1, as of --set.
 * machine_clear() frees it.
 */
int maker_machine(struct machine *m, struct machine_maker *k,
                  const double *factors, struct err *err) MUST_CHECK;

#endif

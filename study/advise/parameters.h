/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parameters.h - the numbers of a machine that are costs, with their sources
 * and spreads; and machines in which they have other values. */
#ifndef STUDY_ADVISE_PARAMETERS_H
#define STUDY_ADVISE_PARAMETERS_H

#include "base/json.h"
#include "platforms/machine.h"
#include "study/advise/spread.h"

/*
 * A number is a time, a rate, or the division of a message's cost between CPUs
 * and wire. Counts, sizes and limits define a machine and do not vary. An
 * exception is a limit of a segment that is known to be between two sizes
 * (up_to_bytes and next_from_bytes), which may be anywhere between them. Limits
 * come after all others.
 */
struct number {
    char *key;    /* as in --set */
    double value; /* in the key's unit; for shares the sum of both */
    bool rate;    /* more is faster */
    bool shares;  /* two numbers, of sender and receiver */
    bool limit;   /* a limit of a segment, in whole bytes */
    enum provenance from;
    struct spread spread;
    const struct json *in; /* the object that contains it */
    const char *member;    /* its key in that object */
    size_t of;             /* index of its parameter; SIZE_MAX if unknown yet */
};

/* A parameter is a number, or a group of numbers that vary together
 * (together.h). Parameters vary independently of each other, because the fit of
 * one segment does not determine the residual of the next. */
struct parameter {
    /* The name that --set accepts with a factor (settings.h). */
    char *key;
    /* This and the following fields are those of its first number. */
    double value;
    bool rate, shares, limit;
    enum provenance from;
    struct spread spread;
    size_t nplaces; /* its numbers; 0 if all were moved to others */
};

struct parameters {
    struct parameter *list;
    size_t n;
    struct number *numbers; /* in the document's order */
    size_t nnumbers;
    struct json *doc; /* a copy of the machine's document */
    /* The path of the machine's file. */
    char *path;
};

/* Finds the parameters of a platform's document (platform_json()), and copies
 * it. parameters_clear() frees them. */
void parameters_of(struct parameters *p, const struct json *doc,
                   const char *path);
void parameters_clear(struct parameters *p);
/* Returns the number of costs, which come first; limits of segments follow. A
 * limit is drawn, but it has no elasticity and no break-even value, because it
 * is in whole bytes, so that no machine has 1 % more of it. */
size_t parameters_costs(const struct parameters *p);
/* Returns the parameter of this key; SIZE_MAX if the machine has none. */
size_t parameters_find(const struct parameters *p, const char *key);
/* Makes one parameter of exactly the numbers that a name stands for, and
 * removes them from their parameters, which are renamed by the remaining
 * numbers. Sets *inverse to another parameter of those that the group contains
 * inversely (SIZE_MAX: none). Returns SIZE_MAX if there is no such number. */
size_t parameters_take(struct parameters *p, const char *name, size_t *inverse);

/* Makes machines, one at a time, so each thread needs one of its own. It
 * borrows the parameters. */
struct machine_maker {
    const struct parameters *of;
    struct json *doc;
    struct json **leaves; /* this and the next three by number */
    /* Given values; for shares those of the sender and of the receiver. */
    double *values, *seconds;
    double *most; /* upper bounds of limits; else 0 */
    /* Parts of a cost are not reduced to the whole; if one is larger, there is
     * no machine. */
    bool exact;
};
void maker_init(struct machine_maker *k, const struct parameters *p);
void maker_clear(struct machine_maker *k);
/* Makes the machine in which every parameter is multiplied by its factor; with
 * all factors 1 it equals the machine bit for bit. The sum of two shares is
 * reduced to 1, and a part of a cost to the whole, unless `exact`; then it
 * fails, as --set does. machine_clear() frees the machine. */
int maker_machine(struct machine *m, struct machine_maker *k,
                  const double *factors, struct err *err) MUST_CHECK;

#endif

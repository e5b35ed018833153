/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the commands of sluice and their options: one table row each. */
#ifndef SIM_CLI_CLI_H
#define SIM_CLI_CLI_H

#include "sim/err.h"
#include "sim/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A command returns its exit code, or -1 with err filled. argv[0] is the
 * command's name.
 */
struct command {
    const char *name;
    const char *summary; /* one line for `sluice --help` */
    int (*run)(int argc, char **argv, struct err *err);
};

enum opt_kind {
    OPT_FLAG,   /* bool *: no value */
    OPT_TEXT,   /* const char **: borrowed from argv */
    OPT_TEXTS,  /* struct texts *: may be given again */
    OPT_COUNT,  /* unsigned *: a whole number above 0 */
    OPT_BYTES,  /* uint64_t *: above 0, with k, M, G (2^10) or none */
    OPT_EVENTS, /* uint64_t *: a whole number above 0, also as 1e9 */
    OPT_NUMBER, /* double * */
};

struct texts {
    const char *items[64];
    size_t n;
};

struct opt {
    const char *name; /* "platform" for --platform */
    enum opt_kind kind;
    void *target;
    const char *value; /* "NAME": what stands for the value in the help */
    const char *help;
};

/*
 * Parses the options anywhere in argv; what is left (operands) is moved to the
 * front of argv[1..] and counted in *noperands. --help prints usage, the table
 * and `more` (may be NULL) and sets *helped: the command returns 0 then.
 * An unknown option is an error that suggests the nearest known one.
 */
int opts_parse(int argc, char **argv, const struct opt *opts, size_t nopts,
               const char *usage, const char *more, int *noperands,
               bool *helped, struct err *err) MUST_CHECK;

/* The commands; each in its own file cmd_NAME.c. */
int cmd_run(int argc, char **argv, struct err *err);
int cmd_model(int argc, char **argv, struct err *err);
int cmd_list(int argc, char **argv, struct err *err);
int cmd_show(int argc, char **argv, struct err *err);
int cmd_convert(int argc, char **argv, struct err *err);
int cmd_validate(int argc, char **argv, struct err *err);
int cmd_calibrate(int argc, char **argv, struct err *err);
int cmd_figure(int argc, char **argv, struct err *err);
int cmd_claims(int argc, char **argv, struct err *err);
int cmd_study(int argc, char **argv, struct err *err);
int cmd_export(int argc, char **argv, struct err *err);
int cmd_bench(int argc, char **argv, struct err *err);

/* How simulations are done: what the options below take, for every one of this
 * run. NULL and 0: the defaults. */
struct engine_options {
    const char *engine, *accuracy;
    uint64_t max_events;
};

#define ENGINE_OPTIONS(o)                                                      \
    {"engine", OPT_TEXT, &(o).engine, "NAME",                                  \
     "fluid: our own max-min solver (default); simgrid: SimGrid's"},           \
        {"accuracy", OPT_TEXT, &(o).accuracy, "A",                             \
         "of the fluid engine: exact, a tolerance up to 0.1, or auto: exact, " \
         "but 0.01 above 20,000 messages"},                                    \
    {                                                                          \
        "max-events", OPT_EVENTS, &(o).max_events, "N",                        \
            "end a simulation after so many events (10^10)"                    \
    }
int engine_choose(const struct engine_options *o, struct err *err) MUST_CHECK;

#endif

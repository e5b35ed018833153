/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the commands of sluice and their options: one table row each. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/err.h"
#include "base/opts.h"
#include "base/outfile.h"
#include "sim/plan/exec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A command. run() returns its exit code, or -1 with err filled. argv[0] is the
 * command's name.
 */
struct command {
    const char *name;
    const char *summary; /* one line for `sluice --help` */
    int (*run)(int argc, char **argv, struct err *err);
};

/* The commands; each has its own file cmd_NAME.c. */
int cmd_run(int argc, char **argv, struct err *err);
int cmd_advise(int argc, char **argv, struct err *err);
int cmd_model(int argc, char **argv, struct err *err);
int cmd_list(int argc, char **argv, struct err *err);
int cmd_show(int argc, char **argv, struct err *err);
int cmd_convert(int argc, char **argv, struct err *err);
int cmd_expect(int argc, char **argv, struct err *err);
int cmd_validate(int argc, char **argv, struct err *err);
int cmd_discover(int argc, char **argv, struct err *err);
int cmd_calibrate(int argc, char **argv, struct err *err);
int cmd_figure(int argc, char **argv, struct err *err);
int cmd_claims(int argc, char **argv, struct err *err);
int cmd_study(int argc, char **argv, struct err *err);
int cmd_sweep(int argc, char **argv, struct err *err);
int cmd_report(int argc, char **argv, struct err *err);
int cmd_export(int argc, char **argv, struct err *err);
int cmd_bench(int argc, char **argv, struct err *err);

/* The values of the options below, which choose how plans are simulated: NULL
 * and 0 if an option is not given. */
struct engine_options {
    const char *engine, *accuracy;
    uint64_t max_events;
};

/* The row of an option that states facts which logs do not. */
#define FACT_OPTION(texts)                                                     \
    {                                                                          \
        "fact", OPT_TEXTS, &(texts), "KEY=VALUE",                              \
            "logs: a fact that they do not state: ranks=N, nodes=N, "          \
            "gpus_per_thread=N, memory=host|device, collective=NAME; may be "  \
            "repeated"                                                         \
    }

#define ENGINE_OPTIONS(o)                                                      \
    OPT_HEADING("Simulation"),                                                 \
        {"engine", OPT_TEXT, &(o).engine, "NAME",                              \
         "engine: fluid, sluice's max-min solver; simgrid, SimGrid's; alone: " \
         "messages share no link [default: fluid]"},                           \
        {"accuracy", OPT_TEXT, &(o).accuracy, "A",                             \
         "accuracy of the fluid engine: exact, a tolerance up to 0.1, or "     \
         "auto: exact up to 20,000 messages, then 0.01 [default: auto]"},      \
    {                                                                          \
        "max-events", OPT_EVENTS, &(o).max_events, "N",                        \
            "end a simulation after N events [default: 10^10]"                 \
    }
/* The option for the number of simulations at a time; 0 if it is not given, for
 * which jobs_choose() returns the number of cores. */
#define JOBS_OPTION(jobs)                                                      \
    {                                                                          \
        "jobs", OPT_COUNT, &(jobs), "N",                                       \
            "simulate up to N strategies or points at a time, each with "      \
            "memory of its own [default: one on each core]"                    \
    }
unsigned jobs_choose(unsigned jobs);
int engine_choose(struct exec_options *exec, const struct engine_options *o,
                  struct err *err) MUST_CHECK;

/* Begins a command that takes a request: reads the engine's options, and at
 * most one operand, an experiment file (request_read()). The caller frees *doc
 * by json_free() at the end; on failure it is freed already. */
struct request;
struct json;
int request_begin(struct request *r, struct json **doc,
                  struct exec_options *exec, const struct engine_options *o,
                  int noperands, char **argv, struct err *err) MUST_CHECK;

#endif

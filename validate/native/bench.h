/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - the commands of sluice-native, each in its own file. */
#ifndef VALIDATE_NATIVE_BENCH_H
#define VALIDATE_NATIVE_BENCH_H

#include "sim/cli/cli.h"
#include "validate/native/native.h"
#include "validate/native/repeat.h"
#include "validate/native/table.h"

/*
 * A command begins after MPI_Init, with its own name in argv[0]. All ranks call
 * it; it returns an exit code, or -1 with err filled, on all ranks alike (see
 * native_agree()).
 */
struct native_command {
    const char *name, *summary;
    int (*run)(struct native *n, int argc, char **argv, struct err *err);
};

int bench_ping_pong(struct native *n, int argc, char **argv, struct err *err);
int bench_run(struct native *n, int argc, char **argv, struct err *err);

/* Of GPUs: in cuda/, which is built where CUDA is found. */
int bench_gpu(struct native *n, int argc, char **argv, struct err *err);
int bench_queue(struct native *n, int argc, char **argv, struct err *err);
int bench_match(struct native *n, int argc, char **argv, struct err *err);
int bench_reduce(struct native *n, int argc, char **argv, struct err *err);

/* From `from` to `to` bytes, each twice the one before. */
struct sizes {
    uint64_t from, to;
};

/* What the micro-benchmarks take. */
struct bench_options {
    struct native_options native;
    struct sizes sizes; /* set before: the default */
    bool cpu, gpu;      /* memory that messages go between */
};

/*
 * Parses the options (with `more`, ended by a row without name, or NULL) and
 * starts the ranks. `helped`: the help was printed, there is nothing to do.
 * GPU memory that the MPI cannot send is an error when it is asked for, and
 * left out when nothing is.
 */
int bench_begin(struct native *n, struct bench_options *o, int argc,
                char **argv, const char *usage, const struct opt *more,
                bool *helped, struct err *err) MUST_CHECK;

/* The options of all commands and `more`; rank 0 alone prints the help. */
int native_opts(struct native *n, int argc, char **argv, const struct opt *opts,
                size_t nopts, const char *usage, const char *more,
                int *noperands, bool *helped, struct err *err) MUST_CHECK;

#endif

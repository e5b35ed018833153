/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - the commands of sluice-native, each in its own file, and the
 * options that benchmarks share. */
#ifndef VALIDATE_NATIVE_BENCH_H
#define VALIDATE_NATIVE_BENCH_H

#include "base/opts.h"
#include "base/outfile.h"
#include "validate/measure/sizes.h"
#include "validate/native/native.h"
#include "validate/native/repeat.h"
#include "validate/native/table.h"

/* A command begins after MPI_Init, with its own name in argv[0]. All ranks call
 * it; it returns an exit code, or -1 with err set, on all ranks alike (see
 * native_agree()). */
struct native_command {
    const char *name, *summary;
    int (*run)(struct native *n, int argc, char **argv, struct err *err);
};

/* Writes all commands to out (unless it is NULL), and returns their number. */
size_t native_commands(struct native_command *out);

int bench_fan(struct native *n, int argc, char **argv, struct err *err);
int bench_ring(struct native *n, int argc, char **argv, struct err *err);
int bench_gpu_messages(struct native *n, int argc, char **argv,
                       struct err *err);
int bench_contention(struct native *n, int argc, char **argv, struct err *err);
int bench_pack(struct native *n, int argc, char **argv, struct err *err);
int bench_runtime(struct native *n, int argc, char **argv, struct err *err);
int bench_all(struct native *n, int argc, char **argv, struct err *err);
int bench_collective(struct native *n, int argc, char **argv, struct err *err);
int bench_run(struct native *n, int argc, char **argv, struct err *err);

/* The benchmarks of GPUs are in cuda/, which is built if CUDA is found. */
int bench_gpu(struct native *n, int argc, char **argv, struct err *err);
int bench_queue(struct native *n, int argc, char **argv, struct err *err);
int bench_match(struct native *n, int argc, char **argv, struct err *err);
int bench_reduce(struct native *n, int argc, char **argv, struct err *err);
int bench_nccl(struct native *n, int argc, char **argv, struct err *err);
int bench_traverse(struct native *n, int argc, char **argv, struct err *err);
int bench_graph_costs(struct native *n, int argc, char **argv, struct err *err);

#define BETWEEN_OPTION(sizes)                                                  \
    {                                                                          \
        "between", OPT_FLAG, &(sizes).between, NULL,                           \
            "also sizes a quarter, a half and nine tenths of the way from "    \
            "those of 64 to 64k to the next, which show limits of protocols"   \
    }

/* The options that micro-benchmarks have. The caller sets the members marked
 * "set before". */
struct bench_options {
    struct native_options native;
    struct sizes sizes; /* set before: the default */
    uint64_t most;      /* set before: the largest size; 0 for 1G */
    const char *sized;  /* set before: the unit of the sizes; NULL for bytes */
    bool copies; /* set before: it sends no messages, so there is no --device */
    bool ipc;    /* set before: on a node it can use CUDA IPC instead of MPI */
    const char *about; /* set before: the end of the help */
    bool cpu, gpu;     /* memories between which messages are sent */
};

/* Parses the options (with `more`, which a row without a name ends, or NULL)
 * and starts the ranks. `helped` says that the help was printed and there is
 * nothing to do. If the MPI cannot send GPU memory, this is an error if the
 * user asks for it; otherwise GPU memory is left out. */
int bench_begin(struct native *n, struct bench_options *o, int argc,
                char **argv, const char *usage, const struct opt *more,
                bool *helped, struct err *err) MUST_CHECK;

/* Sets which of the `count` names a list "a,b" has; leaves `wanted` unchanged
 * if the list is NULL. */
int bench_list(bool *wanted, const char *const *names, int count,
               const char *option, const char *list,
               struct err *err) MUST_CHECK;

/* Does the same for an option that may be given again. */
int bench_parts(bool *wanted, const char *const *names, int count,
                const char *option, const struct texts *asked,
                struct err *err) MUST_CHECK;

/* Returns all names as such a list, which the caller frees. */
char *bench_all_names(const char *const *names, int count);

/* Sets *out to the number of ranks of a node that --OPTION asks for (0 for all
 * of them); fails if there are fewer, or if the ranks are not on two nodes. */
int bench_ranks(int *out, const struct native *n, const char *command,
                const char *option, unsigned asked, struct err *err) MUST_CHECK;

/* Calls `measure` with memory of this many bytes, once for each kind of memory
 * that the options ask for, and frees it. All ranks call it. */
typedef void bench_measure(void *arg, const char *device, void *buffer);
int bench_memories(const struct native *n, const struct bench_options *o,
                   uint64_t bytes, bench_measure *measure, void *arg,
                   struct err *err) MUST_CHECK;

/* Parses options as opts_parse() does; only rank 0 prints the help. */
int native_opts(struct native *n, int argc, char **argv, const struct opt *opts,
                size_t nopts, const struct opts_page *page, int *noperands,
                bool *helped, struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - the commands of sluice-native, each in its own file. */
#ifndef VALIDATE_NATIVE_BENCH_H
#define VALIDATE_NATIVE_BENCH_H

#include "base/opts.h"
#include "base/outfile.h"
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
int bench_maxrate(struct native *n, int argc, char **argv, struct err *err);
int bench_node_pong(struct native *n, int argc, char **argv, struct err *err);
int bench_mult_pong(struct native *n, int argc, char **argv, struct err *err);
int bench_mult_pong_split(struct native *n, int argc, char **argv,
                          struct err *err);
int bench_memcpy(struct native *n, int argc, char **argv, struct err *err);
int bench_memcpy_mult(struct native *n, int argc, char **argv, struct err *err);
int bench_all_to_all_v(struct native *n, int argc, char **argv,
                       struct err *err);
int bench_fan(struct native *n, int argc, char **argv, struct err *err);
int bench_ring(struct native *n, int argc, char **argv, struct err *err);
int bench_multi_pair(struct native *n, int argc, char **argv, struct err *err);
int bench_gpu_messages(struct native *n, int argc, char **argv,
                       struct err *err);
int bench_contention(struct native *n, int argc, char **argv, struct err *err);
int bench_pack(struct native *n, int argc, char **argv, struct err *err);
int bench_matching(struct native *n, int argc, char **argv, struct err *err);
int bench_runtime(struct native *n, int argc, char **argv, struct err *err);
int bench_all(struct native *n, int argc, char **argv, struct err *err);
int bench_collective(struct native *n, int argc, char **argv, struct err *err);
int bench_run(struct native *n, int argc, char **argv, struct err *err);

/* Of GPUs: in cuda/, which is built where CUDA is found. */
int bench_gpu(struct native *n, int argc, char **argv, struct err *err);
int bench_queue(struct native *n, int argc, char **argv, struct err *err);
int bench_match(struct native *n, int argc, char **argv, struct err *err);
int bench_reduce(struct native *n, int argc, char **argv, struct err *err);
int bench_nccl(struct native *n, int argc, char **argv, struct err *err);
int bench_traverse(struct native *n, int argc, char **argv, struct err *err);
int bench_graph_costs(struct native *n, int argc, char **argv, struct err *err);

/* From `from` to `to` bytes, each `factor` times the one before. */
struct sizes {
    uint64_t from, to;
    unsigned factor; /* set before; 0: 2 */
    bool between;    /* three more behind each from 64 B to 64 KiB */
};
/* Returns the size behind `bytes`, which is one of them. With `between`, sizes
 * from 64 B to 64 KiB, where limits of protocols are, are followed by those a
 * quarter, a half and nine tenths of the way to the next one: 1.25, 1.5 and 1.9
 * times the size if the factor is 2 (in whole elements of 4 bytes). */
enum { BETWEEN_FROM = 64, BETWEEN_TO = 64 << 10 };
uint64_t sizes_next(const struct sizes *s, uint64_t bytes);
#define BETWEEN_OPTION(sizes)                                                  \
    {                                                                          \
        "between", OPT_FLAG, &(sizes).between, NULL,                           \
            "also sizes a quarter, a half and nine tenths of the way from "    \
            "those of 64 to 64k to the next, which tell limits of protocols"   \
    }

/* What the micro-benchmarks take. */
struct bench_options {
    struct native_options native;
    struct sizes sizes; /* set before: the default */
    uint64_t most;      /* set before: the largest size (0: 1G) */
    const char *sized;  /* set before: what has these sizes (NULL: bytes) */
    bool copies;        /* set before: no messages, so no --device */
    bool ipc;           /* set before: can do with CUDA IPC on a node */
    const char *about;  /* set before: the end of the help */
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

/* Which of the names (count of them) a list "a,b" has: none if it is NULL, so
 * that `wanted` stays. */
int bench_list(bool *wanted, const char *const *names, int count,
               const char *option, const char *list,
               struct err *err) MUST_CHECK;

/* Returns all names as such a list, which the caller frees. */
char *bench_all_names(const char *const *names, int count);

/* As many ranks of a node as are asked for by --OPTION (0: all of them), for a
 * command that wants two nodes. */
int bench_ranks(int *out, const struct native *n, const char *command,
                const char *option, unsigned asked, struct err *err) MUST_CHECK;

/*
 * Calls `measure` with memory of so many bytes, once for each kind that the
 * options ask for. All ranks call it.
 */
typedef void bench_measure(void *arg, const char *device, void *buffer);
int bench_memories(const struct native *n, const struct bench_options *o,
                   uint64_t bytes, bench_measure *measure, void *arg,
                   struct err *err) MUST_CHECK;

/* The options of all commands and `more`; rank 0 alone prints the help. */
int native_opts(struct native *n, int argc, char **argv, const struct opt *opts,
                size_t nopts, const char *usage, const char *more,
                int *noperands, bool *helped, struct err *err) MUST_CHECK;

#endif

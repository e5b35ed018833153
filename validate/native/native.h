/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native.h - the ranks that measure: their placement, errors that end all of
 * them, and a watchdog, so that nothing hangs. */
#ifndef VALIDATE_NATIVE_NATIVE_H
#define VALIDATE_NATIVE_NATIVE_H

#include "base/err.h"
#include "validate/native/gpu.h"

#include <mpi.h>
#include <stdbool.h>

/* What rank 1 does in the middle of the work, for tests. */
enum native_break { BREAK_NOT, BREAK_HANG, BREAK_DIE, BREAK_CORRUPT };

struct native {
    int rank, ranks;
    /* Ranks fill node after node, as many on each: rank = node * per_node +
     * local. */
    int node, nodes, local, per_node;
    bool pretended; /* the nodes are parts of one host (--split-host) */
    MPI_Comm on_node;
    const struct gpu_api *gpu; /* CUDA's, or host memory that stands for it */
    bool device_mpi;           /* the MPI takes GPU memory */
    unsigned socket, numa;     /* that this rank sits on */
    unsigned watchdog_s;
    enum native_break breaks; /* this rank */
    char *command;            /* the command line, for the record */
};

/*
 * What every command takes. hosts: into how many nodes one host is divided, 0:
 * the nodes are the hosts.
 */
struct native_options {
    const char *output, *machine, *config, *breaks;
    unsigned split_host, share_gpus, watchdog_s;
    double per_point_s; /* 0: the default */
    bool no_gpu;
};

#define NATIVE_OPTIONS(o)                                                      \
    {"o", OPT_OUTPUT, &(o).output, "FILE.csv",                                 \
     "where the rows go (-: stdout)"},                                         \
        {"machine", OPT_TEXT, &(o).machine, "NAME",                            \
         "its name in the rows (the host's, without digits)"},                 \
        {"config", OPT_TEXT, &(o).config, "TEXT",                              \
         "what is special of this run, for the rows"},                         \
        {"split-host", OPT_COUNT, &(o).split_host, "N",                        \
         "divide the ranks of one host into N nodes"},                         \
        {"share-gpus", OPT_COUNT, &(o).share_gpus, "N",                        \
         "the GPUs of a host stand for N, in turn"},                           \
        {"no-gpu", OPT_FLAG, &(o).no_gpu, NULL,                                \
         "host memory stands for GPU memory"},                                 \
        {"per-point", OPT_NUMBER, &(o).per_point_s, "S",                       \
         "no further batch of a point after so long (5)"},                     \
        {"break", OPT_TEXT, &(o).breaks, "HOW",                                \
         "for tests: rank 1 is to hang, die or corrupt a byte"},               \
    {                                                                          \
        "watchdog", OPT_COUNT, &(o).watchdog_s, "S",                           \
            "end when nothing has moved for so many seconds (120)"             \
    }

/* After MPI_Init. All ranks call these two, with equal options. */
int native_start(struct native *n, const struct native_options *o,
                 struct err *err) MUST_CHECK;
void native_end(struct native *n);

/*
 * All ranks call it, each with its own result and err: -1 on all when it is -1
 * on any. Only one err is then set (that of the lowest rank, with its number),
 * on rank 0; err->text is empty on the others.
 */
int native_agree(const struct native *n, int result, struct err *err);

/* Prints "sluice-native: rank R on HOST: ..." and ends all ranks with exit code
 * 1: for what goes wrong on one rank in the middle of the others' work. */
_Noreturn void native_die(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* The same, with an error's text, and its place in the source under --debug. */
_Noreturn void native_die_of(const struct err *err);
/* The same, when an MPI call did not succeed: MPI_TRY(MPI_Send(...)). */
#define MPI_TRY(call) native_mpi((call), #call, __FILE__, __LINE__)
void native_mpi(int code, const char *call, const char *file, int line);
/* The same, when a call that fills `err` gave -1. */
#define DIE_TRY(call)                                                          \
    do {                                                                       \
        struct err die_err = {0};                                              \
        if ((call) < 0)                                                        \
            native_die_of(&die_err);                                           \
    } while (0)
#define DIE (&die_err)

/* Something has moved; `what` is what is under way now, for the watchdog's
 * message (a string that stays). */
void native_alive(const struct native *n, const char *what);

/* Before each point: where a rank that is to hang or to die does so. */
void native_break(const struct native *n);

/*
 * Largest value of all ranks, known to all. A rank that has to wait sleeps in
 * between, so that it takes no core from ranks that are timed.
 */
double native_max(const struct native *n, double mine);
/* Likewise: waits quietly until all are there. */
void native_quiet(const struct native *n);
void native_barrier(const struct native *n);

/* on_socket, on_node or off_node: of two ranks, by node and socket. `sockets`
 * has those of all ranks (native_sockets(); the caller frees it). */
unsigned *native_sockets(const struct native *n);
unsigned *native_numas(const struct native *n); /* likewise */
const char *native_locality(const struct native *n, const unsigned *sockets,
                            int a, int b);

#endif

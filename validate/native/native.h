/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native.h - the ranks that measure: their placement, errors that end all of
 * them, and a watchdog, so that nothing hangs. */
#ifndef VALIDATE_NATIVE_NATIVE_H
#define VALIDATE_NATIVE_NATIVE_H

#include "base/err.h"
#include "validate/native/gpu.h"

#include <mpi.h>
#include <stdbool.h>

/* A failure of rank 1 in the middle of the work, for tests. */
enum native_break { BREAK_NOT, BREAK_HANG, BREAK_DIE, BREAK_CORRUPT };

struct native {
    int rank, ranks;
    /* Ranks fill node after node, equally many on each: rank = node * per_node
     * + local. */
    int node, nodes, local, per_node;
    bool pretended; /* the nodes are parts of one host (--split-host) */
    MPI_Comm on_node;
    const struct gpu_api *gpu; /* CUDA's, or host memory that represents it */
    bool device_mpi;           /* the MPI can send GPU memory */
    unsigned socket, numa;     /* the place of this rank */
    unsigned watchdog_s;
    enum native_break breaks; /* the failure of this rank */
    char *command;            /* the command line, for the record */
};

/* The options of every command. split_host is the number of nodes into which
 * one host is divided; 0 if each host is a node. */
struct native_options {
    const char *output, *machine, *config, *breaks;
    const char *mps; /* set by mps_find(), which not all commands call */
    unsigned split_host, share_gpus, watchdog_s;
    double per_point_s; /* 0 for the default */
    bool no_gpu;
};

#define NATIVE_OPTIONS(o)                                                      \
    OPT_HEADING("Run and output"),                                             \
        {"o", OPT_OUTPUT, &(o).output, "FILE.csv",                             \
         "file of the rows; - is standard output"},                            \
        {"machine", OPT_TEXT, &(o).machine, "NAME",                            \
         "name of the machine in the rows [default: the host's, "              \
         "without digits]"},                                                   \
        {"config", OPT_TEXT, &(o).config, "TEXT",                              \
         "configuration of this run, for the rows"},                           \
        {"split-host", OPT_COUNT, &(o).split_host, "N",                        \
         "divide the ranks of one host into N nodes"},                         \
        {"share-gpus", OPT_COUNT, &(o).share_gpus, "N",                        \
         "let the GPUs of a host stand for N, in turn"},                       \
        {"no-gpu", OPT_FLAG, &(o).no_gpu, NULL,                                \
         "let host memory stand for GPU memory"},                              \
        {"per-point", OPT_NUMBER, &(o).per_point_s, "S",                       \
         "begin no further batch of a point after S seconds [default: "        \
         "5]"},                                                                \
        {"break", OPT_TEXT, &(o).breaks, "HOW",                                \
         "for tests: rank 1 hangs (hang), dies (die) or corrupts a "           \
         "byte (corrupt)"},                                                    \
    {                                                                          \
        "watchdog", OPT_COUNT, &(o).watchdog_s, "S",                           \
            "end if no message has arrived for S seconds [default: 120]"       \
    }

/* Called after MPI_Init, by all ranks with equal options. */
int native_start(struct native *n, const struct native_options *o,
                 struct err *err) MUST_CHECK;
void native_end(struct native *n);

/* Makes all ranks agree on success. All ranks call it, each with its own result
 * and err; it returns -1 on all if the result is -1 on any. Only one err is
 * then set (that of the lowest rank, with its number), on rank 0; err->text is
 * empty on the others. */
int native_agree(const struct native *n, int result, struct err *err);

/* Writes "rank R on HOST" of this process. */
void native_place(char *out, size_t size);
/* Prints "sluice-native: rank R on HOST: ..." and ends all ranks with exit code
 * 1. It is for an error of one rank in the middle of the others' work, when
 * they cannot agree. */
_Noreturn void native_die(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Does the same for an error's text; with --debug it adds the error's place in
 * the source. */
_Noreturn void native_die_of(const struct err *err);
/* Does the same if an MPI call fails: MPI_TRY(MPI_Send(...)). */
#define MPI_TRY(call) native_mpi((call), #call, __FILE__, __LINE__)
void native_mpi(int code, const char *call, const char *file, int line);
/* Does the same if a call that sets `err` returns -1. */
#define DIE_TRY(call)                                                          \
    do {                                                                       \
        struct err die_err = {0};                                              \
        if ((call) < 0)                                                        \
            native_die_of(&die_err);                                           \
    } while (0)
#define DIE (&die_err)

/* Restarts the watchdog, because something has moved; `what` names the work in
 * progress for the watchdog's message and must be a static string. */
void native_alive(const struct native *n, const char *what);

/* Called before each point: a rank that is to hang or to die does so here. */
void native_break(const struct native *n);

/* Returns the maximum over all ranks, on all of them. A rank that has to wait
 * sleeps meanwhile, so that it takes no core from ranks that are timed. */
double native_max(const struct native *n, double mine);
/* Waits, asleep, until all ranks have called it. native_barrier() waits without
 * sleep. */
void native_quiet(const struct native *n);
void native_barrier(const struct native *n);

/* native_locality() returns on_socket, on_node or off_node for two ranks, by
 * node and socket. `sockets` has the sockets of all ranks, as native_sockets()
 * returns them; native_numas() returns their NUMA domains. The caller frees
 * both arrays. */
unsigned *native_sockets(const struct native *n);
unsigned *native_numas(const struct native *n);
const char *native_locality(const struct native *n, const unsigned *sockets,
                            int a, int b);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nsys_rows.h - the MPI calls in a report of Nsight Systems that was exported
 * as SQLite: the rank of each process, the communicators, and the calls of each
 * rank in order of time. If a version lacks a table or column, it counts as
 * empty.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_NSYS_ROWS_H
#define WORKLOADS_TRACE_FOREIGN_NSYS_ROWS_H

#include "workloads/trace/input.h"

#include <sqlite3.h>
#include <stdbool.h>

#define NSYS_NOT_SAID INT64_MIN

enum nsys_table {
    NSYS_P2P,
    NSYS_COLLECTIVES,
    NSYS_START_WAIT,
    NSYS_OTHER,
    NSYS_NVTX, /* older versions: names without arguments */
    NSYS_NTABLES
};

struct nsys_row {
    enum nsys_table table;
    int64_t begin_ns, end_ns, comm, tag, peer, bytes, recv_bytes, request;
    uint64_t place; /* rowid in its table */
    char name[64];
};

struct nsys_file {
    char *path;
    struct input in;
    sqlite3 *db;
    bool has[NSYS_NTABLES];
    char *select; /* the query for the calls of one process */
    int64_t begin_ns;
    uint64_t kernels, copies;
};

/* A rank in a file. */
struct nsys_process {
    /* process: the upper bits of its globalTid; NSYS_NOT_SAID if all processes
     * are its. */
    int64_t rank, process;
};

/* The membership of a rank in a communicator. */
struct nsys_membership {
    int64_t rank, handle, local, size, root, uid;
};

/* Opens a report. It must be closed even after an error. */
int nsys_file_open(struct nsys_file *f, const char *path,
                   struct err *err) MUST_CHECK;
void nsys_file_close(struct nsys_file *f);

/* Return the processes, or the memberships, in a list that the caller frees. */
int nsys_processes(struct nsys_file *f, struct nsys_process **list, size_t *n,
                   struct err *err) MUST_CHECK;
int nsys_memberships(struct nsys_file *f, struct nsys_membership **list,
                     size_t *n, struct err *err) MUST_CHECK;

/* Returns whether a send has this peer: 1 or 0, or -1 and an error. */
int nsys_sends_to(struct nsys_file *f, int64_t peer, struct err *err);

/* Returns the calls of a process, which sqlite3_finalize() frees. */
sqlite3_stmt *nsys_calls(struct nsys_file *f, int64_t process, struct err *err);
/* Reads the next call into *row. Returns 1, or 0 at the end. */
int nsys_next(struct nsys_file *f, sqlite3_stmt *calls, struct nsys_row *row,
              struct err *err) MUST_CHECK;

#endif

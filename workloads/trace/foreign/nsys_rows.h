/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nsys_rows.h - the calls of MPI in a report of Nsight Systems that was
 * exported as SQLite: which processes are which ranks, their communicators, and
 * each rank's calls in the order of time. Tables and columns that a version
 * does not have are as if empty.
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
    uint64_t place; /* its rowid */
    char name[64];
};

struct nsys_file {
    char *path;
    struct input in;
    sqlite3 *db;
    bool has[NSYS_NTABLES];
    char *select; /* of the calls of one process */
    int64_t begin_ns;
    uint64_t kernels, copies;
};

/* A rank in a file. */
struct nsys_process {
    int64_t rank, process; /* process: the upper bits of its globalTid; all, if
                              NSYS_NOT_SAID */
};

/* A rank's membership of a communicator. */
struct nsys_membership {
    int64_t rank, handle, local, size, root, uid;
};

/* nsys_file_close() also after an error. */
int nsys_file_open(struct nsys_file *f, const char *path,
                   struct err *err) MUST_CHECK;
void nsys_file_close(struct nsys_file *f);

/* Lists that the caller frees. */
int nsys_processes(struct nsys_file *f, struct nsys_process **list, size_t *n,
                   struct err *err) MUST_CHECK;
int nsys_memberships(struct nsys_file *f, struct nsys_membership **list,
                     size_t *n, struct err *err) MUST_CHECK;

/* Whether a send has this peer: 1, 0, or -1 and an error. */
int nsys_sends_to(struct nsys_file *f, int64_t peer, struct err *err);

/* The calls of a process; sqlite3_finalize() frees. */
sqlite3_stmt *nsys_calls(struct nsys_file *f, int64_t process, struct err *err);
/* 1; at the end 0. */
int nsys_next(struct nsys_file *f, sqlite3_stmt *calls, struct nsys_row *row,
              struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* liballprof.h - what the files of the reader of liballprof's traces share. */
#ifndef WORKLOADS_TRACE_LIBALLPROF_H
#define WORKLOADS_TRACE_LIBALLPROF_H

#include "workloads/trace/input.h"
#include "workloads/trace/pending.h"
#include "workloads/trace/trace.h"

/* A handle of MPI as the trace prints it, and our number of its communicator.
 */
struct liballprof_comm {
    uint64_t handle;
    uint32_t number;
};

/* A request of MPI_Send_init or MPI_Recv_init. */
struct liballprof_persistent {
    uint8_t call;
    uint32_t peer, tag, comm;
    uint64_t bytes, address;
};

struct liballprof_rank {
    char *file; /* NULL: there is none */
    struct input in;
    uint64_t line;
    double clock_s; /* to be added to its clock: the first rank's */
    uint32_t next_comm, oldest_made; /* made, but not used up to now */
    struct liballprof_comm *comms;
    size_t ncomms;
    struct pending requests, persistents; /* by address */
    struct liballprof_persistent *persistent;
    size_t npersistent, persistent_room;
    uint64_t next_request;
    uint64_t both[2];
    uint64_t *counts[2];        /* room for as many as there are ranks */
    struct trace_event then[2]; /* what follows of one line */
    unsigned nthen;
    uint64_t *starting; /* of MPI_Startall: which */
    size_t nstarting, starting_at;
    struct trace_event start; /* like which */
};

struct liballprof {
    struct liballprof_rank *ranks;
    uint32_t n;         /* the highest with a file, and 1 more */
    uint64_t origin_us; /* of all clocks */
    char **names;       /* of calls that have no meaning here */
    size_t nnames;
    bool guessed; /* and said so */
};

bool liballprof_is(const char *path, const char *head, size_t n);
/* The files of the ranks, and how many there should be. */
int liballprof_open_files(struct trace *t, struct liballprof *l,
                          struct err *err);

#endif

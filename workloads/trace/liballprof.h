/* SPDX-License-Identifier: GPL-3.0-or-later */
/* liballprof.h - what the files of the reader of liballprof's traces share. */
#ifndef WORKLOADS_TRACE_LIBALLPROF_H
#define WORKLOADS_TRACE_LIBALLPROF_H

#include "workloads/trace/input.h"
#include "workloads/trace/pending.h"
#include "workloads/trace/scan.h"
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
    bool synchronous;
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

/*
 * What the arguments of a call are, in the order of MPI's own declaration:
 *   n count  t type  x rank  g tag  c communicator  q request
 *   a how many requests  A their list  v a count for each member  d such a list
 *   of displacements  r root  k colour  y key  p anything else
 */
struct liballprof_call {
    const char *name; /* behind MPI_ */
    const char *arguments;
    uint8_t call, collective;
    bool blocks, synchronous;
};

enum { /* in place of `collective`, of calls that are none */
       LIBALLPROF_ANY_OF = 1,
       LIBALLPROF_SENDRECV = 1,
       LIBALLPROF_REPLACE = 2,
       LIBALLPROF_PERSISTENT = 3,
       LIBALLPROF_START = 1
};

/* The line that is read, and what its arguments say. */
struct liballprof_line {
    struct trace *t;
    struct liballprof *x;
    struct liballprof_rank *r;
    uint32_t rank;
    struct scan s; /* what is left, from a colon on */
    struct trace_event *e;
    struct err *err;
    uint64_t bytes[2]; /* of the first and second buffer */
    unsigned nbytes;
    uint64_t count; /* of the type that comes next */
    int list;       /* the list of counts that it is of; -1: none */
    uint32_t peer[2], tag[2];
    unsigned npeers, ntags;
    uint64_t address, howmany;
    uint64_t ncounts;
    bool has_comm;
};

/* "expected WHAT at" what is left of the line. */
int liballprof_fail(struct liballprof_line *l, const char *what);
/* Microseconds, as seconds of the first rank's clock; "-": NAN. */
int liballprof_time(struct liballprof_line *l, double *out);
/* One of this kind; second_list: counts are of the second buffer. */
int liballprof_argument(struct liballprof_line *l, char kind,
                        bool *second_list);
/* Makes the event of the call whose arguments have been read. */
int liballprof_mean(struct liballprof_line *l, const struct liballprof_call *c);
/* The next of those that MPI_Start() or MPI_Startall() begins. */
void liballprof_start_next(struct liballprof_rank *r, struct trace_event *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* liballprof.h - declarations that the files of the reader of liballprof's
 * traces share. */
#ifndef WORKLOADS_TRACE_LIBALLPROF_H
#define WORKLOADS_TRACE_LIBALLPROF_H

#include "workloads/trace/input.h"
#include "workloads/trace/pending.h"
#include "workloads/trace/scan.h"
#include "workloads/trace/trace.h"

/* A communicator's handle in MPI, as the trace prints it, and its number in our
 * events. */
struct liballprof_comm {
    uint64_t handle;
    uint32_t number;
};

/* A request that MPI_Send_init or MPI_Recv_init made. */
struct liballprof_persistent {
    uint8_t call;
    uint32_t peer, tag, comm;
    uint64_t bytes, address;
    bool synchronous;
};

struct liballprof_rank {
    char *file; /* NULL if the rank has none */
    struct input in;
    uint64_t line;
    /* Added to its times, so that they agree with the first rank's. */
    double clock_s;
    /* next_comm: the next new number; those from oldest_made on have been made,
     * but not used yet. */
    uint32_t next_comm, oldest_made;
    struct liballprof_comm *comms;
    size_t ncomms;
    struct pending requests, persistents; /* numbers of requests, by address */
    struct liballprof_persistent *persistent;
    size_t npersistent, persistent_room;
    uint64_t next_request;
    uint64_t both[2];
    uint64_t *counts[2]; /* first and second buffer's; room for one per rank */
    struct trace_event then[2]; /* further events of the line, nthen of them */
    unsigned nthen;
    uint64_t *starting; /* numbers in persistent[] that MPI_Startall() begins */
    size_t nstarting, starting_at;
    struct trace_event start; /* event that is copied for each of them */
};

struct liballprof {
    struct liballprof_rank *ranks;
    uint32_t n;         /* highest rank with a file, plus 1 */
    uint64_t origin_us; /* subtracted from all times */
    char **names;       /* names of calls, owned */
    size_t nnames;
    bool guessed; /* liballprof_guess() has made its remark */
};

bool liballprof_is(const char *path, const char *head, size_t n);
/* Finds the files of the ranks, and sets the trace's number of ranks. */
int liballprof_open_files(struct trace *t, struct liballprof *l,
                          struct err *err);

/*
 * One call of MPI. `arguments` has one letter per argument, in the order of
 * MPI's own declaration:
 *   n count  t type  x rank  g tag  c communicator  q request
 *   a number of requests  A their list  v one count per member
 *   d one displacement per member  r root  k colour  y key  p anything else
 */
struct liballprof_call {
    const char *name; /* without MPI_ */
    const char *arguments;
    uint8_t call, collective;
    bool blocks, synchronous;
};

enum { /* values of `collective` for calls that are not collectives */
       LIBALLPROF_ANY_OF = 1,
       LIBALLPROF_SENDRECV = 1,
       LIBALLPROF_REPLACE = 2,
       LIBALLPROF_PERSISTENT = 3,
       LIBALLPROF_START = 1
};

/* The line that is being read, and the values of the arguments read so far. */
struct liballprof_line {
    struct trace *t;
    struct liballprof *x;
    struct liballprof_rank *r;
    uint32_t rank;
    struct scan s; /* the rest of the line, from a colon on */
    struct trace_event *e;
    struct err *err;
    uint64_t bytes[2]; /* sizes of the first and second buffer */
    unsigned nbytes;
    uint64_t count; /* the count of the type that follows */
    int list; /* list of counts of the type that follows; -1 if it has none */
    uint32_t peer[2], tag[2];
    unsigned npeers, ntags;
    uint64_t address, howmany;
    uint64_t ncounts;
    bool has_comm;
};

/* Fails with "expected WHAT at" and the rest of the line. */
int liballprof_fail(struct liballprof_line *l, const char *what);
/* Reads microseconds and stores them as seconds on the first rank's clock; NAN
 * if the field is "-". */
int liballprof_time(struct liballprof_line *l, double *out);
/* Reads an argument of this kind (see struct liballprof_call). If *second_list,
 * a list of counts is the second buffer's. */
int liballprof_argument(struct liballprof_line *l, char kind,
                        bool *second_list);
/* Makes the event of a call from its arguments, which have been read. */
int liballprof_mean(struct liballprof_line *l, const struct liballprof_call *c);
/* Makes the event of the next request that MPI_Start() or MPI_Startall()
 * begins. */
void liballprof_start_next(struct liballprof_rank *r, struct trace_event *e);

#endif

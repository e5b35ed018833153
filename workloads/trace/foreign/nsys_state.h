/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsys_state.h - the state of reading a trace of Nsight Systems and its
 * ranks. */
#ifndef WORKLOADS_TRACE_FOREIGN_NSYS_STATE_H
#define WORKLOADS_TRACE_FOREIGN_NSYS_STATE_H

#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/nsys_rows.h"
#include "workloads/trace/names.h"
#include "workloads/trace/trace.h"

#define NSYS_RANKS (1 << 20)

struct nsys_comm {
    int64_t root, uid; /* these identify it across ranks */
    uint32_t *members, n;
    bool world;
};

struct nsys_binding { /* a rank's handle of a communicator */
    int64_t handle;
    size_t comm;
    bool told;
};

struct nsys_handle { /* a request */
    int64_t handle;
    uint64_t request;
    bool persistent, open;
    struct trace_event e; /* the event that a persistent request begins */
};

enum nsys_remark {
    NSYS_WITHOUT_ARGUMENTS,
    NSYS_STRANGE_COMMS,
    NSYS_UNEVEN,
    NSYS_NOT_WAITED,
    NSYS_NREMARKS
};

struct nsys_rank {
    size_t file;
    int64_t process;
    sqlite3_stmt *calls;
    struct nsys_row row; /* the next row, if has_row */
    bool begun, has_row, ended;
    struct nsys_binding *bindings;
    size_t nbindings;
    struct nsys_handle *handles;
    size_t nhandles, handle_room;
    uint64_t next_request;
    /* Events of a call; those from `at` on are not returned yet. */
    struct trace_event ready[8];
    size_t at, n;
    uint64_t *list; /* requests for which the call waits */
    size_t nlist, list_room;
    /* These are of the rank, because it may be read again: its count begins
     * again. */
    uint64_t remarks[NSYS_NREMARKS];
};

struct nsys_state {
    struct rank_files paths;
    struct nsys_file *files;
    struct nsys_rank *ranks;
    struct nsys_comm *comms;
    size_t nfiles, ncomms;
    struct names names; /* names of calls */
    int64_t begin_ns;
    /* MPI_ANY_SOURCE is -2 and MPI_PROC_NULL is -1 in MPICH, the other way
     * round in Open MPI. This is known from the sends, because no send is to
     * MPI_ANY_SOURCE. */
    bool any_is_minus_2;
    /* Number of the remark in the trace, plus 1. */
    size_t remark[NSYS_NREMARKS];
};

/* --- nsys_requests.c -------------------------------------------------------
 */

/* Returns the rank's binding of a handle; NULL if it has none. */
struct nsys_binding *nsys_binding_of(struct nsys_rank *r, int64_t handle);
void nsys_bind(struct nsys_rank *r, int64_t handle, size_t comm);
/* Finds the number of a call's communicator and of its members. Returns false
 * if its members are unknown. May push the event of the communicator first. */
bool nsys_comm_of(struct trace *t, struct nsys_rank *r, int64_t handle,
                  uint32_t *number, uint32_t *members);
struct nsys_handle *nsys_handle_of(struct nsys_rank *r, int64_t handle);
/* nsys_list_add() adds a request to those for which the current call waits;
 * nsys_push_wait() pushes the wait for them. */
void nsys_list_add(struct nsys_rank *r, uint64_t request);
struct trace_event *nsys_push_wait(struct nsys_rank *r);
/* Begins a request under its handle, and returns its number. If an older
 * request of that handle is open, a wait for it is pushed first. */
uint64_t nsys_begin_request(struct nsys_rank *r, int64_t handle);
/* nsys_end_request() waits for a request; nsys_end_requests() pushes a wait for
 * all requests that are still open. */
void nsys_end_request(struct nsys_rank *r, int64_t handle);
void nsys_end_requests(struct nsys_rank *r);

/* --- nsys_calls.c ----------------------------------------------------------
 */

/* Reads the rank's next row into r->row, if there is one. */
int nsys_next_row(struct trace *t, struct nsys_rank *r,
                  struct err *err) MUST_CHECK;
/* Makes the events of the call that begins with r->row. */
int nsys_next_call(struct trace *t, uint32_t rank, struct err *err) MUST_CHECK;

#endif

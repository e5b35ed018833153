/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.h - the state of reading one rank of a DUMPI trace: its file, its open
 * objects (requests, communicators, groups, datatypes, windows), and the events
 * of the last record. */
#ifndef WORKLOADS_TRACE_DUMPI_RANK_H
#define WORKLOADS_TRACE_DUMPI_RANK_H

#include "workloads/trace/dumpi/file.h"
#include "workloads/trace/trace.h"

/* DUMPI's numbers of null objects, of predefined communicators, and of the
 * empty group. */
enum {
    DUMPI_NULL_REQUEST = 1,
    DUMPI_NULL_TYPE = 1,
    DUMPI_NULL_COMM = 1,
    DUMPI_WORLD = 2,
    DUMPI_SELF = 3,
    DUMPI_EMPTY_GROUP = 2,
};

/* A list that grows; `room` elements are allocated. */
struct dumpi_list {
    uint32_t *at;
    size_t n, room;
};

enum dumpi_request_state {
    DUMPI_FREE_SLOT,
    DUMPI_ACTIVE, /* an event began it */
    DUMPI_SILENT, /* complete at any time: a buffered send */
    DUMPI_IDLE,   /* persistent and not started, or complete */
};

struct dumpi_request {
    uint32_t number; /* the file's */
    uint8_t state;
    /* 1 + index of the persistent event; 0 if it is not persistent. */
    uint32_t kept;
    uint64_t id; /* number in events */
};

#define DUMPI_MORE 64

/* The requests by number, with open addressing; the number of slots is a power
 * of two. */
struct dumpi_requests {
    struct dumpi_request *slot;
    size_t nslots, used;
    /* The events of persistent requests; a free entry has no name. */
    struct trace_event *kept;
    size_t nkept, kept_room, kept_gaps;
    /* The upper half of an id, above the file's number. It increases when a
     * number may be reused before a wait for it. */
    uint32_t generation;
    /* Requests that began before the last one of their number. */
    struct {
        uint32_t number;
        uint64_t id;
    } more[DUMPI_MORE];
    size_t nmore;
};

/* A communicator, indexed by its number in events. */
struct dumpi_comm {
    uint32_t size; /* 0 if unknown */
    uint32_t rank; /* the rank's own rank in it; ANY_RANK if unknown */
    uint32_t same; /* first one with the same ranks; 0 for the world's */
    /* `size` ranks of the world; NULL if they are unknown, or are the
     * world's. */
    const uint32_t *members;
    struct dumpi_list dims; /* dimensions if it is Cartesian */
};

/* An MPI_Group: ranks in the communicator with the number `in`. */
struct dumpi_group {
    bool known, whole; /* whole: all ranks of a communicator of unknown size */
    uint32_t in;
    struct dumpi_list ranks;
};

struct dumpi_window {
    uint32_t comm;                     /* its own, by number in events */
    struct dumpi_list posted, started; /* ranks of open epochs */
};

struct dumpi_state; /* shared by the ranks of a trace */

struct dumpi_rank {
    struct trace *trace;
    struct dumpi_state *state;
    uint32_t rank;
    struct dumpi_file file;
    const unsigned char *at; /* the next record */
    bool over;               /* the last record was read */
    bool finalized;
    struct dumpi_record record;
    uint64_t place;           /* offset of the record */
    double begin_s, end_s;    /* times of the call, on the trace's clock */
    double bias_s, wrapped_s; /* added to the record's seconds */
    uint16_t last_s;          /* seconds in the record before */
    /* The events of the record; `given` of them were returned. */
    struct trace_event *event;
    size_t nevents, given, events_room;
    struct dumpi_requests requests;
    uint64_t *waited; /* requests of the record's wait */
    size_t nwaited, waited_room;
    uint64_t *counts[2]; /* counts of the record's collective */
    size_t counts_room[2];
    struct dumpi_list members; /* members of the communicator that it makes */
    uint64_t *type_B;          /* sizes of datatypes; UINT64_MAX if unknown */
    size_t ntypes;
    struct dumpi_comm *comm; /* indexed by number in events */
    size_t ncomms, comms_room;
    /* Number in events by number in the file; NO_COMM if it has none. */
    uint32_t *comm_of;
    size_t ncomm_of;
    uint32_t **lists; /* members of communicators, kept until the end */
    size_t nlists, lists_room;
    struct dumpi_group *group; /* indexed by number in the file */
    size_t ngroups;
    size_t lists_B; /* bytes of all members and groups */
    struct dumpi_window *window;
    size_t nwindows;
    /* 1 if the source -1 is MPI_PROC_NULL, -1 if not, 0 if not known yet. */
    int null_is_any;
};

/* The state that all ranks of a trace share; remarks are made once. */
struct dumpi_state {
    struct dumpi_rank **rank;
    bool said_type, said_comm, said_request, said_group, said_thread, said_null,
        said_darray, said_more;
};

/* The functions that translate calls: each adds the events of the record to its
 * rank's. They return 0, or -1 after an error. */
#define DUMPI_CALL(name, args, meaning)                                        \
    int dumpi_##meaning(struct dumpi_rank *r, struct err *err);
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL

/* list.c: those functions, by the number of the call. */
extern int (*const dumpi_meanings[DUMPI_CALLS])(struct dumpi_rank *r,
                                                struct err *err);

/* --- rank.c --------------------------------------------------------------- */

/* Opens a rank. Returns NULL after an error, which is one of dumpi_file_open().
 * The caller frees the rank. */
struct dumpi_rank *dumpi_rank_new(struct trace *t, struct dumpi_state *s,
                                  uint32_t rank, const char *path,
                                  struct err *err);
void dumpi_rank_free(struct dumpi_rank *r);
void dumpi_rank_rewind(struct dumpi_rank *r);
int dumpi_rank_next(struct dumpi_rank *r, struct trace_event *e,
                    struct err *err);

/* --- event.c -------------------------------------------------------------- */

/* Adds an event of the record. It begins and ends when the record begins,
 * except that the last event ends with it. The event is valid until the next
 * one is added. */
struct trace_event *dumpi_event(struct dumpi_rank *r, enum trace_call call);

#define dumpi_fail(r, err, ...)                                                \
    trace_fail(                                                                \
        (r)->trace, (r)->rank,                                                 \
        &(struct trace_event){.place = (r)->place, .name = dumpi_name(r)},     \
        err, __VA_ARGS__)
const char *dumpi_name(const struct dumpi_rank *r);

/* Returns "FILE: byte N: rank R: NAME" of the record, for remarks; the caller
 * frees it. */
char *dumpi_where(const struct dumpi_rank *r);

/* Returns the record's argument. */
static inline int64_t dumpi_value(const struct dumpi_rank *r, int i)
{
    return r->record.arg[i].value;
}
static inline const struct dumpi_arg *dumpi_values(const struct dumpi_rank *r,
                                                   int i)
{
    return &r->record.arg[i];
}

void dumpi_list_add(struct dumpi_list *l, uint32_t value);
void dumpi_list_free(struct dumpi_list *l);

/* --- requests.c ----------------------------------------------------------- */

/* Begins a request that a call made. Returns its number in events. */
uint64_t dumpi_request_begin(struct dumpi_rank *r, uint32_t number,
                             enum dumpi_request_state state);
/* Keeps the event that a persistent request begins each time it is started. */
void dumpi_request_keep(struct dumpi_rank *r, uint32_t number,
                        const struct trace_event *e);
/* Starts a persistent request: it is active (or silent) from here on. Returns
 * its event; NULL if there is none. */
struct trace_event *dumpi_request_start(struct dumpi_rank *r, uint32_t number,
                                        enum dumpi_request_state state);
/* Waits for a request: adds its number to `waited` if an event began it. If
 * `keeps`, the program will wait for it again (MPI_Request_get_status). */
void dumpi_request_wait(struct dumpi_rank *r, uint32_t number, bool keeps);
/* Returns NULL if the request is unknown. */
const struct dumpi_request *dumpi_request_find(const struct dumpi_rank *r,
                                               uint32_t number);
/* Forgets a request that nothing will wait for, if it is known. */
void dumpi_request_drop(struct dumpi_rank *r, uint32_t number);
/* Adds a request to the list of the record's wait. */
void dumpi_waited_add(struct dumpi_rank *r, uint64_t id);
void dumpi_requests_clear(struct dumpi_requests *q);

/* --- types.c -------------------------------------------------------------- */

/* Returns the bytes of `count` values of a datatype in *bytes. */
int dumpi_bytes(struct dumpi_rank *r, int64_t count, int64_t type,
                uint64_t *bytes, struct err *err) MUST_CHECK;

/* --- comms.c -------------------------------------------------------------- */

/* Returns the number in events of the file's communicator `handle`; adds that
 * of MPI_COMM_SELF if it is new. */
int dumpi_comm(struct dumpi_rank *r, int64_t handle, uint32_t *number,
               struct err *err) MUST_CHECK;
/* Returns the number of a new communicator, which `handle` denotes from now on
 * (if it is 0 or above). It has the ranks of `like`, or unknown ranks if that
 * is NO_COMM. */
uint32_t dumpi_comm_new(struct dumpi_rank *r, int64_t handle, uint32_t like);
/* Gives the file's communicator `handle` a number in events, or NO_COMM. */
void dumpi_comm_number(struct dumpi_rank *r, size_t handle, uint32_t number);
void dumpi_comms_clear(struct dumpi_rank *r);

/* --- groups.c ------------------------------------------------------------- */

/* Lists the group's ranks as ranks of a communicator. Returns 1, or 0 and makes
 * a remark if they are unknown. */
int dumpi_group_in(struct dumpi_rank *r, int64_t group, uint32_t comm,
                   struct dumpi_list *ranks, struct err *err) MUST_CHECK;
void dumpi_groups_clear(struct dumpi_rank *r);
/* Counts n more ranks that are kept in lists. Fails if lists use far more
 * memory than the file explains. */
int dumpi_lists_add(struct dumpi_rank *r, size_t n, struct err *err) MUST_CHECK;

/* --- windows.c ------------------------------------------------------------ */
void dumpi_windows_clear(struct dumpi_rank *r);

#endif

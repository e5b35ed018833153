/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank.h - one rank of a DUMPI trace while it is read: its file, what it has
 * open (requests, communicators, groups, datatypes, windows), and the events of
 * the record that was read last.
 */
#ifndef WORKLOADS_TRACE_DUMPI_RANK_H
#define WORKLOADS_TRACE_DUMPI_RANK_H

#include "workloads/trace/dumpi/file.h"
#include "workloads/trace/trace.h"

/* Numbers that stand for no object, and the first two communicators. */
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
    DUMPI_SILENT, /* complete whenever one asks: a buffered send */
    DUMPI_IDLE,   /* persistent and not started, or complete already */
};

struct dumpi_request {
    uint32_t number; /* the file's */
    uint8_t state;
    uint32_t kept; /* 1 + index of the persistent one; 0: it is none */
    uint64_t id;   /* the events' */
};

#define DUMPI_MORE 64

/* By number: open addressing, a power of two of slots. */
struct dumpi_requests {
    struct dumpi_request *slot;
    size_t nslots, used;
    /* What persistent requests begin; those not in use have no name. */
    struct trace_event *kept;
    size_t nkept, kept_room, kept_gaps;
    /* Above the file's number in an id: goes up when a number may be used again
     * though nobody waited for it. */
    uint32_t generation;
    /* Those that were begun before the last one of their number. */
    struct {
        uint32_t number;
        uint64_t id;
    } more[DUMPI_MORE];
    size_t nmore;
};

/* A communicator, by the number that events have. */
struct dumpi_comm {
    uint32_t size;           /* 0: not known */
    uint32_t rank;           /* the rank's own in it; ANY_RANK: not known */
    uint32_t same;           /* the first with the same ranks; the world's 0 */
    const uint32_t *members; /* ranks of the world, `size` of them; NULL: not
                                known, or those of the world */
    struct dumpi_list dims;  /* of a Cartesian one */
};

/* An MPI_Group: ranks in a communicator, which `in` numbers. */
struct dumpi_group {
    bool known, whole; /* whole: all ranks of it, whose number is not known */
    uint32_t in;
    struct dumpi_list ranks;
};

struct dumpi_window {
    uint32_t comm;                     /* events' number of its own */
    struct dumpi_list posted, started; /* ranks of it, in an epoch */
};

struct dumpi_state; /* the trace's */

struct dumpi_rank {
    struct trace *trace;
    struct dumpi_state *state;
    uint32_t rank;
    struct dumpi_file file;
    const unsigned char *at; /* the next record */
    bool over;               /* its last was read */
    bool finalized;
    struct dumpi_record record;
    uint64_t place;           /* of the record */
    double begin_s, end_s;    /* of the call, on the trace's clock */
    double bias_s, wrapped_s; /* to be added to the record's seconds */
    uint16_t last_s;          /* of the record before */
    /* The events of the record, and those not yet given to the reader. */
    struct trace_event *event;
    size_t nevents, given, events_room;
    struct dumpi_requests requests;
    uint64_t *waited; /* of the record's wait */
    size_t nwaited, waited_room;
    uint64_t *counts[2]; /* of the record's collective; and ... */
    size_t counts_room[2];
    struct dumpi_list members; /* of the communicator it makes */
    uint64_t *type_B;          /* of datatypes; UINT64_MAX: not known */
    size_t ntypes;
    struct dumpi_comm *comm; /* by the events' number */
    size_t ncomms, comms_room;
    uint32_t *comm_of; /* events' number of the file's; NO_COMM: none */
    size_t ncomm_of;
    uint32_t **lists; /* members of communicators: kept until the end */
    size_t nlists, lists_room;
    struct dumpi_group *group; /* by the file's number */
    size_t ngroups;
    size_t lists_B; /* of all members and groups */
    struct dumpi_window *window;
    size_t nwindows;
    int null_is_any; /* 1: the source -1 is MPI_PROC_NULL; 0: not known yet */
};

/* What all ranks share. */
struct dumpi_state {
    struct dumpi_rank **rank;
    bool said_type, said_comm, said_request, said_group, said_thread, said_null,
        said_darray;
};

/* What calls mean: each function adds the events of the record to its rank's;
 * 0 or -1. */
#define DUMPI_CALL(name, args, meaning)                                        \
    int dumpi_##meaning(struct dumpi_rank *r, struct err *err);
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL

/* --- rank.c --------------------------------------------------------------- */

/* err: as of dumpi_file_open(). */
struct dumpi_rank *dumpi_rank_new(struct trace *t, struct dumpi_state *s,
                                  uint32_t rank, const char *path,
                                  struct err *err);
void dumpi_rank_free(struct dumpi_rank *r);
void dumpi_rank_rewind(struct dumpi_rank *r);
int dumpi_rank_next(struct dumpi_rank *r, struct trace_event *e,
                    struct err *err);

/* One more event of the record, at its begin; the last one ends with it.
 * Valid until the next. */
struct trace_event *dumpi_event(struct dumpi_rank *r, enum trace_call call);

#define dumpi_fail(r, err, ...)                                                \
    trace_fail(                                                                \
        (r)->trace, (r)->rank,                                                 \
        &(struct trace_event){.place = (r)->place, .name = dumpi_name(r)},     \
        err, __VA_ARGS__)
const char *dumpi_name(const struct dumpi_rank *r);

/* "RANK's file, byte N: NAME" of the record, for remarks; the caller frees. */
char *dumpi_where(const struct dumpi_rank *r);

/* The record's argument. */
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

/* A call began one: its id in events. */
uint64_t dumpi_request_begin(struct dumpi_rank *r, uint32_t number,
                             enum dumpi_request_state state);
/* A persistent one, which begins such events. */
void dumpi_request_keep(struct dumpi_rank *r, uint32_t number,
                        const struct trace_event *e);
/* What it begins, and it is active (or silent) from here on; NULL: none. */
struct trace_event *dumpi_request_start(struct dumpi_rank *r, uint32_t number,
                                        enum dumpi_request_state state);
/* One was waited for: its id goes to `waited`, if an event began it. `keeps`:
 * somebody will wait for it again (MPI_Request_get_status). */
void dumpi_request_wait(struct dumpi_rank *r, uint32_t number, bool keeps);
/* NULL: not known. */
const struct dumpi_request *dumpi_request_find(const struct dumpi_rank *r,
                                               uint32_t number);
void dumpi_request_drop(struct dumpi_rank *r, uint32_t number);
/* One more of the event that lists `waited`. */
void dumpi_waited_add(struct dumpi_rank *r, uint64_t id);
void dumpi_requests_clear(struct dumpi_requests *q);

/* --- types.c -------------------------------------------------------------- */

/* Of so many of the datatype. */
int dumpi_bytes(struct dumpi_rank *r, int64_t count, int64_t type,
                uint64_t *bytes, struct err *err) MUST_CHECK;

/* --- comms.c -------------------------------------------------------------- */

/* The events' number of a communicator of the file; makes that of
 * MPI_COMM_SELF. */
int dumpi_comm(struct dumpi_rank *r, int64_t handle, uint32_t *number,
               struct err *err) MUST_CHECK;
/* A new one, which this handle stands for from now on; like `like`, or
 * NO_COMM. */
uint32_t dumpi_comm_new(struct dumpi_rank *r, int64_t handle, uint32_t like);
void dumpi_comms_clear(struct dumpi_rank *r);

/* --- groups.c ------------------------------------------------------------- */

/* The group's ranks in a communicator: 1, and they are in `ranks`; 0: not
 * known, which a remark says. */
int dumpi_group_in(struct dumpi_rank *r, int64_t group, uint32_t comm,
                   struct dumpi_list *ranks, struct err *err) MUST_CHECK;
void dumpi_groups_clear(struct dumpi_rank *r);
/* So many ranks more are kept in lists: an error where these grow out of all
 * proportion to the file. */
int dumpi_lists_add(struct dumpi_rank *r, size_t n, struct err *err) MUST_CHECK;

/* --- windows.c ------------------------------------------------------------ */
void dumpi_windows_clear(struct dumpi_rank *r);

#endif

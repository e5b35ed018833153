/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kineto.h - the contents of a profile of PyTorch for one rank: the activities
 * of its GPU's streams, the launches, and the calls of communication with their
 * sizes; and the contents that files share: ranks and groups of processes. */
#ifndef WORKLOADS_TRACE_FOREIGN_KINETO_H
#define WORKLOADS_TRACE_FOREIGN_KINETO_H

#include "base/err.h"
#include "workloads/trace/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KINETO_NOT_SAID INT64_MIN
#define KINETO_NONE UINT32_MAX

enum kineto_op { KINETO_COLLECTIVE, KINETO_SEND, KINETO_RECV, KINETO_UNKNOWN };

/* A call of communication, from record_param_comms, a kernel's own arguments,
 * or a note such as nccl:all_reduce. */
struct kineto_comm {
    uint8_t op;         /* enum kineto_op */
    uint8_t collective; /* enum trace_collective */
    /* Members have different counts, of which it has only the sum. */
    bool uneven;
    int64_t in_B, out_B;
    int64_t group_size, peer;
    uint32_t group; /* KINETO_NONE if not given */
};

/* One activity of a stream of the GPU, or of a thread that communicates. */
struct kineto_activity {
    double begin_us, us;
    int64_t correlation, stream;
    uint64_t place;
    uint32_t name; /* number in names */
    uint32_t comm; /* number in comms, or KINETO_NONE */
    bool is_comm;  /* communicates, even if comm is unknown */
    bool on_cpu;
};

/* A call on a thread of the CPU: a launch, or communication. */
struct kineto_call {
    double begin_us, us;
    int64_t correlation; /* for a launch */
    int64_t thread;
    uint32_t comm; /* for communication */
    uint32_t name;
    uint64_t place;
};

struct kineto_profile {
    struct kineto_activity *activities;
    struct kineto_call *launches, *calls;
    struct kineto_comm *comms;
    size_t nactivities, nlaunches, ncalls, ncomms;
    size_t activity_room, launch_room, call_room, comm_room;
    const struct names *names; /* the world's, borrowed */
};

/* A group of processes. */
struct kineto_group {
    char *name;        /* "" if not given */
    uint32_t *members; /* ranks of the world */
    uint32_t n;
};

/* The facts in files that concern all ranks. */
struct kineto_world {
    /* Values in the file that was read last. */
    int64_t rank, size;
    struct kineto_group *groups;
    size_t ngroups, room;
    struct names names; /* names of kernels and calls */
};

/* Reads the head of a file, up to its events. */
int kineto_read_head(const char *path, struct kineto_world *w,
                     struct err *err) MUST_CHECK;
/* Reads a whole file. The profile must be cleared even after an error. */
int kineto_read(const char *path, struct kineto_world *w,
                struct kineto_profile *p, struct err *err) MUST_CHECK;
void kineto_profile_clear(struct kineto_profile *p);
void kineto_world_clear(struct kineto_world *w);

/* --- kineto_comms.c: words of PyTorch --------------------------------------*/

/* The words that a profile has for a call; numbers are KINETO_NOT_SAID if
 * missing. */
struct kineto_words {
    char collective[64], dtype[32], group[128], splits[256];
    char *ranks; /* "[0, 1, ..., 7]", owned by the reader; may be NULL */
    int64_t in_nelems, out_nelems, group_size, src, dst;
};

/* Interprets the words of a call; adds its group to the world. */
struct kineto_comm kineto_comm_of(const struct kineto_words *w,
                                  struct kineto_world *world);
/* Returns the group with this name and these members, which are copied if it is
 * new; KINETO_NONE if there are no members. */
uint32_t kineto_group_of(struct kineto_world *w, const char *name,
                         const uint32_t *members, uint32_t n);
/* Returns the group with this name; KINETO_NONE if there is none, or
 * several. */
uint32_t kineto_group_named(const struct kineto_world *w, const char *name);
/* Returns the bytes of an element of a type, by its name in PyTorch or C; 0 if
 * it is unknown. */
unsigned kineto_type_B(const char *dtype);

#endif

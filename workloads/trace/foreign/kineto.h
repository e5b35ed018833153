/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kineto.h - what a profile of PyTorch says of one rank: the activities of its
 * GPU's streams, what was launched when, and calls of communication with their
 * sizes; and what it says of all: ranks and groups of processes.
 */
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
    bool uneven;        /* different counts for members, which it has only in
                           sum */
    int64_t in_B, out_B;
    int64_t group_size, peer;
    uint32_t group; /* KINETO_NONE: not said */
};

/* Something that a stream of the GPU, or a thread that communicates, did. */
struct kineto_activity {
    double begin_us, us;
    int64_t correlation, stream;
    uint64_t place;
    uint32_t name; /* in names */
    uint32_t comm; /* in comms; KINETO_NONE */
    bool is_comm;  /* communicates, though comm may be unknown */
    bool on_cpu;
};

/* A call on a thread of the CPU: a launch, or one of communication. */
struct kineto_call {
    double begin_us, us;
    int64_t correlation; /* of a launch */
    int64_t thread;
    uint32_t comm; /* of one of communication */
    uint32_t name;
    uint64_t place;
};

struct kineto_profile {
    struct kineto_activity *activities;
    struct kineto_call *launches, *calls;
    struct kineto_comm *comms;
    size_t nactivities, nlaunches, ncalls, ncomms;
    size_t activity_room, launch_room, call_room, comm_room;
    const struct names *names; /* the world's */
};

/* A group of processes. */
struct kineto_group {
    char *name;        /* "": not said */
    uint32_t *members; /* ranks of the world */
    uint32_t n;
};

/* What files say of the whole. */
struct kineto_world {
    int64_t rank, size, ngroups_said; /* of the file read last */
    struct kineto_group *groups;
    size_t ngroups, room;
    struct names names; /* of kernels and calls */
};

/* The head of a file, to the beginning of its events. */
int kineto_read_head(const char *path, struct kineto_world *w,
                     struct err *err) MUST_CHECK;
/* All of it. kineto_profile_clear() also after an error. */
int kineto_read(const char *path, struct kineto_world *w,
                struct kineto_profile *p, struct err *err) MUST_CHECK;
void kineto_profile_clear(struct kineto_profile *p);
void kineto_world_clear(struct kineto_world *w);

/* --- kineto_comms.c: words of PyTorch --------------------------------------*/

/* What a profile has said of a call so far; numbers KINETO_NOT_SAID. */
struct kineto_words {
    char collective[64], dtype[32], group[128], splits[256];
    char *ranks; /* "[0, 1, ..., 7]"; owned by the reader; may be NULL */
    int64_t in_nelems, out_nelems, group_size, src, dst;
};

struct kineto_comm kineto_comm_of(const struct kineto_words *w,
                                  struct kineto_world *world);
/* The group of this name and these members, made when there is none. members
 * is copied. KINETO_NONE for no members. */
uint32_t kineto_group_of(struct kineto_world *w, const char *name,
                         const uint32_t *members, uint32_t n);
/* By name alone: KINETO_NONE when there is none, or several. */
uint32_t kineto_group_named(const struct kineto_world *w, const char *name);
/* Of each element of a type's name, PyTorch's or C's; 0: not known. */
unsigned kineto_type_B(const char *dtype);

#endif

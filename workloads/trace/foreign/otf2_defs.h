/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otf2_defs.h - the definitions of an OTF2 archive that its events refer to:
 * which locations are ranks, communicators, windows, regions that are calls.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_OTF2_DEFS_H
#define WORKLOADS_TRACE_FOREIGN_OTF2_DEFS_H

#include "base/err.h"

#include <otf2/otf2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a region's name says of it. */
enum otf2_call {
    OTF2_NO_CALL, /* the application's, another library's */
    OTF2_PLAIN_CALL,
    OTF2_INIT,
    OTF2_FINALIZE,
    OTF2_SYNCHRONOUS, /* MPI_Ssend */
    OTF2_BUFFERED,    /* MPI_Bsend */
    OTF2_STARTS,      /* MPI_Isend, MPI_Irecv, MPI_Start: does not wait */
    OTF2_STARTS_SYNCHRONOUS,
    OTF2_WAIT_ONE,
    OTF2_WAIT_ALL,
    OTF2_TEST,
    OTF2_NEIGHBORS,
    OTF2_WITH_TIME, /* takes part in time; nothing is known of it without a
                       record: MPI_Probe, MPI_File_write */
};

/* Each begins with its number, by which they are found. */
struct otf2_string {
    uint64_t id;
    char *text;
};

struct otf2_region {
    uint64_t id, name, paradigm;
    enum otf2_call call;
    const char *text;
};

struct otf2_location {
    uint64_t id, group, nevents;
    OTF2_LocationType type;
};

struct otf2_group {
    uint64_t id;
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    bool global; /* records have numbers of the world, not of the group */
    uint32_t nmembers;
    uint64_t *members; /* locations, or ranks of the world */
    uint32_t *ranks;   /* of a group of ranks: the same */
};

struct otf2_comm {
    uint64_t id, group, other; /* other: of two groups that talk */
    bool is_world, is_self, between, strange; /* strange: not of ranks */
    bool global;
    uint32_t *members; /* between two groups: theirs, one after the other */
    uint32_t nmembers, nfirst;
};

struct otf2_window {
    uint64_t id, comm;
};

struct otf2_table {
    void *rows;
    size_t n, room, bytes; /* of each row */
};

struct otf2_defs {
    struct otf2_table strings, regions, locations, process_groups, groups,
        comms, windows;
    uint64_t ticks_per_s, begin_ticks;
    OTF2_Paradigm paradigm; /* of the ranks */
    uint32_t ranks;
    uint64_t *rank_location; /* of each rank */
};

/* Reads the definitions; otf2_defs_clear() also after an error. */
int otf2_defs_read(struct otf2_defs *d, OTF2_Reader *reader,
                   struct err *err) MUST_CHECK;
void otf2_defs_clear(struct otf2_defs *d);

/* The row of this number, or NULL. */
void *otf2_find(const struct otf2_table *t, uint64_t id);

#endif

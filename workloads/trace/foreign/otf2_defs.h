/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_defs.h - the definitions of an OTF2 archive to which its events refer:
 * the locations that are ranks, communicators, windows, and regions that are
 * calls. */
#ifndef WORKLOADS_TRACE_FOREIGN_OTF2_DEFS_H
#define WORKLOADS_TRACE_FOREIGN_OTF2_DEFS_H

#include "base/err.h"

#include <otf2/otf2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of regions, which are known by their names. */
enum otf2_call {
    OTF2_NO_CALL, /* in the application, or in another library */
    OTF2_PLAIN_CALL,
    OTF2_INIT,
    OTF2_FINALIZE,
    OTF2_SYNCHRONOUS, /* MPI_Ssend */
    OTF2_BUFFERED,    /* MPI_Bsend */
    OTF2_STARTS,      /* MPI_Isend, MPI_Irecv, MPI_Start: it does not wait */
    OTF2_STARTS_SYNCHRONOUS,
    OTF2_WAIT_ONE,
    OTF2_WAIT_ALL,
    OTF2_TEST,
    OTF2_NEIGHBORS,
    /* It takes time, but only a record would describe it: MPI_Probe,
     * MPI_File_write. */
    OTF2_WITH_TIME,
};

/* Each definition begins with its number, by which otf2_find() finds it. */
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
    bool global; /* records have ranks of the world, not of the group */
    uint32_t nmembers;
    uint64_t *members; /* locations, or ranks of the world */
    uint32_t *ranks;   /* for a group of ranks: the same */
};

struct otf2_comm {
    /* other: the second group of an intercommunicator. */
    uint64_t id, group, other;
    /* strange: its members are not ranks. */
    bool is_world, is_self, between, strange;
    bool global;
    uint32_t *members; /* for an intercommunicator: those of both groups */
    uint32_t nmembers, nfirst;
};

struct otf2_window {
    uint64_t id, comm;
};

struct otf2_table {
    void *rows;
    size_t n, room, bytes; /* bytes: size of a row */
};

struct otf2_defs {
    struct otf2_table strings, regions, locations, process_groups, groups,
        comms, windows;
    uint64_t ticks_per_s, begin_ticks;
    OTF2_Paradigm paradigm; /* paradigm of the ranks */
    uint32_t ranks;
    uint64_t *rank_location; /* one per rank */
};

/* Reads the definitions. They must be cleared even after an error. */
int otf2_defs_read(struct otf2_defs *d, OTF2_Reader *reader,
                   struct err *err) MUST_CHECK;
void otf2_defs_clear(struct otf2_defs *d);

/* Returns the row with this number, or NULL. */
void *otf2_find(const struct otf2_table *t, uint64_t id);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_archive.h - archives written by OTF2's own library into the scratch
 * folder, rank by rank: begin(), rank_begin(), events, rank_end(), end(). */
#ifndef TESTS_OTF2_ARCHIVE_H
#define TESTS_OTF2_ARCHIVE_H

#include "tests/scratch.h"

#include <ftw.h>
#include <otf2/otf2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const regions[] = {
    "main",          "MPI_Init",     "MPI_Isend",     "MPI_Irecv",
    "MPI_Waitall",   "MPI_Sendrecv", "MPI_Allreduce", "MPI_Bcast",
    "MPI_Test",      "MPI_Put",      "MPI_Win_fence", "MPI_Comm_split",
    "MPI_Finalize",  "MPI_Ssend",    "MPI_Recv",      "MPI_Iallreduce",
    "MPI_Alltoallv", "MPI_Scan",     "MPI_File_read", "MPI_Barrier"};
enum {
    MAIN,
    INIT,
    ISEND,
    IRECV,
    WAITALL,
    SENDRECV,
    ALLREDUCE,
    BCAST,
    TEST,
    PUT,
    FENCE,
    SPLIT,
    FINALIZE,
    SSEND,
    RECV,
    IALLREDUCE,
    ALLTOALLV,
    SCAN,
    FILE_READ,
    BARRIER,
    NREGIONS
};
/* Communicators: of all ranks, of ranks 1 and 0 in this order, of each rank
 * alone, a second one of all, one of a GPU's streams. */
enum { WORLD, TURNED, SELF, AGAIN, STREAMS };

struct archive {
    OTF2_Archive *archive;
    uint32_t ranks;
    OTF2_EvtWriter *writer; /* the current rank's writer */
    uint64_t now;
    uint64_t *events;
};

static OTF2_FlushType before_flush(void *arg, OTF2_FileType type,
                                   OTF2_LocationRef location, void *caller,
                                   bool final)
{
    (void)arg, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *arg, OTF2_FileType type,
                                  OTF2_LocationRef location)
{
    (void)arg, (void)type, (void)location;
    return 0;
}

static void begin(struct archive *a, uint32_t ranks)
{
    static const OTF2_FlushCallbacks flush = {before_flush, after_flush};

    *a = (struct archive){.ranks = ranks,
                          .events = xcalloc(ranks, sizeof *a->events)};
    a->archive = OTF2_Archive_Open(scratch, "own", OTF2_FILEMODE_WRITE,
                                   256 << 10, 256 << 10, OTF2_SUBSTRATE_POSIX,
                                   OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(a->archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a->archive);
    OTF2_Archive_OpenEvtFiles(a->archive);
}

/* Begins a rank. The clock has 1,000 ticks a second and begins at 1,000; a
 * rank's location is ten times its number. */
static void rank_begin(struct archive *a, uint32_t rank)
{
    a->now = 1000;
    a->writer = OTF2_Archive_GetEvtWriter(a->archive, 10 * rank);
}

static void enter(struct archive *a, unsigned region)
{
    OTF2_EvtWriter_Enter(a->writer, NULL, a->now, region);
    a->now += 10;
}

static void leave(struct archive *a, unsigned region)
{
    OTF2_EvtWriter_Leave(a->writer, NULL, a->now, region);
    a->now += 90;
}

static void rank_end(struct archive *a, uint32_t rank)
{
    OTF2_EvtWriter_GetNumberOfEvents(a->writer, &a->events[rank]);
    OTF2_Archive_CloseEvtWriter(a->archive, a->writer);
}

static void write_groups(struct archive *a, OTF2_GlobalDefWriter *d)
{
    uint64_t *members = xcalloc(a->ranks, sizeof *members);
    const uint64_t both[] = {1, 0}, *turned = both + (a->ranks < 2);
    uint32_t nturned = a->ranks < 2 ? 1 : 2;

    for (uint32_t i = 0; i < a->ranks; i++)
        members[i] = 10 * i;
    OTF2_GlobalDefWriter_WriteGroup(d, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    a->ranks, members);
    for (uint32_t i = 0; i < a->ranks; i++)
        members[i] = i;
    OTF2_GlobalDefWriter_WriteGroup(d, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    a->ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(d, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    nturned, turned);
    OTF2_GlobalDefWriter_WriteGroup(d, 3, 0, OTF2_GROUP_TYPE_COMM_SELF,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0,
                                    NULL);
    OTF2_GlobalDefWriter_WriteGroup(d, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_CUDA, OTF2_GROUP_FLAG_NONE,
                                    nturned, turned);
    static const uint32_t group_of[] = {1, 2, 3, 1, 4};
    for (uint32_t i = 0; i < 5; i++)
        OTF2_GlobalDefWriter_WriteComm(
            d, i, 0, group_of[i], OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteRmaWin(d, 0, 0, WORLD, OTF2_RMA_WIN_FLAG_NONE);
    free(members);
}

static void end(struct archive *a)
{
    OTF2_Archive_CloseEvtFiles(a->archive);
    OTF2_GlobalDefWriter *d = OTF2_Archive_GetGlobalDefWriter(a->archive);
    OTF2_GlobalDefWriter_WriteClockProperties(d, 1000, 1000, 1000, 0);
    OTF2_GlobalDefWriter_WriteString(d, 0, "");
    for (uint32_t i = 0; i < NREGIONS; i++) {
        OTF2_GlobalDefWriter_WriteString(d, i + 1, regions[i]);
        OTF2_GlobalDefWriter_WriteRegion(
            d, i, i + 1, i + 1, 0, OTF2_REGION_ROLE_FUNCTION,
            i ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER,
            OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, 0, 0,
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < a->ranks; i++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(
            d, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
            OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(
            d, 10 * i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, a->events[i], i);
    }
    write_groups(a, d);
    OTF2_Archive_CloseGlobalDefWriter(a->archive, d);
    OTF2_Archive_Close(a->archive);
    free(a->events);
}

static int take_away(const char *path, const struct stat *about, int kind,
                     struct FTW *place)
{
    (void)about, (void)kind;
    return place->level ? remove(path) : 0;
}

static void clear(void)
{
    nftw(scratch, take_away, 8, FTW_DEPTH | FTW_PHYS);
}

#endif

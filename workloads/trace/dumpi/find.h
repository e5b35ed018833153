/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find.h - the files of a DUMPI trace, which is named by its folder, by
 * PREFIX.meta (lines KEY=VALUE: numprocs, startime, fileprefix) or by any of
 * its ranks' files PREFIX-RANK.bin. Each may be packed, and then ends in .gz or
 * .xz.
 */
#ifndef WORKLOADS_TRACE_DUMPI_FIND_H
#define WORKLOADS_TRACE_DUMPI_FIND_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A larger number of ranks is assumed to be wrong. */
#define DUMPI_MOST_RANKS (1u << 22)

struct dumpi_name {
    uint32_t rank;
    char *path; /* owned */
};

struct dumpi_files {
    struct dumpi_name *file; /* sorted by rank, each rank once */
    size_t nfiles;           /* 1 or more */
    char *meta;              /* owned; NULL if there is none */
    uint32_t ranks;          /* number of ranks in the .meta, else 0 */
    uint64_t start_s;        /* start in the .meta, else 0 */
    bool alone;              /* one file whose name has no rank */
};

/* Finds the files. The result must be cleared even after an error. */
int dumpi_find(struct dumpi_files *f, const char *path,
               struct err *err) MUST_CHECK;
void dumpi_files_clear(struct dumpi_files *f);

/* Returns whether a folder has such files, and whether these bytes begin a
 * .meta. */
bool dumpi_find_folder(const char *path);
bool dumpi_find_meta(const char *head, size_t n);

#endif

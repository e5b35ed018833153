/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find.h - the files of a DUMPI trace, which is named by its folder, by
 * PREFIX.meta (lines KEY=VALUE: numprocs, startime, fileprefix) or by any of
 * its ranks' files PREFIX-RANK.bin. Each may be packed: .gz or .xz behind.
 */
#ifndef WORKLOADS_TRACE_DUMPI_FIND_H
#define WORKLOADS_TRACE_DUMPI_FIND_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More are taken for a wrong number. */
#define DUMPI_MOST_RANKS (1u << 22)

struct dumpi_name {
    uint32_t rank;
    char *path; /* owned */
};

struct dumpi_files {
    struct dumpi_name *file; /* by rank, each once */
    size_t nfiles;           /* at least 1 */
    char *meta;              /* owned; NULL: there is none */
    uint32_t ranks;          /* as the .meta says; else 0 */
    uint64_t start_s;        /* likewise */
    bool alone;              /* a file whose name says no rank */
};

/* Clear it after an error too. */
int dumpi_find(struct dumpi_files *f, const char *path,
               struct err *err) MUST_CHECK;
void dumpi_files_clear(struct dumpi_files *f);

/* Does the folder hold such files, or do these bytes begin a .meta? */
bool dumpi_find_folder(const char *path);
bool dumpi_find_meta(const char *head, size_t n);

#endif

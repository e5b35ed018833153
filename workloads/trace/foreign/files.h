/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - the files of a trace that has one per rank: the files of a folder,
 * or all files in the folder of a file whose names differ from its name only in
 * numbers. */
#ifndef WORKLOADS_TRACE_FOREIGN_FILES_H
#define WORKLOADS_TRACE_FOREIGN_FILES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct rank_file {
    char *path;
    /* Last number in its name before the ending; UINT64_MAX if none. */
    uint64_t number;
};

struct rank_files {
    struct rank_file *files; /* sorted by number */
    size_t n;
};

/*
 * Finds the files. ending: such as ".et", which .gz or .xz may follow. If
 * all_numbers is set, names may differ in all their numbers, else in the last.
 * The files of a folder must be of one such kind. The result must be cleared
 * even after an error.
 */
int rank_files_find(struct rank_files *f, const char *path, const char *ending,
                    int all_numbers, struct err *err) MUST_CHECK;
/* Replaces control characters by ?, so that the names of a trace stay on one
 * line. */
static inline void plain_name(char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name < 0x20 || *name == 0x7f)
            *name = '?';
}

void rank_files_clear(struct rank_files *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - the files of a trace that has one for each rank: those beside one
 * of them whose names differ only in numbers, or those of a folder. */
#ifndef WORKLOADS_TRACE_FOREIGN_FILES_H
#define WORKLOADS_TRACE_FOREIGN_FILES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct rank_file {
    char *path;
    uint64_t number; /* the last in its name, before the ending; UINT64_MAX */
};

struct rank_files {
    struct rank_file *files; /* by their numbers */
    size_t n;
};

/*
 * ending: such as ".et", behind which .gz or .xz may follow. all_numbers: names
 * may differ in all their numbers, else in the last. A folder's files are to be
 * of one such kind. rank_files_clear() also after an error.
 */
int rank_files_find(struct rank_files *f, const char *path, const char *ending,
                    int all_numbers, struct err *err) MUST_CHECK;
/* Names of a trace stay on one line: ? for control characters. */
static inline void plain_name(char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name < 0x20 || *name == 0x7f)
            *name = '?';
}

void rank_files_clear(struct rank_files *f);

#endif

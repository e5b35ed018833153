/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outfile.h - output files that appear only when they are complete. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include "base/err.h"

#include <stdbool.h>

/*
 * An output file. It is written under a temporary name in the same folder, and
 * outfile_close() renames it. outfile_abandon() leaves nothing, and neither do
 * the signals INT, TERM and HUP. A file that is replaced keeps its mode; if the
 * path is a symbolic link, the file to which it leads is replaced. "-" is
 * standard output. An existing path that is not a plain file (a device, a pipe)
 * is written directly: `temporary` is then the path itself.
 */
struct outfile {
    char *path, *temporary;
    char *target; /* the path, or the file to which its links lead */
    int cleanup;  /* number from cleanup_add() */
    bool through;
    void *stream; /* FILE * */
};
int outfile_open(struct outfile *f, const char *path,
                 struct err *err) MUST_CHECK;
int outfile_close(struct outfile *f, struct err *err) MUST_CHECK;
void outfile_abandon(struct outfile *f);

/* Fails if the output is the file that is read, by whatever name. */
int outfile_check_other(const char *path, const char *read,
                        struct err *err) MUST_CHECK;

/* Does the same for each file that the words name: "FILE", "schedule:FILE",
 * "trace:FILE,fold", "key=FILE". */
int outfile_check_words(const char *path, const char *words,
                        struct err *err) MUST_CHECK;

/* Flushes standard output, so that a full disk or a closed pipe is found
 * here. */
int stdout_flush(struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outfile.h - files that appear only when they are whole. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Written beside its name and renamed by outfile_close(). outfile_abandon()
 * leaves nothing. "-" is standard output. What is there already and no plain
 * file (a device, a pipe, a link) is written through: `temporary` is then the
 * path itself.
 */
struct outfile {
    char *path, *temporary;
    bool through;
    void *stream; /* FILE * */
};
int outfile_open(struct outfile *f, const char *path,
                 struct err *err) MUST_CHECK;
int outfile_close(struct outfile *f, struct err *err) MUST_CHECK;
void outfile_abandon(struct outfile *f);

/* Standard output, flushed: a full disk or a closed pipe is found here. */
int stdout_flush(struct err *err) MUST_CHECK;

#endif

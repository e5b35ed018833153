/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes output to a temporary file that is renamed when it is complete;
 * devices, pipes and links are written through. */
#include "base/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Devices, pipes and links are written through, not replaced by a file. */
static bool replaceable(const char *path)
{
    struct stat s;

    return lstat(path, &s) != 0 || S_ISREG(s.st_mode);
}

int outfile_open(struct outfile *f, const char *path, struct err *err)
{
    f->path = f->temporary = NULL;
    if (!*path)
        return fail(err, "expected the name of a file to write, got ''");
    if (!strcmp(path, "-")) {
        f->stream = stdout;
        return 0;
    }
    f->through = !replaceable(path);
    f->temporary = f->through ? xstrdup(path)
                              : xasprintf("%s.part.%ld", path, (long)getpid());
    f->stream = fopen(f->temporary, "w");
    if (!f->stream) {
        int why = errno;
        free(f->temporary);
        return fail(err, "%s: cannot be written: %s", path, strerror(why));
    }
    f->path = xstrdup(path);
    return 0;
}

static void forget(struct outfile *f)
{
    free(f->path);
    free(f->temporary);
    f->path = f->temporary = NULL;
    f->stream = NULL;
}

void outfile_abandon(struct outfile *f)
{
    if (!f->path)
        return;
    fclose(f->stream);
    if (!f->through)
        unlink(f->temporary);
    forget(f);
}

int outfile_close(struct outfile *f, struct err *err)
{
    if (!f->path)
        return stdout_flush(err);

    /* What went wrong while it was written is no longer known: ask again. */
    errno = 0;
    int bad = fflush(f->stream) || ferror(f->stream);
    int why = errno ? errno : EIO;
    if (fclose(f->stream) && !bad) {
        bad = 1;
        why = errno;
    }
    if (!bad && !f->through && rename(f->temporary, f->path)) {
        bad = 1;
        why = errno;
    }
    int result = 0;
    if (bad) {
        if (!f->through)
            unlink(f->temporary);
        result =
            fail_work(err, "%s: cannot be written: %s", f->path, strerror(why));
    }
    forget(f);
    return result;
}

int stdout_flush(struct err *err)
{
    if (fflush(stdout) || ferror(stdout))
        return fail_work(err, "standard output: cannot be written: %s",
                         strerror(errno));
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes output to a temporary file that is renamed when it is complete;
 * devices, pipes and links are written through. */
#include "base/outfile.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct outfile *f)
{
    cleanup_drop(f->cleanup);
    free(f->path);
    free(f->target);
    free(f->temporary);
    f->path = f->target = f->temporary = NULL;
    f->stream = NULL;
}

/* Finds the file that the path names or leads to by links, and its mode, 0 if
 * there is none. A device, a pipe or a link to nothing is written through, not
 * replaced by a file. */
static char *find_target(const char *path, bool *through, mode_t *mode,
                         uid_t *user, gid_t *group)
{
    struct stat s;
    char *target = realpath(path, NULL);

    *mode = 0;
    *through = lstat(path, &s) == 0 && !target;
    if (target && stat(target, &s) == 0) {
        *through = !S_ISREG(s.st_mode);
        *mode = s.st_mode & 07777;
        *user = s.st_uid;
        *group = s.st_gid;
    }
    if (target && !*through)
        return target;
    free(target);
    return xstrdup(path);
}

/* Opens a new file next to the target, with the target's mode and owner if that
 * exists. */
static FILE *open_part(const char *part, mode_t mode, uid_t user, gid_t group)
{
    unlink(part); /* an older process with this number has left it */
    int fd =
        open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ? 0600 : 0666);
    if (fd < 0)
        return NULL;
    /* Another user's file may become ours, because only root can give files
     * away. */
    if (mode && (fchown(fd, user, group) != 0 || true))
        fchmod(fd, mode);
    FILE *stream = fdopen(fd, "w");
    if (!stream)
        close(fd);
    return stream;
}

int outfile_open(struct outfile *f, const char *path, struct err *err)
{
    mode_t mode;
    uid_t user = 0;
    gid_t group = 0;

    f->path = f->temporary = f->target = NULL;
    f->cleanup = -1;
    if (!*path)
        return fail(err, "expected the name of a file to write, got ''");
    if (!strcmp(path, "-")) {
        f->stream = stdout;
        return 0;
    }
    f->target = find_target(path, &f->through, &mode, &user, &group);
    f->temporary = f->through
                       ? xstrdup(f->target)
                       : xasprintf("%s.part.%ld", f->target, (long)getpid());
    f->path = xstrdup(path);
    if (f->through) {
        f->stream = fopen(f->temporary, "w");
    } else if (mode && access(f->target, W_OK) != 0) {
        f->stream = NULL;
    } else {
        f->cleanup = cleanup_add(f->temporary);
        f->stream = open_part(f->temporary, mode, user, group);
    }
    if (!f->stream) {
        int why = errno;
        forget(f);
        return fail(err, "%s: cannot be written: %s", path, strerror(why));
    }
    return 0;
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

/* Returns the reason why the stream could not be written. A stream with an
 * empty buffer no longer has it, so another write at its end is tried, which
 * fails for the same reason; a pipe is left alone, because somebody reads
 * it. */
static int outfile_why(FILE *stream)
{
    static const char zeros[1 << 16];
    struct stat about;
    int fd = fileno(stream);

    if (fstat(fd, &about) == 0 &&
        (S_ISREG(about.st_mode) || S_ISCHR(about.st_mode)))
        for (int tries = 0; tries < 16; tries++)
            if (write(fd, zeros, sizeof zeros) < 0)
                return errno;
    return EIO;
}

int outfile_close(struct outfile *f, struct err *err)
{
    if (!f->path)
        return stdout_flush(err);

    errno = 0;
    int bad = fflush(f->stream) || ferror(f->stream);
    int why = bad && !errno ? outfile_why(f->stream) : errno;
    if (fclose(f->stream) && !bad) {
        bad = 1;
        why = errno;
    }
    if (!bad && !f->through && rename(f->temporary, f->target)) {
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

int outfile_check_other(const char *path, const char *read, struct err *err)
{
    struct stat x, y;

    if (stat(path, &x) || stat(read, &y) || !S_ISREG(x.st_mode) ||
        x.st_dev != y.st_dev || x.st_ino != y.st_ino)
        return 0;
    return fail(err, "%s is the file that is read", path);
}

/* A name may begin after each of these characters, and end before it. */
static const char between_names[] = ":=,";

int outfile_check_words(const char *path, const char *words, struct err *err)
{
    struct stat s;
    int result = 0;

    if (stat(path, &s) || !S_ISREG(s.st_mode))
        return 0;
    for (const char *from = words; result == 0; from++) {
        for (size_t n = strcspn(from, between_names); n && result == 0;) {
            char *name = xasprintf("%.*s", (int)n, from);
            result = outfile_check_other(path, name, err);
            free(name);
            if (!from[n])
                break;
            n += 1 + strcspn(from + n + 1, between_names);
        }
        from += strcspn(from, between_names);
        if (!*from)
            break;
    }
    return result;
}

int stdout_flush(struct err *err)
{
    if (fflush(stdout) || ferror(stdout))
        return fail_work(err, "standard output: cannot be written: %s",
                         strerror(errno));
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a text file, plain or gzipped, into pieces of whole lines. */
#include "workloads/lines.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    ZEROS_B = 8,
    GZ_BUFFER_B = 1 << 17,
    /* zlib unpacks up to twice its buffer there first, so that the bytes before
     * damage are not lost. */
    GZ_STEP_B = 1 << 16,
};

/* Returns the largest unpacked size, because the deflate format cannot compress
 * by more than 1032 to 1. */
static uint64_t most_text(int fd, gzFile gz)
{
    struct stat status;

    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
        return UINT64_MAX;
    return (uint64_t)status.st_size * (gzdirect(gz) ? 1u : 1032u);
}

int lines_open(struct lines *l, const char *path, size_t piece_B,
               struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert(piece_B >= 2 * LINES_KEPT_B);
    if (fd < 0)
        return fail(err, "%s: cannot be opened: %s", path, strerror(errno));
    *l = (struct lines){.gz = gzdopen(fd, "rb"), .piece_B = piece_B};
    if (!l->gz) {
        close(fd);
        return fail_work(err, "%s: cannot be read: out of memory", path);
    }
    gzbuffer(l->gz, GZ_BUFFER_B);
    l->max_text_B = most_text(fd, l->gz);
    l->rest = xmalloc(piece_B);
    return 0;
}

void lines_close(struct lines *l)
{
    gzclose(l->gz);
    free(l->rest);
    *l = (struct lines){0};
}

struct lines_piece lines_piece_new(const struct lines *l)
{
    /* The last line of a file may lack its newline. */
    return (struct lines_piece){.text = xmalloc(l->piece_B + 1 + ZEROS_B)};
}

static void note_failure(struct lines *l)
{
    int code;
    const char *why = gzerror(l->gz, &code);

    if (code == Z_OK || code == Z_STREAM_END)
        return;
    l->failure = code;
    l->failure_errno = errno;
    snprintf(l->failure_text, sizeof l->failure_text, "%s", why);
}

static void fill(struct lines *l, struct lines_piece *p)
{
    bool plain = gzdirect(l->gz);

    while (p->len < l->piece_B && !l->all) {
        size_t room = l->piece_B - p->len;
        if (!plain && room > GZ_STEP_B)
            room = GZ_STEP_B;
        int n = gzread(l->gz, p->text + p->len, (unsigned)room);
        if (n > 0) {
            p->len += (size_t)n;
        } else {
            l->all = true;
            note_failure(l);
        }
    }
}

/* Ends the piece after its last newline; the rest is for the next piece.
 * Returns false if it has no newline. */
static bool cut_after_newline(struct lines *l, struct lines_piece *p)
{
    const char *newline = memrchr(p->text, '\n', p->len);

    if (!newline)
        return false;
    size_t len = (size_t)(newline - p->text) + 1;
    l->rest_B = p->len - len;
    memcpy(l->rest, p->text + len, l->rest_B);
    p->len = len;
    return true;
}

bool lines_next(struct lines *l, struct lines_piece *p)
{
    if (l->all)
        return false;
    p->len = l->rest_B;
    memcpy(p->text, l->rest, l->rest_B);
    l->rest_B = 0;
    fill(l, p);
    while (!cut_after_newline(l, p)) {
        if (l->failure)
            l->rest_B = p->len;
        if (l->failure || !p->len)
            return false;
        if (!l->all)
            p->len = LINES_KEPT_B;
        if (l->all || p->text[0] != '%') {
            p->text[p->len++] = '\n';
            break;
        }
        fill(l, p);
    }
    if (l->all && l->rest_B && !l->failure) {
        p->len += l->rest_B;
        p->text[p->len++] = '\n';
        l->rest_B = 0;
    }
    memset(p->text + p->len, 0, ZEROS_B);
    return true;
}

int lines_check(const struct lines *l, bool *begun, struct err *err)
{
    *begun = l->failure == Z_BUF_ERROR && l->rest_B;
    switch (l->failure) {
    case Z_OK:
        return 0;
    case Z_ERRNO:
        return fail(err, "cannot be read: %s", strerror(l->failure_errno));
    case Z_BUF_ERROR:
        return fail(err, "the compressed file is cut off after this line");
    default:
        return fail(err, "the compressed file is damaged after this line (%s)",
                    l->failure_text);
    }
}

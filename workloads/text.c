/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads large text files of numbers line by line, plain or gzipped. */
#include "workloads/text.h"

#include "base/number.h"
#include "base/printable.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    BLOCK = 1 << 20,
    SMALL = 1 << 14, /* block of a file that is not larger */
    GZ_BLOCK = 1 << 17,
    WORD_ROOM = 64, /* longer words are not numbers */
    REST_ROOM = 4000,
};

static int explain(struct text *t)
{
    int code;
    const char *why = gzerror(t->gz, &code);

    if (code == Z_OK || code == Z_STREAM_END)
        return 0;
    if (code == Z_ERRNO)
        return text_fail(t, "cannot be read: %s", strerror(errno));
    if (code == Z_BUF_ERROR)
        return text_fail(t, "the compressed file is cut off after this line");
    return text_fail(t, "the compressed file is damaged after this line (%s)",
                     why);
}

/* Reads more after the bytes that are not used yet. After a failure the file
 * ends. */
static void text_fill(struct text *t)
{
    size_t rest = (size_t)(t->end - t->at);

    memmove(t->block, t->at, rest);
    int n = gzread(t->gz, t->block + rest, (unsigned)(t->room - rest));
    if (n <= 0) {
        t->all = true;
        t->failed = explain(t) < 0;
        n = 0;
        rest = t->failed ? 0 : rest;
    }
    t->at = t->block;
    t->end = t->block + rest + (size_t)n;
    t->block[rest + (size_t)n] = 0;
}

static int open_gz(struct text *t)
{
    struct stat status;
    int fd = open(t->path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail(t->err, "%s: cannot be opened: %s", t->path,
                    strerror(errno));
    if (fstat(fd, &status) < 0)
        status = (struct stat){0};
    if (S_ISDIR(status.st_mode)) {
        close(fd);
        return fail(t->err, "%s: cannot be read: %s", t->path,
                    strerror(EISDIR));
    }
    t->gz = gzdopen(fd, "rb");
    if (!t->gz) {
        close(fd);
        return fail_work(t->err, "%s: cannot be read: out of memory", t->path);
    }
    bool small = S_ISREG(status.st_mode) && status.st_size <= SMALL;
    t->room = small ? SMALL : BLOCK;
    gzbuffer(t->gz, small ? SMALL : GZ_BLOCK);
    return 0;
}

int text_open(struct text *t, const char *path, struct err *err)
{
    *t = (struct text){.path = path, .err = err};
    if (open_gz(t) < 0)
        return -1;
    t->block = xmalloc(t->room + 1);
    t->at = t->end = t->block;
    text_fill(t);
    t->at += skip_byte_order_mark(t->at) - t->at;
    if (t->at < t->end)
        return 0;

    int result = text_fail(t, "the file is empty");
    text_close(t);
    return result;
}

void text_close(struct text *t)
{
    gzclose(t->gz);
    free(t->block);
    *t = (struct text){0};
}

/* Skips blanks; afterwards the block has the whole next word. */
static const char *skip_blanks(struct text *t)
{
    for (;;) {
        while (*t->at == ' ' || *t->at == '\t')
            t->at++;
        if (t->end - t->at >= WORD_ROOM || t->all)
            return t->at;
        text_fill(t);
    }
}

/* Returns whether a line ends here. A lone CR does not end it, so the lines of
 * an old Macintosh would be one line. */
static bool is_line_end(const struct text *t, const char *p)
{
    if (p < t->end && *p == '\r')
        p++;
    return p == t->end || *p == '\n';
}

/* Returns whether this is a word, which is shorter than the room so that the
 * byte after it is in the block, too. */
static bool is_word(const struct text *t, const char *from, const char *to)
{
    return to > from && to - from < WORD_ROOM - 1 &&
           (*to == ' ' || *to == '\t' || is_line_end(t, to));
}

static void skip_line(struct text *t)
{
    for (;;) {
        size_t left = (size_t)(t->end - t->at);
        const char *end = memchr(t->at, '\n', left);
        t->at = end ? end + 1 : t->end;
        if (end || t->all)
            return;
        text_fill(t);
    }
}

int text_line(struct text *t, const char *comments)
{
    do {
        if (t->line > 0)
            skip_line(t);
        skip_blanks(t);
        if (t->at == t->end)
            return t->failed ? -1 : 0;
        t->line++;
    } while (*t->at && strchr(comments, *t->at));
    return 1;
}

int text_data_line(struct text *t, const char *comments)
{
    int rc;

    do
        rc = text_line(t, comments);
    while (rc > 0 && text_line_ends(t));
    return rc;
}

bool text_line_ends(struct text *t)
{
    return is_line_end(t, skip_blanks(t));
}

bool text_number(struct text *t, uint64_t *out)
{
    const char *digits = skip_blanks(t), *p = digits;
    uint64_t value = 0;

    for (; *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (!is_word(t, digits, p))
        return false;
    *out = p - digits < 20 ? value : UINT64_MAX;
    t->at = p;
    return true;
}

bool text_real(struct text *t, double *out)
{
    const char *text = skip_blanks(t);
    const char *end = number_take_real(text, out);

    if (!end || !is_word(t, text, end))
        return false;
    t->at = end;
    return true;
}

bool text_value(struct text *t)
{
    const char *text = skip_blanks(t);
    const char *end = number_skip_real(text);

    if (!end || !is_word(t, text, end))
        return false;
    t->at = end;
    return true;
}

bool text_word(struct text *t, const char *word)
{
    const char *text = skip_blanks(t);
    size_t len = strlen(word);

    if (strncmp(text, word, len) != 0 || !is_word(t, text, text + len))
        return false;
    t->at = text + len;
    return true;
}

char *text_rest(struct text *t)
{
    const char *from, *end;

    skip_blanks(t);
    while (!(end = memchr(t->at, '\n', (size_t)(t->end - t->at))) && !t->all &&
           t->end - t->at < REST_ROOM)
        text_fill(t);
    from = t->at;
    if (!end)
        end = t->end;
    t->at = end;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    if (end == from || end - from >= REST_ROOM)
        return NULL;
    for (const char *c = from; c < end; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return NULL;
    return xasprintf("%.*s", (int)(end - from), from);
}

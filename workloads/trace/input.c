/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the files of a trace into memory, after it has unpacked those that are
 * packed. */
#include "workloads/trace/input.h"

#include "base/temporary.h"
#include "base/unxz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Pages are released in pieces of this size, which is small enough to read a
 * thousand ranks at once. */
#define INPUT_PASS_B (256u << 10)

/* --- unpacking ------------------------------------------------------------ */

static int input_gunzip(gzFile in, FILE *out, struct err *err)
{
    static _Thread_local char block[1 << 16];
    uint64_t total = 0;
    int n;

    while ((n = gzread(in, block, sizeof block)) > 0) {
        if (fwrite(block, 1, (size_t)n, out) != (size_t)n)
            return fail_work(err, "the temporary file cannot be written");
        if ((total += (uint64_t)n) > UNXZ_MOST)
            return fail(err, UNXZ_TOO_MUCH);
    }
    int code = Z_OK;
    const char *why = gzerror(in, &code);
    if (code == Z_MEM_ERROR)
        err_no_memory("a gzipped file's decoder");
    if (n == 0 && code == Z_OK)
        return 0;
    return fail(err, "%s",
                code == Z_BUF_ERROR ? "truncated"
                : *why              ? why
                                    : "cannot be unpacked");
}

/* Returns a stream of the unpacked contents of a gzipped file. The stream's
 * file has no name. */
static FILE *input_gzip(const char *path, struct err *err)
{
    gzFile in = gzopen(path, "rb");
    FILE *out = in ? temporary_file(err) : NULL;
    int result = !in    ? fail(err, "%s", strerror(errno))
                 : !out ? -1
                        : input_gunzip(in, out, err);

    if (in)
        gzclose_r(in);
    if (result == 0 && fflush(out) != 0)
        result = fail_work(err, "the temporary file cannot be written");
    if (result < 0 && out)
        fclose(out);
    return result < 0 ? NULL : out;
}

static FILE *input_unpacked(const char *path, struct err *err)
{
    FILE *in = fopen(path, "rb");
    unsigned char magic[2] = {0};

    if (!in)
        return fail_null(err, "%s", strerror(errno));
    size_t n = fread(magic, 1, 2, in);
    if (n == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        fclose(in);
        return input_gzip(path, err);
    }
    rewind(in);
    return unxz(in, err);
}

/* --- the interface -------------------------------------------------------- */

static int input_map(struct input *in, FILE *f, struct err *err)
{
    struct stat about;

    if (fstat(fileno(f), &about) < 0)
        return fail_work(err, "%s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return fail(err, "is a folder");
    if (!S_ISREG(about.st_mode))
        return fail(err, "expected a file");
    if (about.st_size == 0)
        return 0;
    void *at =
        mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fileno(f), 0);
    if (at == MAP_FAILED)
        return fail_work(err, "%s", strerror(errno));
    (void)madvise(at, (size_t)about.st_size, MADV_SEQUENTIAL);
    in->begin = in->at = at;
    in->end = in->begin + about.st_size;
    return 0;
}

/* Fails unless the path is a regular file, because opening a pipe or device
 * could wait for ever. */
static int input_is_file(const char *path, struct err *err)
{
    struct stat about;

    if (stat(path, &about) < 0)
        return fail(err, "%s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return fail(err, "is a folder");
    return S_ISREG(about.st_mode) ? 0 : fail(err, "expected a file");
}

int input_open(struct input *in, const char *path, struct err *err)
{
    *in = (struct input){0};
    if (input_is_file(path, err) < 0)
        return fail_in(err, "%s", path);
    FILE *f = input_unpacked(path, err);
    if (!f)
        return fail_in(err, "%s", path);
    int result = input_map(in, f, err);
    fclose(f);
    return result < 0 ? fail_in(err, "%s", path) : 0;
}

void input_close(struct input *in)
{
    if (in->begin)
        munmap((void *)(uintptr_t)in->begin, (size_t)(in->end - in->begin));
    *in = (struct input){0};
}

void input_pass(struct input *in)
{
    size_t read_B = (size_t)(in->at - in->begin);
    bool all = in->at == in->end && in->given_back < read_B;

    if (read_B < in->given_back) /* the reader began again */
        in->given_back = 0;
    if (read_B < in->given_back + INPUT_PASS_B && !all)
        return;
    /* 64 KiB is a multiple of every page size; at the end the last page is
     * released, too. */
    size_t to = all ? read_B : read_B & ~(size_t)0xffff;
    (void)madvise((void *)(uintptr_t)(in->begin + in->given_back),
                  to - in->given_back, MADV_DONTNEED);
    in->given_back = to;
}

static bool begins_as_xz(FILE *in)
{
    int first = getc(in);

    rewind(in);
    return first == 0xfd;
}

bool input_is_xz(const char *path)
{
    FILE *in = fopen(path, "rb");
    bool is = in && begins_as_xz(in);

    if (in)
        fclose(in);
    return is;
}

static int input_head_of(const char *path, char *head, size_t room, size_t *n,
                         struct err *err)
{
    FILE *in = fopen(path, "rb");

    if (!in)
        return fail(err, "%s", strerror(errno));
    if (begins_as_xz(in)) {
        *n = unxz_head(in, head, room);
        fclose(in);
        return 0;
    }
    fclose(in);
    errno = 0;
    gzFile gz = gzopen(path, "rb"); /* gzopen() also reads plain files */
    if (!gz && errno)
        return fail(err, "%s", strerror(errno));
    int code = Z_MEM_ERROR, got = gz ? gzread(gz, head, (unsigned)room) : 0;
    if (gz)
        (void)gzerror(gz, &code);
    if (code == Z_MEM_ERROR)
        err_no_memory("a gzipped file's decoder");
    *n = got > 0 ? (size_t)got : 0;
    gzclose_r(gz);
    return 0;
}

int input_head(const char *path, char *head, size_t room, size_t *n,
               struct err *err)
{
    struct stat about;

    *n = 0;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return 0;
    if (input_is_file(path, err) < 0 ||
        input_head_of(path, head, room, n, err) < 0)
        return fail_in(err, "%s", path);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens one rank's file of a DUMPI trace, and finds its parts by its index. */
#include "workloads/trace/dumpi/file.h"

#include <string.h>

#define DUMPI_MAGIC UINT64_C(0xffaadd44554d5049)
/* The magic number in the other byte order: swapped as one number, or as two of
 * 32 bits. */
#define DUMPI_SWAPPED UINT64_C(0x49504d5544ddaaff)
#define DUMPI_SWAPPED_HALVES UINT64_C(0x44ddaaff49504d55)
#define DUMPI_FOOTER UINT64_C(0xf007fee7)

/* The parts in the index at the end of the file; the index has their offsets
 * from the beginning of the file. */
enum {
    DUMPI_SIZES, /* sizes of datatypes; since 0.6.6 */
    DUMPI_ADDRESSES,
    DUMPI_COUNTER_NAMES,
    DUMPI_HEADER, /* this and the following are in all versions */
    DUMPI_BODY,
    DUMPI_FOOT,
    DUMPI_KEYVALS,
    DUMPI_PARTS
};
static const char *const part_names[DUMPI_PARTS] = {
    "datatypes' sizes", "functions", "counters",  "header",
    "stream",           "footer",    "key values"};

static const unsigned char *file_begin(const struct dumpi_file *f)
{
    return (const unsigned char *)f->in.begin;
}

static size_t file_B(const struct dumpi_file *f)
{
    return (size_t)(f->in.end - f->in.begin);
}

bool dumpi_file_is(const char *head, size_t n)
{
    if (n < 8)
        return false;
    uint64_t magic = dumpi_u64((const unsigned char *)head);
    return magic == DUMPI_MAGIC || magic == DUMPI_SWAPPED ||
           magic == DUMPI_SWAPPED_HALVES;
}

/* --- the index ------------------------------------------------------------ */

static int file_magic(const struct dumpi_file *f, struct err *err)
{
    if (file_B(f) < 8)
        return fail(err, "expected a DUMPI file, found %zu bytes", file_B(f));
    uint64_t magic = dumpi_u64(file_begin(f));
    if (magic == DUMPI_SWAPPED || magic == DUMPI_SWAPPED_HALVES)
        return fail(err, "written in little-endian order; DUMPI files are "
                         "big-endian");
    if (magic != DUMPI_MAGIC)
        return fail(err, "not a DUMPI file: it does not begin with 0x%llx",
                    (unsigned long long)DUMPI_MAGIC);
    return 0;
}

/* Reads the index. It begins with the magic number, too, and newer libraries
 * write one to three more parts. */
static int file_index(const struct dumpi_file *f, uint64_t part[DUMPI_PARTS],
                      struct err *err)
{
    const unsigned char *end = file_begin(f) + file_B(f);
    size_t n = DUMPI_PARTS, least = DUMPI_PARTS - DUMPI_HEADER;

    memset(part, 0, sizeof part[0] * DUMPI_PARTS);
    while (n >= least && (file_B(f) < 16 + n * 8 ||
                          dumpi_u64(end - 8 - n * 8) != DUMPI_MAGIC))
        n--;
    if (n < least)
        return fail(err, "byte %zu: ends without an index: cut off", file_B(f));
    for (size_t i = 0; i < n; i++) {
        size_t which = DUMPI_PARTS - n + i;
        part[which] = dumpi_u64(end - (n - i) * 8);
        if (part[which] > file_B(f) - 8 - n * 8)
            return fail(err,
                        "byte %zu: its index says that its %s begin at byte "
                        "%llu of %zu",
                        file_B(f) - (n - i) * 8, part_names[which],
                        (unsigned long long)part[which], file_B(f));
    }
    return 0;
}

/* --- the parts ------------------------------------------------------------ */

/* Finds the records, which end at the beginning of the next part, if not
 * before. */
static int file_stream(struct dumpi_file *f, const uint64_t part[DUMPI_PARTS],
                       struct err *err)
{
    uint64_t begin = part[DUMPI_BODY], end = file_B(f);

    for (int i = 0; i < DUMPI_PARTS; i++)
        if (part[i] > begin && part[i] < end)
            end = part[i];
    if (begin < 8 || end - begin < 8)
        return fail(err, "byte %llu: no records: cut off",
                    (unsigned long long)begin);
    f->stream = file_begin(f) + begin + 8;
    f->stream_end = file_begin(f) + end;
    f->cpu_bias_s = dumpi_u32(f->stream - 8);
    f->wall_bias_s = dumpi_u32(f->stream - 4);
    if (f->stream_end - f->stream >= 3) {
        f->has_wall = f->stream[2] & DUMPI_WALL;
        f->has_times = f->stream[2] & (DUMPI_WALL | DUMPI_CPU);
    }
    return 0;
}

static int file_header(struct dumpi_file *f, uint64_t at, struct err *err)
{
    const unsigned char *p = file_begin(f) + at;
    const unsigned char *end = file_begin(f) + file_B(f);

    if (at == 0)
        return 0; /* versions before it existed: all fields stay 0 */
    if (end - p < 13)
        return fail(err, "byte %llu: its header is cut off",
                    (unsigned long long)at);
    f->version = (struct dumpi_version){p[0], p[1], p[2]};
    f->start_s = dumpi_u64(p + 3);
    p += 11;
    if (end - p - 2 >= dumpi_u16(p)) /* the name of the host */
        p += 2 + dumpi_u16(p);
    else
        p = end;
    if (end - p < 2 || end - p - 2 < dumpi_u16(p))
        return fail(err, "byte %llu: its header is cut off",
                    (unsigned long long)at);
    f->user = (struct dumpi_arg){dumpi_u16(p), p + 2};
    return 0;
}

static bool file_zero(const unsigned char *at, size_t n)
{
    while (n && at[n - 1] == 0)
        n--;
    return n == 0;
}

/* Reads the footer. It is ignored if it comes from a library with other calls,
 * or from a converter that counted nothing. */
static int file_footer(struct dumpi_file *f, uint64_t at, uint64_t next,
                       struct err *err)
{
    const unsigned char *p = file_begin(f) + at;
    size_t counts_B = (DUMPI_CALLS + 1) * 4;

    if (at == 0)
        return 0;
    if (file_B(f) - at < 8 || dumpi_u64(p) != DUMPI_FOOTER)
        return fail(err, "byte %llu: expected a footer",
                    (unsigned long long)at);
    if (next < at + 8 + 2 * counts_B || file_zero(p + 8, 2 * counts_B))
        return 0;
    f->not_recorded = p + 8 + counts_B;
    return 0;
}

static int file_sizes(struct dumpi_file *f, uint64_t at, struct err *err)
{
    if (at == 0)
        return 0;
    if (file_B(f) - at < 4)
        return fail(err, "byte %llu: its datatypes' sizes are cut off",
                    (unsigned long long)at);
    f->nsizes = dumpi_u32(file_begin(f) + at);
    f->sizes = file_begin(f) + at + 4;
    if (f->nsizes > (file_B(f) - at - 4) / 4)
        return fail(err,
                    "byte %llu: counts %zu sizes of datatypes, which do not "
                    "fit into the file",
                    (unsigned long long)at, f->nsizes);
    return 0;
}

static int file_parts(struct dumpi_file *f, struct err *err)
{
    uint64_t part[DUMPI_PARTS], next = file_B(f);

    if (file_magic(f, err) < 0 || file_index(f, part, err) < 0)
        return -1;
    for (int i = 0; i < DUMPI_PARTS; i++)
        if (part[i] > part[DUMPI_FOOT] && part[i] < next)
            next = part[i];
    if (file_stream(f, part, err) < 0 ||
        file_header(f, part[DUMPI_HEADER], err) < 0 ||
        file_footer(f, part[DUMPI_FOOT], next, err) < 0)
        return -1;
    return file_sizes(f, part[DUMPI_SIZES], err);
}

int dumpi_file_open(struct dumpi_file *f, const char *path, struct err *err)
{
    *f = (struct dumpi_file){0};
    if (input_open(&f->in, path, err) < 0)
        return -1;
    if (file_parts(f, err) == 0)
        return 0;
    dumpi_file_close(f);
    return fail_in(err, "%s", path);
}

void dumpi_file_close(struct dumpi_file *f)
{
    input_close(&f->in);
}

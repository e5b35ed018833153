/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the records of a DUMPI file by the kinds of their arguments. */
#include "workloads/trace/dumpi/record.h"

#include <string.h>

const char *const dumpi_call_names[DUMPI_CALLS] = {
#define DUMPI_CALL(name, args, meaning) #name,
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL
};

static const char *const dumpi_layouts[DUMPI_CALLS] = {
#define DUMPI_CALL(name, args, meaning) args,
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL
};

/* The next byte to read, and the end of the bytes. */
struct dumpi_bytes {
    const unsigned char *at, *end;
};

bool dumpi_before(struct dumpi_version v, int major, int minor, int patch)
{
    if (v.major != major)
        return v.major < major;
    return v.minor != minor ? v.minor < minor : v.patch < patch;
}

/* --- statuses ------------------------------------------------------------- */

/* Returns the size of a status, which had no tag before 0.6.3. */
static size_t dumpi_status_B(struct dumpi_version v)
{
    return dumpi_before(v, 0, 6, 3) ? 10 : 14;
}

struct dumpi_status dumpi_status_of(const struct dumpi_arg *a, size_t i,
                                    struct dumpi_version v)
{
    size_t size_B = dumpi_status_B(v);
    const unsigned char *at = a->at + i * size_B;

    return (struct dumpi_status){
        .bytes = (int32_t)dumpi_u32(at),
        .source = (int32_t)dumpi_u32(at + 4),
        .tag = size_B > 10 ? (int32_t)dumpi_u32(at + 10) : -1};
}

/* --- arguments ------------------------------------------------------------ */

static bool dumpi_has(const struct dumpi_bytes *b, size_t n)
{
    return (size_t)(b->end - b->at) >= n;
}

/* Reads a count of values of each_B bytes that follow. */
static int dumpi_count(struct dumpi_bytes *b, size_t each_B,
                       struct dumpi_arg *a, struct err *err)
{
    if (!dumpi_has(b, 4))
        return fail(err, "cut off");
    uint32_t n = dumpi_u32(b->at);
    b->at += 4;
    if (n > (size_t)(b->end - b->at) / each_B)
        return fail(err, "counts %u values, which do not fit into the file", n);
    *a = (struct dumpi_arg){n, b->at};
    return 0;
}

static int dumpi_array(struct dumpi_bytes *b, size_t each_B,
                       struct dumpi_arg *a, struct err *err)
{
    if (dumpi_count(b, each_B, a, err) < 0)
        return -1;
    b->at += (size_t)a->value * each_B;
    return 0;
}

/* Reads an array whose elements are arrays, nested `deep` times. */
static int dumpi_nested(struct dumpi_bytes *b, int deep, size_t each_B,
                        struct dumpi_arg *a, struct err *err)
{
    struct dumpi_arg inner;

    if (dumpi_count(b, 4, a, err) < 0)
        return -1;
    for (int64_t i = 0; i < a->value; i++)
        if ((deep > 1 ? dumpi_nested(b, deep - 1, each_B, &inner, err)
                      : dumpi_array(b, each_B, &inner, err)) < 0)
            return -1;
    return 0;
}

static int dumpi_integer(struct dumpi_bytes *b, char kind, struct dumpi_arg *a,
                         struct err *err)
{
    size_t size_B = kind == 'i' ? 4 : kind == 'h' ? 2 : kind == 'b' ? 1 : 8;

    if (!dumpi_has(b, size_B))
        return fail(err, "cut off");
    a->value = kind == 'i'   ? (int32_t)dumpi_u32(b->at)
               : kind == 'h' ? dumpi_u16(b->at)
               : kind == 'b' ? b->at[0]
                             : (int64_t)dumpi_u64(b->at);
    b->at += size_B;
    return 0;
}

static int dumpi_statuses(struct dumpi_bytes *b, struct dumpi_arg *a,
                          const struct dumpi_record *r, struct dumpi_version v,
                          struct err *err)
{
    *a = (struct dumpi_arg){0, b->at};
    if (!(r->mask & DUMPI_STATUS))
        return 0;
    return dumpi_array(b, dumpi_status_B(v), a, err);
}

static int dumpi_arg(struct dumpi_bytes *b, char kind, struct dumpi_arg *a,
                     const struct dumpi_record *r, struct dumpi_version v,
                     struct err *err)
{
    switch (kind) {
    case 'a':
        return dumpi_array(b, 4, a, err);
    case 't':
        return dumpi_array(b, 2, a, err);
    case 'd':
    case 's':
        return dumpi_array(b, 1, a, err);
    case 'S':
        return dumpi_nested(b, 1, 1, a, err);
    case 'Z':
        return dumpi_nested(b, 2, 1, a, err);
    case 'A':
        return dumpi_nested(b, 1, 4, a, err);
    case 'x':
        return dumpi_statuses(b, a, r, v, err);
    case '!':
        return fail(err, "this call is never recorded");
    default:
        return dumpi_integer(b, kind, a, err);
    }
}

/* Skips the kinds between brackets, which this record does not have: their
 * arguments are 0 and empty. */
static const char *dumpi_left_out(const char *kinds, struct dumpi_arg *a,
                                  size_t *n, const unsigned char *at)
{
    for (; *kinds != ')'; kinds++)
        a[(*n)++] = (struct dumpi_arg){0, at};
    return kinds;
}

static int dumpi_args(struct dumpi_record *r, struct dumpi_bytes *b,
                      const char *kinds, struct dumpi_version v,
                      struct err *err)
{
    struct dumpi_arg *a = r->arg;
    size_t n = 0;

    for (; *kinds; kinds++) {
        if (*kinds == ')')
            continue;
        if (*kinds == '(') {
            kinds += 2;
            if (a[kinds[-1] - '0'].value != a[kinds[0] - '0'].value)
                kinds = dumpi_left_out(kinds + 1, a, &n, b->at);
            continue;
        }
        if (dumpi_arg(b, *kinds, &a[n++], r, v, err) < 0)
            return -1;
    }
    return 0;
}

/* --- layouts -------------------------------------------------------------- */

/* Returns the kinds of a call's arguments. Early versions wrote some records in
 * another way than intended. */
static const char *dumpi_layout(uint16_t call, struct dumpi_version v)
{
    switch (call) {
    case DUMPI_MPI_Init:
        return dumpi_before(v, 0, 6, 2) ? "iS" : "S";
    case DUMPI_MPI_Type_struct:
        return dumpi_before(v, 0, 6, 9) ? "iaith" : "iaath";
    case DUMPI_MPI_Cart_get:
        return dumpi_before(v, 0, 6, 8) ? "ihiaai" : "ihiaaa";
    case DUMPI_FUNCTION_ENTER:
    case DUMPI_FUNCTION_EXIT:
        return "l";
    default:
        return dumpi_layouts[call];
    }
}

/* Returns whether a record could begin here, because all records of a file have
 * one mask. */
static bool dumpi_goes_on(const struct dumpi_bytes *b, uint8_t mask)
{
    if (b->at == b->end)
        return true;
    if (!dumpi_has(b, 2))
        return false;
    uint16_t call = dumpi_u16(b->at);
    if (call == DUMPI_STREAM_END)
        return true;
    return call < DUMPI_STREAM_END && dumpi_has(b, 3) && b->at[2] == mask;
}

/* Reads a record again if it ends too early: MPI_Gatherv's type of the data
 * received was once written at the root only. */
static int dumpi_short_gatherv(struct dumpi_record *r, struct dumpi_bytes *b,
                               const struct dumpi_bytes *begin,
                               struct dumpi_version v, struct err *err)
{
    if (r->arg[0].value == r->arg[4].value || dumpi_goes_on(b, r->mask))
        return 0;
    *b = *begin;
    return dumpi_args(r, b, "iiihih(04aah)", v, err);
}

/* --- records -------------------------------------------------------------- */

static void dumpi_times(struct dumpi_record *r, const unsigned char *at)
{
    r->begin_s = dumpi_u16(at);
    r->begin_ns = dumpi_u32(at + 2);
    r->end_s = dumpi_u16(at + 6);
    r->end_ns = dumpi_u32(at + 8);
}

/* Reads the fields before the arguments. Times are those of the wall clock, or
 * else of the CPU. */
static int dumpi_record_head(struct dumpi_record *r, struct dumpi_bytes *b,
                             struct err *err)
{
    size_t size_B = r->mask & DUMPI_THREAD ? 2 : 0;
    bool cpu = r->mask & DUMPI_CPU, wall = r->mask & DUMPI_WALL;

    size_B += (size_t)(cpu + wall) * 12;
    if (!dumpi_has(b, size_B))
        return fail(err, "cut off");
    r->thread = r->mask & DUMPI_THREAD ? dumpi_u16(b->at) : 0;
    b->at += size_B;
    if (cpu || wall)
        dumpi_times(r, b->at - 12);
    if (!(r->mask & DUMPI_COUNTERS))
        return 0;
    if (!dumpi_has(b, 1) || !dumpi_has(b, 1 + (size_t)b->at[0] * 16))
        return fail(err, "cut off");
    b->at += 1 + (size_t)b->at[0] * 16;
    return 0;
}

int dumpi_record_read(struct dumpi_record *r, const unsigned char **at,
                      const unsigned char *end, struct dumpi_version v,
                      struct err *err)
{
    struct dumpi_bytes b = {*at, end};

    r->call = DUMPI_STREAM_END;
    if (b.at == b.end)
        return 0;
    if (!dumpi_has(&b, 2))
        return fail(err, "cut off");
    r->call = dumpi_u16(b.at);
    b.at += 2;
    if (r->call == DUMPI_STREAM_END) {
        *at = b.at;
        return 0;
    }
    if (r->call > DUMPI_STREAM_END || r->call == DUMPI_CALLS)
        return fail(err, "no record: a call has the number %u", r->call);
    if (!dumpi_has(&b, 1))
        return fail(err, "cut off");
    r->mask = *b.at++;
    if (r->mask & 0x30)
        return fail(err, "no record: its mask is 0x%02x", r->mask);
    if (dumpi_record_head(r, &b, err) < 0)
        return -1;
    struct dumpi_bytes begin = b;
    if (dumpi_args(r, &b, dumpi_layout(r->call, v), v, err) < 0)
        return -1;
    if (r->call == DUMPI_MPI_Gatherv &&
        dumpi_short_gatherv(r, &b, &begin, v, err) < 0)
        return -1;
    *at = b.at;
    return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the sizes of datatypes: MPI's own, and those that a rank derives. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_B UINT64_MAX

/* Sizes of MPI's datatypes by their numbers, used if the file does not have
 * them: those of C on 64 bits. */
static const uint8_t builtin_B[] = {
    0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
    8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20,
};
enum { NBUILTIN = sizeof builtin_B / sizeof builtin_B[0] };

static uint64_t size_in_file(const struct dumpi_file *f, size_t type)
{
    int32_t size_B = 0;

    if (type < f->nsizes)
        size_B = (int32_t)dumpi_u32(f->sizes + 4 * type);
    if (size_B > 0)
        return (uint64_t)size_B;
    return type < NBUILTIN ? builtin_B[type] : UNKNOWN_B;
}

/* Returns the size of a datatype. One that the rank derived itself is newer
 * than that in the file's table, because numbers of freed datatypes are
 * reused. */
static uint64_t size_of(const struct dumpi_rank *r, int64_t type)
{
    size_t t = (size_t)type;

    if (t < r->ntypes && r->type_B[t] != UNKNOWN_B)
        return r->type_B[t];
    return size_in_file(&r->file, t);
}

static void size_set(struct dumpi_rank *r, int64_t type, uint64_t size_B)
{
    size_t t = (size_t)type, n = r->ntypes;

    if (t >= n) {
        r->ntypes = t + 1 > 2 * n ? t + 1 : 2 * n;
        r->type_B = xrealloc(r->type_B, r->ntypes, sizeof *r->type_B);
        for (size_t i = n; i < r->ntypes; i++)
            r->type_B[i] = UNKNOWN_B;
    }
    r->type_B[t] = size_B;
}

static void says_unknown(struct dumpi_rank *r, int64_t type)
{
    if (r->state->said_type)
        return;
    r->state->said_type = true;
    char *where = dumpi_where(r);
    trace_remark(r->trace,
                 "%s: the size of datatype %lld is nowhere in the file: what "
                 "is of such datatypes counts as 0 bytes",
                 where, (long long)type);
    free(where);
}

int dumpi_bytes(struct dumpi_rank *r, int64_t count, int64_t type,
                uint64_t *bytes, struct err *err)
{
    uint64_t size_B = size_of(r, type);

    *bytes = 0;
    if (count < 0)
        return dumpi_fail(r, err, "count: expected 0 or more, got %lld",
                          (long long)count);
    if (size_B == UNKNOWN_B) {
        if (count)
            says_unknown(r, type);
        return 0;
    }
    if (__builtin_mul_overflow((uint64_t)count, size_B, bytes) ||
        *bytes > INT64_MAX)
        return dumpi_fail(r, err, "%lld values of %llu bytes: too many",
                          (long long)count, (unsigned long long)size_B);
    return 0;
}

/* --- derived datatypes ---------------------------------------------------- */

/* Derives a datatype of n elements of another. */
static int derive(struct dumpi_rank *r, int64_t n, int64_t of, int64_t type,
                  struct err *err)
{
    uint64_t size_B = size_of(r, of);

    if (size_B != UNKNOWN_B && dumpi_bytes(r, n, of, &size_B, err) < 0)
        return -1;
    size_set(r, type, size_B);
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

/* Returns the product, or -1 if it is not a valid count. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;

    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product))
        return -1;
    return product;
}

int dumpi_type_contiguous(struct dumpi_rank *r, struct err *err)
{
    return derive(r, dumpi_value(r, 0), dumpi_value(r, 1), dumpi_value(r, 2),
                  err);
}

int dumpi_type_vector(struct dumpi_rank *r, struct err *err)
{
    return derive(r, times(dumpi_value(r, 0), dumpi_value(r, 1)),
                  dumpi_value(r, 3), dumpi_value(r, 4), err);
}

int dumpi_type_indexed(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *lengths = dumpi_values(r, 1);
    int64_t n = 0;

    for (int64_t i = 0; i < lengths->value; i++)
        n += dumpi_int_of(lengths, (size_t)i);
    return derive(r, n, dumpi_value(r, 3), dumpi_value(r, 4), err);
}

int dumpi_type_indexed_block(struct dumpi_rank *r, struct err *err)
{
    return derive(r, times(dumpi_value(r, 0), dumpi_value(r, 1)),
                  dumpi_value(r, 3), dumpi_value(r, 4), err);
}

int dumpi_type_dup(struct dumpi_rank *r, struct err *err)
{
    return derive(r, 1, dumpi_value(r, 0), dumpi_value(r, 1), err);
}

int dumpi_type_resized(struct dumpi_rank *r, struct err *err)
{
    return derive(r, 1, dumpi_value(r, 0), dumpi_value(r, 3), err);
}

int dumpi_type_struct(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *lengths = dumpi_values(r, 1);
    const struct dumpi_arg *types = dumpi_values(r, 3);
    uint64_t total = 0, part;

    if (types->value != lengths->value)
        return dumpi_fail(r, err, "%lld lengths of blocks, but %lld datatypes",
                          (long long)lengths->value, (long long)types->value);
    for (int64_t i = 0; i < types->value && total != UNKNOWN_B; i++) {
        uint16_t type = dumpi_handle_of(types, (size_t)i);
        if (dumpi_bytes(r, dumpi_int_of(lengths, (size_t)i), type, &part, err) <
            0)
            return -1;
        if (__builtin_add_overflow(total, part, &total) || total > INT64_MAX)
            return dumpi_fail(r, err, "a datatype of too many bytes");
        if (size_of(r, type) == UNKNOWN_B)
            total = UNKNOWN_B;
    }
    size_set(r, dumpi_value(r, 4), total);
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

int dumpi_type_subarray(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *parts = dumpi_values(r, 2);
    int64_t n = 1;

    for (int64_t i = 0; i < parts->value && n > 0; i++)
        n = times(n, dumpi_int_of(parts, (size_t)i));
    return derive(r, n, dumpi_value(r, 5), dumpi_value(r, 6), err);
}

/* Assumes that each rank has an equal share of a distributed array. */
int dumpi_type_darray(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *sizes = dumpi_values(r, 3);
    int64_t n = 1, ranks = dumpi_value(r, 0);

    for (int64_t i = 0; i < sizes->value && n > 0; i++)
        n = times(n, dumpi_int_of(sizes, (size_t)i));
    if (ranks < 1)
        return dumpi_fail(r, err, "ranks: expected 1 or more, got %lld",
                          (long long)ranks);
    if (n > 0 && !r->state->said_darray) {
        r->state->said_darray = true;
        char *where = dumpi_where(r);
        trace_remark(r->trace,
                     "%s: each rank is taken to have an equal share of the "
                     "distributed array",
                     where);
        free(where);
    }
    return derive(r, n < 0 ? n : (n + ranks - 1) / ranks, dumpi_value(r, 8),
                  dumpi_value(r, 9), err);
}

/* The result of the call is the size. */
int dumpi_type_size(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    if (dumpi_value(r, 1) >= 0)
        size_set(r, dumpi_value(r, 0), (uint64_t)dumpi_value(r, 1));
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

int dumpi_type_match_size(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    if (dumpi_value(r, 1) >= 0)
        size_set(r, dumpi_value(r, 2), (uint64_t)dumpi_value(r, 1));
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

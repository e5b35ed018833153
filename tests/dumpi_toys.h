/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dumpi_toys.h - files of DUMPI traces that a test writes record by record, in
 * the layout that workloads/trace/dumpi/record.h and file.h describe. */
#ifndef TESTS_DUMPI_TOYS_H
#define TESTS_DUMPI_TOYS_H

#include "tests/scratch.h"

#include <stdarg.h>
#include <stdint.h>

/* The calls' numbers in a file. They are written here again, because a mistake
 * in the reader's table would not show otherwise. */
enum {
    T_SEND = 0,
    T_RECV = 1,
    T_BSEND = 3,
    T_SSEND = 4,
    T_RSEND = 5,
    T_ISEND = 8,
    T_IBSEND = 9,
    T_ISSEND = 10,
    T_IRECV = 12,
    T_WAIT = 13,
    T_TEST = 14,
    T_REQUEST_FREE = 15,
    T_WAITANY = 16,
    T_TESTANY = 17,
    T_WAITALL = 18,
    T_TESTALL = 19,
    T_WAITSOME = 20,
    T_TESTSOME = 21,
    T_IPROBE = 22,
    T_PROBE = 23,
    T_CANCEL = 24,
    T_SEND_INIT = 26,
    T_BSEND_INIT = 27,
    T_RECV_INIT = 30,
    T_START = 31,
    T_STARTALL = 32,
    T_SENDRECV = 33,
    T_SENDRECV_REPLACE = 34,
    T_TYPE_CONTIGUOUS = 35,
    T_TYPE_VECTOR = 36,
    T_TYPE_INDEXED = 38,
    T_TYPE_STRUCT = 40,
    T_TYPE_SIZE = 43,
    T_BARRIER = 52,
    T_BCAST = 53,
    T_GATHER = 54,
    T_GATHERV = 55,
    T_SCATTER = 56,
    T_SCATTERV = 57,
    T_ALLGATHER = 58,
    T_ALLGATHERV = 59,
    T_ALLTOALL = 60,
    T_ALLTOALLV = 61,
    T_REDUCE = 62,
    T_ALLREDUCE = 65,
    T_REDUCE_SCATTER = 66,
    T_SCAN = 67,
    T_COMM_GROUP = 72,
    T_GROUP_UNION = 73,
    T_GROUP_INTERSECTION = 74,
    T_GROUP_DIFFERENCE = 75,
    T_GROUP_INCL = 76,
    T_GROUP_EXCL = 77,
    T_GROUP_RANGE_INCL = 78,
    T_GROUP_RANGE_EXCL = 79,
    T_GROUP_FREE = 80,
    T_COMM_SIZE = 81,
    T_COMM_RANK = 82,
    T_COMM_DUP = 84,
    T_COMM_CREATE = 85,
    T_COMM_SPLIT = 86,
    T_COMM_FREE = 87,
    T_INTERCOMM_CREATE = 91,
    T_CART_CREATE = 99,
    T_GRAPH_CREATE = 101,
    T_CART_SHIFT = 110,
    T_CART_SUB = 111,
    T_INIT = 124,
    T_FINALIZE = 125,
    T_PCONTROL = 128,
    T_PUT = 143,
    T_WIN_COMPLETE = 144,
    T_WIN_CREATE = 145,
    T_WIN_FENCE = 146,
    T_WIN_FREE = 147,
    T_WIN_LOCK = 149,
    T_WIN_POST = 150,
    T_WIN_START = 151,
    T_WIN_TEST = 152,
    T_WIN_UNLOCK = 153,
    T_WIN_WAIT = 154,
    T_ALLTOALLW = 155,
    T_EXSCAN = 156,
    T_TYPE_DARRAY = 217,
    T_FILE_READ = 248,
    T_ENTER = 291,
    T_EXIT = 292,
    T_END = 293
};

/* Numbers of MPI's own handles. */
enum { T_WORLD = 2, T_SELF = 3, T_BYTE = 5, T_INT = 9, T_DOUBLE = 14 };

struct toy_file {
    unsigned char *at;
    size_t n, room;
    unsigned char mask, version[3];
    uint32_t clock_ns;
    size_t body, header, footer, sizes;
    uint64_t start_s;
    const char *user;
    uint32_t finalizes, skipped_dups; /* for the footer */
    bool no_footer_counts;
};

static inline void toy_put(struct toy_file *f, uint64_t value, int size_B)
{
    if (f->n + 8 > f->room)
        f->at = xrealloc(f->at, f->room = 2 * f->room + 64, 1);
    for (int i = size_B - 1; i >= 0; i--)
        f->at[f->n++] = (unsigned char)(value >> (8 * i));
}

/* Returns a file of version 13.0.0, with CPU and wall times, threads and
 * statuses. */
static inline struct toy_file toy_file_new(void)
{
    struct toy_file f = {.mask = 0x4f, .version = {13, 0, 0}, .user = "toy"};

    f.start_s = 1000000;
    toy_put(&f, UINT64_C(0xffaadd44554d5049), 8);
    f.body = f.n;
    toy_put(&f, 7, 4);   /* offset of the CPU's clock */
    toy_put(&f, 100, 4); /* offset of the wall clock */
    return f;
}

/* Writes the record of a call before its arguments; each call lasts 1 us, and 1
 * us is between two. */
static inline void toy_call(struct toy_file *f, int call)
{
    toy_put(f, (uint64_t)call, 2);
    toy_put(f, f->mask, 1);
    if (f->mask & 64)
        toy_put(f, 0, 2);
    for (int clock = 4; clock <= 8; clock *= 2)
        for (uint32_t k = 0; k < 2 && f->mask & clock; k++) {
            toy_put(f, 5, 2);
            toy_put(f, f->clock_ns + 1000 * k, 4);
        }
    if (f->mask & 128) {
        toy_put(f, 2, 1);
        for (int k = 0; k < 4; k++)
            toy_put(f, 99, 8);
    }
    f->clock_ns += 2000;
}

/*
 * Writes a call with arguments by their kinds: b h i l are numbers; a t d are a
 * count and as many numbers; s is a text; x is the number of statuses, and
 * bytes, source and tag of each.
 */
static inline void toy(struct toy_file *f, int call, const char *kinds, ...)
{
    va_list v;

    toy_call(f, call);
    va_start(v, kinds);
    for (; *kinds; kinds++) {
        int each = strchr("bds", *kinds)            ? 1
                   : *kinds == 'h' || *kinds == 't' ? 2
                   : *kinds == 'l'                  ? 8
                                                    : 4;
        if (*kinds == 's') {
            const char *text = va_arg(v, const char *);
            toy_put(f, strlen(text), 4);
            for (; *text; text++)
                toy_put(f, (unsigned char)*text, 1);
            continue;
        }
        int value = va_arg(v, int);
        if (*kinds == 'x' && !(f->mask & 3))
            continue;
        toy_put(f, (uint64_t)value, strchr("atdx", *kinds) ? 4 : each);
        for (int i = 0; i < value && strchr("atd", *kinds); i++)
            toy_put(f, (uint64_t)va_arg(v, int), each);
        for (int i = 0; i < value && *kinds == 'x'; i++) {
            toy_put(f, (uint64_t)va_arg(v, int), 4);
            toy_put(f, (uint64_t)va_arg(v, int), 4);
            toy_put(f, 0, 2);
            int tag = va_arg(v, int);
            bool old =
                f->version[0] == 0 && f->version[1] == 6 && f->version[2] < 3;
            if (!old)
                toy_put(f, (uint64_t)tag, 4);
        }
    }
    va_end(v);
}

static inline void toy_text16(struct toy_file *f, const char *text)
{
    toy_put(f, strlen(text), 2);
    for (; *text; text++)
        toy_put(f, (unsigned char)*text, 1);
}

/* Writes the end of the stream and the rest of the file. */
static inline void toy_close(struct toy_file *f)
{
    toy_put(f, T_END, 2);
    f->header = f->n;
    for (int i = 0; i < 3; i++)
        toy_put(f, f->version[i], 1);
    toy_put(f, f->start_s, 8);
    toy_text16(f, "host");
    toy_text16(f, f->user);
    toy_put(f, 0, 4);
    toy_put(f, 0, 4);
    f->footer = f->n;
    toy_put(f, 0xf007fee7, 8);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= 290; i++)
            toy_put(f,
                    f->no_footer_counts     ? 0
                    : i == T_FINALIZE && !k ? f->finalizes
                    : i == T_COMM_DUP       ? f->skipped_dups
                    : i == T_INIT && !k     ? 1
                                            : 0,
                    4);
    toy_put(f, 0, 4); /* no key values */
    f->sizes = f->n;
    toy_put(f, 10, 4);
    for (int i = 0; i < 10; i++)
        toy_put(f, i == T_BYTE ? 1 : i == T_INT ? 4 : 0, 4);
    toy_put(f, UINT64_C(0xffaadd44554d5049), 8);
    toy_put(f, f->sizes, 8);
    toy_put(f, 0, 8);
    toy_put(f, 0, 8);
    toy_put(f, f->header, 8);
    toy_put(f, f->body, 8);
    toy_put(f, f->footer, 8);
    toy_put(f, 0, 8);
}

/* Writes the file under this name into the scratch folder. The caller frees the
 * path. */
static inline char *toy_write(struct toy_file *f, const char *name)
{
    char *path = scratch_bytes(name, f->at, f->n);

    free(f->at);
    f->at = NULL;
    return path;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.h - one record of a DUMPI file: a call with its times and arguments.
 * All numbers are big-endian. A record has the call's number (2 bytes), a mask
 * of the optional fields (1), the thread (2), CPU and wall time of its begin
 * and end (6 each: seconds after the stream's bias and nanoseconds), hardware
 * counters, and the arguments in the order of calls.def.
 */
#ifndef WORKLOADS_TRACE_DUMPI_RECORD_H
#define WORKLOADS_TRACE_DUMPI_RECORD_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DUMPI_STATUS = 3, /* bits of a record's mask */
    DUMPI_CPU = 4,
    DUMPI_WALL = 8,
    DUMPI_THREAD = 64,
    DUMPI_COUNTERS = 128,
};

/* The numbers of calls. */
enum dumpi_call {
#define DUMPI_CALL(name, args, meaning) DUMPI_##name,
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL
    DUMPI_CALLS, /* in the footer also the number of all calls together */
    DUMPI_FUNCTION_ENTER,
    DUMPI_FUNCTION_EXIT,
    DUMPI_STREAM_END
};

extern const char *const dumpi_call_names[DUMPI_CALLS];

/* An argument: a number, or the number of values that begin at `at`. */
struct dumpi_arg {
    int64_t value;
    const unsigned char *at;
};
#define DUMPI_ARGS 12
#define DUMPI_INT_MOST INT32_MAX

struct dumpi_record {
    uint16_t call;
    uint8_t mask;
    uint16_t thread;
    /* Seconds after the bias, the lowest 16 bits of them, and nanoseconds. */
    uint16_t begin_s, end_s;
    uint32_t begin_ns, end_ns;
    struct dumpi_arg arg[DUMPI_ARGS];
};

/* The version of the library that wrote the file. */
struct dumpi_version {
    uint8_t major, minor, patch;
};
/* Returns whether a version is older than this one. */
bool dumpi_before(struct dumpi_version v, int major, int minor, int patch);

/* One status of a list. */
struct dumpi_status {
    int32_t bytes, source, tag; /* tag is -1 if it is not recorded */
};
struct dumpi_status dumpi_status_of(const struct dumpi_arg *a, size_t i,
                                    struct dumpi_version v);

static inline uint16_t dumpi_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t dumpi_u32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

static inline uint64_t dumpi_u64(const unsigned char *at)
{
    return (uint64_t)dumpi_u32(at) << 32 | dumpi_u32(at + 4);
}

/* Return element i of an array of integers of 4 bytes, or of handles of 2. */
static inline int32_t dumpi_int_of(const struct dumpi_arg *a, size_t i)
{
    return (int32_t)dumpi_u32(a->at + 4 * i);
}

static inline uint16_t dumpi_handle_of(const struct dumpi_arg *a, size_t i)
{
    return dumpi_u16(a->at + 2 * i);
}

/* Reads the record at *at, which ends before `end`. Returns 1 and moves *at
 * after it, or 0 at the end of the stream. err does not have the position in
 * the file, which the caller adds. */
int dumpi_record_read(struct dumpi_record *r, const unsigned char **at,
                      const unsigned char *end, struct dumpi_version v,
                      struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.h - one rank's file of a DUMPI trace: a magic number, the stream of
 * records, a header (version, start, host, user), a footer (how often each call
 * was made, and how often it was not recorded), sizes of datatypes; last an
 * index of where these begin. What the index says is checked here.
 */
#ifndef WORKLOADS_TRACE_DUMPI_FILE_H
#define WORKLOADS_TRACE_DUMPI_FILE_H

#include "workloads/trace/dumpi/record.h"
#include "workloads/trace/input.h"

struct dumpi_file {
    struct input in;
    struct dumpi_version version;
    const unsigned char *stream, *stream_end; /* records */
    uint32_t cpu_bias_s, wall_bias_s;         /* of their times */
    uint64_t start_s;                         /* 1970 and then; 0: unknown */
    struct dumpi_arg user;                    /* who ran it */
    const unsigned char *sizes;               /* of datatypes, 4 bytes each */
    size_t nsizes;
    /* How often each call was made and not recorded, 4 bytes each; NULL: not
     * known. */
    const unsigned char *not_recorded;
    bool has_wall, has_times; /* its first record */
};

/* "FILE: ..." or "FILE: byte N: ..." says err. After an error there is nothing
 * to close. */
int dumpi_file_open(struct dumpi_file *f, const char *path,
                    struct err *err) MUST_CHECK;
void dumpi_file_close(struct dumpi_file *f);

/* Do these bytes begin such a file? In the other order of bytes too. */
bool dumpi_file_is(const char *head, size_t n);

/* Where in the file. */
static inline uint64_t dumpi_file_place(const struct dumpi_file *f,
                                        const unsigned char *at)
{
    return (uint64_t)((const char *)at - f->in.begin);
}

#endif

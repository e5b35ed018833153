/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.h - one rank's file of a DUMPI trace: a magic number, the stream of
 * records, a header (version, start, host, user), a footer (how often each call
 * was made, and how often it was not recorded), sizes of datatypes, and an
 * index with the offsets of these, which are checked here.
 */
#ifndef WORKLOADS_TRACE_DUMPI_FILE_H
#define WORKLOADS_TRACE_DUMPI_FILE_H

#include "workloads/trace/dumpi/record.h"
#include "workloads/trace/input.h"

struct dumpi_file {
    struct input in;
    struct dumpi_version version;
    const unsigned char *stream, *stream_end; /* the records */
    uint32_t cpu_bias_s, wall_bias_s; /* added to the seconds of their times */
    uint64_t start_s;                 /* seconds since 1970; 0 if unknown */
    struct dumpi_arg user;            /* user who ran it */
    const unsigned char *sizes;       /* sizes of datatypes, 4 bytes each */
    size_t nsizes;
    /* The number of times that each call was made and not recorded, 4 bytes
     * each; NULL if this is unknown. */
    const unsigned char *not_recorded;
    bool has_wall, has_times; /* according to its first record */
};

/* Opens and checks a file. An error is "FILE: ..." or "FILE: byte N: ...".
 * After an error there is nothing to close. */
int dumpi_file_open(struct dumpi_file *f, const char *path,
                    struct err *err) MUST_CHECK;
void dumpi_file_close(struct dumpi_file *f);

/* Returns whether a file that begins with these bytes is one of DUMPI, in
 * either byte order. */
bool dumpi_file_is(const char *head, size_t n);

/* Returns the offset of `at` in the file. */
static inline uint64_t dumpi_file_place(const struct dumpi_file *f,
                                        const unsigned char *at)
{
    return (uint64_t)((const char *)at - f->in.begin);
}

#endif

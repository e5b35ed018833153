/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_line.h - a parser of the lines of a MatrixMarket file, all of which it
 * checks, and of the entries of a square sparse matrix in them. */
#ifndef WORKLOADS_MTX_LINE_H
#define WORKLOADS_MTX_LINE_H

#include "base/err.h"
#include "workloads/mtx_banner.h"
#include "workloads/mtx_pairs.h"

#include <stddef.h>
#include <stdint.h>

enum mtx_stage { MTX_AT_BANNER, MTX_AT_SIZE, MTX_AT_ENTRIES };

struct mtx_lines {
    const char *path; /* borrowed, as is err */
    struct err *err;
    uint64_t max_text_B; /* upper limit of the text */
    uint64_t line;       /* the last one parsed, from 1 */
    enum mtx_stage stage;
    struct mtx_kind kind;
    uint64_t rows, entries; /* as stated in the file */
    uint64_t seen;          /* number of entries so far */
    struct mtx_pair last;   /* the entry of the last line */
};

/* Parses the next line of len bytes, the last of them a newline. Returns 1 if
 * it is an entry, 0 if not, or -1. Errors name file and line. */
int mtx_line(struct mtx_lines *s, const char *line, size_t len) MUST_CHECK;

/* Parses whole lines, followed by eight zeros, all after the size; appends
 * their entries to `out`. Returns -1 at the first line that is wrong. */
int mtx_lines_read(struct mtx_lines *s, const char *text, size_t len,
                   struct mtx_pairs *out) MUST_CHECK;

/* Fails with the file and line in front of the message. */
#define mtx_fail(s, ...)                                                       \
    (err_set((s)->err, ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__),            \
     mtx_fail_here(s))
int mtx_fail_here(struct mtx_lines *s);

#endif

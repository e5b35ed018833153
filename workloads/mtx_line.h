/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_line.h - the lines of a MatrixMarket file, every one checked, and the
 * entries of a square sparse matrix that they give. */
#ifndef WORKLOADS_MTX_LINE_H
#define WORKLOADS_MTX_LINE_H

#include "base/err.h"
#include "workloads/mtx_banner.h"
#include "workloads/mtx_pairs.h"

#include <stddef.h>
#include <stdint.h>

enum mtx_stage { MTX_AT_BANNER, MTX_AT_SIZE, MTX_AT_ENTRIES };

struct mtx_lines {
    const char *path; /* borrowed, as err is */
    struct err *err;
    uint64_t max_text_B; /* what the file can hold */
    uint64_t line;       /* the last that was looked at, from 1 */
    enum mtx_stage stage;
    struct mtx_kind kind;
    uint64_t rows, entries; /* as the file states them */
    uint64_t seen;          /* entries up to here */
    struct mtx_pair last;   /* the entry of the last line */
};

/*
 * The next line, of len bytes, the last of them a newline: 1 when it is an
 * entry, 0 when it is none, -1. Errors name file and line.
 */
int mtx_line(struct mtx_lines *s, const char *line, size_t len) MUST_CHECK;

/*
 * Whole lines (eight zeros follow them), all after the size: their entries go
 * to `out`, as far as there are good ones. -1 at the first line that is wrong.
 */
int mtx_lines_read(struct mtx_lines *s, const char *text, size_t len,
                   struct mtx_pairs *out) MUST_CHECK;

/* fail() with the file and line in front. */
#define mtx_fail(s, ...)                                                       \
    (err_set((s)->err, ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__),            \
     mtx_fail_here(s))
int mtx_fail_here(struct mtx_lines *s);

#endif

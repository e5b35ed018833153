/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - a text file, plain or gzipped, in pieces of whole lines, for files
 * of gigabytes that several threads parse, each its own piece. */
#ifndef WORKLOADS_LINES_H
#define WORKLOADS_LINES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* If a line is longer than a piece, at least this much of its beginning is
     * kept. A comment of any length stays one line. */
    LINES_KEPT_B = 2048,
    /* A good size, because it fits into a core's cache. */
    LINES_PIECE_B = 1 << 21,
};

struct lines {
    void *gz;
    size_t piece_B;
    uint64_t max_text_B; /* upper limit of the unpacked size */
    char *rest;          /* the incomplete line after the last piece */
    size_t rest_B;
    bool all; /* no more pieces come, except for a failure */
    /* The reason why reading failed. */
    int failure; /* code of zlib; 0 if none */
    int failure_errno;
    char failure_text[64];
};

struct lines_piece {
    char *text; /* len bytes, the last a newline, then eight zeros */
    size_t len;
};

/* Opens a file. piece_B is the size of a piece's text, at least 2 *
 * LINES_KEPT_B. */
int lines_open(struct lines *l, const char *path, size_t piece_B,
               struct err *err) MUST_CHECK;
void lines_close(struct lines *l);

/* Returns an empty piece for lines_next(); the caller frees its text. */
struct lines_piece lines_piece_new(const struct lines *l);

/* Reads the next piece, which is not empty. Returns false at the end of the
 * data that can be read. */
bool lines_next(struct lines *l, struct lines_piece *p);

/* Returns -1 after the last piece if the file could not be read to its end,
 * with an error to which the caller adds "PATH:LINE: ". *begun is set if the
 * failure is within the line after the last one. */
int lines_check(const struct lines *l, bool *begun, struct err *err) MUST_CHECK;

#endif

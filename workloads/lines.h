/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - a text file, plain or gzipped, in pieces of whole lines: for files
 * of gigabytes that several threads look at, each at a piece of its own. */
#ifndef WORKLOADS_LINES_H
#define WORKLOADS_LINES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* A line that is longer than a piece keeps at least so many bytes of its
     * beginning. A comment of any length stays one line. */
    LINES_KEPT_B = 2048,
    LINES_PIECE_B = 1 << 21, /* a good size: stays in a core's cache */
};

struct lines {
    void *gz;
    size_t piece_B;
    uint64_t max_text_B; /* what the file can hold when unpacked */
    char *rest;          /* the begun line after the last piece */
    size_t rest_B;
    bool all; /* nothing comes after the pieces handed out, but for a failure */
    /* Why the file could not be read on. */
    int failure; /* of zlib; 0: none */
    int failure_errno;
    char failure_text[64];
};

struct lines_piece {
    char *text; /* len bytes: the last is a newline; then eight zeros */
    size_t len;
};

/* piece_B: of a piece's text, at least 2 * LINES_KEPT_B. */
int lines_open(struct lines *l, const char *path, size_t piece_B,
               struct err *err) MUST_CHECK;
void lines_close(struct lines *l);

/* An empty piece for lines_next(); the caller frees its text. */
struct lines_piece lines_piece_new(const struct lines *l);

/* The next piece: not empty. False at the end of what can be read. */
bool lines_next(struct lines *l, struct lines_piece *p);

/* After the last piece: -1 when the file could not be read to its end, with
 * what comes after "PATH:LINE: ". *begun: within the line after the last. */
int lines_check(const struct lines *l, bool *begun, struct err *err) MUST_CHECK;

#endif

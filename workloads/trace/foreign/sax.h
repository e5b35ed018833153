/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sax.h - the JSON of a file, value by value while yajl reads it, so that
 * memory does not grow with the file. */
#ifndef WORKLOADS_TRACE_FOREIGN_SAX_H
#define WORKLOADS_TRACE_FOREIGN_SAX_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text, number or key. It does not end in a zero, and is valid only during
 * the call. */
struct sax_text {
    const char *at;
    size_t n;
};

/* The callbacks. Each may return false to stop reading; sax_read() then returns
 * 0. */
struct sax_calls {
    bool (*open)(void *arg, bool array); /* { or [ */
    bool (*close)(void *arg, bool array);
    bool (*key)(void *arg, struct sax_text key);
    bool (*text)(void *arg, struct sax_text value);
    bool (*number)(void *arg, struct sax_text value);
    bool (*flag)(void *arg, bool value);
};

/* The offset of the current value in the unpacked file. */
struct sax_place {
    uint64_t bytes;
};

/* Reads a file. Returns 1 if it was read to the end, 0 if it was stopped, -1
 * after an error. If `head`, a packed file is unpacked only as far as it is
 * read, because reading stops soon; else it is unpacked as a whole first. */
int sax_read(const char *path, bool head, const struct sax_calls *calls,
             void *arg, struct sax_place *place, struct err *err) MUST_CHECK;

/* Copies a text to out, cut to `room` bytes with its zero. */
void sax_copy(struct sax_text t, char *out, size_t room);
/* Returns the number, or 0 if it is none. */
double sax_double(struct sax_text t);
/* Returns the whole number, or `other` if it is none. */
int64_t sax_whole(struct sax_text t, int64_t other);

#endif

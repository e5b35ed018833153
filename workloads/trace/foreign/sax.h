/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sax.h - JSON of a file, given value by value as it is read, by yajl: memory
 * does not grow with the file. */
#ifndef WORKLOADS_TRACE_FOREIGN_SAX_H
#define WORKLOADS_TRACE_FOREIGN_SAX_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word, number or key: not ended by a zero, and not longer lived than the
 * call. */
struct sax_text {
    const char *at;
    size_t n;
};

/* Each returns false to stop reading: then sax_read() returns 0. */
struct sax_calls {
    bool (*open)(void *arg, bool array); /* { or [ */
    bool (*close)(void *arg, bool array);
    bool (*key)(void *arg, struct sax_text key);
    bool (*text)(void *arg, struct sax_text value);
    bool (*number)(void *arg, struct sax_text value);
    bool (*flag)(void *arg, bool value);
};

/* The offset of what is given, in the unpacked file. */
struct sax_place {
    uint64_t bytes;
};

/* 1: read to its end. head: reads the packed file as far as it goes, for files
 * that are stopped soon; else it is unpacked at once. */
int sax_read(const char *path, bool head, const struct sax_calls *calls,
             void *arg, struct sax_place *place, struct err *err) MUST_CHECK;

static inline bool sax_is(struct sax_text t, const char *word)
{
    size_t i = 0;

    for (; i < t.n && word[i]; i++)
        if (t.at[i] != word[i])
            return false;
    return i == t.n && !word[i];
}

/* Cut to `room` with its zero. */
void sax_copy(struct sax_text t, char *out, size_t room);
/* 0 for what is no number. */
double sax_double(struct sax_text t);
/* `other` for what is no whole number. */
int64_t sax_whole(struct sax_text t, int64_t other);

#endif

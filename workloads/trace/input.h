/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input.h - the bytes of a file of a trace, plain, gzipped or packed by xz, as
 * memory. A plain file is mapped. A packed file is unpacked into a file without
 * a name in $TMPDIR (or /tmp), which is mapped. No file stays open, so that a
 * trace may have thousands of them, and pages are released once they have been
 * read.
 */
#ifndef WORKLOADS_TRACE_INPUT_H
#define WORKLOADS_TRACE_INPUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *begin, *end; /* the contents; both NULL if the file is empty */
    const char *at;          /* position of the reader, which moves it */
    /* Bytes from the beginning that are released, in whole pages. */
    size_t given_back;
};

/* Maps a file. After an error there is nothing to close. */
int input_open(struct input *in, const char *path, struct err *err) MUST_CHECK;
void input_close(struct input *in);

/* Releases pages before `at`, which the reader does not need soon; it does so
 * only once in a while, because each call of the kernel costs time. They may
 * still be read: then they come from the file again. */
void input_pass(struct input *in);

/* Reads the first bytes of a file, unpacked, at most `room`, and sets *n to
 * their number. A folder has none, and a broken file has those that can be
 * unpacked. Returns -1 if the file cannot be read. */
int input_head(const char *path, char *head, size_t room, size_t *n,
               struct err *err) MUST_CHECK;

/* Returns whether a file begins as xz packs files; false if it cannot be
 * read. */
bool input_is_xz(const char *path);

#endif

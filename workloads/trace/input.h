/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input.h - the bytes of a file of a trace, plain, gzipped or packed by xz, as
 * memory: a plain file is mapped, a packed one is unpacked into a file without
 * a name in $TMPDIR (or /tmp) and that is mapped. No file stays open, so a
 * trace may have thousands; pages that were read are given back.
 */
#ifndef WORKLOADS_TRACE_INPUT_H
#define WORKLOADS_TRACE_INPUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *begin, *end; /* all of it; may be empty, then both NULL */
    const char *at;          /* the reader's: what comes next */
    size_t given_back;       /* bytes from the beginning, whole pages */
};

/* After an error there is nothing to close. */
int input_open(struct input *in, const char *path, struct err *err) MUST_CHECK;
void input_close(struct input *in);

/* Once in a while: what is before `at` is not needed soon. (It may still be
 * read: then it comes from the file again.) */
void input_pass(struct input *in);

/* Its first bytes, unpacked, at most `room`: how many. A folder has none, and a
 * broken file those that can be unpacked. */
int input_head(const char *path, char *head, size_t room, size_t *n,
               struct err *err) MUST_CHECK;

/* Whether a file begins as what xz packed; false if it cannot be read. */
bool input_is_xz(const char *path);

#endif

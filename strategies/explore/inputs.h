/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.h - the files that an experiment names, and digests of what is in them
 * by which a sweep that goes on notices that one has changed. */
#ifndef STRATEGIES_EXPLORE_INPUTS_H
#define STRATEGIES_EXPLORE_INPUTS_H

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>

struct input {
    bool platform; /* with the files that it extends; else: one file */
    char *path;
};

struct inputs {
    struct input *list;
    size_t n;
};

/* Its platforms; of the other keys what names a file, or a folder of files. */
void inputs_of(struct inputs *in, const struct json *experiment);
void inputs_clear(struct inputs *in);

/* -1: it cannot be read: whoever wants it will say why. */
int input_digest(const struct input *in, uint64_t *digest) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.h - the files that an experiment names, and digests of their contents,
 * by which a continued sweep notices that one has changed. */
#ifndef STUDY_EXPLORE_INPUTS_H
#define STUDY_EXPLORE_INPUTS_H

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>

struct input {
    /* A platform with the files that it extends; otherwise one file. */
    bool platform;
    char *path;
};

struct inputs {
    struct input *list;
    size_t n;
};

/* Lists the experiment's platforms, and each file, or file in a folder, that
 * its other keys name. inputs_clear() frees the list. */
void inputs_of(struct inputs *in, const struct json *experiment);
void inputs_clear(struct inputs *in);

/* Computes the digest. Returns -1 if the input cannot be read, without an
 * error, because the run that reads it reports one. */
int input_digest(const struct input *in, uint64_t *digest) MUST_CHECK;

#endif

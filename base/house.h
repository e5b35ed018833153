/* SPDX-License-Identifier: GPL-3.0-or-later */
/* house.h - where the files that come with sluice are: platforms, matrices,
 * templates of figures. */
#ifndef BASE_HOUSE_H
#define BASE_HOUSE_H

#include "base/err.h"

enum { HOUSE_PLACES = 2 };

/*
 * The i-th place to look for a file or folder of the source tree, such as
 * "platforms": two folders above the program, then in the source tree itself.
 * Relative when it is below the current folder: shorter to read, and the same
 * in everybody's output. It may not exist; the caller frees it.
 */
char *house_place(const char *name, int i);

/* The first place with a readable file of that name, or NULL and an error that
 * names it; the caller frees. */
char *house_file(const char *name, struct err *err);

#endif

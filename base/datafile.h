/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datafile.h - where the files that come with sluice are: platforms, presets,
 * matrices, templates of figures, tables of papers. */
#ifndef BASE_DATAFILE_H
#define BASE_DATAFILE_H

#include "base/err.h"

enum { DATAFILE_PLACES = 6 };

/*
 * The i-th place to look for a file or folder that is named as in the source
 * tree, such as "platforms": below $SLUICE_DATA; for an installed program or
 * library ../share/sluice (or ../../share/sluice) of the folder it is in; for a
 * program in a build folder the source tree two folders above it; the source
 * tree that it was built from; and where it was configured to be installed.
 * Relative when it is below the current folder: shorter to read, and the same
 * in everybody's output. NULL where there is no such place; what it names may
 * not exist. The caller frees it.
 */
char *datafile_place(const char *name, int i);

/*
 * A module, a shared object that is loaded when it is wanted: in the folder of
 * the program or library, in sluice/ of the folder of libraries next to it, in
 * the build folder, or where it was configured to be installed. NULL and an
 * error when it is in none; the caller frees the path.
 */
char *datafile_module(const char *name, struct err *err);

/* The first place with a readable file of that name, or NULL and an error that
 * names it; the caller frees. */
char *datafile_find(const char *name, struct err *err);

#endif

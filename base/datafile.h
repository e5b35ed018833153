/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datafile.h - the places of files that come with sluice: platforms, presets,
 * matrices, templates of figures, tables of papers. */
#ifndef BASE_DATAFILE_H
#define BASE_DATAFILE_H

#include "base/err.h"

enum { DATAFILE_PLACES = 6 };

/*
 * Returns the i-th place to search for a file or folder, which is named as in
 * the source tree, such as "platforms": below $SLUICE_DATA; for an installed
 * program or library, ../share/sluice (or ../../share/sluice) of its folder;
 * for a program in a build folder, the source tree two folders above it; the
 * source tree from which it was built; and the place where it was configured to
 * be installed. The path is relative if it is below the current folder, because
 * that is shorter to read and equal in everybody's output. NULL if there is no
 * such place; the file may not exist. The caller frees the path.
 */
char *datafile_place(const char *name, int i);

/*
 * Returns the path of a module, a shared object that is loaded when it is
 * needed: in the folder of the program or library, in sluice/ of the folder of
 * libraries next to it, in the build folder, or in the place where it was
 * configured to be installed. Returns NULL and an error if it is in none; the
 * caller frees the path.
 */
char *datafile_module(const char *name, struct err *err);

/* Returns the path of a script that comes with the program. $SLUICE_DATA names
 * data alone: its folder is not searched, because a folder of somebody else's
 * data must not choose the code that runs. Returns NULL and an error if there
 * is none; the caller frees the path. */
char *datafile_script(const char *name, struct err *err);

/* Returns the first place that has a readable file of that name, or NULL and an
 * error that names it; the caller frees the path. */
char *datafile_find(const char *name, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - the hint in the error about an unknown word: the nearest known one,
 * and the others. */
#ifndef BASE_KNOWN_H
#define BASE_KNOWN_H

#include <stddef.h>

/*
 * Returns " (did you mean ring?); known: ring, swing", without the question if
 * no name is near. If the list would fill lines, it names the command that
 * prints it instead: "; all: sluice list algorithms". The caller frees the
 * text.
 */
char *known_hint(const char *word, const char *const *names, size_t n,
                 const char *command);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleanup.h - files that are not complete yet; none is left if the program is
 * ended by INT, TERM or HUP, or because memory runs out. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

/*
 * Remembers a file or folder before it is made. Returns its number for
 * cleanup_drop(), or -1 if there is no more room or the path is too long; such
 * a file would be left. Only files of this process are removed: a child does
 * not touch them. It must be called from one thread at a time.
 */
int cleanup_add(const char *path);
/* Forgets a file that is complete, or removed. */
void cleanup_drop(int number);

/* Removes the remembered files, then folders. It is safe in a signal
 * handler. */
void cleanup_now(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleanup.h - files that are not whole yet: none stays behind when the program
 * is ended by INT, TERM or HUP, or for want of memory. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

/*
 * Remembers a file or folder, before it is made: its number for cleanup_drop(),
 * or -1 when there is no more room, or the path is too long: it then stays
 * behind. Files of this process only: a child leaves them alone. Call it from
 * one thread at a time.
 */
int cleanup_add(const char *path);
/* It is whole, or removed. */
void cleanup_drop(int number);

/* Removes what is remembered: files, then folders. Safe in a signal handler. */
void cleanup_now(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - work in a child process, with a pipe from it. It is needed because
 * SimGrid keeps its state in global variables, so that a process can create its
 * engine only once. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int from; /* the reading end of its pipe */
};

/* Runs job(arg, fd) in a child; the parent gets the reading end. Several
 * threads may do so. The thread that spawns a child must reap it, because the
 * child ends with that thread. */
int child_spawn(struct child *c, void (*job)(const void *arg, int fd),
                const void *arg, struct err *err) MUST_CHECK;
/* Waits for a child to end. `complete` means that all expected data have been
 * read; if not, it fails with the reason for the child's end. */
int child_reap(struct child *c, bool complete, struct err *err);

/* Write or read all bytes through a pipe; return -1 if the other end is
 * gone. */
int child_put(int fd, const void *data, size_t bytes) MUST_CHECK;
int child_get(int fd, void *data, size_t bytes) MUST_CHECK;

/* Writes the child's status: success, or its error. The child is a copy of this
 * process, so the pointers in an err are valid here, too. */
int child_put_status(int fd, int status, const struct err *err);
/* Reads it. Returns 0 on success, 1 if the child reports err, -1 if the child
 * is gone. */
int child_get_status(int fd, struct err *err) MUST_CHECK;

/* Runs job(arg, err) in a child. Results are passed in memory of
 * child_shared(). */
int child_run(int (*job)(void *arg, struct err *err), void *arg,
              struct err *err) MUST_CHECK;
void *child_shared(size_t bytes); /* filled with zeros */
void child_unshare(void *p, size_t bytes);

#endif

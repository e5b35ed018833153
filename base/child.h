/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - runs work in a child process, with a pipe from it: SimGrid keeps
 * its state in global variables, so a process can create its engine only once.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int from; /* what it writes */
};

/* Runs job(arg, fd) in a child; the parent gets the reading end. Several
 * threads may do so; the one that does must reap the child, which ends with
 * it. */
int child_spawn(struct child *c, void (*job)(const void *arg, int fd),
                const void *arg, struct err *err) MUST_CHECK;
/* `complete`: everything that was expected has been read. */
int child_reap(struct child *c, bool complete, struct err *err);

int child_put(int fd, const void *data, size_t bytes) MUST_CHECK;
int child_get(int fd, void *data, size_t bytes) MUST_CHECK;

/* The child's status: success, or the error. The child is a copy of
 * this process, so the pointers in an err hold here too. */
int child_put_status(int fd, int status, const struct err *err);
/* 0: success; 1: the child reports err; -1: the child is gone. */
int child_get_status(int fd, struct err *err) MUST_CHECK;

/* Runs job(arg, err) in a child; results are passed in memory from
 * child_shared(). */
int child_run(int (*job)(void *arg, struct err *err), void *arg,
              struct err *err) MUST_CHECK;
void *child_shared(size_t bytes); /* zeros */
void child_unshare(void *p, size_t bytes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs work in a child process, and reads its result or error through a
 * pipe. */
#include "base/child.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int child_put(int fd, const void *data, size_t bytes)
{
    const char *at = data;

    while (bytes) {
        ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int child_get(int fd, void *data, size_t bytes)
{
    char *at = data;

    while (bytes) {
        ssize_t n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* Forks for one thread at a time, because otherwise a child would inherit the
 * writing end of another child's pipe, and a reader of a child that was killed
 * would wait for both. */
static pid_t fork_with_pipe(int ends[2], struct err *err)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    pid_t pid;

    pthread_mutex_lock(&one);
    if (pipe(ends)) {
        pid = fail_work(err, "pipe: %s", strerror(errno));
    } else {
        fflush(NULL);
        pid = fork();
        if (pid < 0) {
            pid = fail_work(err, "fork: %s", strerror(errno));
            close(ends[0]);
        }
        if (pid != 0)
            close(ends[1]);
    }
    pthread_mutex_unlock(&one);
    return pid;
}

int child_spawn(struct child *c, void (*job)(const void *arg, int fd),
                const void *arg, struct err *err)
{
    int ends[2];

    c->pid = fork_with_pipe(ends, err);
    if (c->pid < 0)
        return -1;
    if (c->pid == 0) {
        close(ends[0]);
        /* The child must not outlive the thread that waits for it. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        job(arg, ends[1]);
        close(ends[1]);
        _exit(0);
    }
    c->from = ends[0];
    return 0;
}

int child_reap(struct child *c, bool complete, struct err *err)
{
    int status = 0;

    close(c->from);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (complete)
        return 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return fail_work(err, "the simulation was killed: the machine may be "
                              "out of memory");
    if (WIFSIGNALED(status))
        return fail_work(err, "the simulation was ended by signal %d",
                         WTERMSIG(status));
    /* Exit code 1 always comes with a message: out of memory, or from a
     * library. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        return fail_said(err, "the simulation ended with the message above");
    return fail_work(err, "the simulation ended early");
}

int child_put_status(int fd, int status, const struct err *err)
{
    if (child_put(fd, &status, sizeof status) < 0)
        return -1;
    return status < 0 ? child_put(fd, err, sizeof *err) : 0;
}

int child_get_status(int fd, struct err *err)
{
    int status;
    struct err theirs;

    if (child_get(fd, &status, sizeof status) < 0)
        return -1;
    if (status == 0)
        return 0;
    if (child_get(fd, &theirs, sizeof theirs) < 0)
        return -1;
    if (err)
        *err = theirs;
    return 1;
}

/* --- one job -------------------------------------------------------------- */

struct whole_job {
    int (*job)(void *arg, struct err *err);
    void *arg;
};

static void run_whole(const void *arg, int fd)
{
    const struct whole_job *w = arg;
    struct err err = {0};
    int status = w->job(w->arg, &err);

    if (child_put_status(fd, status, &err) < 0)
        return;
}

int child_run(int (*job)(void *arg, struct err *err), void *arg,
              struct err *err)
{
    struct whole_job w = {job, arg};
    struct child child;

    if (child_spawn(&child, run_whole, &w, err) < 0)
        return -1;
    int status = child_get_status(child.from, err);
    if (child_reap(&child, status >= 0, err) < 0)
        return -1;
    return status == 0 ? 0 : -1;
}

void *child_shared(size_t bytes)
{
    void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED) {
        char wanted[40];
        snprintf(wanted, sizeof wanted, "%zu bytes", bytes);
        err_no_memory(wanted);
    }
    return p;
}

void child_unshare(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes ? bytes : 1);
}

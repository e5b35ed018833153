/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers unfinished files and removes them when a signal ends the program.
 */
#include "base/cleanup.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 32 };

/* A signal handler has no argument, so this is the one state of the process
 * that lives outside of main(). */
static struct {
    char path[PATH_MAX];
    volatile sig_atomic_t used;
    pid_t owner;
} unfinished[ROOM];

void cleanup_now(void)
{
    pid_t self = getpid();

    for (int i = 0; i < ROOM; i++)
        if (unfinished[i].used && unfinished[i].owner == self)
            unlink(unfinished[i].path);
    for (int i = 0; i < ROOM; i++)
        if (unfinished[i].used && unfinished[i].owner == self)
            rmdir(unfinished[i].path);
}

/* Ends the program as if there were no handler, so that a parent that waits
 * sees the signal. */
static void end_by_signal(int number)
{
    cleanup_now();
    signal(number, SIG_DFL);
    raise(number);
}

static void listen_to(int number)
{
    struct sigaction now, ours = {.sa_handler = end_by_signal};

    /* A signal that is ignored, such as HUP under nohup, stays ignored. */
    if (sigaction(number, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
        return;
    sigemptyset(&ours.sa_mask);
    ours.sa_flags = SA_NODEFER;
    sigaction(number, &ours, NULL);
}

int cleanup_add(const char *path)
{
    size_t size = strlen(path) + 1;
    int i = 0;

    while (i < ROOM && unfinished[i].used && unfinished[i].owner == getpid())
        i++;
    if (i == ROOM || size > sizeof unfinished[i].path)
        return -1;
    unfinished[i].used = 0;
    memcpy(unfinished[i].path, path, size);
    unfinished[i].owner = getpid();
    unfinished[i].used = 1;
    listen_to(SIGINT);
    listen_to(SIGTERM);
    listen_to(SIGHUP);
    return i;
}

void cleanup_drop(int number)
{
    if (number >= 0)
        unfinished[number].used = 0;
}

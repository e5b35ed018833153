/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_file.h - bytes as a file in memory only, for readers that need a
 * path. */
#ifndef TESTS_FUZZ_MEMORY_FILE_H
#define TESTS_FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file {
    int fd;
    char path[32];
};

static inline void memory_file_open(struct memory_file *f, const void *data,
                                    size_t size)
{
    f->fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (f->fd < 0 || write(f->fd, data, size) != (ssize_t)size)
        abort();
    snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline void memory_file_close(struct memory_file *f)
{
    close(f->fd);
}

#endif

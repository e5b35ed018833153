/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - the files that a test makes, in a folder of its own, which
 * scratch_clear() removes with all of its contents. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "base/err.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char scratch[] = "/tmp/sluice-test.XXXXXX";

static inline void scratch_make(void)
{
    if (!mkdtemp(scratch)) {
        perror(scratch);
        exit(1);
    }
}

static inline char *scratch_path(const char *name)
{
    return xasprintf("%s/%s", scratch, name);
}

/* Writes a file and returns its path, which the caller frees; gzipped if the
 * name ends in .gz. */
static inline char *scratch_bytes(const char *name, const void *bytes, size_t n)
{
    char *path = scratch_path(name);
    size_t len = strlen(name);
    /* T writes the bytes unchanged. */
    gzFile f =
        gzopen(path, len > 3 && !strcmp(name + len - 3, ".gz") ? "wb6" : "wbT");

    gzwrite(f, bytes, (unsigned)n);
    gzclose(f);
    return path;
}

static inline char *scratch_file(const char *name, const char *text)
{
    return scratch_bytes(name, text, strlen(text));
}

/* Cuts the last `shorter` bytes off a file; before that it inverts the byte
 * `spoil` from its end, unless that is 0. */
static inline void scratch_damage(const char *path, long shorter, long spoil)
{
    FILE *f = fopen(path, "r+");

    fseek(f, 0, SEEK_END);
    long bytes = ftell(f);
    if (spoil) {
        fseek(f, -spoil, SEEK_END);
        int c = fgetc(f);
        fseek(f, -spoil, SEEK_END);
        fputc(c ^ 0xff, f);
    }
    fclose(f);
    if (truncate(path, bytes - shorter)) {
        perror(path);
        exit(1);
    }
}

static inline int scratch_count(void)
{
    DIR *folder = opendir(scratch);
    int files = 0;

    for (struct dirent *e; folder && (e = readdir(folder));)
        files += e->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return files;
}

static inline void scratch_clear(void)
{
    DIR *folder = opendir(scratch);

    for (struct dirent *e; folder && (e = readdir(folder));) {
        char *path = scratch_path(e->d_name);
        unlink(path); /* fails for "." and ".." */
        free(path);
    }
    if (folder)
        closedir(folder);
    rmdir(scratch);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error values, allocation that never returns NULL, and the search for the
 * known word nearest to a misspelt one. */
#include "base/err.h"

#include "base/cleanup.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void err_set(struct err *err, enum err_kind kind, const char *file, int line,
             const char *fmt, ...)
{
    va_list args;

    if (!err)
        return;
    err->kind = kind;
    err->file = file;
    err->line = line;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
}

void err_widen(struct err *err, const char *fmt, ...)
{
    char place[sizeof err->text / 2];
    va_list args;

    if (!err)
        return;
    va_start(args, fmt);
    vsnprintf(place, sizeof place, fmt, args);
    va_end(args);

    /* "place: " goes in front; text that no longer fits is cut off. */
    size_t shift = strlen(place) + 2;
    memmove(err->text + shift, err->text, sizeof err->text - shift - 1);
    memcpy(err->text, place, shift - 2);
    memcpy(err->text + shift - 2, ": ", 2);
    err->text[sizeof err->text - 1] = 0;
}

bool err_debug(void)
{
    const char *asked = getenv(ERR_DEBUG);

    return asked && *asked;
}

/* Allocates no memory, and does not flush buffers, because a table that is cut
 * in the middle is not a result. */
void err_no_memory(const char *wanted)
{
    /* Another thread may run out, too; only one reports it. */
    static atomic_flag said;
    char line[128];
    int len = snprintf(line, sizeof line, "sluice: out of memory: wanted %s\n",
                       wanted);

    while (atomic_flag_test_and_set(&said))
        pause();
    cleanup_now();
    if (len > 0 && write(2, line, (size_t)len) < 0)
        _exit(1);
    _exit(1);
}

static void out_of_memory(size_t n, size_t bytes)
{
    char wanted[64];

    if (bytes && n > SIZE_MAX / bytes)
        snprintf(wanted, sizeof wanted, "%zu times %zu bytes", n, bytes);
    else
        snprintf(wanted, sizeof wanted, "%zu bytes", n * bytes);
    err_no_memory(wanted);
}

void *xmalloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        out_of_memory(bytes, 1);
    return p;
}

void *xmalloc_scattered(size_t bytes)
{
    size_t page = (size_t)2 << 20, rounded = (bytes + page - 1) / page * page;

    if (bytes < page)
        return xmalloc(bytes);
    void *p = aligned_alloc(page, rounded);
    if (!p)
        out_of_memory(bytes, 1);
    /* Without huge pages it is only slower, so that is not an error. */
    madvise(p, rounded, MADV_HUGEPAGE);
    return p;
}

void *xcalloc(size_t n, size_t bytes)
{
    void *p = calloc(n ? n : 1, bytes ? bytes : 1);

    if (!p)
        out_of_memory(n, bytes);
    return p;
}

void *xrealloc(void *old, size_t n, size_t bytes)
{
    if (bytes && n > SIZE_MAX / bytes)
        out_of_memory(n, bytes);

    size_t total = n * bytes;
    void *p = realloc(old, total ? total : 1);
    if (!p)
        out_of_memory(n, bytes);
    return p;
}

char *xstrdup(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(xmalloc(bytes), text, bytes);
}

char *xasprintf(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        return xstrdup("");

    char *text = xmalloc((size_t)len + 1);
    va_start(args, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, args);
    va_end(args);
    return text;
}

/* Returns Levenshtein's distance. Words are short, so a row on the stack is
 * enough; longer ones have distance 64. */
/* Returns the number of letters to insert, delete or replace and of neighbours
 * to swap that make b of a (optimal string alignment). */
static size_t edit_distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t rows[3][MOST] = {0}, nb = strlen(b);
    size_t *above2 = rows[0], *above = rows[1], *row = rows[2];

    if (nb >= MOST || strlen(a) >= MOST)
        return MOST;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t *free_row = above2;
        above2 = above;
        above = row;
        row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return row[nb];
}

const char *nearest_word(const char *word, const char *const *candidates,
                         size_t n)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 2 + 1;

    for (size_t i = 0; i < n; i++) {
        size_t d = edit_distance(word, candidates[i]);
        if (d < best_distance) {
            best_distance = d;
            best = candidates[i];
        }
    }
    return best;
}

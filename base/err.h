/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h - one error message, which is filled in where the cause is known,
 * widened on the way up, and printed once. Bad input gives -1 (or NULL) and a
 * filled err; a caller's bug is an assert; the program ends if memory runs
 * out. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

enum err_kind {
    ERR_INPUT, /* wrong use or bad input: exit code 2 */
    ERR_WORK,  /* the work itself failed (disk full, no engine): exit code 1 */
    ERR_SAID,  /* the same, and a child process has printed the reason */
};

struct err {
    char text[1024];  /* the user's file and place first, lower case, no stop */
    const char *file; /* place in our source */
    int line;
    enum err_kind kind;
};

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* fail(err, ...) has the value -1, so that compilers see which outputs are
 * unset. */
#define fail(err, ...)                                                         \
    (err_set((err), ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__), -1)
/* The same for functions that return a pointer. */
#define fail_null(err, ...)                                                    \
    (err_set((err), ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__), NULL)
/* The work failed, although the input was good. */
#define fail_work(err, ...)                                                    \
    (err_set((err), ERR_WORK, __FILE__, __LINE__, __VA_ARGS__), -1)
/* The same, and a child of this process has printed the reason. */
#define fail_said(err, ...)                                                    \
    (err_set((err), ERR_SAID, __FILE__, __LINE__, __VA_ARGS__), -1)
/* Puts "place: " before the present text. */
#define fail_in(err, ...) (err_widen((err), __VA_ARGS__), -1)

void err_set(struct err *err, enum err_kind kind, const char *file, int line,
             const char *fmt, ...) PRINTF_LIKE(5, 6);
void err_widen(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Prints "sluice: TEXT" on standard error, with " [file:line]" of our source if
 * err_debug() is set, and returns the exit code. Control characters are printed
 * as \xNN, except the line break of "\n  ", which comes before an indented line
 * of our own. */
int err_print(const struct err *err);
/* The environment variable that --debug sets; err_debug() returns whether it is
 * set. */
#define ERR_DEBUG "SLUICE_DEBUG"
bool err_debug(void);
/* Ends the program with "sluice: out of memory: wanted WANTED" and exit code
 * 1. */
void err_no_memory(const char *wanted) __attribute__((noreturn));

/* Allocate memory; they never return NULL, because the program ends if memory
 * runs out. */
void *xmalloc(size_t bytes);
void *xcalloc(size_t n, size_t bytes);
void *xrealloc(void *old, size_t n, size_t bytes);
/* Allocates an array for random access: in huge pages, if it has many MB and
 * the system has them. free() frees it. */
void *xmalloc_scattered(size_t bytes);
char *xstrdup(const char *text);
/* Returns a new string from a format; the caller frees it. */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Returns the candidate that is nearest to `word` by edit distance, or NULL if
 * none is near enough to be the user's intention. */
const char *nearest_word(const char *word, const char *const *candidates,
                         size_t n);

#endif

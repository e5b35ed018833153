/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo.h - values that are made once and shared by threads; a thread that needs
 * a value which another one is making waits for it. */
#ifndef BASE_MEMO_H
#define BASE_MEMO_H

#include "base/err.h"

struct memo;

struct memo_kind {
    size_t value_B;
    /* Makes the value of a key; on -1 there is nothing to clear. It may take
     * values from other memos. */
    int (*make)(void *value, const void *arg, struct err *err);
    void (*clear)(void *value);
    size_t keep; /* number of unused values to keep, the last used ones */
};

struct memo *memo_new(const struct memo_kind *kind);
/* Frees a memo, whose values must not be in use; NULL is allowed. */
void memo_free(struct memo *m);

/* Returns the value of a key, which is made with `arg` if it does not exist. It
 * is constant, and valid until memo_give(). Returns NULL if making it failed,
 * which is tried again each time. */
const void *memo_take(struct memo *m, const char *key, const void *arg,
                      struct err *err) MUST_CHECK;
/* Releases a value of memo_take(). */
void memo_give(struct memo *m, const void *value);

#endif

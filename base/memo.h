/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memo.h - values that are made once and shared by threads: who wants one that
 * another is making waits for it. */
#ifndef BASE_MEMO_H
#define BASE_MEMO_H

#include "base/err.h"

struct memo;

struct memo_kind {
    size_t value_B;
    /* Makes the value of a key; on -1 there is nothing to clear. It may take
     * from other memos. */
    int (*make)(void *value, const void *arg, struct err *err);
    void (*clear)(void *value);
    size_t keep; /* so many that nobody has are kept, the last that were */
};

struct memo *memo_new(const struct memo_kind *kind);
/* Nobody has any of its values. NULL: nothing. */
void memo_free(struct memo *m);

/* The value of a key, which is made with `arg` if it is not there; constant,
 * and there until memo_give(). NULL: making it failed, and does so each time.
 */
const void *memo_take(struct memo *m, const char *key, const void *arg,
                      struct err *err) MUST_CHECK;
void memo_give(struct memo *m, const void *value);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps values that are made once per key, for several threads. */
#include "base/memo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct memo_entry {
    struct memo_entry *next;
    char *key;
    void *value;
    size_t users;
    unsigned long long given; /* time of the last release, as a count */
    bool making;
};

struct memo {
    struct memo_kind kind;
    pthread_mutex_t lock; /* protects all fields below */
    pthread_cond_t made;
    struct memo_entry *first;
    unsigned long long gives;
};

struct memo *memo_new(const struct memo_kind *kind)
{
    struct memo *m = xcalloc(1, sizeof *m);

    m->kind = *kind;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->made, NULL);
    return m;
}

static void memo_remove(struct memo *m, struct memo_entry *e)
{
    struct memo_entry **at = &m->first;

    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    free(e->value);
    free(e->key);
    free(e);
}

void memo_free(struct memo *m)
{
    if (!m)
        return;
    while (m->first) {
        m->kind.clear(m->first->value);
        memo_remove(m, m->first);
    }
    pthread_cond_destroy(&m->made);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* Returns the entry of a key, or NULL; waits while another thread makes its
 * value. */
static struct memo_entry *memo_find(struct memo *m, const char *key)
{
    for (;;) {
        struct memo_entry *e = m->first;
        while (e && strcmp(e->key, key) != 0)
            e = e->next;
        if (!e || !e->making)
            return e;
        pthread_cond_wait(&m->made, &m->lock);
    }
}

static struct memo_entry *memo_make(struct memo *m, const char *key,
                                    const void *arg, struct err *err)
{
    struct memo_entry *e = xcalloc(1, sizeof *e);

    e->key = xstrdup(key);
    e->value = xcalloc(1, m->kind.value_B);
    e->making = true;
    e->next = m->first;
    m->first = e;
    pthread_mutex_unlock(&m->lock);
    int result = m->kind.make(e->value, arg, err);
    pthread_mutex_lock(&m->lock);
    e->making = false;
    pthread_cond_broadcast(&m->made);
    if (result == 0)
        return e;
    memo_remove(m, e);
    return NULL;
}

const void *memo_take(struct memo *m, const char *key, const void *arg,
                      struct err *err)
{
    pthread_mutex_lock(&m->lock);
    struct memo_entry *e = memo_find(m, key);
    if (!e)
        e = memo_make(m, key, arg, err);
    if (e)
        e->users++;
    pthread_mutex_unlock(&m->lock);
    return e ? e->value : NULL;
}

/* Frees unused values if there are more than are kept, those released first. */
static void memo_evict(struct memo *m)
{
    for (;;) {
        struct memo_entry *oldest = NULL;
        size_t unused = 0;
        for (struct memo_entry *e = m->first; e; e = e->next) {
            if (e->users || e->making)
                continue;
            unused++;
            if (!oldest || e->given < oldest->given)
                oldest = e;
        }
        if (unused <= m->kind.keep)
            return;
        m->kind.clear(oldest->value);
        memo_remove(m, oldest);
    }
}

void memo_give(struct memo *m, const void *value)
{
    pthread_mutex_lock(&m->lock);
    for (struct memo_entry *e = m->first; e; e = e->next)
        if (e->value == value) {
            e->users--;
            e->given = ++m->gives;
        }
    memo_evict(m);
    pthread_mutex_unlock(&m->lock);
}

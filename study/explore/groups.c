/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts points into groups of one workload, and deals them out. */
#include "study/explore/groups.h"

#include "study/explore/family.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct groups {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Sorted by key, so that groups that share a matrix are neighbours. */
    struct group **list;
    size_t n, room;
    void *tree;   /* index by key, while the groups are made */
    size_t first; /* all groups before it are begun */
    bool stopped;
};

/* --- making --------------------------------------------------------------- */

static void key_add(FILE *to, const struct json *o, const char *name)
{
    const struct json *v = json_member(o, name);
    char *text = v ? axis_text(v) : xstrdup("");

    fprintf(to, "%s\n", text);
    free(text);
}

/* Returns the key of a point: its whole experiment except the machine, with the
 * members that decide about reading and partitioning in front. The caller frees
 * it. */
static char *key_of(const struct space *s, uint64_t point)
{
    struct json *o = space_experiment(s, point);
    char *key;
    size_t size;
    FILE *to = open_memstream(&key, &size);

    key_add(to, o, "workload");
    key_add(to, o, "partition");
    key_add(to, o, "nodes");
    key_add(to, o, "gpus");
    json_remove(o, "platform");
    json_remove(o, "set");
    char *rest = json_text(o);
    fputs(rest, to);
    fclose(to);
    free(rest);
    json_free(o);
    return key;
}

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return strcmp(x->key, y->key);
}

static int by_key_of(const void *a, const void *b)
{
    return by_key(*(struct group *const *)a, *(struct group *const *)b);
}

/* Returns the group of a key. It takes the key over. */
static struct group *group_of(struct groups *g, char *key)
{
    struct group *one = xcalloc(1, sizeof *one);

    one->key = key;
    struct group **at = tsearch(one, &g->tree, by_key);
    if (!at)
        err_no_memory("groups of points");
    if (*at != one) {
        free(one);
        free(key);
        return *at;
    }
    if (g->n == g->room) {
        g->room = g->room ? 2 * g->room : 16;
        g->list = xrealloc(g->list, g->room, sizeof *g->list);
    }
    return g->list[g->n++] = one;
}

static void group_add(struct group *g, uint64_t point)
{
    if (!(g->n & (g->n - 1))) /* at 0, 1, 2, 4, ... */
        g->points = xrealloc(g->points, g->n ? 2 * g->n : 1, sizeof *g->points);
    g->points[g->n++] = point;
}

struct groups *groups_new(const struct space *s, const uint64_t *points,
                          size_t npoints)
{
    struct groups *g = xcalloc(1, sizeof *g);

    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    for (size_t i = 0; i < npoints; i++)
        group_add(group_of(g, key_of(s, points[i])), points[i]);
    for (size_t i = 0; i < g->n; i++)
        tdelete(g->list[i], &g->tree, by_key);
    if (g->n)
        qsort(g->list, g->n, sizeof *g->list, by_key_of);
    return g;
}

void groups_free(struct groups *g)
{
    for (size_t i = 0; i < g->n; i++) {
        family_free(g->list[i]->loaded);
        free(g->list[i]->key);
        free(g->list[i]->points);
        free(g->list[i]);
    }
    free(g->list);
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

/* --- dealing out ---------------------------------------------------------- */

/* Returns a group with points; NULL if there is none at present, and then *wait
 * says whether there will be one. */
static struct group *next_group(struct groups *g, bool *wait)
{
    *wait = false;
    while (g->first < g->n && g->list[g->first]->begun == g->list[g->first]->n)
        g->first++;
    for (size_t i = g->first; i < g->n && !g->stopped; i++) {
        struct group *one = g->list[i];
        if (one->begun == one->n)
            continue;
        if (!one->opening)
            return one;
        *wait = true;
    }
    return NULL;
}

bool groups_take(struct groups *g, struct group **of, uint64_t *point)
{
    bool wait;

    pthread_mutex_lock(&g->lock);
    while (!(*of = next_group(g, &wait)) && wait)
        pthread_cond_wait(&g->changed, &g->lock);
    if (*of) {
        (*of)->opening = !(*of)->opened;
        *point = (*of)->points[(*of)->begun++];
    }
    pthread_mutex_unlock(&g->lock);
    return *of;
}

void groups_opened(struct groups *g, struct group *of)
{
    pthread_mutex_lock(&g->lock);
    of->opened = true;
    of->opening = false;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

bool groups_done(struct groups *g, struct group *of)
{
    pthread_mutex_lock(&g->lock);
    bool last = ++of->done == of->n;
    pthread_mutex_unlock(&g->lock);
    if (last) {
        family_free(of->loaded);
        of->loaded = NULL;
    }
    return last;
}

void groups_stop(struct groups *g)
{
    pthread_mutex_lock(&g->lock);
    g->stopped = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

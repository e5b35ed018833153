/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the numbers of a machine that vary together, by their positions and
 * whether anybody measured them, and names such groups. */
#include "study/advise/together.h"

#include "platforms/settings.h"

#include <stdlib.h>
#include <string.h>

/* --- paths ---------------------------------------------------------------- */

enum { MOST_STEPS = 12, STEP_ROOM = 48 };
struct steps {
    char of[MOST_STEPS][STEP_ROOM];
    size_t n; /* 0 if it is too long for any rule */
};

static struct steps steps_of(const char *path)
{
    struct steps s = {.n = 0};

    for (;;) {
        size_t n = strcspn(path, ".");
        if (s.n == MOST_STEPS || n >= STEP_ROOM)
            return (struct steps){.n = 0};
        memcpy(s.of[s.n], path, n);
        s.of[s.n++][n] = 0;
        if (!path[n])
            return s;
        path += n + 1;
    }
}

static bool step_is(const struct steps *s, size_t from_end, const char *word)
{
    return s->n > from_end && !strcmp(s->of[s->n - 1 - from_end], word);
}

/* --- rules ---------------------------------------------------------------- */

bool key_is_shares(const char *key)
{
    return !strcmp(key, "alpha_shares") || !strcmp(key, "beta_shares");
}

bool key_divides(const char *key)
{
    return !strncmp(key, "send_", 5) || !strncmp(key, "recv_", 5) ||
           key_is_shares(key);
}

/* Returns the key of the sender's end for both ends; the caller frees it. */
static char *end_key(const char *key)
{
    return strncmp(key, "recv_", 5) != 0 ? xstrdup(key)
                                         : xasprintf("send_%s", key + 5);
}

static bool unmeasured(enum provenance from)
{
    return from == PROVENANCE_ASSUMED || from == PROVENANCE_TAKEN_OVER;
}

/* Returns the class of ...LOCALITY.segments.I.KEY. */
static char *segment_class(const struct steps *s, const struct number *of,
                           enum together_how how)
{
    const char *where = s->of[s->n - 4], *key = s->of[s->n - 1];
    bool divides = key_divides(key), all = false;
    const char *segment = s->of[s->n - 2];

    if (how == TOGETHER_ALONE || (!divides && how != TOGETHER_WIDE) ||
        (!divides && !unmeasured(of->from)))
        return NULL;
    if (unmeasured(of->from) && how == TOGETHER_WIDE)
        all = strcmp(where, "off_node") != 0;
    if (!divides && !all)
        return NULL;
    bool any = divides && unmeasured(of->from) && how != TOGETHER_PAIR;
    char *end = end_key(key);
    char *text = xasprintf("%s.%s.%s.%s.%s.%s", s->of[0], s->of[1],
                           s->n > 6 ? s->of[2] : "", all ? "" : where,
                           any ? "" : segment, end);
    free(end);
    return text;
}

/* Returns the class of copies.rows.I.KEY, which contains both localities. */
static char *row_class(const struct steps *s, const struct number *of,
                       enum together_how how)
{
    const char *direction = json_string(json_member(of->in, "direction"));

    if (how != TOGETHER_WIDE || !unmeasured(of->from) || !direction)
        return NULL;
    return xasprintf("%s.%g.%.17g.%s", direction,
                     json_number(json_member(of->in, "processes")),
                     json_number(json_member(of->in, "up_to_bytes")),
                     s->of[s->n - 1]);
}

/* Returns the class of a number, which is equal for numbers that vary together,
 * or NULL if it varies alone. The caller frees it. */
static char *class_of(const struct number *of, enum together_how how)
{
    struct steps s = steps_of(of->key);
    const char *kind = json_string(json_member(of->in, "kind"));

    if (of->from == PROVENANCE_SET || s.n < 2 || step_is(&s, 0, "up_to_bytes"))
        return NULL;
    if (s.n >= 6 && step_is(&s, 2, "segments"))
        return segment_class(&s, of, how);
    if (!strcmp(s.of[0], "copies") && step_is(&s, 2, "rows"))
        return row_class(&s, of, how);
    if (step_is(&s, 2, "devices") && kind && how == TOGETHER_WIDE)
        return xasprintf("%s.%s", kind, s.of[s.n - 1]);
    if (step_is(&s, 1, "costs") && key_divides(s.of[s.n - 1]) &&
        how != TOGETHER_ALONE) {
        char *end = end_key(s.of[s.n - 1]);
        char *text = xasprintf("%s.%s", s.of[1], end);
        free(end);
        return text;
    }
    return NULL;
}

/* --- names ---------------------------------------------------------------- */

/* Returns the step "a+b" with another key; NULL if it contains the key. */
static char *step_with(const char *step, const char *key)
{
    size_t n = strlen(key);

    for (const char *at = step;; at++) {
        if (!strncmp(at, key, n) && (!at[n] || at[n] == '+'))
            return NULL;
        at += strcspn(at, "+");
        if (!*at)
            break;
    }
    return *step ? xasprintf("%s+%s", step, key) : xstrdup(key);
}

static bool is_place(const char *step)
{
    return step[strspn(step, "0123456789+")] == 0 && strchr(step, '+');
}

/* Returns the path of the chosen numbers; indices in an array are listed, or
 * replaced by "*" (any). */
static char *path_of(const struct number *all, const size_t *chosen, size_t n,
                     bool any)
{
    char *parts[MOST_STEPS];
    size_t nsteps = steps_of(all[chosen[0]].key).n;
    char *path = NULL;

    for (size_t k = 0; k < nsteps; k++) {
        parts[k] = xstrdup("");
        for (size_t i = 0; i < n; i++) {
            struct steps s = steps_of(all[chosen[i]].key);
            char *more = k < s.n ? step_with(parts[k], s.of[k]) : NULL;
            if (!more)
                continue;
            free(parts[k]);
            parts[k] = more;
        }
        char *longer = xasprintf("%s%s%s", path ? path : "", path ? "." : "",
                                 any && is_place(parts[k]) ? "*" : parts[k]);
        free(path);
        free(parts[k]);
        path = longer;
    }
    return path ? path : xstrdup(all[chosen[0]].key);
}

/* Returns whether a name stands for these numbers and no others. */
static bool names_these(const char *name, const struct number *all, size_t nall,
                        const size_t *chosen, size_t n)
{
    struct group g;
    size_t next = 0;
    bool same = true;

    group_init(&g, NULL, name);
    for (size_t i = 0; i < nall && same; i++) {
        bool is = next < n && chosen[next] == i;
        same = is == (group_find(&g, all[i].key) != SIZE_MAX);
        next += is;
    }
    group_clear(&g);
    return same;
}

static char *name_of(const struct number *all, size_t nall,
                     const size_t *chosen, size_t n)
{
    if (n == 1)
        return xstrdup(all[chosen[0]].key);
    for (int any = 1; any >= 0; any--) {
        char *name = path_of(all, chosen, n, any);
        if (names_these(name, all, nall, chosen, n))
            return name;
        free(name);
    }
    return NULL;
}

char *together_name(const struct number *all, size_t nall, const size_t *chosen,
                    size_t n)
{
    char *name = name_of(all, nall, chosen, n);

    if (name)
        return name;
    for (size_t i = 0; i < n; i++) {
        char *longer = xasprintf("%s%s%s", name ? name : "", name ? ", " : "",
                                 all[chosen[i]].key);
        free(name);
        name = longer;
    }
    return name;
}

/* --- groups --------------------------------------------------------------- */

/* Chooses the numbers from `first` on that are in its class and in no group
 * yet. */
static size_t choose(size_t *chosen, const struct number *all, size_t nall,
                     char *const *classes, size_t first)
{
    size_t n = 0;

    chosen[n++] = first;
    for (size_t i = first + 1; i < nall && classes[first]; i++)
        if (all[i].of == SIZE_MAX && classes[i] &&
            !strcmp(classes[i], classes[first]) &&
            all[i].from == all[first].from)
            chosen[n++] = i;
    return n;
}

size_t together_find(char **name, size_t *chosen, const struct together *t,
                     size_t first)
{
    for (size_t how = 0; how < NTOGETHERS; how++) {
        size_t n = choose(chosen, t->all, t->n, t->classes + how * t->n, first);
        *name = name_of(t->all, t->n, chosen, n);
        if (*name)
            return n;
    }
    *name = xstrdup(t->all[first].key);
    return 1;
}

void together_init(struct together *t, const struct number *all, size_t n)
{
    *t = (struct together){.all = all,
                           .n = n,
                           .classes =
                               xcalloc(n * NTOGETHERS, sizeof *t->classes)};
    for (size_t i = 0; i < n * NTOGETHERS; i++)
        t->classes[i] = class_of(&all[i % n], (enum together_how)(i / n));
}

void together_clear(struct together *t)
{
    for (size_t i = 0; i < t->n * NTOGETHERS; i++)
        free(t->classes[i]);
    free(t->classes);
    *t = (struct together){0};
}

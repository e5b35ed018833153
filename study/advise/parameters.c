/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the numbers of a platform's document that are costs, with the
 * statements of their sources. */
#include "study/advise/parameters.h"

#include "platforms/compose.h"
#include "platforms/keys.h"
#include "platforms/platform.h"
#include "platforms/settings.h"
#include "study/advise/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The position of a walk through a document: the objects above, and the
 * path. */
enum { DEEPEST = 24 };
struct walk {
    struct parameters *p;
    const struct json *above[DEEPEST];
    size_t depth;
    bool limits; /* visits limits of segments only, else costs only */
    char path[400];
};

/* Returns whether times depend on a number: it is a time or a rate. */
static bool is_cost(const char *path, const char *key)
{
    const char *benchmark;
    const struct key *k = key_at(path, &benchmark);

    return (key_is_time(key) || key_is_rate(key)) && !(k && k->untimed);
}

/* Returns the upper bound of a limit, which is below the first size that was
 * measured to belong to the next segment; 0 if that is not known. */
static double most_of_limit(const struct json *segment, const char *key)
{
    const struct json *next = json_member(segment, "next_from_bytes");

    return next && !strcmp(key, "up_to_bytes") ? json_number(next) - 1 : 0;
}

/* Returns the nearest source above a number, which the caller frees, or NULL.
 * Sets *number to the number's path below that object. */
static struct number_source *source_above(const struct walk *w, const char *key,
                                          const char **number)
{
    const char *own = compose_source_key(w->above[w->depth - 1], key);
    const struct json *at = NULL;
    struct number_source *s = NULL;
    struct err err;

    *number = w->path + strlen(w->path);
    for (size_t i = w->depth; i-- > 0 && !at;) {
        const char *name = json_member(w->above[i], own) ? own : "source";
        while (*number > w->path && (*number)[-1] != '.')
            --*number;
        at = json_member(w->above[i], name);
        if (at && source_read(&s, w->above[i], name, &err) < 0)
            return NULL;
        own = "source";
        if (!at && *number > w->path)
            --*number;
    }
    return s;
}

static double value_of(const struct json *v)
{
    return json_is_array(v)
               ? json_number(json_at(v, 0)) + json_number(json_at(v, 1))
               : json_number(v);
}

static struct number number_at(const struct walk *w, const char *key,
                               const struct json *v)
{
    const char *below;
    struct number_source *source = source_above(w, key, &below);
    struct statement is = source_of(source, below);
    struct number one = {.key = xstrdup(w->path),
                         .value = value_of(v),
                         .rate = key_is_rate(key),
                         .shares = key_is_shares(key),
                         .limit = w->limits,
                         .from = is.kind,
                         .in = w->above[w->depth - 1],
                         .member = key,
                         .of = SIZE_MAX};

    one.spread = spread_of(one.from, one.rate, is.residual);
    if (w->limits)
        one.spread = (struct spread){
            .uniform = true,
            .low = 1,
            .high = most_of_limit(w->above[w->depth - 1], key) / one.value,
            .stated = true};
    source_free(source);
    return one;
}

/* Adds the value at the walk's path, if it is above 0. */
static void walk_leaf(struct walk *w, const char *key, const struct json *v)
{
    struct parameters *p = w->p;

    if (!(value_of(v) > 0))
        return;
    p->numbers = xrealloc(p->numbers, p->nnumbers + 1, sizeof *p->numbers);
    p->numbers[p->nnumbers++] = number_at(w, key, v);
}

/* Calls `leaf` for all leaves of the value in order. */
static void walk_value(struct walk *w, const struct json *v,
                       void (*leaf)(struct walk *w, const char *key,
                                    const struct json *v))
{
    size_t length = strlen(w->path), nth = 0;

    if (w->depth == DEEPEST)
        return;
    w->above[w->depth++] = v;
    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        const char *key = json_is_object(v) ? json_key(c) : NULL;
        char index[24];
        snprintf(index, sizeof index, "%zu", nth);
        snprintf(w->path + length, sizeof w->path - length, "%s%s",
                 length ? "." : "", key ? key : index);
        bool shares = key && key_is_shares(key) && json_size(c) == 2;
        bool limit = key && json_is_number(c) && most_of_limit(v, key) > 0;
        bool cost =
            shares || (key && json_is_number(c) && is_cost(w->path, key));
        if (w->limits ? limit : cost)
            leaf(w, key, c);
        else if (json_is_object(c) || json_is_array(c))
            walk_value(w, c, leaf);
    }
    w->path[length] = 0;
    w->depth--;
}

/* Adds a parameter of the chosen numbers and takes ownership of the name. */
static size_t add_parameter(struct parameters *p, char *name,
                            const size_t *chosen, size_t n)
{
    const struct number *first = &p->numbers[chosen[0]];

    p->list = xrealloc(p->list, p->n + 1, sizeof *p->list);
    p->list[p->n] = (struct parameter){.key = name,
                                       .value = first->value,
                                       .rate = first->rate,
                                       .shares = first->shares,
                                       .limit = first->limit,
                                       .from = first->from,
                                       .spread = first->spread,
                                       .nplaces = n};
    for (size_t i = 0; i < n; i++) {
        struct number *one = &p->numbers[chosen[i]];
        if (one->of != SIZE_MAX)
            p->list[one->of].nplaces--;
        one->of = p->n;
    }
    return p->n++;
}

void parameters_of(struct parameters *p, const struct json *doc,
                   const char *path)
{
    struct walk w = {.p = p};
    struct together t;

    *p = (struct parameters){.doc = json_copy(doc), .path = xstrdup(path)};
    walk_value(&w, p->doc, walk_leaf);
    w.limits = true;
    walk_value(&w, p->doc, walk_leaf);
    size_t *chosen = xcalloc(p->nnumbers, sizeof *chosen);
    together_init(&t, p->numbers, p->nnumbers);
    for (size_t i = 0; i < p->nnumbers; i++) {
        char *name;
        if (p->numbers[i].of != SIZE_MAX)
            continue;
        size_t n = together_find(&name, chosen, &t, i);
        add_parameter(p, name, chosen, n);
    }
    together_clear(&t);
    free(chosen);
}

void parameters_clear(struct parameters *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->list[i].key);
    for (size_t i = 0; i < p->nnumbers; i++)
        free(p->numbers[i].key);
    free(p->list);
    free(p->numbers);
    free(p->path);
    json_free(p->doc);
    *p = (struct parameters){0};
}

size_t parameters_costs(const struct parameters *p)
{
    size_t n = 0;

    while (n < p->n && !p->list[n].limit)
        n++;
    return n;
}

size_t parameters_find(const struct parameters *p, const char *key)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->list[i].key, key))
            return i;
    return SIZE_MAX;
}

static size_t take_paths(struct parameters *p, const struct group *g,
                         bool inverse, const char *name)
{
    size_t *chosen = xcalloc(p->nnumbers, sizeof *chosen), n = 0;
    size_t at = SIZE_MAX;

    for (size_t i = 0; i < p->nnumbers; i++) {
        size_t of = group_find(g, p->numbers[i].key);
        if (of != SIZE_MAX && g->paths[of].inverse == inverse)
            chosen[n++] = i;
    }
    if (n)
        at = add_parameter(p, xstrdup(name), chosen, n);
    free(chosen);
    return at;
}

/* Names a parameter from which numbers were removed by its remaining numbers,
 * and sets its value. */
static void name_rest(struct parameters *p, size_t of)
{
    struct parameter *rest = &p->list[of];
    size_t *chosen = xcalloc(p->nnumbers, sizeof *chosen), n = 0;

    for (size_t i = 0; i < p->nnumbers; i++)
        if (p->numbers[i].of == of)
            chosen[n++] = i;
    if (n) {
        free(rest->key);
        rest->key = together_name(p->numbers, p->nnumbers, chosen, n);
        rest->value = p->numbers[chosen[0]].value;
    }
    free(chosen);
}

size_t parameters_take(struct parameters *p, const char *name, size_t *inverse)
{
    size_t n = p->n, *places = xcalloc(n, sizeof *places);
    struct group g;

    for (size_t i = 0; i < n; i++)
        places[i] = p->list[i].nplaces;
    group_init(&g, p->doc, name);
    size_t at = take_paths(p, &g, false, name);
    *inverse = take_paths(p, &g, true, name);
    group_clear(&g);
    for (size_t i = 0; i < n; i++)
        if (p->list[i].nplaces < places[i])
            name_rest(p, i);
    free(places);
    return at;
}

/* --- machines ------------------------------------------------------------- */

static void maker_number(struct machine_maker *k, size_t i,
                         const struct json *in)
{
    const struct number *of = &k->of->numbers[i];
    struct json *v = json_member(in, of->member);
    bool both = json_is_array(v);

    k->leaves[i] = v;
    k->most[i] = of->limit ? most_of_limit(in, of->member) : 0;
    k->values[i] = json_number(both ? json_at(v, 0) : v);
    if (both)
        k->seconds[i] = json_number(json_at(v, 1));
}

/* Finds the numbers in the maker's copy of a value of the document. A walk as
 * above would take ten times as long, because it writes all paths. */
static void maker_find(struct machine_maker *k, const struct json *of,
                       const struct json *copy)
{
    const struct json *c = json_at(copy, 0);

    for (size_t i = 0; json_is_object(of) && i < k->of->nnumbers; i++)
        if (k->of->numbers[i].in == of)
            maker_number(k, i, copy);
    for (const struct json *o = json_at(of, 0); o; o = json_next(o)) {
        if (!source_is_key(json_key(o)) &&
            (json_is_object(o) || json_is_array(o)))
            maker_find(k, o, c);
        c = json_next(c);
    }
}

void maker_init(struct machine_maker *k, const struct parameters *p)
{
    *k = (struct machine_maker){.of = p, .doc = json_copy(p->doc)};
    k->leaves = xcalloc(p->nnumbers, sizeof *k->leaves);
    k->values = xcalloc(p->nnumbers, sizeof *k->values);
    k->seconds = xcalloc(p->nnumbers, sizeof *k->seconds);
    k->most = xcalloc(p->nnumbers, sizeof *k->most);
    maker_find(k, p->doc, k->doc);
}

void maker_clear(struct machine_maker *k)
{
    json_free(k->doc);
    free(k->leaves);
    free(k->values);
    free(k->seconds);
    free(k->most);
    *k = (struct machine_maker){0};
}

/* Sets both shares, with a sum of at most 1. */
static void set_shares(struct json *now, double send, double recv,
                       double factor, bool exact)
{
    double most = 1 / (send + recv);

    factor = factor == 1 || exact ? factor : fmin(factor, most);
    json_set_number(json_at(now, 0), send * factor);
    json_set_number(json_at(now, 1), recv * factor);
}

static double member_or_0(const struct json *o, const char *key)
{
    const struct json *v = json_member(o, key);

    return v ? json_number(v) : 0;
}

/* Reduces the time in a GPU's engine to the least alpha of a copy, because it
 * is a part of it. */
static void keep_copies(const struct json *doc)
{
    const struct json *copies = json_member(doc, "copies");
    struct json *engine = json_member(copies, "engine_us");
    const struct json *rows = json_member(copies, "rows");
    double most = INFINITY;

    if (!engine)
        return;
    for (const struct json *row = json_at(rows, 0); row; row = json_next(row))
        most = fmin(most, member_or_0(row, "alpha_us"));
    if (json_number(engine) > most)
        json_set_number(engine, most);
}

/* Reduces the cost of an access that hits to that of one that misses. A cost
 * that is not given is that of the kind before. */
static void keep_accesses(const struct json *doc)
{
    static const char *const kinds[] = {"", "atomic_", "float_atomic_",
                                        "float_sum_", "latency_"};
    const struct json *access = json_member(json_member(doc, "gpu"), "access");
    double hit = 0, miss = INFINITY;

    for (size_t i = 0; access && i < sizeof kinds / sizeof kinds[0]; i++) {
        char hit_key[40], miss_key[40];
        snprintf(hit_key, sizeof hit_key, "%shit_ns", kinds[i]);
        snprintf(miss_key, sizeof miss_key, "%smiss_ns", kinds[i]);
        struct json *hits = json_member(access, hit_key);
        struct json *misses = json_member(access, miss_key);
        if (misses)
            miss = json_number(misses);
        if (hits)
            json_set_number(hits, fmin(json_number(hits), miss));
        if (hits)
            hit = json_number(hits);
        if (!hits && misses && miss < hit)
            json_set_number(misses, miss = hit);
    }
}

int maker_machine(struct machine *m, struct machine_maker *k,
                  const double *factors, struct err *err)
{
    const struct parameters *p = k->of;
    bool changed = false;

    for (size_t i = 0; i < p->nnumbers; i++) {
        double factor = factors[p->numbers[i].of];
        changed |= factor != 1 && !k->exact;
        if (json_is_array(k->leaves[i]))
            set_shares(k->leaves[i], k->values[i], k->seconds[i], factor,
                       k->exact);
        else if (k->most[i] > 0 && !k->exact)
            json_set_number(
                k->leaves[i],
                fmax(k->values[i],
                     fmin(floor(k->values[i] * factor), k->most[i])));
        else
            json_set_number(k->leaves[i], k->values[i] * factor);
    }
    if (changed) {
        keep_copies(k->doc);
        keep_accesses(k->doc);
    }
    if (platform_read(m, k->doc, err) < 0)
        return fail_in(err, "%s with other numbers", p->path);
    m->path = xstrdup(p->path);
    return 0;
}

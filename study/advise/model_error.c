/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how far simulated times are off, in the table of measured decisions. */
#include "study/advise/model_error.h"

#include "study/advise/beyond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const decided_names[NDECIDED] = {
    "alltoall", "collective", "halo", "memory", "graph", "runtime"};
const char *const decided_words[NDECIDED] = {
    "all-to-alls of hosts",          "collectives by algorithm",
    "exchanges by strategy",         "GPU memory or staged",
    "graph algorithms by execution", "runtimes"};

#define MODEL_ERROR(KIND, ...) {DECIDED_##KIND, __VA_ARGS__},
const struct model_error_row model_errors[] = {
#include "study/advise/model_errors.def"
};
#undef MODEL_ERROR
const size_t nmodel_errors = sizeof model_errors / sizeof model_errors[0];

unsigned decided_class(unsigned nodes, uint64_t bytes)
{
    unsigned size = bytes == 0 ? 0 : bytes <= 1024 ? 1 : bytes <= 65536 ? 2 : 3;

    return (nodes > 1 ? DECIDED_SIZES : 0) + size;
}

/* --- adding up rows ------------------------------------------------------- */

struct rows_sum {
    double path2, own2; /* weighted by cases */
    unsigned path_cases, own_cases;
    unsigned cases, right, stated, stated_right;
};

static void rows_add(struct rows_sum *s, const struct model_error_row *r)
{
    if (r->path >= 0) {
        s->path2 += r->cases * r->path * r->path;
        s->path_cases += r->cases;
    }
    if (r->own >= 0) {
        s->own2 += r->cases * r->own * r->own;
        s->own_cases += r->cases;
    }
    s->cases += r->cases;
    s->right += r->right;
    s->stated += r->stated;
    s->stated_right += r->stated_right;
}

static double rule_of_succession(unsigned right, unsigned n)
{
    return (right + 1.0) / (n + 2.0);
}

/* An error that no row states is NAN. */
static struct model_error error_of_sum(const struct rows_sum *s)
{
    bool few = s->stated < MODEL_ERROR_FEW;

    return (struct model_error){
        .path = s->path_cases ? sqrt(s->path2 / s->path_cases) : (double)NAN,
        .own = s->own_cases ? sqrt(s->own2 / s->own_cases) : (double)NAN,
        .bound = {.most = few ? rule_of_succession(s->right, s->cases)
                              : rule_of_succession(s->stated_right, s->stated),
                  .cases = s->cases,
                  .right = s->right,
                  .stated = s->stated,
                  .stated_right = s->stated_right}};
}

/* A decision without a size of its own is of all sizes; if a row has none, it
 * is of all sizes, too. */
static bool row_in_class(const struct model_error_row *r,
                         const struct decided_case *c)
{
    unsigned a = decided_class(c->nodes, c->bytes);
    unsigned b = decided_class(r->most_nodes, r->most_B);

    return a == b || (a / DECIDED_SIZES == b / DECIDED_SIZES &&
                      (a % DECIDED_SIZES == 0 || b % DECIDED_SIZES == 0));
}

/* The selection of rows in a sum. */
struct rows_wanted {
    bool kind, class; /* rows of that kind and class only */
    bool own;         /* rows of this machine; else of all others */
};

static struct rows_sum rows_sum(const struct model_error_row *rows, size_t n,
                                const struct decided_case *c,
                                struct rows_wanted w)
{
    struct rows_sum s = {0};

    for (size_t i = 0; i < n; i++) {
        const struct model_error_row *r = &rows[i];
        if (!strcmp(r->machine, c->machine) == w.own &&
            (!w.kind || r->kind == c->kind) && (!w.class || row_in_class(r, c)))
            rows_add(&s, r);
    }
    return s;
}

/* Tells whether enough advices were stated, because the part of a few that was
 * right says nothing. */
static bool rows_state(const struct rows_sum *s)
{
    return s->stated >= MODEL_ERROR_FEW;
}

/* The error of a kind, here or elsewhere, is taken from the rows of its class.
 * If the class has none of a number, that number is taken from all classes. */
static struct model_error error_of_kind(const struct model_error_row *rows,
                                        size_t n, const struct decided_case *c,
                                        struct rows_wanted w)
{
    struct rows_sum near = rows_sum(rows, n, c, w), all;
    w.class = false;
    all = rows_sum(rows, n, c, w);
    if (!near.cases)
        return error_of_sum(&all);
    struct model_error e = error_of_sum(&near), of_all = error_of_sum(&all);
    if (isnan(e.path))
        e.path = of_all.path;
    if (isnan(e.own))
        e.own = of_all.own;
    if (!rows_state(&near) && rows_state(&all))
        e.bound = of_all.bound;
    return e;
}

/* The error of all kinds on other machines, on one node if one is asked for,
 * else on several. */
static struct model_error error_of_all(const struct model_error_row *rows,
                                       size_t n, const struct decided_case *c)
{
    struct decided_case any = *c;

    any.bytes = 0;
    struct rows_sum s =
        rows_sum(rows, n, &any, (struct rows_wanted){.class = true});
    return error_of_sum(&s);
}

/* An error that was not found becomes that of all kinds elsewhere; if there is
 * none either, it becomes 0. */
static void fill_errors(struct model_error *e,
                        const struct model_error_row *rows, size_t n,
                        const struct decided_case *c)
{
    struct model_error other = error_of_all(rows, n, c);

    if (isnan(e->path))
        e->path = isnan(other.path) ? 0 : other.path;
    if (isnan(e->own))
        e->own = isnan(other.own) ? 0 : other.own;
}

/* The error of the kind on other machines. If only one of them shows how ways
 * differ, the error is no less than that of all kinds, because one machine may
 * be unlike this one. */
static struct model_error error_elsewhere(const struct model_error_row *rows,
                                          size_t n,
                                          const struct decided_case *c)
{
    struct model_error e = error_of_kind(
        rows, n, c, (struct rows_wanted){.kind = true, .class = true});
    struct model_error all = error_of_all(rows, n, c);
    const char *first = NULL;

    e.from = MODEL_ERROR_OTHERS;
    for (size_t i = 0; i < n; i++) {
        const char *other = rows[i].machine;
        if (rows[i].kind != c->kind || rows[i].own < 0 ||
            !strcmp(other, c->machine))
            continue;
        if (first && strcmp(first, other) != 0)
            return e;
        first = other;
    }
    e.path = fmax(e.path, all.path); /* fmax() ignores a NAN */
    e.own = fmax(e.own, all.own);
    return e;
}

/* --- errors of a decision ------------------------------------------------- */

/* If the kind was measured nowhere, its bound is that of the kind that was
 * right least often on other machines. */
static struct model_error error_of_any(const struct model_error_row *rows,
                                       size_t n, const struct decided_case *c)
{
    struct rows_sum all = rows_sum(rows, n, c, (struct rows_wanted){0});
    struct model_error e = error_of_sum(&all);
    double most = e.bound.most;

    for (int k = 0; k < NDECIDED; k++) {
        struct decided_case as = *c;
        as.kind = (enum decided)k;
        struct rows_sum s =
            rows_sum(rows, n, &as, (struct rows_wanted){.kind = true});
        if (s.cases)
            most = fmin(most, error_of_sum(&s).bound.most);
    }
    e.bound = (struct model_bound){.most = most};
    e.from = MODEL_ERROR_NEVER;
    return e;
}

static void say_where(struct model_error *e, const struct decided_case *c)
{
    char size[40] = "";

    if (c->bytes)
        snprintf(size, sizeof size, ", %llu B", (unsigned long long)c->bytes);
    snprintf(e->where, sizeof e->where,
             "%s on %u node%s%s were never measured on %.40s",
             decided_words[c->kind], c->nodes, c->nodes == 1 ? "" : "s", size,
             c->machine);
}

/* Returns whether it lies in the range of the machine's decisions of this kind,
 * and says beyond which ends it lies if it does not. */
static bool in_range(struct model_error *e, const struct model_error_row *rows,
                     size_t n, const struct decided_case *c)
{
    struct measured_range nodes = {0}, bytes = {0};

    for (size_t i = 0; i < n; i++) {
        const struct model_error_row *r = &rows[i];
        if (r->kind != c->kind || strcmp(r->machine, c->machine) != 0)
            continue;
        measured_widen(&nodes, r->least_nodes, r->most_nodes);
        measured_widen(&bytes, r->least_B, r->most_B);
    }
    extrapolates_add(e->extrapolates, sizeof e->extrapolates, "nodes", c->nodes,
                     nodes);
    extrapolates_add(e->extrapolates, sizeof e->extrapolates, "bytes", c->bytes,
                     bytes);
    return !*e->extrapolates;
}

static void say_what(struct model_error *e)
{
    const struct model_bound *b = &e->bound;
    bool few = b->stated < MODEL_ERROR_FEW;

    if (!*e->where)
        return;
    if (!b->cases)
        snprintf(e->words, sizeof e->words,
                 "%s, nor elsewhere: nothing is stated above %.2f, as of the "
                 "kind that is right least often",
                 e->where, b->most);
    else
        snprintf(e->words, sizeof e->words,
                 "%s: %u of %u such advices%s %s were right, and nothing is "
                 "stated above %.2f",
                 e->where, few ? b->right : b->stated_right,
                 few ? b->cases : b->stated,
                 few ? "" : " stated with 80 % and more",
                 b->counted_here ? "on it, of other nodes or sizes,"
                                 : "on other machines",
                 b->most);
}

/* Beyond the measured range the error is the worse of this machine's and the
 * others'. */
static struct model_error error_beyond(const struct model_error *own,
                                       const struct model_error *others)
{
    bool lower = others->bound.cases && others->bound.most < own->bound.most;

    return (struct model_error){.path = fmax(own->path, others->path),
                                .own = fmax(own->own, others->own),
                                .bound = lower ? others->bound : own->bound,
                                .from = MODEL_ERROR_BEYOND};
}

struct model_error model_error_by(const struct model_error_row *rows, size_t n,
                                  const struct decided_case *c, bool held_back)
{
    struct rows_wanted near = {true, true, true};
    struct model_error others = error_elsewhere(rows, n, c), e = others;
    struct model_error beyond = {0};
    bool here =
        in_range(&beyond, rows, n, c) && rows_sum(rows, n, c, near).cases;
    struct model_error own = error_of_kind(rows, n, c, near);

    own.bound.counted_here = true;
    if (own.bound.cases && !held_back)
        e = here ? own : error_beyond(&own, &others);
    else if (!others.bound.cases)
        e = error_of_any(rows, n, c);
    fill_errors(&e, rows, n, c);
    if (e.from == MODEL_ERROR_OWN)
        return e;
    if (e.from == MODEL_ERROR_BEYOND)
        memcpy(e.extrapolates, beyond.extrapolates, sizeof e.extrapolates);
    say_where(&e, c);
    say_what(&e);
    return e;
}

struct model_error model_error_of(const struct decided_case *c)
{
    return model_error_by(model_errors, nmodel_errors, c, false);
}

struct model_error model_error_join(const struct model_error *memory,
                                    const struct model_error *way)
{
    bool lower = memory->bound.most < way->bound.most;
    struct model_error e = memory->from > way->from ? *memory : *way;

    e.path = memory->path;
    e.own = way->own;
    e.bound = lower ? memory->bound : way->bound;
    say_what(&e);
    return e;
}

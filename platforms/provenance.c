/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the sources of a machine's numbers. */
#include "platforms/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const provenance_names[NPROVENANCES] = {
    "measured", "fit", "specification", "published", "taken_over",
    "assumed",  "set"};

/* A statement, and the numbers that it names; it names none if it is about all
 * others. */
struct part {
    struct statement is;
    char *words;
    char **of;
    size_t nof;
};

struct number_source {
    struct part *parts;
    size_t n;
    char *text;
};

bool source_is_key(const char *key)
{
    size_t n = key ? strlen(key) : 0;

    return n >= 6 && !strcmp(key + n - 6, "source") &&
           (n == 6 || key[n - 7] == '_');
}

/* --- reading -------------------------------------------------------------- */

static const char FORM[] =
    "expected {\"kind\": KIND, \"from\": \"...\", \"text\": \"...\"}, KIND "
    "being measured, fit, specification, published, taken_over, assumed or "
    "set, or a list of them";

static int source_read_kind(enum provenance *kind, const struct json *o,
                            struct err *err)
{
    const struct json *v = json_member(o, "kind");
    char got[80];

    for (int i = 0; json_is_string(v) && i < NPROVENANCES; i++)
        if (!strcmp(json_string(v), provenance_names[i])) {
            *kind = (enum provenance)i;
            return 0;
        }
    return v ? fail(err, "%s; got the kind %s", FORM,
                    json_describe(v, got, sizeof got))
             : fail(err, "%s; got no kind", FORM);
}

/* Reads a text, or NULL if it is left out. */
static int text_of(const char **text, const struct json *o, const char *key,
                   struct err *err)
{
    *text = NULL;
    if (!json_member(o, key))
        return 0;
    if (json_get_string(o, key, text, err) < 0)
        return -1;
    return **text ? 0
                  : fail(err, "%s: expected a text that says something", key);
}

/* Returns the texts one after the other. printf() and streams take several
 * times as long, and advise reads each source of a machine for every draw. */
static char *joined(const char *const *texts, size_t n)
{
    size_t bytes = 1;

    for (size_t i = 0; i < n; i++)
        bytes += strlen(texts[i]);
    char *all = xmalloc(bytes), *end = all;
    *end = 0;
    for (size_t i = 0; i < n; i++)
        end = stpcpy(end, texts[i]);
    return all;
}

static char *words_of(const struct statement *is, const char *from,
                      const char *text)
{
    char residual[40] = "";
    bool taken = is->kind == PROVENANCE_TAKEN_OVER;

    if (is->residual > 0)
        snprintf(residual, sizeof residual, ", residual %.1f %%",
                 is->residual * 100);
    const char *const texts[] = {taken ? "taken over"
                                       : provenance_names[is->kind],
                                 taken && from ? " from " : ": ",
                                 from ? from : "",
                                 from && text ? ": " : "",
                                 text ? text : "",
                                 residual};
    return joined(texts, sizeof texts / sizeof texts[0]);
}

static int read_names(struct part *p, const struct json *o,
                      const struct json *beside, struct err *err)
{
    struct json *of;

    if (!beside || !json_member(o, "of"))
        return 0;
    if (json_get_array(o, "of", &of, err) < 0)
        return -1;
    if (!json_size(of))
        return fail(err, "of: expected keys beside the source, got none");
    p->of = xcalloc(json_size(of), sizeof *p->of);
    for (const struct json *c = json_at(of, 0); c; c = json_next(c)) {
        char got[80];
        if (!json_is_string(c) || !json_at_path(beside, json_string(c)))
            return fail(err, "of: expected keys beside the source, got %s",
                        json_describe(c, got, sizeof got));
        p->of[p->nof++] = xstrdup(json_string(c));
    }
    return 0;
}

static int read_statement(struct part *p, const struct json *o,
                          const struct json *beside, struct err *err)
{
    static const char *const keys[] = {"of", "kind", "from", "text",
                                       "residual_percent"};
    const char *from, *text;
    double percent = 0;
    char got[80];

    if (!json_is_object(o))
        return fail(err, "%s; got %s", FORM, json_describe(o, got, sizeof got));
    if (json_only_keys(o, keys, sizeof keys / sizeof keys[0], err) < 0 ||
        source_read_kind(&p->is.kind, o, err) < 0 ||
        text_of(&from, o, "from", err) < 0 ||
        text_of(&text, o, "text", err) < 0)
        return -1;
    if (!from && !text)
        return fail(err, "%s; got neither from nor text", FORM);
    if (json_member(o, "residual_percent") &&
        json_get_not_negative(o, "residual_percent", &percent, err) < 0)
        return -1;
    p->is.residual = percent / 100;
    if (read_names(p, o, beside, err) < 0)
        return -1;
    p->words = words_of(&p->is, from, text);
    p->is.words = p->words;
    return 0;
}

/* Returns all statements as a text: "fit: a.csv; beta_ns_per_byte: measured:
 * b.csv". */
static char *whole_text(const struct number_source *s)
{
    size_t most = 0, n = 0;

    for (size_t i = 0; i < s->n; i++)
        most += 2 * s->parts[i].nof + 2;
    const char **texts = xcalloc(most, sizeof *texts);
    for (size_t i = 0; i < s->n; i++) {
        const struct part *p = &s->parts[i];
        if (i)
            texts[n++] = "; ";
        for (size_t k = 0; k < p->nof; k++) {
            texts[n++] = p->of[k];
            texts[n++] = k + 1 < p->nof ? ", " : ": ";
        }
        texts[n++] = p->words;
    }
    char *text = joined(texts, n);
    free(texts);
    return text;
}

/* Returns whether a statement before names a number, or the last one among its
 * first k. */
static bool names_before(const struct number_source *s, const char *number,
                         size_t k)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct part *p = &s->parts[i];
        for (size_t j = 0; j < (i + 1 < s->n ? p->nof : k); j++)
            if (!strcmp(p->of[j], number))
                return true;
    }
    return false;
}

static int source_read_all(struct number_source *s, const struct json *v,
                           const struct json *beside, struct err *err)
{
    bool list = json_is_array(v);
    size_t n = list ? json_size(v) : 1, others = 0;

    s->parts = xcalloc(n ? n : 1, sizeof *s->parts);
    for (size_t i = 0; i < n; i++) {
        struct part *p = &s->parts[s->n++];
        if (read_statement(p, list ? json_at(v, i) : v, beside, err) < 0)
            return -1;
        for (size_t k = 0; k < p->nof; k++)
            if (names_before(s, p->of[k], k))
                return fail(err, "of: %.60s is named twice", p->of[k]);
        others += !p->nof;
    }
    if (others != 1)
        return fail(err,
                    "expected one statement without \"of\", about all other "
                    "numbers, got %zu",
                    others);
    s->text = whole_text(s);
    return 0;
}

int source_read(struct number_source **s, const struct json *o, const char *key,
                struct err *err)
{
    const struct json *v = json_member(o, key);
    struct number_source *new;

    if (!v)
        return fail(err, "%s: %s; got nothing", key, FORM);
    new = xcalloc(1, sizeof *new);
    if (source_read_all(new, v, o, err) < 0) {
        source_free(new);
        return fail_in(err, "%s", key);
    }
    source_free(*s);
    *s = new;
    return 0;
}

/* --- in memory ------------------------------------------------------------ */

struct number_source *source_new(enum provenance kind, const char *text)
{
    struct number_source *s = xcalloc(1, sizeof *s);

    s->n = 1;
    s->parts = xcalloc(1, sizeof *s->parts);
    s->parts->is.kind = kind;
    s->parts->words = words_of(&s->parts->is, NULL, text);
    s->parts->is.words = s->parts->words;
    s->text = xstrdup(s->parts->words);
    return s;
}

struct number_source *source_copy(const struct number_source *s)
{
    if (!s)
        return NULL;
    struct number_source *copy = xcalloc(1, sizeof *copy);
    copy->n = s->n;
    copy->text = xstrdup(s->text);
    copy->parts = xcalloc(s->n, sizeof *copy->parts);
    for (size_t i = 0; i < s->n; i++) {
        struct part *p = &copy->parts[i];
        *p = s->parts[i];
        p->words = xstrdup(p->words);
        p->is.words = p->words;
        p->of = p->nof ? xcalloc(p->nof, sizeof *p->of) : NULL;
        for (size_t k = 0; k < p->nof; k++)
            p->of[k] = xstrdup(s->parts[i].of[k]);
    }
    return copy;
}

void source_free(struct number_source *s)
{
    for (size_t i = 0; s && i < s->n; i++) {
        for (size_t k = 0; k < s->parts[i].nof; k++)
            free(s->parts[i].of[k]);
        free(s->parts[i].of);
        free(s->parts[i].words);
    }
    if (s) {
        free(s->parts);
        free(s->text);
    }
    free(s);
}

/* Returns the key of a number that may be given by a path. */
static const char *number_key(const char *number)
{
    const char *last = strrchr(number, '.');

    return last ? last + 1 : number;
}

static bool is_named(const char *name, const char *number, const char *key)
{
    return !strcmp(name, key) || (key != number && !strcmp(name, number));
}

struct statement source_of(const struct number_source *s, const char *number)
{
    struct statement found = {.kind = PROVENANCE_ASSUMED, .words = ""};
    const char *key = number ? number_key(number) : NULL;

    for (size_t i = 0; s && i < s->n; i++) {
        const struct part *p = &s->parts[i];
        if (!p->nof)
            found = p->is;
        for (size_t k = 0; number && k < p->nof; k++)
            if (is_named(p->of[k], number, key))
                return p->is;
    }
    return found;
}

enum provenance source_kind(const struct number_source *s, const char *number)
{
    return source_of(s, number).kind;
}

const char *source_text(const struct number_source *s)
{
    return s ? s->text : NULL;
}

bool source_split_assumed(const struct number_source *s)
{
    static const char *const ends[] = {"alpha_shares", "beta_shares", "send_us",
                                       "recv_us"};

    for (size_t i = 0; s && i < s->n; i++) {
        const struct part *p = &s->parts[i];
        bool guess = p->is.kind == PROVENANCE_ASSUMED ||
                     p->is.kind == PROVENANCE_TAKEN_OVER;
        for (size_t k = 0; guess && k < p->nof; k++)
            for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++)
                if (!strcmp(p->of[k], ends[e]))
                    return true;
    }
    return false;
}

/* --- writing -------------------------------------------------------------- */

struct json *source_json(enum provenance kind, const char *from,
                         const char *text)
{
    struct json *o = json_new_object();

    json_add_string(o, "kind", provenance_names[kind]);
    if (from)
        json_add_string(o, "from", from);
    if (text)
        json_add_string(o, "text", text);
    return o;
}

const struct json *source_at(const struct json *source, const char *number)
{
    const struct json *others = json_is_object(source) ? source : NULL;
    const struct json *c = json_is_array(source) ? json_at(source, 0) : NULL;

    for (; c; c = json_next(c)) {
        const struct json *of = json_member(c, "of");
        if (!of)
            others = c;
        for (const struct json *k = of ? json_at(of, 0) : NULL; k && number;
             k = json_next(k))
            if (is_named(json_string(k), number, number_key(number)))
                return c;
    }
    return others;
}

char *source_phrase(const struct json *statement)
{
    struct part p = {.words = NULL};
    struct err err;

    if (read_statement(&p, statement, NULL, &err) < 0)
        p.words = xstrdup("");
    return p.words;
}

/* Returns a statement without the numbers for which `gone` holds; NULL if none
 * is left. */
static struct json *without(const struct json *statement,
                            bool (*gone)(const char *name, const void *arg),
                            const void *arg)
{
    struct json *left = json_new_array(), *copy = NULL;
    const struct json *of = json_member(statement, "of");

    for (const struct json *c = json_at(of, 0); c; c = json_next(c))
        if (!gone(json_string(c), arg))
            json_append(left, json_copy(c));
    if (!json_size(left)) {
        json_free(left);
        return NULL;
    }
    copy = json_copy(statement);
    json_replace(copy, "of", left);
    return copy;
}

static bool is_among(const char *name, const void *arg)
{
    const char *const *names = arg;

    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool is_absent(const char *name, const void *arg)
{
    return !json_at_path(arg, name);
}

/* Returns the statements of a source as a list, without the numbers that are
 * gone. */
static struct json *kept(const struct json *source, bool others,
                         bool (*gone)(const char *name, const void *arg),
                         const void *arg)
{
    struct json *list = json_new_array();
    const struct json *c = json_is_array(source) ? json_at(source, 0) : NULL;

    if (json_is_object(source) && others)
        json_append(list, json_copy(source));
    for (; c; c = json_next(c)) {
        bool named = json_member(c, "of") != NULL;
        struct json *copy = named    ? without(c, gone, arg)
                            : others ? json_copy(c)
                                     : NULL;
        if (copy)
            json_append(list, copy);
    }
    return list;
}

/* Puts a list of statements at a key, or the statement itself if there is
 * one. */
static void put_list(struct json *o, const char *key, struct json *list)
{
    if (json_size(list) == 1) {
        struct json *alone = json_copy(json_at(list, 0));
        json_free(list);
        list = alone;
    }
    json_replace(o, key, list);
}

void source_put(struct json *o, const char *key, const char *const *of,
                struct json *statement)
{
    static const char *const none[] = {NULL};
    const struct json *old = json_member(o, key);

    if (json_is_string(old)) { /* a text is refused when it is read */
        json_free(statement);
        return;
    }
    struct json *list = kept(old, of != NULL, is_among, of ? of : none);

    if (of && json_size(list)) {
        struct json *names = json_new_array();
        struct json *named = json_new_object();
        for (; *of; of++)
            json_append(names, json_new_string(*of));
        json_add(named, "of", names);
        for (const struct json *c = json_at(statement, 0); c; c = json_next(c))
            json_add(named, json_key(c), json_copy(c));
        json_free(statement);
        json_append(list, named);
    } else {
        struct json *rest = list;
        list = json_new_array();
        json_append(list, statement);
        for (const struct json *c = json_at(rest, 0); c; c = json_next(c))
            json_append(list, json_copy(c));
        json_free(rest);
    }
    put_list(o, key, list);
}

void source_join(struct json *o, const char *key, const char *const *of)
{
    const struct json *old = json_member(o, key);

    if (json_is_array(old))
        put_list(o, key, kept(old, true, is_among, of));
}

void source_forget(struct json *o, const char *key)
{
    const struct json *old = json_member(o, key);

    if (json_is_array(old))
        put_list(o, key, kept(old, true, is_absent, o));
}

void source_forget_all(struct json *v)
{
    for (struct json *c = json_at(v, 0); c; c = json_next(c)) {
        if (json_is_object(v) && source_is_key(json_key(c))) {
            char *key = xstrdup(json_key(c));
            source_forget(v, key);
            c = json_member(v, key);
            free(key);
        } else if (json_is_object(c) || json_is_array(c)) {
            source_forget_all(c);
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h - sources of a machine's numbers, as its JSON gives them. */
#ifndef PLATFORMS_PROVENANCE_H
#define PLATFORMS_PROVENANCE_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

enum provenance {
    PROVENANCE_MEASURED,
    PROVENANCE_FIT,           /* fitted to measurements of this machine */
    PROVENANCE_SPECIFICATION, /* given by a vendor or a centre */
    PROVENANCE_PUBLISHED,     /* in a paper, or in other texts that it names */
    PROVENANCE_TAKEN_OVER,    /* another machine's */
    PROVENANCE_ASSUMED,
    PROVENANCE_SET, /* changed with --set */
    NPROVENANCES
};
/* Names as in JSON: "measured", "fit", ... */
extern const char *const provenance_names[NPROVENANCES];

/* A source is an object
 *
 *     {"kind": "fit", "from": "a.csv", "text": "6 medians",
 *      "residual_percent": 2.4}
 *
 * of a kind above, with "from" (a machine, file or paper), "text" or both, and
 * with the residual of a fit, if that is known. Or it is a list of such
 * objects, one of which is about all numbers that the others do not name by
 * "of": ["beta_ns_per_byte", ...], keys of the object in which the source
 * stands. */
struct number_source;

/* Reads the source at `key` of o; *s, which is freed before, is the caller's to
 * free. Refuses a source if it has another form than the above. */
int source_read(struct number_source **s, const struct json *o, const char *key,
                struct err *err) MUST_CHECK;
/* Return sources that the caller frees; a copy of NULL is NULL. */
struct number_source *source_new(enum provenance kind, const char *text);
struct number_source *source_copy(const struct number_source *s);
void source_free(struct number_source *s);

/* A statement about a number, which is given by its key ("beta_ns_per_byte") or
 * by its path below the object of the source ("several.launch_us"); if the
 * number is NULL, it is about all numbers that no statement names. */
struct statement {
    enum provenance kind; /* assumed if there is no source (NULL) */
    double residual;      /* a share; 0 if it is not given */
    const char *words; /* "fit: a.csv: 6 medians"; "" if there is no source */
};
struct statement source_of(const struct number_source *s, const char *number);
enum provenance source_kind(const struct number_source *s, const char *number);
/* Returns all of it as a text; NULL if there is no source. */
const char *source_text(const struct number_source *s);
/* Returns whether the source states that the division of a message's cost
 * between CPUs and wire, and that alone, is assumed or taken over. */
bool source_split_assumed(const struct number_source *s);

/* Returns a statement in JSON; from or text may be NULL. */
struct json *source_json(enum provenance kind, const char *from,
                         const char *text);
/* Makes `statement`, which it takes over, that of the numbers `of` (up to a
 * NULL) in the source at `key` of o, and removes them from the others; if `of`
 * is NULL, it is that of the numbers which none names. */
void source_put(struct json *o, const char *key, const char *const *of,
                struct json *statement);
/* Returns the statement about a number in JSON, or NULL if there is none. */
const struct json *source_at(const struct json *source, const char *number);
/* Removes these numbers (up to a NULL) from all statements that name them, so
 * that the statement about all others is theirs, too. */
void source_join(struct json *o, const char *key, const char *const *of);
/* Returns a statement as a text, "fit: a.csv: 6 medians", which the caller
 * frees. */
char *source_phrase(const struct json *statement);
/* Removes numbers from all statements if o does not have them any longer. */
void source_forget(struct json *o, const char *key);
/* Does the same for all sources in a document. */
void source_forget_all(struct json *v);
/* Returns whether a key of a platform's file is one of a source. */
bool source_is_key(const char *key);

#endif

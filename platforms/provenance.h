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
    PROVENANCE_FIT,           /* to measurements of this machine */
    PROVENANCE_SPECIFICATION, /* of a vendor or a centre */
    PROVENANCE_PUBLISHED,     /* in a paper, or in other texts that it names */
    PROVENANCE_TAKEN_OVER,    /* another machine's */
    PROVENANCE_ASSUMED,
    PROVENANCE_SET, /* by --set */
    NPROVENANCES
};
/* "measured", "fit", ..., as JSON has them. */
extern const char *const provenance_names[NPROVENANCES];

/*
 * A source is an object
 *
 *     {"kind": "fit", "from": "a.csv", "text": "6 medians",
 *      "residual_percent": 2.4}
 *
 * of a kind above, with "from" (a machine, file or paper), "text" or both, and
 * with how far a fit is from its measurements, if that is known. Or it is a
 * list of such objects, one of which speaks of all numbers that the others do
 * not name by "of": ["beta_ns_per_byte", ...], keys of the object in which the
 * source stands.
 */
struct number_source;

/*
 * Reads the source that stands at `key` of o; *s, which is freed before, is the
 * caller's to free. Refuses all but the form above.
 */
int source_read(struct number_source **s, const struct json *o, const char *key,
                struct err *err) MUST_CHECK;
/* The caller frees them; a copy of NULL is NULL. */
struct number_source *source_new(enum provenance kind, const char *text);
struct number_source *source_copy(const struct number_source *s);
void source_free(struct number_source *s);

/*
 * The statement about a number, which is given by its key ("beta_ns_per_byte")
 * or by its path below the object of the source ("several.launch_us"); about
 * all numbers that none names if the number is NULL.
 */
struct statement {
    enum provenance kind; /* assumed, if there is no source (NULL) */
    double residual;      /* a share, 0: not given */
    const char *words;    /* "fit: a.csv: 6 medians"; "" without a source */
};
struct statement source_of(const struct number_source *s, const char *number);
enum provenance source_kind(const struct number_source *s, const char *number);
/* All of it as a text; NULL without a source. */
const char *source_text(const struct number_source *s);
/* Whether the source says of how a message's cost divides between CPUs and
 * wire, and of that alone, that it is assumed or taken over. */
bool source_split_assumed(const struct number_source *s);

/* Writing JSON: a statement; from or text may be NULL. */
struct json *source_json(enum provenance kind, const char *from,
                         const char *text);
/*
 * Makes `statement`, which is taken over, that of the numbers `of` (up to a
 * NULL) in the source at `key` of o, and takes them out of the others; if `of`
 * is NULL, it is that of the numbers which none names.
 */
void source_put(struct json *o, const char *key, const char *const *of,
                struct json *statement);
/* The statement about a number as it stands in the JSON, or NULL. */
const struct json *source_at(const struct json *source, const char *number);
/* The statement of all others is that of these numbers, too (up to a NULL). */
void source_join(struct json *o, const char *key, const char *const *of);
/* A statement as a text, "fit: a.csv: 6 medians", which the caller frees. */
char *source_phrase(const struct json *statement);
/* No statement names a number any longer that o has not. */
void source_forget(struct json *o, const char *key);
/* The same of all sources in a document. */
void source_forget_all(struct json *v);
/* Whether a key of a platform's file is one of a source. */
bool source_is_key(const char *key);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - JSON documents, read strictly and written plainly. The only place
 * that knows cJSON. Values inside a document are borrowed from it. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json;

/* Reading. NULL on an error that names the file, line and column. A key that
 * stands twice in one object is an error. */
struct json *json_load(const char *path, struct err *err) MUST_CHECK;
struct json *json_parse(const char *text, const char *name,
                        struct err *err) MUST_CHECK;
void json_free(struct json *doc);

bool json_is_object(const struct json *v);
bool json_is_array(const struct json *v);
bool json_is_string(const struct json *v);
bool json_is_number(const struct json *v);
bool json_is_null(const struct json *v);          /* the value null */
const char *json_type_name(const struct json *v); /* "a string", "a number" */
size_t json_size(const struct json *v);           /* of an array or object */
struct json *json_at(const struct json *array, size_t i); /* or NULL */
/* The member or element after this one, or NULL: with json_at(v, 0) first, a
 * walk over an array or object that does not start anew for each element. */
struct json *json_next(const struct json *v);
const char *json_key(const struct json *member); /* its name in its object */
const char *json_string(const struct json *v);   /* NULL when it is no string */
double json_number(const struct json *v);        /* NAN when it is no number */
/* How an error shows a value: -3, "text", true, an array, nothing (NULL). */
const char *json_describe(const struct json *v, char *buf, size_t size);
struct json *json_member(const struct json *object,
                         const char *key); /* or NULL */
/* The value at a path of members and elements such as "levels.0.down", or NULL.
 */
const struct json *json_at_path(const struct json *v, const char *path);

/* Members by key. -1 and an error "KEY: expected ..., got ..." when the key is
 * missing or of another type. Strings are borrowed. */
int json_get_object(const struct json *o, const char *key, struct json **out,
                    struct err *err) MUST_CHECK;
int json_get_array(const struct json *o, const char *key, struct json **out,
                   struct err *err) MUST_CHECK;
int json_get_string(const struct json *o, const char *key, const char **out,
                    struct err *err) MUST_CHECK;
int json_get_bool(const struct json *o, const char *key, bool *out,
                  struct err *err) MUST_CHECK;
int json_get_number(const struct json *o, const char *key, double *out,
                    struct err *err) MUST_CHECK; /* finite */
int json_get_positive(const struct json *o, const char *key, double *out,
                      struct err *err) MUST_CHECK; /* above 0 */
int json_get_not_negative(const struct json *o, const char *key, double *out,
                          struct err *err) MUST_CHECK;
int json_get_count(const struct json *o, const char *key, uint64_t *out,
                   struct err *err) MUST_CHECK; /* whole, 0 to 2^53 */
/* Every key of the object must be among the `n` known ones; else an error that
 * names the key and suggests the nearest known one. */
int json_only_keys(const struct json *o, const char *const *known, size_t n,
                   struct err *err) MUST_CHECK;

/* Writing. A child is owned by what it was added to. */
struct json *json_new_object(void);
struct json *json_new_array(void);
struct json *json_new_string(const char *text);
struct json *json_new_number(double value);
void json_add_number(struct json *o, const char *key, double value);
void json_add_string(struct json *o, const char *key, const char *value);
void json_add_bool(struct json *o, const char *key, bool value);
void json_add(struct json *o, const char *key, struct json *child);
void json_append(struct json *array, struct json *child);
/* In place of the member or element that is there; a new member is added. */
void json_replace(struct json *o, const char *key, struct json *child);
void json_replace_at(struct json *array, size_t i, struct json *child);
/* Another value of a number, in place. */
void json_set_number(struct json *number, double value);
/* Takes a member out and frees it; nothing where there is none. */
void json_remove(struct json *o, const char *key);
/* A value with all that is in it; its owner is the caller. */
struct json *json_copy(const struct json *v);
/*
 * Changes one value of a document: "network.levels.0.down=18". All of the path
 * but the last key must be there. The value is read as JSON, or else taken as
 * the text that it is.
 */
int json_set(struct json *doc, const char *setting, struct err *err) MUST_CHECK;
/*
 * Two spaces a level and a newline at the end; what fits on one line of 100
 * columns stands on one line, and of a long list of numbers as many as do. A
 * number that is not finite becomes null.
 */
void json_print(const struct json *doc, FILE *to);
/* A text, quoted. */
void json_print_string(const char *text, FILE *to);
/* To a file, whole or not at all (outfile.h). */
int json_write(const struct json *doc, const char *path,
               struct err *err) MUST_CHECK;
char *json_text(const struct json *doc); /* caller frees */

#endif

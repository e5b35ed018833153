/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - JSON documents, which are read strictly and written plainly. Only
 * json.c uses cJSON. Values inside a document are borrowed from it. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json;

/* Read a document. They return NULL after an error that names the file, line
 * and column; a repeated key in one object is an error. The caller frees the
 * document. */
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
size_t json_size(const struct json *v); /* number of members or elements */
struct json *json_at(const struct json *array, size_t i); /* or NULL */
/* Returns the member or element after this one, or NULL. Together with
 * json_at(v, 0) it walks over an array or object in linear time. */
struct json *json_next(const struct json *v);
const char *json_key(const struct json *member); /* its name in its object */
const char *json_string(const struct json *v);   /* NULL if it is no string */
double json_number(const struct json *v);        /* NAN if it is no number */
/* Returns a value as an error shows it: -3, "text", true, an array, nothing
 * (NULL). */
const char *json_describe(const struct json *v, char *buf, size_t size);
struct json *json_member(const struct json *object,
                         const char *key); /* or NULL */
/* Returns the value at a path of members and elements such as "levels.0.down",
 * or NULL. */
const struct json *json_at_path(const struct json *v, const char *path);

/* Get a member by key. Return -1 and an error "KEY: expected ..., got ..." if
 * the key is missing or its value has another type. Strings are borrowed. */
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
/* Gets a whole number from 0 to below 2^53. */
int json_get_count(const struct json *o, const char *key, uint64_t *out,
                   struct err *err) MUST_CHECK;
/* Fails unless every key of the object is among the `n` known ones; the error
 * names the key and suggests the nearest known one. */
int json_only_keys(const struct json *o, const char *const *known, size_t n,
                   struct err *err) MUST_CHECK;

/* Make values and add them. A child is owned by the value to which it is
 * added. */
struct json *json_new_object(void);
struct json *json_new_array(void);
struct json *json_new_string(const char *text);
struct json *json_new_number(double value);
void json_add_number(struct json *o, const char *key, double value);
/* Adds a number; no key if it is NAN. */
void json_add_known(struct json *o, const char *key, double value);
void json_add_string(struct json *o, const char *key, const char *value);
void json_add_bool(struct json *o, const char *key, bool value);
void json_add(struct json *o, const char *key, struct json *child);
void json_append(struct json *array, struct json *child);
/* Replace a member or an element; a member that does not exist is added. */
void json_replace(struct json *o, const char *key, struct json *child);
void json_replace_at(struct json *array, size_t i, struct json *child);
/* Returns the object at a key; an empty one replaces anything else. */
struct json *json_object_in(struct json *o, const char *key);
/* Sets the value of a number in place. */
void json_set_number(struct json *number, double value);
/* Removes and frees a member, if it exists. */
void json_remove(struct json *o, const char *key);
/* Returns a deep copy, which the caller owns. */
struct json *json_copy(const struct json *v);
/* Changes one value of a document, as in "network.levels.0.down=18". All parts
 * of the path except the last key must exist. The value is read as JSON, or
 * else as plain text. */
int json_set(struct json *doc, const char *setting, struct err *err) MUST_CHECK;
/* Prints a document with two spaces per level and a newline at the end. A value
 * that fits on one line of 100 columns is printed on one line, and a long list
 * of numbers fills its lines. A number that is not finite becomes null. */
void json_print(const struct json *doc, FILE *to);
/* Prints a text in quotes. */
void json_print_string(const char *text, FILE *to);
/* Writes a document to a file, as a whole or not at all (outfile.h). */
int json_write(const struct json *doc, const char *path,
               struct err *err) MUST_CHECK;
char *json_text(const struct json *doc); /* the caller frees it */

#endif

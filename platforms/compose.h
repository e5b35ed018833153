/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.h - platforms that are built on others: {"extends": [NAMES], ...}. */
#ifndef PLATFORMS_COMPOSE_H
#define PLATFORMS_COMPOSE_H

#include "base/err.h"
#include "base/json.h"

/* Returns the document of a file, built on those that its "extends" names (a
 * text or an array of texts), which may extend others; the key itself is
 * removed. Later ones change earlier ones, and the file itself changes all of
 * them: objects merge, arrays and single values replace, null removes. Arrays
 * of objects merge by id if the objects have ids. Names and abouts are not
 * inherited. A changed number needs a source beside it if the old one has one,
 * because that one is about the old number. NULL and an error that names files
 * and place if a base is not there, a file extends itself, or there are too
 * many of them. json_free() frees the document.
 *
 * An object {"same_as": "NAME:PATH", ...} becomes the value at a path of
 * another platform, which is a name or a file as in "extends", taken over from
 * there; other members of the object, which may be such objects too, are merged
 * into it. Each platform that is referred to is composed once, and all files
 * count against the limit. */
struct json *compose_load(const char *path, struct err *err);

/* Changes a document by another one, as above. */
int compose_merge(struct json *into, const struct json *from,
                  struct err *err) MUST_CHECK;

/* Returns the file, among those that this one extends or refers to, that gives
 * the value at the place with which an error begins ("node.wires[3]: ...");
 * NULL if it is the file itself, or none. The caller frees it. */
char *compose_owner(const char *path, const char *place);

/* Makes every source in v say that its numbers are taken over from a machine;
 * fails if one is malformed. */
int compose_take_over(struct json *v, const char *from,
                      struct err *err) MUST_CHECK;

/* Returns the key that holds the source of a number of an object in a document:
 * "source", or for a few of some objects "engine_source" and the like. */
const char *compose_source_key(const struct json *object, const char *number);

/* Removes keys from a document's network that belong to another topology than
 * the one it names now. */
void compose_topology(struct json *doc);

#endif

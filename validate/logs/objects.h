/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h - JSON objects between other text: one a line, or one of several
 * lines. */
#ifndef VALIDATE_LOGS_OBJECTS_H
#define VALIDATE_LOGS_OBJECTS_H

#include "base/json.h"
#include "validate/logs/log.h"

struct log_objects {
    const char *at, *end;
    unsigned line; /* of the beginning of the last object */
    unsigned next; /* of `at` */
};

struct log_objects log_objects_of(const struct input *in);
/* Returns the next object, which the caller frees; NULL at the end. Objects
 * that are cut off or no JSON are noted and left out. */
struct json *log_object(struct log *l, struct log_objects *s);

#endif

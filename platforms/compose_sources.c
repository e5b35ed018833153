/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the sources of a document's numbers and takes them over. */
#include "platforms/compose.h"

#include "platforms/keys.h"
#include "platforms/provenance.h"
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

const char *compose_source_key(const struct json *object, const char *number)
{
    const char *name = json_key(object);

    return name ? key_source_key(name, number) : "source";
}

/* Returns a source's statements, each of which now says that the number is
 * taken over from another machine. */
static struct json *taken(const struct json *source, const char *from)
{
    struct json *list = json_new_array();
    bool several = json_is_array(source);
    const struct json *c = several ? json_at(source, 0) : source;

    for (; c; c = several ? json_next(c) : NULL) {
        struct json *o = json_new_object();
        char *text = source_phrase(c);
        if (json_member(c, "of"))
            json_add(o, "of", json_copy(json_member(c, "of")));
        json_add_string(o, "kind", provenance_names[PROVENANCE_TAKEN_OVER]);
        json_add_string(o, "from", from);
        json_add_string(o, "text", text);
        free(text);
        json_append(list, o);
    }
    return list;
}

/* Makes the source at a key of o one that is taken over, if it is
 * well-formed. */
static int take_source(struct json *o, const char *key, const char *from,
                       struct err *err)
{
    struct number_source *read = NULL;

    if (source_read(&read, o, key, err) < 0)
        return -1;
    source_free(read);
    struct json *list = taken(json_member(o, key), from);
    bool one = json_size(list) == 1;
    json_replace(o, key, json_copy(one ? json_at(list, 0) : list));
    json_free(list);
    return 0;
}

int compose_take_over(struct json *v, const char *from, struct err *err)
{
    size_t i = 0;

    for (struct json *c = json_at(v, 0); c; c = json_next(c), i++) {
        bool array = json_is_array(v);
        if (array || !source_is_key(json_key(c))) {
            if (compose_take_over(c, from, err) < 0)
                return array ? fail_at_place(err, "[%zu]", i)
                             : fail_at_place(err, "%.60s", json_key(c));
            continue;
        }
        char *key = xstrdup(json_key(c));
        int result = take_source(v, key, from, err);
        c = json_member(v, key);
        free(key);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the JSON objects in a log, by their braces. */
#include "validate/logs/objects.h"

#include "validate/logs/lines.h"

#include <stdlib.h>
#include <string.h>

struct log_objects log_objects_of(const struct input *in)
{
    return (struct log_objects){in->begin, in->end, 0, 1};
}

/* Returns the end of the object that begins at `at`, or NULL if the text ends
 * before it. */
static const char *object_end(const char *at, const char *end)
{
    bool quoted = false;
    size_t depth = 0;

    for (; at < end; at++) {
        if (quoted && *at == '\\') {
            at++;
            continue;
        }
        if (*at == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        depth += *at == '{';
        if (*at == '}' && !--depth)
            return at + 1;
    }
    return NULL;
}

/* Moves to a place, and counts the lines before it. */
static void move_to(struct log_objects *s, const char *to)
{
    for (; s->at < to; s->at++)
        s->next += *s->at == '\n';
}

/* Returns the beginning of the next line, or the end. */
static const char *line_after(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));

    return stop ? stop + 1 : end;
}

struct json *log_object(struct log *l, struct log_objects *s)
{
    struct err why;

    while (s->at && s->at < s->end) {
        const char *begin = memchr(s->at, '{', (size_t)(s->end - s->at));
        if (!begin)
            break;
        move_to(s, begin);
        s->line = s->next;
        const char *end = object_end(begin, s->end);
        if (!end) {
            /* An object that is cut off may have whole ones behind it. */
            log_note(l, s->line, "cut off");
            move_to(s, line_after(begin, s->end));
            continue;
        }
        char *text = xasprintf("%.*s", (int)(end - begin), begin);
        struct json *o = json_parse(text, l->path, &why);
        free(text);
        if (o) {
            move_to(s, end);
            return o;
        }
        log_note(l, s->line, "no JSON, or cut off");
        move_to(s, line_after(begin, s->end));
    }
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads single values of a platform's JSON with their units and bounds. */
#include "platforms/read.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Bounds any value, in the unit of its key. */
static const double too_much = 1e12;

int fail_at_place(struct err *err, const char *fmt, ...)
{
    char place[256], rest[sizeof err->text];
    va_list args;

    va_start(args, fmt);
    vsnprintf(place, sizeof place, fmt, args);
    va_end(args);
    memcpy(rest, err->text, sizeof rest);
    /* "[3]" and ":" follow a place without a dot. */
    const char *dot = strchr("[:", rest[0]) ? "" : ".";
    int len = snprintf(err->text, sizeof err->text, "%s%s", place, dot);
    snprintf(err->text + len, sizeof err->text - (size_t)len, "%s", rest);
    return -1;
}

static int scaled(const char *key, double value, double unit, double *out,
                  struct err *err)
{
    if (value > too_much)
        return fail(err, "%s: expected a number up to %g, got %g", key,
                    too_much, value);
    *out = value * unit;
    return 0;
}

int read_positive(const struct json *o, const char *key, double unit,
                  double *out, struct err *err)
{
    double v;

    if (json_get_positive(o, key, &v, err) < 0)
        return -1;
    return scaled(key, v, unit, out, err);
}

int read_not_negative(const struct json *o, const char *key, double unit,
                      double *out, struct err *err)
{
    double v;

    if (json_get_not_negative(o, key, &v, err) < 0)
        return -1;
    return scaled(key, v, unit, out, err);
}

int read_cost(const struct json *o, const char *key, double unit, double *out,
              struct err *err)
{
    if (read_not_negative(o, key, unit, out, err) < 0)
        return -1;
    *out = fmax(*out, DBL_MIN);
    return 0;
}

int read_unsigned(const struct json *o, const char *key, unsigned least,
                  unsigned most, unsigned *out, struct err *err)
{
    uint64_t v = 0;
    char got[80];

    if (!json_is_number(json_member(o, key)) ||
        json_get_count(o, key, &v, err) < 0 || v < least || v > most)
        return fail(err, "%s: expected a whole number from %u to %u, got %s",
                    key, least, most,
                    json_describe(json_member(o, key), got, sizeof got));
    *out = (unsigned)v;
    return 0;
}

int read_text(const struct json *o, const char *key, char **out,
              struct err *err)
{
    const char *text;

    if (json_get_string(o, key, &text, err) < 0)
        return -1;
    if (!*text)
        return fail(err, "%s: expected a text that says something", key);
    free(*out);
    *out = xstrdup(text);
    return 0;
}

int read_name(const struct json *o, const char *key, const char *const *names,
              size_t n, unsigned *out, struct err *err)
{
    char known[256];
    const char *text;
    size_t len = 0;

    if (json_get_string(o, key, &text, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], text)) {
            *out = (unsigned)i;
            return 0;
        }
    for (size_t i = 0; i < n && len < sizeof known; i++)
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s",
                                i == 0      ? ""
                                : i + 1 < n ? ", "
                                            : " or ",
                                names[i]);
    return fail(err, "%s: expected %s, got \"%.60s\"", key, known, text);
}

int read_element(const struct json *array, const char *key, size_t i,
                 const struct json **out, struct err *err)
{
    const struct json *v = json_at(array, i);
    char got[80];

    if (!json_is_object(v))
        return fail(err, "%s[%zu]: expected an object, got %s", key, i,
                    json_describe(v, got, sizeof got));
    *out = v;
    return 0;
}

int find_device(const struct machine *m, const char *key, const char *id,
                int kind, unsigned *out, struct err *err)
{
    const char **ids = xcalloc(m->ndevices, sizeof *ids);
    size_t n = 0;

    for (size_t i = 0; i < m->ndevices; i++) {
        if (kind != ANY_KIND && (int)m->devices[i].kind != kind)
            continue;
        ids[n++] = m->devices[i].id;
        if (strcmp(m->devices[i].id, id) != 0)
            continue;
        *out = (unsigned)i;
        free(ids);
        return 0;
    }
    const char *near = nearest_word(id, ids, n);
    free(ids);
    return fail(err, "%s: expected a %s of this node, got \"%.60s\"%s%s%s", key,
                kind == ANY_KIND ? "device" : device_kind_names[kind], id,
                near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

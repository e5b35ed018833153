/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the axes of a space, and makes values of lists, ranges and samples. */
#include "study/explore/axis.h"

#include "study/run/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1000000 };

/* --- values --------------------------------------------------------------- */

static double axis_between(const struct axis *a, double u)
{
    if (a->whole && !a->log)
        return floor(a->from + u * (a->to - a->from + 1));
    double x = a->log ? a->from * pow(a->to / a->from, u)
                      : a->from + u * (a->to - a->from);
    return a->whole ? round(x) : x;
}

struct json *axis_listed(const struct axis *a, size_t i)
{
    return json_copy(a->items[i]);
}

struct json *axis_sampled(const struct axis *a, double u)
{
    if (a->kind == AXIS_CHOOSE)
        return axis_listed(a, (size_t)(u * (double)a->n));
    return json_new_number(axis_between(a, u));
}

char *axis_text(const struct json *value)
{
    if (json_is_string(value))
        return xstrdup(json_string(value));
    char *text = json_text(value), *to = text;

    for (const char *c = text; *c; c++)
        if (*c != '\n')
            *to++ = *c;
    *to = 0;
    return text;
}

char *axis_setting(const struct axis *a, const struct json *value)
{
    char *text = json_text(value), *end = text + strlen(text);

    while (end > text && end[-1] == '\n')
        *--end = 0;
    char *setting = xasprintf("%s=%s", a->name, text);
    free(text);
    return setting;
}

/* --- reading -------------------------------------------------------------- */

/* Returns the i-th of n steps. The last is exactly `to`, whatever the
 * rounding. */
static double step(const struct axis *a, uint64_t i, uint64_t n)
{
    if (i == 0 || n == 1)
        return a->from;
    if (i == n - 1)
        return a->to;
    double u = (double)i / (double)(n - 1);
    double x = a->log ? a->from * pow(a->to / a->from, u)
                      : a->from + u * (a->to - a->from);
    return a->whole ? round(x) : x;
}

/* Makes the steps; integers that are equal after rounding become one value. */
static void make_steps(struct axis *a, uint64_t n)
{
    double last = NAN;

    a->kind = AXIS_LIST;
    a->values = json_new_array();
    for (uint64_t i = 0; i < n; i++) {
        double x = step(a, i, n);
        if (x == last)
            continue;
        json_append(a->values, json_new_number(x));
        a->n++;
        last = x;
    }
}

static int read_scale(struct axis *a, const struct json *o, struct err *err)
{
    const char *scale = "linear";

    if (json_member(o, "scale") && json_get_string(o, "scale", &scale, err) < 0)
        return -1;
    a->log = !strcmp(scale, "log");
    if (!a->log && strcmp(scale, "linear") != 0)
        return fail(err, "scale: expected \"linear\" or \"log\", got \"%s\"",
                    scale);
    if (a->log && !(a->from > 0 && a->to > 0))
        return fail(err, "scale: \"log\" is for numbers above 0");
    return 0;
}

static int read_range(struct axis *a, const struct json *o, struct err *err)
{
    static const char *const keys[] = {"from", "to", "steps", "scale", "whole"};
    uint64_t steps = 0;
    bool whole = a->whole;

    if (json_only_keys(o, keys, sizeof keys / sizeof keys[0], err) < 0 ||
        json_get_number(o, "from", &a->from, err) < 0 ||
        json_get_number(o, "to", &a->to, err) < 0 ||
        read_scale(a, o, err) < 0 ||
        (json_member(o, "whole") && json_get_bool(o, "whole", &whole, err) < 0))
        return -1;
    a->whole |= whole;
    if (a->from > a->to)
        return fail(err, "empty: from %g is above to %g", a->from, a->to);
    if (a->whole && (a->from != floor(a->from) || a->to != floor(a->to)))
        return fail(err, "from, to: expected whole numbers");
    a->kind = AXIS_BETWEEN;
    if (!json_member(o, "steps"))
        return 0;
    if (json_get_count(o, "steps", &steps, err) < 0)
        return -1;
    if (!steps)
        return fail(err, "empty: steps: expected a number above 0");
    if (steps > MOST_STEPS)
        return fail(err, "steps: %llu are too many, at most %d",
                    (unsigned long long)steps, MOST_STEPS);
    make_steps(a, steps);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_list(struct axis *a, const struct json *list, struct err *err)
{
    size_t n = 0;
    int result = 0;

    if (!json_size(list))
        return fail(err, "empty: expected a value at least");
    a->values = json_copy(list);
    a->n = json_size(list);
    char **texts = xcalloc(a->n, sizeof *texts);
    for (const struct json *v = json_at(list, 0); v; v = json_next(v))
        texts[n++] = axis_text(v);
    qsort(texts, n, sizeof *texts, by_text);
    for (size_t i = 1; i < n && result == 0; i++)
        if (!strcmp(texts[i - 1], texts[i]))
            result = fail(err, "%s stands twice", texts[i]);
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
    return result;
}

static int read_values(struct axis *a, const struct json *v, struct err *err)
{
    static const char *const keys[] = {"choose"};
    struct json *list;

    if (json_is_array(v))
        return read_list(a, v, err);
    if (!json_is_object(v))
        return fail(err, "expected a list or a range, got %s",
                    json_type_name(v));
    if (!json_member(v, "choose"))
        return read_range(a, v, err);
    a->kind = AXIS_CHOOSE;
    if (json_only_keys(v, keys, 1, err) < 0 ||
        json_get_array(v, "choose", &list, err) < 0)
        return -1;
    return read_list(a, list, err) < 0 ? fail_in(err, "choose") : 0;
}

/* Reads a name: a key of an experiment or, if it has a dot, of the platform. */
static int read_name(struct axis *a, const char *name, struct err *err)
{
    struct opt option;

    a->name = name;
    a->set = strchr(name, '.') != NULL;
    if (a->set)
        return 0;
    if (request_key(name, &option, err) < 0)
        return -1;
    a->option = option.name;
    if (option.kind == OPT_TEXTS)
        return fail(err,
                    "%s: no axis: name the value itself, such as "
                    "\"network.bandwidth_GBps\"",
                    name);
    a->whole = option.kind == OPT_COUNT || option.kind == OPT_BYTES ||
               option.kind == OPT_EVENTS;
    return 0;
}

/* Collects the elements once, because finding a single one takes as long as
 * finding all. */
static void find_items(struct axis *a)
{
    size_t i = 0;

    a->items = xcalloc(a->n + 1, sizeof *a->items);
    for (const struct json *v = a->n ? json_at(a->values, 0) : NULL; v;
         v = json_next(v))
        a->items[i++] = v;
}

int axis_read(struct axis *a, const struct json *member, struct err *err)
{
    *a = (struct axis){0};
    if (read_name(a, json_key(member), err) < 0)
        return -1;
    if (read_values(a, member, err) == 0) {
        find_items(a);
        return 0;
    }
    axis_clear(a);
    return fail_in(err, "%s", json_key(member));
}

void axis_clear(struct axis *a)
{
    json_free(a->values);
    free(a->items);
    *a = (struct axis){0};
}

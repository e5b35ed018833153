/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates the constraints that the points of a space must satisfy. */
#include "study/explore/constraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number, or a text, in which case the number is NAN. */
struct side {
    double number;
    char *text;
};

struct names {
    constraint_value *value;
    void *arg;
};

static int read_side(struct side *s, const struct json *v,
                     const struct names *names, struct err *err);

static int take_value(struct side *s, const struct json *v, const char *name,
                      struct err *err)
{
    if (json_is_number(v)) {
        s->number = json_number(v);
        return 0;
    }
    if (json_is_string(v)) {
        s->text = xstrdup(json_string(v));
        return 0;
    }
    return fail(err, "%s is %s: neither a number nor a text", name,
                json_type_name(v));
}

static int read_product(struct side *s, const struct json *o,
                        const struct names *names, struct err *err)
{
    static const char *const keys[] = {"product"};
    struct json *list;

    if (json_only_keys(o, keys, 1, err) < 0 ||
        json_get_array(o, "product", &list, err) < 0)
        return -1;
    s->number = 1;
    for (size_t i = 0; i < json_size(list); i++) {
        struct side factor;
        if (read_side(&factor, json_at(list, i), names, err) < 0)
            return -1;
        if (factor.text) {
            free(factor.text);
            return fail(err, "product: expected numbers, got a text");
        }
        s->number *= factor.number;
    }
    return 0;
}

static int read_side(struct side *s, const struct json *v,
                     const struct names *names, struct err *err)
{
    const char *text;

    *s = (struct side){.number = NAN};
    if (json_is_number(v)) {
        s->number = json_number(v);
        return 0;
    }
    if (json_is_object(v) && json_member(v, "text")) {
        if (json_get_string(v, "text", &text, err) < 0)
            return -1;
        s->text = xstrdup(text);
        return 0;
    }
    if (json_is_object(v))
        return read_product(s, v, names, err);
    if (!json_is_string(v))
        return fail(err, "expected a name or a number, got %s",
                    json_type_name(v));
    const char *name = json_string(v);
    const struct json *value = names->value(names->arg, name);
    if (!value)
        return fail(err, "%s: neither an axis nor a key of the base", name);
    return take_value(s, value, name, err);
}

static int compare_texts(const char *a, const char *how, const char *b,
                         struct err *err)
{
    bool same = !strcmp(a, b);

    if (!strcmp(how, "=="))
        return same;
    if (!strcmp(how, "!="))
        return !same;
    return fail(err, "%s: texts are only compared by == and !=", how);
}

static int compare_numbers(double a, const char *how, double b, struct err *err)
{
    if (!strcmp(how, "<"))
        return a < b;
    if (!strcmp(how, "<="))
        return a <= b;
    if (!strcmp(how, ">"))
        return a > b;
    if (!strcmp(how, ">="))
        return a >= b;
    if (!strcmp(how, "=="))
        return a == b;
    if (!strcmp(how, "!="))
        return a != b;
    return fail(err, "%s: expected <, <=, ==, !=, >= or >", how);
}

static int compare(const struct json *c, const struct names *names,
                   struct err *err)
{
    const char *how = json_string(json_at(c, 1));
    struct side a, b;
    int result;

    if (json_size(c) != 3 || !how)
        return fail(err, "expected [LEFT, \"<=\", RIGHT]");
    if (read_side(&a, json_at(c, 0), names, err) < 0)
        return -1;
    if (read_side(&b, json_at(c, 2), names, err) < 0) {
        free(a.text);
        return -1;
    }
    if (!a.text != !b.text)
        result = fail(err, "a text (%s) is compared with a number",
                      a.text ? a.text : b.text);
    else if (a.text)
        result = compare_texts(a.text, how, b.text, err);
    else
        result = compare_numbers(a.number, how, b.number, err);
    free(a.text);
    free(b.text);
    return result;
}

/* Evaluates all of them, so that an invalid constraint is found wherever it
 * is. */
static int any_holds(const struct json *c, const struct names *names,
                     struct err *err)
{
    static const char *const keys[] = {"any"};
    struct json *list;
    int result = 0;

    if (json_only_keys(c, keys, 1, err) < 0 ||
        json_get_array(c, "any", &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_size(list); i++) {
        int one =
            constraint_holds(json_at(list, i), names->value, names->arg, err);
        if (one < 0)
            return fail_in(err, "any[%zu]", i);
        result |= one;
    }
    return result;
}

int constraint_holds(const struct json *c, constraint_value *value, void *arg,
                     struct err *err)
{
    const struct names names = {value, arg};

    if (json_is_array(c))
        return compare(c, &names, err);
    if (json_is_object(c))
        return any_holds(c, &names, err);
    return fail(err, "expected [LEFT, \"<=\", RIGHT] or {\"any\": [...]}");
}

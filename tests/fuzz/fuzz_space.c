/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as SPACE.json: it is refused in one line, or gives points whose
 * values are those of their axes, each in one group, which read back equal from
 * a database's copy of the space.
 */
#include "study/explore/groups.h"
#include "study/explore/inputs.h"
#include "study/explore/names.h"
#include "study/run/request.h"
#include "tests/fuzz/memory_file.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Points that are checked closely, from all parts of a space; checks whose time
 * grows with the axis or the space are done only up to FEW. */
enum { TRIED = 16, FEW = 1000 };

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

static bool same(const struct json *a, const struct json *b)
{
    char *x = json_text(a), *y = json_text(b);
    bool result = !strcmp(x, y);

    free(x);
    free(y);
    return result;
}

static bool is_listed(const struct axis *a, const struct json *value)
{
    for (size_t i = 0; i < a->n; i++)
        if (same(a->items[i], value))
            return true;
    return false;
}

static void check_value(const struct axis *a, const struct json *value)
{
    double x = json_number(value);

    if (a->kind != AXIS_BETWEEN) {
        if (a->n <= FEW && !is_listed(a, value))
            abort();
        return;
    }
    if (!(x >= a->from && x <= a->to) || (a->whole && x != floor(x)))
        abort();
}

static void check_inputs(const struct json *experiment)
{
    struct inputs in;

    inputs_of(&in, experiment);
    for (size_t i = 0; i < in.n; i++)
        if (!in.list[i].path[0])
            abort();
    inputs_clear(&in);
}

/* Checks that the point is an experiment, or reports why it is none. */
static void check_point(const struct space *s, uint64_t point)
{
    struct json *o = space_experiment(s, point);
    struct request r;
    struct err err = {0};

    for (size_t a = 0; a < s->naxes; a++) {
        struct json *value = space_value(s, point, a);
        char *text = axis_text(value);
        if (strchr(text, '\n') && !json_is_string(value))
            abort();
        check_value(&s->axes[a], value);
        free(text);
        json_free(value);
    }
    request_init(&r);
    if (request_read_json(&r, o, &err) < 0)
        check_error(&err);
    check_inputs(o);
    json_free(o);
}

static size_t sample_of(const struct space *s, size_t i)
{
    size_t n = s->npoints < TRIED ? s->npoints : TRIED;

    return i * s->npoints / n;
}

static void check_groups(const struct space *s)
{
    size_t n = s->npoints < TRIED ? s->npoints : TRIED, taken = 0;
    struct groups *all = groups_new(s, s->points, n);
    struct group *g;
    uint64_t point;

    while (groups_take(all, &g, &point)) {
        groups_opened(all, g);
        (void)groups_done(all, g);
        taken++;
    }
    if (taken != n)
        abort();
    groups_free(all);
}

static void check(const struct space *s)
{
    struct err err = {0};

    if (!s->npoints || s->npoints > s->all || s->all > SPACE_MOST_POINTS ||
        !s->nobjectives)
        abort();
    for (size_t i = 0; i < s->npoints; i++)
        if (s->points[i] >= s->all || (i && s->points[i] <= s->points[i - 1]))
            abort();
    for (size_t i = 0; i < TRIED && i < s->npoints; i++)
        check_point(s, s->points[sample_of(s, i)]);
    check_groups(s);
    if (s->all <= FEW && names_check(s, &err) < 0)
        check_error(&err);
}

/* Checks the space again from the document's text, which a database stores. */
static void check_again(const struct space *s)
{
    struct space again;
    struct err err = {0};
    char *text = json_text(s->doc);
    struct json *doc = json_parse(text, "again.json", &err);

    if (!doc || space_read(&again, doc, "again.json", &err) < 0)
        abort();
    if (again.npoints != s->npoints || !same(again.doc, s->doc))
        abort();
    for (size_t i = 0; i < TRIED && i < s->npoints; i++) {
        size_t at = sample_of(s, i);
        struct json *a = space_experiment(s, s->points[at]);
        struct json *b = space_experiment(&again, again.points[at]);
        if (s->points[at] != again.points[at] || !same(a, b))
            abort();
        json_free(a);
        json_free(b);
    }
    space_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct space s;
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (space_load(&s, f.path, &err) == 0) {
        check(&s);
        if (s.all <= FEW)
            check_again(&s);
        space_clear(&s);
    } else {
        check_error(&err);
    }
    memory_file_close(&f);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads spaces, numbers their points, and makes experiments of them. */
#include "study/explore/space.h"

#include "study/explore/constraint.h"
#include "study/run/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const objective_names[NOBJECTIVES] = {"time", "cost", "energy"};
const enum run_field objective_fields[NOBJECTIVES] = {
    FIELD_time_s, FIELD_cost_dollars, FIELD_energy_J};

/* --- points --------------------------------------------------------------- */

/* The value of the last list axis changes with every point, that of the sample
 * most rarely. */
struct json *space_value(const struct space *s, uint64_t point, size_t axis)
{
    uint64_t rest = point;
    size_t at = 0, sampled = 0;

    for (size_t i = s->naxes; i-- > 0;) {
        if (s->axes[i].kind != AXIS_LIST)
            continue;
        if (i == axis)
            at = rest % s->axes[i].n;
        rest /= s->axes[i].n;
    }
    if (s->axes[axis].kind == AXIS_LIST)
        return axis_listed(&s->axes[axis], at);
    for (size_t i = 0; i < axis; i++)
        sampled += s->axes[i].kind != AXIS_LIST;
    return axis_sampled(&s->axes[axis],
                        s->samples[rest * s->nsampled + sampled]);
}

struct json *space_experiment(const struct space *s, uint64_t point)
{
    struct json *o = s->base ? json_copy(s->base) : json_new_object();
    struct json *sets = json_member(o, "set");

    sets = sets ? json_copy(sets) : json_new_array();
    for (size_t i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axes[i];
        struct json *value = space_value(s, point, i);
        if (!a->set) {
            json_replace(o, a->name, value);
            continue;
        }
        char *setting = axis_setting(a, value);
        json_append(sets, json_new_string(setting));
        free(setting);
        json_free(value);
    }
    if (json_size(sets))
        json_replace(o, "set", sets);
    else
        json_free(sets);
    return o;
}

/* --- constraints ---------------------------------------------------------- */

struct at_point {
    const struct space *space;
    uint64_t point;
    struct json *held; /* the last value, valid until the next */
};

static const struct json *value_at(void *arg, const char *name)
{
    struct at_point *at = arg;
    const struct space *s = at->space;

    json_free(at->held);
    at->held = NULL;
    for (size_t i = 0; i < s->naxes; i++)
        if (!strcmp(s->axes[i].name, name)) {
            at->held = space_value(s, at->point, i);
            return at->held;
        }
    return s->base ? json_member(s->base, name) : NULL;
}

/* Returns 1 if all constraints hold. */
static int point_stays(const struct space *s, uint64_t point, struct err *err)
{
    struct at_point at = {s, point, NULL};
    int result = 1;

    for (size_t i = 0; result == 1 && i < json_size(s->constraints); i++) {
        result =
            constraint_holds(json_at(s->constraints, i), value_at, &at, err);
        if (result < 0)
            result = fail_in(err, "constraints[%zu]", i);
    }
    json_free(at.held);
    return result;
}

static int leave_out(struct space *s, struct err *err)
{
    s->points = xcalloc(s->all, sizeof *s->points);
    for (uint64_t p = 0; p < s->all; p++) {
        int stays = s->constraints ? point_stays(s, p, err) : 1;
        if (stays < 0)
            return -1;
        if (stays)
            s->points[s->npoints++] = p;
    }
    if (!s->npoints)
        return fail(err, "constraints: empty: they leave none of %llu points",
                    (unsigned long long)s->all);
    return 0;
}

/* --- reading -------------------------------------------------------------- */

static int read_axes(struct space *s, const struct json *doc, struct err *err)
{
    struct json *list;

    if (json_get_object(doc, "axes", &list, err) < 0)
        return -1;
    s->axes = xcalloc(json_size(list) + 1, sizeof *s->axes);
    for (const struct json *v = json_at(list, 0); v; v = json_next(v)) {
        if (axis_read(&s->axes[s->naxes], v, err) < 0)
            return fail_in(err, "axes");
        s->nsampled += s->axes[s->naxes].kind != AXIS_LIST;
        s->naxes++;
    }
    for (size_t i = 0; i < s->naxes; i++)
        if (s->base && json_member(s->base, s->axes[i].name))
            return fail(err, "axes: %s: stands in the base, too",
                        s->axes[i].name);
    return 0;
}

static int read_method(const struct json *o, enum sample_method *how,
                       struct err *err)
{
    const char *name;

    if (json_get_string(o, "method", &name, err) < 0)
        return -1;
    for (int i = 0; i < NSAMPLE_METHODS; i++)
        if (!strcmp(name, sample_method_names[i])) {
            *how = (enum sample_method)i;
            return 0;
        }
    return fail(err, "method: expected latin, sobol or random, got %s", name);
}

static int make_samples(struct space *s, const struct json *o, struct err *err)
{
    static const char *const keys[] = {"method", "points", "seed"};
    enum sample_method how = SAMPLE_LATIN;
    uint64_t points, seed = 1;

    if (json_only_keys(o, keys, 3, err) < 0 || read_method(o, &how, err) < 0 ||
        json_get_count(o, "points", &points, err) < 0 ||
        (json_member(o, "seed") && json_get_count(o, "seed", &seed, err) < 0))
        return -1;
    if (!points)
        return fail(err, "empty: points: expected a number above 0");
    if (points > SPACE_MOST_POINTS)
        return fail(err, "%llu points: at most %d", (unsigned long long)points,
                    SPACE_MOST_POINTS);
    s->nsamples = (size_t)points;
    s->samples = xcalloc(s->nsamples * s->nsampled, sizeof *s->samples);
    return sample_make(s->samples, how, s->nsamples, s->nsampled, seed, err);
}

static const struct axis *first_sampled(const struct space *s)
{
    for (size_t i = 0; i < s->naxes; i++)
        if (s->axes[i].kind != AXIS_LIST)
            return &s->axes[i];
    return NULL;
}

static int read_sample(struct space *s, const struct json *doc, struct err *err)
{
    const struct axis *sampled = first_sampled(s);
    struct json *o;

    if (!json_member(doc, "sample")) {
        if (!sampled)
            return 0;
        return fail(err,
                    "axes: %s: infinite: say \"steps\" of it, or "
                    "\"sample\" of the space",
                    sampled->name);
    }
    if (!sampled)
        return fail(err, "sample: no axis is sampled: all are lists, or "
                         "have steps");
    if (json_get_object(doc, "sample", &o, err) < 0)
        return -1;
    return make_samples(s, o, err) < 0 ? fail_in(err, "sample") : 0;
}

static int count_points(struct space *s, struct err *err)
{
    double all = s->nsamples ? (double)s->nsamples : 1;

    for (size_t i = 0; i < s->naxes; i++)
        all *= s->axes[i].kind == AXIS_LIST ? (double)s->axes[i].n : 1;
    if (all > SPACE_MOST_POINTS)
        return fail(err, "axes: %.15g points are too many, at most %d", all,
                    SPACE_MOST_POINTS);
    s->all = (uint64_t)all;
    return 0;
}

static int check_prices(const struct space *s, enum objective o,
                        struct err *err)
{
    if (o == OBJECTIVE_COST && !s->prices.has_dollars)
        return fail(err, "cost: expected \"prices\" with \"dollars\"");
    if (o == OBJECTIVE_ENERGY && !s->prices.has_watts)
        return fail(err, "energy: no platform says what it draws: expected "
                         "\"prices\" with \"watts\"");
    return 0;
}

static int read_objective(struct space *s, const struct json *v,
                          struct err *err)
{
    const char *name = json_string(v);
    char text[40];

    for (int o = 0; name && o < NOBJECTIVES; o++) {
        if (strcmp(name, objective_names[o]) != 0)
            continue;
        for (size_t i = 0; i < s->nobjectives; i++)
            if (s->objectives[i] == (enum objective)o)
                return fail(err, "%s stands twice", name);
        s->objectives[s->nobjectives++] = (enum objective)o;
        return check_prices(s, (enum objective)o, err);
    }
    return fail(err, "expected \"time\", \"cost\" or \"energy\", got %s",
                json_describe(v, text, sizeof text));
}

static int read_objectives(struct space *s, const struct json *doc,
                           struct err *err)
{
    struct json *list;

    s->objectives[0] = OBJECTIVE_TIME;
    s->nobjectives = 1;
    if (!json_member(doc, "objectives"))
        return 0;
    if (json_get_array(doc, "objectives", &list, err) < 0)
        return -1;
    if (!json_size(list))
        return fail(err, "objectives: empty");
    s->nobjectives = 0;
    for (size_t i = 0; i < json_size(list); i++)
        if (read_objective(s, json_at(list, i), err) < 0)
            return fail_in(err, "objectives[%zu]", i);
    return 0;
}

/* Reads the prices. If they are in a file, its contents replace the name in the
 * document, which is then complete. */
static int read_prices(struct space *s, struct err *err)
{
    const struct json *v = json_member(s->doc, "prices");

    if (!v)
        return 0;
    if (json_is_string(v)) {
        struct json *file = json_load(json_string(v), err);
        if (!file)
            return fail_in(err, "prices");
        if (prices_read(&s->prices, file, err) < 0) {
            json_free(file);
            return fail_in(err, "prices: %s", json_string(v));
        }
        json_replace(s->doc, "prices", file);
        return 0;
    }
    return prices_read(&s->prices, v, err) < 0 ? fail_in(err, "prices") : 0;
}

/* Checks keys and types of the base, as if it were an experiment. */
static int read_base(struct space *s, struct err *err)
{
    struct request r;
    struct json *base;

    if (!json_member(s->doc, "base"))
        return 0;
    if (json_get_object(s->doc, "base", &base, err) < 0)
        return -1;
    s->base = base;
    request_init(&r);
    return request_read_json(&r, base, err) < 0 ? fail_in(err, "base") : 0;
}

static int space_read_doc(struct space *s, struct err *err)
{
    static const char *const keys[] = {"about",      "format", "base",
                                       "axes",       "sample", "constraints",
                                       "objectives", "prices"};
    double format = 1;
    struct json *list;

    if (!json_is_object(s->doc))
        return fail(err, "expected an object, got %s", json_type_name(s->doc));
    if (json_only_keys(s->doc, keys, sizeof keys / sizeof keys[0], err) < 0 ||
        (json_member(s->doc, "format") &&
         json_get_number(s->doc, "format", &format, err) < 0))
        return -1;
    if (format != 1)
        return fail(err, "format: expected 1, got %g", format);
    if (read_base(s, err) < 0 || read_prices(s, err) < 0 ||
        read_axes(s, s->doc, err) < 0 || read_sample(s, s->doc, err) < 0 ||
        read_objectives(s, s->doc, err) < 0 || count_points(s, err) < 0)
        return -1;
    if (json_member(s->doc, "constraints")) {
        if (json_get_array(s->doc, "constraints", &list, err) < 0)
            return -1;
        s->constraints = list;
    }
    return leave_out(s, err);
}

int space_read(struct space *s, struct json *doc, const char *name,
               struct err *err)
{
    *s = (struct space){.doc = doc};
    if (space_read_doc(s, err) == 0)
        return 0;
    space_clear(s);
    return fail_in(err, "%s", name);
}

int space_load(struct space *s, const char *path, struct err *err)
{
    struct json *doc = json_load(path, err);

    return doc ? space_read(s, doc, path, err) : -1;
}

void space_clear(struct space *s)
{
    for (size_t i = 0; i < s->naxes; i++)
        axis_clear(&s->axes[i]);
    free(s->axes);
    free(s->samples);
    free(s->points);
    json_free(s->doc);
    *s = (struct space){0};
}

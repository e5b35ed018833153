/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads results of sluice into one table: databases of sweeps, and documents of
 * `sluice run --json`, whose outcomes are kept whole as details. */
#include "cli/report.h"

#include "base/number.h"
#include "cli/document.h"
#include "study/explore/store_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin_row(struct report *r)
{
    r->table.nrows++;
}

/* Adds the kind of a file; its rows are those from `first` to the last. */
static struct json *add_source(struct report *r, const char *path,
                               const char *kind, size_t first)
{
    struct json *s = json_new_object();

    json_add_string(s, "file", path);
    json_add_string(s, "kind", kind);
    json_add_number(s, "first", (double)first);
    json_add_number(s, "end", (double)r->table.nrows);
    json_append(r->sources, s);
    return s;
}

/* --- databases ------------------------------------------------------------ */

static void read_axes(struct report *r, const struct stored *t,
                      const struct stored_run *run)
{
    for (size_t a = 0; a < t->space.naxes; a++) {
        const char *name = t->space.axes[a].name, *text = run->values[a];
        double x;
        /* Skips the keys of an experiment for which each run has a column. */
        if (!strcmp(name, "platform") || !strcmp(name, "workload") ||
            !strcmp(name, "nodes") || !strcmp(name, "partition") ||
            !strcmp(name, "strategy") || !strcmp(name, "runtime"))
            continue;
        if (number_real(text, &x)) {
            report_number(&r->table, name, x);
            report_exact(&r->table, name);
        } else {
            report_word(&r->table, name, text);
        }
    }
}

static void read_stored(struct report *r, const struct stored *t,
                        const struct stored_run *run, double best_s,
                        double point_s)
{
    struct report_table *to = &r->table;
    const struct point_run *p = &run->run;
    double time_s = p->values[FIELD_time_s];

    begin_row(r);
    report_number(to, "point", (double)run->point);
    read_axes(r, t, run);
    report_word(to, "platform", p->platform);
    report_word(to, "workload", p->workload);
    report_number(to, "nodes", p->nodes ? (double)p->nodes : NAN);
    report_number(to, "gpus", p->gpus ? (double)p->gpus : NAN);
    report_word(to, "partition", p->partition);
    report_word(to, "strategy", p->candidate);
    report_word(to, "runtime", p->runtime);
    FOR_FIELDS (f, IN_SWEEP) {
        report_number(to, run_fields[f].key,
                      f == FIELD_times_best ? stored_times(time_s, best_s)
                                            : p->values[f]);
        if (f == FIELD_times_best)
            report_number(to, "times_best_of_point",
                          stored_times(time_s, point_s));
    }
    report_word(to, "error", p->error);
    report_word(to, "version", run->version);
}

/* Adds the parts of a space: the base, and the name of each axis. */
static void add_space(struct json *source, const struct stored *t)
{
    struct json *axes = json_new_array();

    if (t->space.base)
        json_add(source, "base", json_copy(t->space.base));
    for (size_t a = 0; a < t->space.naxes; a++) {
        struct json *axis = json_new_object();
        json_add_string(axis, "name", t->space.axes[a].name);
        json_add_bool(axis, "set", t->space.axes[a].set);
        json_append(axes, axis);
    }
    json_add(source, "axes", axes);
    json_add_string(source, "how", t->how);
}

static int read_database(struct report *r, const char *path, struct err *err)
{
    struct stored t;
    size_t first = r->table.nrows;

    if (stored_load(&t, path, err) < 0)
        return -1;
    double point_s = NAN, *best_s = stored_best(&t, OBJECTIVE_TIME);
    for (size_t i = 0; i < t.nruns; i++) {
        /* The first run of a point is its best one, because they are sorted. */
        if (!i || t.runs[i].point != t.runs[i - 1].point)
            point_s = t.runs[i].run.values[FIELD_time_s];
        read_stored(r, &t, &t.runs[i], best_s[t.runs[i].work], point_s);
    }
    free(best_s);
    add_space(add_source(r, path, "sweep", first), &t);
    stored_clear(&t);
    return 0;
}

/* --- documents ------------------------------------------------------------ */

/* Puts numbers and texts of an object into columns of its keys, except those
 * that the object above it has. */
static void read_scalars(struct report_table *t, const struct json *o,
                         const struct json *above)
{
    for (const struct json *v = json_at(o, 0); v; v = json_next(v)) {
        const char *key = json_key(v);
        if (!strcmp(key, "schema") || !strcmp(key, "command") ||
            (above && json_member(above, key)))
            continue;
        if (!strcmp(key, "sluice"))
            key = "version";
        if (json_is_number(v))
            report_number(t, key, json_number(v));
        else if (json_is_string(v))
            report_word(t, key, json_string(v));
    }
}

/* Reads the times of a graph in rounds: as it was run, and scaled to the larger
 * graph. */
static void read_times(struct report_table *t, const struct json *outcome)
{
    const struct json *run = json_member(outcome, "as_run");
    const struct json *scaled = json_member(outcome, "scaled");

    if (json_is_object(run))
        read_scalars(t, run, outcome);
    if (!json_is_object(scaled))
        return;
    for (const struct json *v = json_at(scaled, 0); v; v = json_next(v)) {
        char *name = xasprintf("scaled_%s", json_key(v));
        report_number(t, name, json_number(v));
        free(name);
    }
}

/* Reads messages and bytes into the columns that a sweep has: all localities
 * except the last are on the node. */
static void read_traffic(struct report_table *t, const struct json *outcome)
{
    const struct json *traffic = json_member(outcome, "traffic");
    double messages = 0, bytes = 0;

    if (!traffic)
        return;
    for (const struct json *v = json_at(traffic, 0); v; v = json_next(v)) {
        double m = json_number(json_member(v, "messages"));
        double b = json_number(json_member(v, "bytes"));
        if (!strcmp(json_key(v), "off_node")) {
            report_number(t, "off_node_messages", m);
            report_number(t, "off_node_bytes", b);
        } else {
            messages += m;
            bytes += b;
        }
    }
    report_number(t, "on_node_messages", messages);
    report_number(t, "on_node_bytes", bytes);
}

static int read_outcome(struct report *r, const struct json *doc,
                        const struct json *size, const struct json *outcome,
                        struct err *err)
{
    double time_s;

    if (!json_is_object(outcome))
        return fail(err, "expected an object, got %s", json_type_name(outcome));
    if (json_member(outcome, "time_s") &&
        json_get_not_negative(outcome, "time_s", &time_s, err) < 0)
        return -1;
    /* A graph on hosts may have been run on several platforms. */
    const struct json *own = json_member(outcome, "platform") ? outcome : NULL;
    begin_row(r);
    read_scalars(&r->table, doc, own);
    if (size)
        read_scalars(&r->table, size, doc);
    read_scalars(&r->table, outcome, own ? NULL : doc);
    read_traffic(&r->table, outcome);
    read_times(&r->table, outcome);
    struct json *kept = json_copy(outcome);
    json_add_number(kept, "row", (double)(r->table.nrows - 1));
    json_append(r->details, kept);
    return 0;
}

static int read_outcomes(struct report *r, const struct json *doc,
                         const struct json *of, const char *key,
                         struct err *err)
{
    struct json *list;
    size_t i = 0;

    if (json_get_array(of, key, &list, err) < 0)
        return -1;
    for (const struct json *o = json_at(list, 0); o; o = json_next(o), i++)
        if (read_outcome(r, doc, of == doc ? NULL : of, o, err) < 0)
            return fail_in(err, "%s[%zu]", key, i);
    return i ? 0 : fail(err, "%s: empty", key);
}

static int read_sizes(struct report *r, const struct json *doc, struct err *err)
{
    struct json *sizes;
    size_t i = 0;

    if (json_get_array(doc, "sizes", &sizes, err) < 0)
        return -1;
    for (const struct json *s = json_at(sizes, 0); s; s = json_next(s), i++)
        if (read_outcomes(r, doc, s, "strategies", err) < 0)
            return fail_in(err, "sizes[%zu]", i);
    return i ? 0 : fail(err, "sizes: empty");
}

static int check_document(const struct json *doc, struct err *err)
{
    const char *command;
    double schema;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (!json_member(doc, "schema"))
        return fail(err, "no result: it has no \"schema\" (expected what "
                         "sluice run --json prints)");
    if (json_get_number(doc, "schema", &schema, err) < 0)
        return -1;
    if (schema != DOCUMENT_SCHEMA)
        return fail(err,
                    "schema: a document of another version: %g, expected "
                    "%d",
                    schema, DOCUMENT_SCHEMA);
    if (json_get_string(doc, "command", &command, err) < 0)
        return -1;
    if (strcmp(command, "run") != 0)
        return fail(err, "command: expected run, got %s", command);
    return 0;
}

static int read_outcomes_of(struct report *r, const struct json *doc,
                            struct err *err)
{
    if (check_document(doc, err) < 0)
        return -1;
    if (json_member(doc, "sizes"))
        return read_sizes(r, doc, err);
    return read_outcomes(r, doc, doc,
                         json_member(doc, "results") ? "results" : "strategies",
                         err);
}

static int read_document(struct report *r, const char *path, struct err *err)
{
    struct json *doc = json_load(path, err);
    size_t first = r->table.nrows;

    if (!doc)
        return -1;
    int result = read_outcomes_of(r, doc, err);
    if (result < 0)
        (void)fail_in(err, "%s", path);
    else
        (void)add_source(r, path, "run", first);
    const char *platform = json_string(json_member(doc, "platform"));
    if (result == 0 && platform)
        json_append(r->platforms, json_new_string(platform));
    json_free(doc);
    return result;
}

/* --- files ---------------------------------------------------------------- */

/* Returns 1 if the file begins as a database does. */
static int is_database(const char *path, struct err *err)
{
    static const char magic[] = "SQLite format 3";
    char begin[sizeof magic] = "";
    FILE *f = fopen(path, "rb");

    if (!f)
        return fail(err, "%s: cannot be read: %s", path, strerror(errno));
    size_t n = fread(begin, 1, sizeof begin, f);
    bool failed = ferror(f);
    int why = errno;
    fclose(f);
    if (failed)
        return fail(err, "%s: cannot be read: %s", path, strerror(why));
    if (!n)
        return fail(err,
                    "%s: empty: expected a database of sluice sweep, or "
                    "what sluice run --json prints",
                    path);
    return n == sizeof begin && !memcmp(begin, magic, sizeof magic);
}

int report_read(struct report *r, const char *path, struct err *err)
{
    int database = is_database(path, err);

    if (!r->sources) {
        r->sources = json_new_array();
        r->details = json_new_array();
        r->platforms = json_new_array();
    }
    if (database < 0)
        return -1;
    return database ? read_database(r, path, err) : read_document(r, path, err);
}

void report_clear(struct report *r)
{
    report_table_clear(&r->table);
    json_free(r->sources);
    json_free(r->details);
    json_free(r->platforms);
    *r = (struct report){.sources = NULL};
}

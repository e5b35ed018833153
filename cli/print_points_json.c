/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the runs of a sweep as JSON. */
#include "cli/print_points.h"

#include "base/number.h"
#include "cli/document.h"

#include <stdlib.h>

static void add_text(struct json *o, const char *key, const char *text)
{
    if (text)
        json_add_string(o, key, text);
}

static struct json *axes_json(const struct stored *t,
                              const struct stored_run *r)
{
    struct json *o = json_new_object();

    for (size_t a = 0; a < t->space.naxes; a++) {
        const char *name = t->space.axes[a].name;
        double x;
        if (number_real(r->values[a], &x))
            json_add_number(o, name, x);
        else
            json_add_string(o, name, r->values[a]);
    }
    return o;
}

static struct json *run_json(const struct stored *t, const struct stored_run *r,
                             const double *best)
{
    const struct point_run *p = &r->run;
    double times_best = stored_times(p->values[FIELD_time_s], best[r->work]);
    struct json *o = json_new_object();

    json_add_number(o, "point", (double)r->point);
    json_add(o, "axes", axes_json(t, r));
    add_text(o, "platform", p->platform);
    if (p->workload)
        document_add_workload(o, p->workload);
    if (p->nodes)
        json_add_number(o, "nodes", p->nodes);
    if (p->gpus)
        json_add_number(o, "gpus", p->gpus);
    add_text(o, "partition", p->partition);
    add_text(o, "strategy", p->candidate);
    add_text(o, "runtime", p->runtime);
    add_text(o, "error", p->error);
    FOR_FIELDS (f, IN_SWEEP)
        json_add_known(o, run_fields[f].key,
                       f == FIELD_times_best ? times_best : p->values[f]);
    return o;
}

void print_points_json(const struct stored *t, const size_t *list, size_t n)
{
    struct json *doc = document_new("sweep"), *runs = json_new_array();
    struct json *objectives = json_new_array();
    double *best = stored_best(t, OBJECTIVE_TIME);

    for (size_t i = 0; i < t->space.nobjectives; i++)
        json_append(objectives,
                    json_new_string(objective_names[t->space.objectives[i]]));
    json_add_string(doc, "database", t->path);
    json_add_string(doc, "engine", t->how);
    json_add_number(doc, "points", (double)t->space.npoints);
    json_add_number(doc, "points_done", (double)t->npoints);
    json_add(doc, "objectives", objectives);
    for (size_t i = 0; i < (list ? n : t->nruns); i++)
        json_append(runs, run_json(t, &t->runs[list ? list[i] : i], best));
    free(best);
    json_add(doc, "runs", runs);
    document_print(doc);
}

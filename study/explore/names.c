/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the names in a space before anything is simulated. */
#include "study/explore/names.h"

#include "platforms/platform.h"
#include "study/run/job.h"

#include <stdlib.h>
#include <string.h>

static int check_platforms(const char *names, struct err *err)
{
    char *list = xstrdup(names ? names : ""), *rest = list;
    int result = 0;

    for (char *name; names && result == 0 && (name = strsep(&rest, ","));) {
        char *path = platform_path(name, err);
        result = path ? 0 : -1;
        free(path);
    }
    free(list);
    return result;
}

/* Checks an experiment made of the base and of values of axes, and frees it. A
 * missing key is not an error here, because the points report it. Returns 1 if
 * a name is not for this workload. */
static int check_experiment(struct json *experiment, struct err *err)
{
    struct request r;

    request_init(&r);
    int result = request_read_json(&r, experiment, err);
    if (result == 0)
        result = check_platforms(r.platform, err);
    if (result == 0 && r.work.words)
        result = job_check_names(&r, err);
    json_free(experiment);
    return result;
}

/* The axes that decide which names are valid; NULL if there is no such axis. */
struct deciding {
    const struct axis *tasks, *runtimes;
};

static const struct axis *find_axis(const struct space *s, const char *option)
{
    for (size_t i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axes[i];
        if (a->option && a->n && !strcmp(a->option, option))
            return a;
    }
    return NULL;
}

static size_t count_values(const struct axis *a)
{
    return a ? a->n : 1;
}

static void put_value(struct json *experiment, const struct axis *a, size_t i)
{
    if (a)
        json_replace(experiment, a->name, axis_listed(a, i));
}

/* Checks the i-th value of an axis (NULL for the base alone) with each workload
 * and each runtime of the space, because the values of other axes may have
 * nothing to do with it; one combination that is valid is enough. An unknown
 * name is reported in preference to a name that is not for the workload. */
static int check_value(const struct space *s, const struct deciding *by,
                       const struct axis *a, size_t i, struct err *err)
{
    const struct axis *tasks = by->tasks == a ? NULL : by->tasks;
    const struct axis *runtimes = by->runtimes == a ? NULL : by->runtimes;
    size_t nruntimes = count_values(runtimes);
    size_t n = count_values(tasks) * nruntimes;
    bool unknown = false;

    for (size_t k = 0; k < n; k++) {
        struct json *o = s->base ? json_copy(s->base) : json_new_object();
        struct err why;
        put_value(o, tasks, k / nruntimes);
        put_value(o, runtimes, k % nruntimes);
        put_value(o, a, i);
        int result = check_experiment(o, &why);
        if (result == 0)
            return 0;
        if (!k || (result < 0 && !unknown))
            *err = why;
        unknown |= result < 0;
    }
    return -1;
}

int names_check(const struct space *s, struct err *err)
{
    const struct deciding by = {find_axis(s, "workload"),
                                find_axis(s, "runtime")};

    if (check_value(s, &by, NULL, 0, err) < 0)
        return by.tasks || by.runtimes ? -1 : fail_in(err, "base");
    for (size_t i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axes[i];
        for (size_t k = 0; a->option && k < a->n; k++)
            if (json_is_string(a->items[k]) &&
                check_value(s, &by, a, k, err) < 0)
                return fail_in(err, "axes: %s", a->name);
    }
    return 0;
}

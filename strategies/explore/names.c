/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the names in a space before anything is simulated. */
#include "strategies/explore/names.h"

#include "platforms/platform.h"
#include "strategies/run/job.h"

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

/* Of the base and values of axes; takes the experiment over. What is missing is
 * told with the points. 1: it is not for its workload. */
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

/* The i-th value of an axis, -1: nothing of it, instead of what the experiment
 * has. */
static void put_value(struct json *experiment, const struct axis *a,
                      ptrdiff_t i)
{
    if (a && i >= 0)
        json_replace(experiment, a->name, axis_listed(a, (size_t)i));
}

/* With some workload of the space, whatever other axes say: they may have
 * nothing to do with each other. A name that is not known is told before what
 * is not for a workload. */
static int check_value(const struct space *s, const struct axis *tasks,
                       const struct axis *a, ptrdiff_t i, struct err *err)
{
    ptrdiff_t n = tasks && tasks != a ? (ptrdiff_t)tasks->n : 1;
    bool unknown = false;

    for (ptrdiff_t w = 0; w < n; w++) {
        struct json *o = s->base ? json_copy(s->base) : json_new_object();
        put_value(o, tasks, w);
        put_value(o, a, i);
        struct err why;
        int result = check_experiment(o, &why);
        if (result == 0)
            return 0;
        if (!w || (result < 0 && !unknown))
            *err = why;
        unknown |= result < 0;
    }
    return -1;
}

static const struct axis *find_tasks(const struct space *s)
{
    for (size_t i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axes[i];
        if (a->option && a->n && !strcmp(a->option, "workload"))
            return a;
    }
    return NULL;
}

int names_check(const struct space *s, struct err *err)
{
    const struct axis *tasks = find_tasks(s);

    if (check_value(s, tasks, NULL, -1, err) < 0)
        return tasks ? -1 : fail_in(err, "base");
    for (size_t i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axes[i];
        for (size_t k = 0; a->option && k < a->n; k++)
            if (json_is_string(a->items[k]) &&
                check_value(s, tasks, a, (ptrdiff_t)k, err) < 0)
                return fail_in(err, "axes: %s", a->name);
    }
    return 0;
}

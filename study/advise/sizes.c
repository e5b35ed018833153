/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advises for each size of a range, and compares the choices. */
#include "study/advise/sizes.h"

#include "workloads/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void advised_size_leave_out(struct advised_size *size,
                                   const struct err *why)
{
    size->why = xcalloc(1, sizeof *size->why);
    *size->why = *why;
}

/* Fails with the first reason if each size is left out. */
static int check_any(const struct advised_sizes *s, struct err *err)
{
    if (advised_sizes_next(s, 0) < s->n)
        return 0;
    *err = *s->list[0].why;
    return -1;
}

int advised_sizes_load(struct advised_sizes *s, const struct request *r,
                       struct err *err)
{
    struct sizes sizes;

    *s = (struct advised_sizes){0};
    if (sizes_read(&sizes, r->work.words, err) < 0)
        return -1;
    s->n = sizes.n;
    s->list = xcalloc(s->n, sizeof *s->list);
    for (size_t i = 0; i < s->n; i++) {
        char *words = sizes_words(r->work.words, sizes.bytes[i]);
        struct request one = *r;
        struct err why;
        one.work.words = words;
        s->list[i].bytes = sizes.bytes[i];
        if (candidates_load(&s->list[i].candidates, &one, &why) < 0)
            advised_size_leave_out(&s->list[i], &why);
        free(words);
    }
    sizes_clear(&sizes);
    int result = check_any(s, err);
    if (result < 0)
        advised_sizes_clear(s);
    return result;
}

static int advise_size(struct advised_size *size,
                       const struct advise_options *o, struct draws_how how,
                       struct err *err)
{
    struct timed_candidates timed = candidates_timed(&size->candidates, how);
    struct advise_options with_kinds = candidates_options(&size->candidates, o);

    candidates_keep_plans(&size->candidates);
    int result = advise(&size->advice, &timed, &with_kinds, err);
    candidates_drop_plans(&size->candidates);
    return result < 0 ? fail_in(err, "%s", size->candidates.jobs[0].words) : 0;
}

int advised_sizes_run(struct advised_sizes *s, const struct advise_options *o,
                      struct draws_how how, struct err *err)
{
    for (size_t i = advised_sizes_next(s, 0); i < s->n;
         i = advised_sizes_next(s, i + 1)) {
        struct err why;
        if (advise_size(&s->list[i], o, how, &why) < 0)
            advised_size_leave_out(&s->list[i], &why);
        s->simulations += s->list[i].advice.simulations;
    }
    return check_any(s, err);
}

void advised_sizes_clear(struct advised_sizes *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->list[i].why);
        advice_clear(&s->list[i].advice);
        candidates_clear(&s->list[i].candidates);
    }
    free(s->list);
    *s = (struct advised_sizes){0};
}

const char *advised_size_use(const struct advised_size *size)
{
    return size->candidates.list[size->advice.order[0]].name;
}

double advised_size_times_best(const struct advised_size *size,
                               const char *candidate)
{
    const struct advice *a = &size->advice;
    double best_s = a->candidates[a->order[0]].time_s;

    for (size_t i = 0; i < a->n; i++)
        if (!strcmp(size->candidates.list[a->order[i]].name, candidate))
            return a->candidates[a->order[i]].time_s / best_s;
    return NAN;
}

size_t advised_sizes_next(const struct advised_sizes *s, size_t from)
{
    while (from < s->n && s->list[from].why)
        from++;
    return from;
}

struct size_switch *advised_sizes_switches(const struct advised_sizes *s,
                                           size_t *n)
{
    struct size_switch *list = xcalloc(s->n + 1, sizeof *list);
    size_t before = advised_sizes_next(s, 0), at;
    const char *was = advised_size_use(&s->list[before]);

    *n = 0;
    for (; (at = advised_sizes_next(s, before + 1)) < s->n; before = at) {
        double times = advised_size_times_best(&s->list[at], was);
        if (times == 1) /* it is the fastest, or as fast */
            continue;
        const char *use = advised_size_use(&s->list[at]);
        list[(*n)++] = (struct size_switch){before, at, was, use, times};
        was = use;
    }
    return list;
}

/* Returns the worst ratio of a candidate over all sizes; NAN if one of them
 * lacks it. */
static struct one_for_all worst_of(const struct advised_sizes *s,
                                   const char *candidate)
{
    struct one_for_all one = {.candidate = candidate};

    for (size_t i = advised_sizes_next(s, 0); i < s->n;
         i = advised_sizes_next(s, i + 1)) {
        double times = advised_size_times_best(&s->list[i], candidate);
        if (isnan(times) || times > one.worst) {
            one.worst = times;
            one.worst_at = i;
        }
        if (isnan(times))
            break;
    }
    return one;
}

struct one_for_all advised_sizes_one(const struct advised_sizes *s)
{
    const struct advised_size *first = &s->list[advised_sizes_next(s, 0)];
    struct one_for_all best = {.worst = INFINITY};

    for (size_t i = 0; i < first->advice.n; i++) {
        size_t candidate = first->advice.order[i];
        struct one_for_all one =
            worst_of(s, first->candidates.list[candidate].name);
        if (one.worst < best.worst)
            best = one;
    }
    return best;
}

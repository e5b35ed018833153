/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as times of graph searches on real GPUs: they are refused in one
 * line, or give cases whose own times, used as simulated ones, score as all
 * right. */
#include "tests/fuzz/memory_file.h"
#include "validate/measure/traverse_cases.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_time(double s)
{
    return s > 0 && isfinite(s);
}

static void check_case(const struct traverse_case *c)
{
    if (!c->gpus || !c->algorithm[0] || !c->graph[0] || !c->execution[0] ||
        !c->partition[0] || !c->transfer[0] || !is_time(c->time_s) ||
        !is_time(c->reached) || !(c->visits >= 0 && isfinite(c->visits)) ||
        !(c->threshold >= 0 && isfinite(c->threshold)) ||
        !(c->skew_s >= 0 && isfinite(c->skew_s)) ||
        !(c->latency_s >= 0 && isfinite(c->latency_s)))
        abort();
    for (size_t i = 0; i < c->nlevels; i++)
        if (!is_time(c->levels[i].time_s))
            abort();
}

static void simulate_as_measured(struct traverse_case *c)
{
    c->simulated_s = c->time_s;
    c->simulated_visits = c->visits;
    c->simulated = xmalloc(c->nlevels * sizeof *c->simulated);
    c->nsimulated = c->nlevels;
    for (size_t i = 0; i < c->nlevels; i++)
        c->simulated[i] = c->levels[i];
}

static bool all_right(const struct traverse_errors *e)
{
    return !e->n || (e->median == 0 && fabs(e->within - 1) < 1e-9);
}

static void check(struct traverse_cases *t)
{
    for (size_t i = 0; i < t->n; i++) {
        check_case(&t->cases[i]);
        simulate_as_measured(&t->cases[i]);
    }
    struct traverse_score s = traverse_cases_score(t);
    if (!all_right(&s.levels) || !all_right(&s.total[0]) ||
        !all_right(&s.total[1]) || !all_right(&s.speedup) ||
        !all_right(&s.visits) || s.visits.n != t->n ||
        s.exact != s.synchronous || s.right != s.pairs)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct traverse_cases t;
    struct err err = {0};
    struct memory_file f;

    memory_file_open(&f, data, size);
    const char *const paths[] = {f.path, f.path};
    if (traverse_cases_load(&t, paths, 1, &err) == 0) {
        check(&t);
        traverse_cases_clear(&t);
        /* A search has one median. */
        if (traverse_cases_load(&t, paths, 2, &err) == 0)
            abort();
    }
    if (!err.text[0] || strchr(err.text, '\n'))
        abort();
    memory_file_close(&f);
    return 0;
}

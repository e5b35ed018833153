/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate traverse: simulates graph searches that were run on real
 * GPUs, and prints both times and the scores. */
#include "cli/validate_traverse.h"

#include "base/json.h"
#include "cli/document.h"
#include "platforms/platform.h"
#include "validate/measure/advice_calibration.h"
#include "validate/measure/traverse_cases.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void progress_of(size_t done, size_t all)
{
    if (isatty(2))
        fprintf(stderr, "\r%zu of %zu searches simulated%s", done, all,
                done == all ? "\n" : "");
}

/* Reports each reason once. */
static void tell_left_out(const struct traverse_cases *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const char *why = t->cases[i].why;
        size_t n = 0, first = i;
        for (size_t k = 0; why && k < t->n; k++)
            if (t->cases[k].why && !strcmp(t->cases[k].why, why)) {
                first = k < first ? k : first;
                n++;
            }
        if (why && first == i)
            fprintf(stderr, "sluice: %zu searches left out: %s\n", n, why);
    }
}

/* --- as text -------------------------------------------------------------- */

static void print_case(const struct traverse_case *c)
{
    char candidate[80];

    snprintf(candidate, sizeof candidate, c->delta ? "%s %u" : "%s",
             c->execution, c->delta);
    printf("%-8s %-42.42s %-22.22s %2u %-10.10s %-5.5s %12.2f %12.2f %+7.1f%% "
           "%8.3f %8.3f\n",
           c->algorithm, c->graph, candidate, c->gpus, c->partition,
           c->transfer, c->time_s * 1e6, c->simulated_s * 1e6,
           100 * (c->simulated_s / c->time_s - 1), c->visits / c->reached,
           c->simulated_visits / c->reached);
}

static void print_levels(const struct traverse_case *c)
{
    for (size_t i = 0; i < c->nlevels && i < c->nsimulated; i++)
        if (c->levels[i].edges >= TRAVERSE_LEVEL_ARCS)
            printf("    level %-4zu %12llu of %12llu vertices %12llu arcs "
                   "%12.2f %12.2f %+7.1f%%\n",
                   i, (unsigned long long)c->simulated[i].visits,
                   (unsigned long long)c->levels[i].visits,
                   (unsigned long long)c->levels[i].edges,
                   c->levels[i].time_s * 1e6, c->simulated[i].time_s * 1e6,
                   100 * (c->simulated[i].time_s / c->levels[i].time_s - 1));
}

static void print_errors(const char *what, const struct traverse_errors *e)
{
    if (e->n)
        printf("%-44s %6zu   median error %5.1f %%, within 1.3: %5.1f %%\n",
               what, e->n, 100 * e->median, 100 * e->within);
}

static void print_score(const struct traverse_score *s)
{
    printf("\n");
    print_errors("levels of 10^4 arcs and more", &s->levels);
    print_errors("searches on one GPU", &s->total[0]);
    print_errors("searches on more GPUs", &s->total[1]);
    print_errors("speed-ups from one GPU", &s->speedup);
    if (s->visits.n)
        printf("%-44s %6zu   off by at most %.3f, within 0.05: %.1f %%\n",
               "visits by reached vertices", s->visits.n, s->visits.median,
               100 * s->visits.within);
    if (s->synchronous)
        printf("%-44s %6zu   all frontiers exact in %zu\n",
               "level-synchronous searches", s->synchronous, s->exact);
    if (s->pairs)
        printf("%-44s %6zu   the faster one is right in %.1f %%\n",
               "pairs of executions more than 5 % apart", s->pairs,
               100 * (double)s->right / (double)s->pairs);
}

static void print_all(const struct traverse_cases *t,
                      const struct traverse_score *s, bool points)
{
    printf("%-8s %-42s %-22s %2s %-10s %-5s %12s %12s %8s %8s %8s\n", "search",
           "graph", "execution", "G", "parts", "by", "measured us", "simulated",
           "error", "visits", "simulated");
    for (size_t i = 0; i < t->n; i++) {
        if (t->cases[i].why)
            continue;
        print_case(&t->cases[i]);
        if (points)
            print_levels(&t->cases[i]);
    }
    print_score(s);
}

/* --- as JSON -------------------------------------------------------------- */

static struct json *level_json(const struct traverse_case *c, size_t i)
{
    struct json *o = json_new_object();

    json_add_number(o, "vertices", (double)c->levels[i].visits);
    json_add_number(o, "simulated_vertices", (double)c->simulated[i].visits);
    json_add_number(o, "arcs", (double)c->levels[i].edges);
    json_add_number(o, "time_s", c->levels[i].time_s);
    json_add_number(o, "simulated_s", c->simulated[i].time_s);
    return o;
}

static struct json *case_json(const struct traverse_case *c)
{
    struct json *o = json_new_object(), *levels = json_new_array();

    json_add_string(o, "algorithm", c->algorithm);
    json_add_string(o, "graph", c->graph);
    json_add_string(o, "execution", c->execution);
    json_add_number(o, "delta", c->delta);
    json_add_number(o, "gpus", c->gpus);
    json_add_string(o, "partition", c->partition);
    json_add_string(o, "transfer", c->transfer);
    json_add_number(o, "time_s", c->time_s);
    json_add_number(o, "workload", c->visits / c->reached);
    if (c->why) {
        json_add_string(o, "left_out", c->why);
    } else {
        json_add_number(o, "simulated_s", c->simulated_s);
        json_add_number(o, "simulated_workload",
                        c->simulated_visits / c->reached);
    }
    for (size_t i = 0; i < c->nlevels && i < c->nsimulated; i++)
        json_append(levels, level_json(c, i));
    json_add(o, "levels", levels);
    return o;
}

static void add_errors(struct json *o, const char *key,
                       const struct traverse_errors *e)
{
    struct json *x = json_new_object();

    json_add_number(x, "n", (double)e->n);
    json_add_number(x, "median", e->median);
    json_add_number(x, "within", e->within);
    json_add(o, key, x);
}

static void print_json(const struct traverse_cases *t,
                       const struct traverse_score *s)
{
    struct json *doc = document_new("validate traverse"),
                *list = json_new_array();

    for (size_t i = 0; i < t->n; i++)
        json_append(list, case_json(&t->cases[i]));
    json_add(doc, "searches", list);
    add_errors(doc, "levels", &s->levels);
    add_errors(doc, "one_gpu", &s->total[0]);
    add_errors(doc, "more_gpus", &s->total[1]);
    add_errors(doc, "speedups", &s->speedup);
    add_errors(doc, "visits", &s->visits);
    json_add_number(doc, "level_synchronous", (double)s->synchronous);
    json_add_number(doc, "frontiers_exact", (double)s->exact);
    json_add_number(doc, "pairs", (double)s->pairs);
    json_add_number(doc, "pairs_right", (double)s->right);
    document_print(doc);
}

static void print_calibration(const struct traverse_cases *t,
                              const struct machine *m,
                              const struct measured_request *r)
{
    struct calibration s = {.draws = r->calibration, .seed = 1};

    calibration_add_traverse(&s, t, m);
    calibration_print(&s, r);
    calibration_clear(&s);
}

int validate_traverse(const struct traverse_request *r, struct err *err)
{
    struct traverse_cases t;
    struct machine m;

    if (platform_load(&m, r->platform ? r->platform : "h200-x2", r->sets.items,
                      r->sets.n, err) < 0)
        return -1;
    if (traverse_cases_load(&t, r->files.items, r->files.n, err) < 0) {
        machine_clear(&m);
        return -1;
    }
    int result = traverse_cases_simulate(&t, &m, r->folders.items, r->folders.n,
                                         r->exec, progress_of, err);
    if (result == 0) {
        struct traverse_score s = traverse_cases_score(&t);
        tell_left_out(&t);
        if (r->calibration)
            print_calibration(&t, &m, r->calibration);
        else if (r->json)
            print_json(&t, &s);
        else
            print_all(&t, &s, r->points);
    }
    traverse_cases_clear(&t);
    machine_clear(&m);
    return result;
}

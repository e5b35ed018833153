/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate measured: simulates measured cases, each file on its
 * machine, and prints errors and decisions. */
#include "cli/validate_measured.h"

#include "cli/document.h"
#include "platforms/platform.h"
#include "validate/measure/advice_calibration.h"
#include "cli/validate_log.h"
#include "cli/validate_print.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine and the files that were simulated on it. */
struct place {
    char *name; /* the platform's, as it was asked for */
    struct machine m;
    struct measured *files;
    size_t nfiles;
    struct parameters parameters; /* only if advice is scored */
};

struct places {
    struct place **list;
    size_t n;
    struct calibration calibration;
};

static void cmd_validate_progress(size_t done, size_t all)
{
    if (isatty(2))
        fprintf(stderr, "\r%zu of %zu points simulated%s", done, all,
                done == all ? "\n" : "");
}

/* Reports each other MPI of the file once. */
static void tell_mpis(const struct measured *f, const struct machine *m)
{
    for (size_t i = 0; i < f->npoints; i++) {
        bool told = !f->points[i].other_mpi;
        for (size_t k = 0; k < i && !told; k++)
            told = !strcmp(f->points[k].mpi, f->points[i].mpi);
        if (told)
            continue;
        if (m->mpi)
            fprintf(stderr,
                    "sluice: %s: measured with %s, but the messages of %s are "
                    "%s's: in groups of their own\n",
                    f->path, f->points[i].mpi, m->name, m->mpi);
        else
            fprintf(stderr,
                    "sluice: %s: measured with %s; %s does not say which MPI "
                    "its messages are of\n",
                    f->path, f->points[i].mpi, m->name);
    }
}

/* Counts the points that are not simulated, because they are larger than
 * --max-ops or are refused; *first is the first refused one. */
static void count_left_out(const struct measured *f, size_t *larger,
                           size_t *refused, const struct measured_point **first)
{
    *larger = *refused = 0;
    *first = NULL;
    for (size_t k = 0; k < f->npoints; k++) {
        const struct measured_point *p = &f->points[k];
        if (*p->why && !(*refused)++)
            *first = p;
        *larger += !*p->why && p->simulated_s == 0;
    }
}

/* Reports rows that were left out, and inferred facts. Fails if nothing is
 * left. */
static int validate_measured_tell(const struct measured *f,
                                  const struct machine *m, unsigned max_ops,
                                  struct err *err)
{
    const struct measured_point *first;
    size_t larger, refused;

    count_left_out(f, &larger, &refused, &first);
    if (f->npoints == larger + refused && first)
        return fail(err, "%s:%u: nothing to compare: %s", f->path, first->line,
                    first->why);
    if (f->npoints == larger)
        return fail(err, "%s: nothing to compare: %s%s", f->path,
                    larger      ? "all points have more than --max-ops"
                    : f->nnotes ? f->notes[0].text
                                : "no rows",
                    !larger && f->nnotes > 1 ? ", and other reasons" : "");
    tell_mpis(f, m);
    for (size_t i = 0; i < f->nnotes; i++)
        fprintf(stderr, "sluice: %s: %zu rows%s: %s\n", f->path,
                f->notes[i].rows, f->notes[i].left_out ? " left out" : "",
                f->notes[i].text);
    if (larger)
        fprintf(stderr,
                "sluice: %s: %zu points of more than %u operations left out\n",
                f->path, larger, max_ops);
    if (first)
        fprintf(stderr,
                "sluice: %s: %zu points left out that cannot be simulated, the "
                "first in line %u: %s\n",
                f->path, refused, first->line, first->why);
    return 0;
}

/* --- loading -------------------------------------------------------------- */

static struct place *place_of(struct places *all, const char *name,
                              const struct measured_request *r, struct err *err)
{
    for (size_t i = 0; i < all->n; i++)
        if (!strcmp(all->list[i]->name, name))
            return all->list[i];
    struct place *p = xcalloc(1, sizeof *p);
    if (platform_load(&p->m, name, r->sets.items, r->sets.n, err) < 0) {
        free(p);
        return NULL;
    }
    p->name = xstrdup(name);
    all->list = xrealloc(all->list, all->n + 1, sizeof(void *));
    all->list[all->n++] = p;
    return p;
}

static void places_clear(struct places *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct place *p = all->list[i];
        for (size_t f = 0; f < p->nfiles; f++)
            measured_clear(&p->files[f]);
        free(p->files);
        parameters_clear(&p->parameters);
        free(p->name);
        machine_clear(&p->m);
        free(p);
    }
    free(all->list);
    calibration_clear(&all->calibration);
}

/* Scores the decisions of a file, with the spread of drawn machines. */
static int judge_measured(struct places *all, struct place *p,
                          const struct measured *f,
                          const struct measured_request *r, struct err *err)
{
    if (!p->parameters.doc) {
        struct json *doc =
            platform_json(p->name, r->sets.items, r->sets.n, err);
        if (!doc)
            return -1;
        parameters_of(&p->parameters, doc, p->m.path);
        json_free(doc);
    }
    return calibration_add(&all->calibration, f, &p->m, &p->parameters,
                           r->max_ops, r->exec, err);
}

/* Simulates a file, or its rows of one machine. */
static int add_measured(struct places *all, struct place *p, const char *path,
                        const char *only, const struct measured_request *r,
                        struct err *err)
{
    struct measured f;

    const struct measured_words words = {only, r->rank_nodes, r->facts};
    if (measured_load_of(&f, path, &p->m, &words, err) < 0)
        return -1;
    if (r->calibration) {
        int result = judge_measured(all, p, &f, r, err);
        measured_clear(&f);
        return result;
    }
    if (measured_simulate_some(&f, &p->m, r->max_ops, r->exec,
                               cmd_validate_progress, err) < 0 ||
        validate_measured_tell(&f, &p->m, r->max_ops, err) < 0) {
        measured_clear(&f);
        return -1;
    }
    if (!platform_stands_for(p->m.name, f.machine))
        fprintf(stderr, "sluice: %s was measured on %s, not on %s\n", path,
                f.machine, p->m.name);
    p->files = xrealloc(p->files, p->nfiles + 1, sizeof *p->files);
    p->files[p->nfiles++] = f;
    return 0;
}

/* Simulates all files on one platform: if the file has several machines, only
 * the rows of that platform's, if there are any; rows of others are
 * reported. */
static int on_platform(struct places *all, const char *path, char **names,
                       size_t n, const struct measured_request *r,
                       struct err *err)
{
    struct place *p =
        place_of(all, r->platform ? r->platform : MEASURED_PLATFORM, r, err);
    size_t own = 0;
    int result = 0;

    for (size_t i = 0; p && i < n; i++)
        own += platform_stands_for(p->m.name, names[i]);
    if (!p)
        return -1;
    if (n < 2 || !own)
        return add_measured(all, p, path, NULL, r, err);
    for (size_t i = 0; i < n && result == 0; i++)
        if (platform_stands_for(p->m.name, names[i]))
            result = add_measured(all, p, path, names[i], r, err);
        else
            fprintf(stderr,
                    "sluice: %s: rows of %s left out: of another machine than "
                    "%s\n",
                    path, names[i], p->m.name);
    return result;
}

/*
 * Returns the name of a machine's platform: its own, which may have capital
 * letters; or NAME-KIND, if there is one: the machine as measurements of that
 * kind found it, if those of other kinds contradict them. The caller frees it.
 * Returns NULL if there is none.
 */
static char *name_of_machine(const char *machine, const char *kind)
{
    char *small = xstrdup(machine);

    for (char *c = small; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    char *names[] = {xasprintf("%s-%s", small, kind ? kind : ""),
                     xstrdup(machine), small};
    char *name = NULL;
    for (size_t i = 0; i < 3; i++) {
        char *found = name ? NULL : platform_find(names[i]);
        if (found)
            name = names[i];
        else
            free(names[i]);
        free(found);
    }
    return name;
}

/* Simulates each machine's rows on the platform of that name. */
static int on_own(struct places *all, const char *path, char **names, size_t n,
                  const char *kind, const struct measured_request *r,
                  struct err *err)
{
    size_t done = 0;

    for (size_t i = 0; i < n; i++) {
        char *name = name_of_machine(names[i], kind);
        if (!name && n > 1) {
            fprintf(stderr,
                    "sluice: %s: rows of %s left out: no platform of that "
                    "name\n",
                    path, names[i]);
            continue;
        }
        /* The loader fails with a list of the known platforms. */
        struct place *p = place_of(all, name ? name : names[i], r, err);
        free(name);
        if (!p)
            return fail_in(err, "%s: measured on %s; expected --platform NAME",
                           path, names[i]);
        if (add_measured(all, p, path, n > 1 ? names[i] : NULL, r, err) < 0)
            return -1;
        done++;
    }
    return done ? 0
                : fail(err,
                       "%s: no platform of any machine in it; expected "
                       "--platform NAME",
                       path);
}

/* A file, and what its rows are of. */
struct source_file {
    const char *path, *kind;
    char **machines;
    size_t n;
};

/* Refuses a file of nodes if no file has sessions that it could place. */
static int nodes_fit(const struct source_file *files, size_t n,
                     const char *rank_nodes, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!rank_nodes || measured_has_sessions(files[i].kind))
            return 0;
    return fail(err,
                "--rank-nodes %s: only of calls of collectives, and %s is of "
                "%s",
                rank_nodes, files[0].path,
                files[0].kind ? files[0].kind : "no known kind");
}

static int load_files(struct places *all, const struct source_file *files,
                      const struct measured_request *r, struct err *err)
{
    int result = nodes_fit(files, r->files.n, r->rank_nodes, err);

    for (size_t i = 0; i < r->files.n && result == 0; i++) {
        const struct source_file *f = &files[i];
        result = r->platform || !f->n
                     ? on_platform(all, f->path, f->machines, f->n, r, err)
                     : on_own(all, f->path, f->machines, f->n, f->kind, r, err);
    }
    return result;
}

static int load_all(struct places *all, const struct measured_request *r,
                    struct err *err)
{
    struct source_file files[TEXTS + 1] = {0};
    int result = 0;

    for (size_t i = 0; i < r->files.n && result == 0; i++) {
        struct source_file *f = &files[i];
        f->path = r->files.items[i];
        result = measured_machines(&f->machines, &f->n, &f->kind, f->path, err);
    }
    if (result == 0)
        result = load_files(all, files, r, err);
    for (size_t i = 0; i < r->files.n; i++) {
        for (size_t k = 0; k < files[i].n; k++)
            free(files[i].machines[k]);
        free(files[i].machines);
    }
    return result;
}

/* --- printing ------------------------------------------------------------- */

static void print_points(const struct measured *f)
{
    printf("%s\n", f->path);
    printf("  %-34s %-40s %5s %12s %12s %8s\n", "group", "point", "rows",
           "measured us", "simulated us", "error");
    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *p = &f->points[i];
        if (*p->why)
            printf("  %-34s %-40s %5zu %12.3f %12s  %s\n", p->name, p->label,
                   p->nrows, p->measured_s * 1e6, "-", p->why);
        if (p->simulated_s == 0)
            continue;
        printf("  %-34s %-40s %5zu %12.3f %12.3f %+7.1f%%\n", p->name, p->label,
               p->nrows, p->measured_s * 1e6, p->simulated_s * 1e6,
               100 * (p->simulated_s / p->measured_s - 1));
    }
}

static struct json *point_json(const struct place *at, const struct measured *f,
                               const struct measured_point *p)
{
    struct json *o = json_new_object();

    json_add_string(o, "platform", at->m.name);
    json_add_string(o, "file", f->path);
    json_add_number(o, "line", p->line);
    json_add_string(o, "group", p->name);
    json_add_string(o, "mpi", p->mpi);
    json_add_string(o, "point", p->label);
    json_add_number(o, "rows", (double)p->nrows);
    json_add_number(o, "measured_s", p->measured_s);
    json_add_number(o, "simulated_s", *p->why ? NAN : p->simulated_s);
    json_add_number(o, "error",
                    *p->why ? NAN : p->simulated_s / p->measured_s - 1);
    if (*p->why)
        json_add_string(o, "left_out", p->why);
    json_add_number(o, "noise", p->noise);
    json_add_number(o, "baseline_s", p->baseline_s);
    return o;
}

static void print_json(const struct places *all)
{
    struct json *doc = document_new("validate"), *points = json_new_array();
    struct json *groups = json_new_array(), *scores = json_new_array();
    struct json *cases = json_new_array();

    for (size_t i = 0; i < all->n; i++) {
        const struct place *p = all->list[i];
        struct decisions d = decisions_of(p->files, p->nfiles);
        size_t n, nscores;
        struct error_summary *list = measured_summary(p->files, p->nfiles, &n);
        struct decision_score *scored = decision_scores(&d, &nscores);
        groups_json(groups, p->m.name, list, n);
        decisions_json(scores, cases, p->m.name, &d, scored, nscores);
        free(list);
        free(scored);
        decisions_clear(&d);
        for (size_t f = 0; f < p->nfiles; f++)
            for (size_t k = 0; k < p->files[f].npoints; k++)
                if (p->files[f].points[k].simulated_s > 0 ||
                    *p->files[f].points[k].why)
                    json_append(points, point_json(p, &p->files[f],
                                                   &p->files[f].points[k]));
    }
    json_add(doc, "groups", groups);
    json_add(doc, "decisions", scores);
    json_add(doc, "cases", cases);
    json_add(doc, "points", points);
    document_print(doc);
}

static void print_place(const struct place *p, bool points)
{
    struct decisions d = decisions_of(p->files, p->nfiles);
    size_t n, nscores;
    struct error_summary *list = measured_summary(p->files, p->nfiles, &n);
    struct decision_score *scores = decision_scores(&d, &nscores);

    for (size_t i = 0; i < p->nfiles; i++)
        if (!strcmp(p->files[i].kind, "log"))
            log_print_points(&p->files[i]);
        else if (points)
            print_points(&p->files[i]);
    if (points)
        decisions_print_cases(&d);
    groups_print(list, n);
    decisions_print(scores, nscores);
    free(list);
    free(scores);
    decisions_clear(&d);
}

static void print_summary(const struct places *all)
{
    groups_print_summary_head();
    for (size_t i = 0; i < all->n; i++) {
        const struct place *p = all->list[i];
        size_t n;
        struct error_summary *list = measured_summary(p->files, p->nfiles, &n);
        groups_print_summary(p->m.name, list, n);
        free(list);
    }
    decisions_print_summary_head();
    for (size_t i = 0; i < all->n; i++) {
        const struct place *p = all->list[i];
        struct decisions d = decisions_of(p->files, p->nfiles);
        size_t n;
        struct decision_score *scores = decision_scores(&d, &n);
        decisions_print_summary(p->m.name, scores, n);
        free(scores);
        decisions_clear(&d);
    }
}

int validate_measured(const struct measured_request *r, struct err *err)
{
    struct places all = {.calibration = {.draws = r->calibration, .seed = 1}};
    int result = load_all(&all, r, err);

    if (result == 0 && r->calibration)
        calibration_print(&all.calibration, r);
    else if (result == 0 && r->json)
        print_json(&all);
    else if (result == 0 && r->summary)
        print_summary(&all);
    for (size_t i = 0;
         i < all.n && result == 0 && !r->json && !r->summary && !r->calibration;
         i++) {
        if (all.n > 1)
            printf("%s%s\n\n", i ? "\n" : "", all.list[i]->m.name);
        print_place(all.list[i], r->points);
    }
    places_clear(&all);
    return result;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers measured points, fits the numbers of a platform's JSON, and writes
 * them with their source. */
#include "validate/calibrate/fit.h"

#include "base/number.h"
#include "platforms/provenance.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fit_takes(const struct measured *file)
{
    static const char *const kinds[] = {"ping_pong", "all_pairs",
                                        "memcpy",    "memcpy_mult",
                                        "mult_pong", "multi_pair"};

    const struct experiment *x = file->npoints ? &file->points[0].x : NULL;

    if (!x || (x->of == &ping_pong_benchmark && x->staged))
        return false;
    if (!strcmp(file->kind, "log"))
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(file->kind, kinds[i]))
            return true;
    return !strncmp(file->points[0].group, "maxrate/", 8);
}

/* --- points --------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    const struct measured_point *x = *(const struct measured_point *const *)a;
    const struct measured_point *y = *(const struct measured_point *const *)b;

    if (x->x.bytes != y->x.bytes)
        return x->x.bytes < y->x.bytes ? -1 : 1;
    if (x->x.pairs != y->x.pairs)
        return x->x.pairs < y->x.pairs ? -1 : 1;
    if (x->x.messages != y->x.messages)
        return x->x.messages < y->x.messages ? -1 : 1;
    if (x->measured_s != y->measured_s)
        return x->measured_s < y->measured_s ? -1 : 1;
    return 0;
}

static void add_text(char *to, size_t room, const char *text)
{
    size_t used = strlen(to);

    snprintf(to + used, room - used, "%s", text);
}

static void add_file(struct fit_set *set, const struct measured *file)
{
    const char *slash = strrchr(file->path, '/');

    if (*set->from)
        add_text(set->from, sizeof set->from, ", ");
    add_text(set->from, sizeof set->from, slash ? slash + 1 : file->path);
    if (*file->origin) {
        add_text(set->from, sizeof set->from, " (");
        add_text(set->from, sizeof set->from, file->origin);
        add_text(set->from, sizeof set->from, ")");
    }
}

static bool among(const char *group, const char *const *groups)
{
    for (; *groups; groups++)
        if (!strcmp(group, *groups))
            return true;
    return false;
}

void fit_gather(struct fit_set *set, const struct fit *f,
                const char *const *groups, fit_wanted *wanted, const void *arg)
{
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < f->nfiles; i++) {
        size_t before = set->n;
        for (size_t k = 0; k < f->files[i].npoints; k++) {
            const struct measured_point *p = &f->files[i].points[k];
            if (!among(p->group, groups) || (wanted && !wanted(p, arg)))
                continue;
            set->points = xrealloc(set->points, set->n + 1, sizeof(void *));
            set->points[set->n++] = p;
        }
        if (set->n > before)
            add_file(set, &f->files[i]);
    }
    if (set->n)
        qsort(set->points, set->n, sizeof(void *), by_bytes);
}

void fit_set_clear(struct fit_set *set)
{
    free(set->points);
    memset(set, 0, sizeof *set);
}

/* --- numbers -------------------------------------------------------------- */

const char *fit_doubt(struct fit_number number)
{
    if (!(number.value > 0))
        return "the fit is not above 0";
    return number.half <= number.value
               ? NULL
               : "its interval is wider than the number";
}

bool fit_good(struct fit_number number)
{
    return !fit_doubt(number);
}

/* Rounds to four digits; a whole number is kept. */
static double rounded(double v)
{
    return v == floor(v) ? v : number_four_digits(v);
}

void fit_add_row(struct fit *f, const struct fit_row *row)
{
    f->rows = xrealloc(f->rows, f->nrows + 1, sizeof *f->rows);
    f->rows[f->nrows++] = *row;
}

static struct fit_row row_of(const struct json *o, const char *path,
                             const char *key, double unit,
                             struct fit_number fitted, size_t points,
                             double residual)
{
    struct fit_row row = {.points = points, .residual = residual};

    row.old = json_number(json_member(o, key));
    row.fitted.value = rounded(fitted.value * unit);
    row.fitted.half = fitted.half * unit;
    snprintf(row.path, sizeof row.path, "%s.%s", path, key);
    return row;
}

bool fit_put(struct fit *f, struct json *o, const char *path, const char *key,
             double unit, struct fit_number fitted, size_t points,
             double residual, const char *kept)
{
    struct fit_row row = row_of(o, path, key, unit, fitted, points, residual);

    row.kept = kept ? kept : fit_doubt(fitted);
    if (!row.kept)
        json_replace(o, key, json_new_number(row.fitted.value));
    fit_add_row(f, &row);
    return !row.kept;
}

void fit_set_number(struct fit *f, struct json *o, const char *path,
                    const char *key, double unit, struct fit_number fitted,
                    size_t points, double residual, const char *note)
{
    struct fit_row row = row_of(o, path, key, unit, fitted, points, residual);

    row.note = note;
    json_replace(o, key, json_new_number(row.fitted.value));
    fit_add_row(f, &row);
}

void fit_clear(struct fit *f)
{
    for (size_t i = 0; i < f->nleft_out; i++)
        free(f->left_out[i]);
    free(f->left_out);
    f->left_out = NULL;
    f->nleft_out = 0;
    free(f->rows);
    f->rows = NULL;
    f->nrows = 0;
}

/* --- sources -------------------------------------------------------------- */

double fit_percent(double residual)
{
    return round(residual * 1000) / 10;
}

/* Returns the remark, such as "; flat", that the statement about a number has
 * behind its points; "" if the statement is not a fit to the files of `set`,
 * because the remark is then about other measurements, perhaps of another
 * machine. */
static const char *remark_of(const struct json *o, const char *key,
                             const char *number, const struct fit_set *set)
{
    const struct json *old = source_at(json_member(o, key), number);
    const char *text = json_string(json_member(old, "text"));
    const char *kind = json_string(json_member(old, "kind"));
    const char *from = json_string(json_member(old, "from"));
    bool fit = kind && !strcmp(kind, provenance_names[PROVENANCE_FIT]) &&
               from && !strcmp(from, set->from);

    return fit && text && strchr(text, ';') ? strchr(text, ';') : "";
}

void fit_source(struct json *o, const char *key, const char *number,
                const struct fit_set *set, size_t points, const char *what,
                double residual)
{
    char *text =
        xasprintf("%zu %s%s", points, what, remark_of(o, key, number, set));
    struct json *statement = source_json(PROVENANCE_FIT, set->from, text);

    json_add_number(statement, "residual_percent", fit_percent(residual));
    source_put(o, key, number ? (const char *const[]){number, NULL} : NULL,
               statement);
    free(text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits copies: lines through the times of one process, and the work of the
 * GPU's engine if several processes copy at once. */
#include "validate/calibrate/fit_parts.h"
#include "validate/calibrate/fit_segments.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
    const struct machine *m;
    enum copy_dir dir;
    enum locality where;
    uint64_t from, to;
};

/* Returns whether the point belongs to a row as the simulator sees it: a copy
 * between GPUs has their locality. */
static bool of_row(const struct measured_point *p, const void *arg)
{
    const struct wanted *w = arg;
    const unsigned *gpu = p->x.device, n = w->m->ngpus;

    if (p->x.of != &memcpy_benchmark || p->x.dir != w->dir ||
        p->x.bytes < w->from || p->x.bytes > w->to || gpu[0] >= n ||
        gpu[1] >= n)
        return false;
    if (p->x.dir == D2D)
        return machine_gpu_locality(w->m, 0, gpu[0], 0, gpu[1]) == w->where;
    bool near = machine_core_socket(w->m, p->x.core[0]) ==
                machine_gpu(w->m, gpu[0])->socket;
    return w->where == (near ? ON_SOCKET : ON_NODE);
}

/* Gathers every point of a row. Copies between GPUs that a process of another
 * socket starts take longer, which no row can express, so that they are left
 * out. */
static void gather_copies(struct fit_set *set, const struct fit *f,
                          const struct wanted *w)
{
    static const char *const places[] = {"on_socket", "off_socket",
                                         "gpus_across_sockets"};
    char groups[3][80];

    for (int i = 0; i < 3; i++)
        snprintf(groups[i], sizeof groups[i], "memcpy/%s/%s",
                 copy_dir_names[w->dir], places[i]);
    fit_gather(set, f, (const char *[]){groups[0], groups[1], groups[2], NULL},
               of_row, w);
}

static int named(const char *text, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (text && !strcmp(text, names[i]))
            return i;
    return 0;
}

static bool same(const struct json *a, const struct json *b, const char *key)
{
    return !strcmp(json_string(json_member(a, key)),
                   json_string(json_member(b, key)));
}

/* Returns whether two rows belong to one curve: those of one process, with
 * equal direction and locality. */
static bool one_curve(const struct json *a, const struct json *b)
{
    return json_number(json_member(a, "processes")) == 1 &&
           json_number(json_member(b, "processes")) == 1 &&
           same(a, b, "direction") && same(a, b, "locality");
}

/* Returns the rows of the curve of `row`, by rising limits; the caller frees
 * the array. */
static struct json **curve_of(const struct json *rows, const struct json *row,
                              size_t *n)
{
    struct json **curve = xcalloc(json_size(rows), sizeof(void *));

    *n = 0;
    for (struct json *r = json_at(rows, 0); r; r = json_next(r)) {
        if (!one_curve(r, row))
            continue;
        size_t at = (*n)++;
        for (; at > 0 && fit_limit(curve[at - 1]) > fit_limit(r); at--)
            curve[at] = curve[at - 1];
        curve[at] = r;
    }
    return curve;
}

static struct wanted wanted_of(const struct fit *f, const struct json *row)
{
    return (struct wanted){
        f->m,
        (enum copy_dir)named(json_string(json_member(row, "direction")),
                             copy_dir_names, NCOPY_DIRS),
        (enum locality)named(json_string(json_member(row, "locality")),
                             locality_names, NLOCALITIES),
        0, UINT64_MAX};
}

static struct fit_point *points_of(const struct fit_set *set)
{
    struct fit_point *points = xcalloc(set->n + 1, sizeof *points);

    for (size_t i = 0; i < set->n; i++)
        points[i] = (struct fit_point){(double)set->points[i]->x.bytes,
                                       set->points[i]->measured_s};
    return points;
}

/* Adds the rows of the curve that begins with this row, new or as they are. */
static void add_curve(struct fit *f, struct json *list, const struct json *rows,
                      const struct json *row)
{
    struct wanted w = wanted_of(f, row);
    struct fit_segments s;
    struct fit_set set;
    char place[64];
    size_t n;

    gather_copies(&set, f, &w);
    struct fit_point *points = points_of(&set);
    struct json **curve = curve_of(rows, row, &n);
    snprintf(place, sizeof place, "copies.%s.%s", copy_dir_names[w.dir],
             locality_names[w.where]);
    fit_segments(&s, f, place, curve, n, points, set.n);
    for (size_t i = 0; i < (s.n ? s.n : n); i++)
        json_append(list, s.n ? s.segments[i] : fit_copy(curve[i]));
    fit_segments_clear(&s);
    free(curve);
    free(points);
    fit_set_clear(&set);
}

/* Puts every curve where its first row was. */
static void new_rows(struct fit *f, struct json *copies)
{
    const struct json *rows = json_member(copies, "rows");
    struct json *list = json_new_array();

    for (const struct json *r = json_at(rows, 0); r; r = json_next(r)) {
        const struct json *first = json_at(rows, 0);
        while (first != r && !one_curve(first, r))
            first = json_next(first);
        if (json_number(json_member(r, "processes")) != 1)
            json_append(list, fit_copy(r));
        else if (first == r)
            add_curve(f, list, rows, r);
    }
    json_replace(copies, "rows", list);
}

/* Returns the points of row i, which begins where row i - 1 of its curve
 * ends. */
static struct fit_point *row_points(const struct fit *f, struct json *rows,
                                    size_t i, struct fit_set *set)
{
    const struct json *row = json_at(rows, i);
    struct wanted w = wanted_of(f, row);

    if (i && one_curve(json_at(rows, i - 1), row))
        w.from = (uint64_t)fit_limit(json_at(rows, i - 1)) + 1;
    if (fit_limit(row) < INFINITY)
        w.to = (uint64_t)fit_limit(row);
    gather_copies(set, f, &w);
    return points_of(set);
}

static double slope_of(const struct fit *f, struct json *rows, size_t i)
{
    struct fit_line line = {0};
    struct fit_set set;
    struct fit_point *points = row_points(f, rows, i, &set);

    fit_line(&line, points, set.n, FIT_BOTH);
    free(points);
    fit_set_clear(&set);
    return line.beta_s_per_B.value;
}

/* Returns whether the smallest copies cost more per byte than larger ones: then
 * it is not the wire or the copy engine that is busy with the bytes, as a slope
 * would say. */
static bool no_wire(const struct fit *f, struct json *rows, size_t i)
{
    const struct json *row = json_at(rows, i);

    return (!i || !one_curve(json_at(rows, i - 1), row)) &&
           i + 1 < json_size(rows) && one_curve(json_at(rows, i + 1), row) &&
           slope_of(f, rows, i) > slope_of(f, rows, i + 1);
}

static void fit_rows(struct fit *f, struct json *copies)
{
    if (!f->keep_breakpoints)
        new_rows(f, copies);
    struct json *rows = json_member(copies, "rows");

    for (size_t i = 0; i < json_size(rows); i++) {
        struct json *row = json_at(rows, i);
        const struct json *before = i ? json_at(rows, i - 1) : NULL;
        struct fit_set set;
        char place[64];

        if (json_number(json_member(row, "processes")) != 1)
            continue;
        struct fit_point *points = row_points(f, rows, i, &set);
        if (before && !one_curve(before, row))
            before = NULL;
        snprintf(place, sizeof place, "copies.rows.%zu", i);
        fit_put_segment(f, row, before, place, &set, points, set.n,
                        no_wire(f, rows, i));
        free(points);
        fit_set_clear(&set);
    }
}

/* --- several processes at once -------------------------------------------- */

/* Returns how many of the machine's GPUs share copy engines. */
static unsigned sharing(const struct machine *m)
{
    return m->copies.gpus_are_one ? m->ngpus : 1;
}

/* Returns how many ranks copy by the busiest engines, because ranks that the
 * GPUs do not divide are put on GPU 0 (experiment.c). */
static unsigned busiest(const struct machine *m, const struct experiment *x)
{
    unsigned per_gpu = x->ranks_per_node / m->ngpus;
    unsigned n = x->copiers * sharing(m);

    if (!per_gpu)
        return n ? n : 1;
    for (unsigned r = per_gpu * m->ngpus; r < x->ranks_per_node; r++)
        n += r % per_gpu < x->copiers;
    return n ? n : 1;
}

/* The wanted copies to the GPUs: sizes, and the least number of ranks. Copies
 * from a GPU are not used, because they need not wait for other processes'
 * copies or kernels. */
struct crowd {
    uint64_t from, to;
    unsigned copiers;
};

static bool of_crowd(const struct measured_point *p, const void *arg)
{
    const struct crowd *c = arg;

    return p->x.dir == H2D && p->x.bytes >= c->from && p->x.bytes <= c->to &&
           p->x.copiers >= c->copiers;
}

static unsigned most_copiers(const struct fit *f, const char *group)
{
    struct crowd all = {0, UINT64_MAX, 0};
    struct fit_set set;
    unsigned most = 0;

    fit_gather(&set, f, (const char *[]){group, NULL}, of_crowd, &all);
    for (size_t i = 0; i < set.n; i++)
        if (set.points[i]->x.copiers > most)
            most = set.points[i]->x.copiers;
    fit_set_clear(&set);
    return most;
}

/* Returns the median of time / ranks, and its residual. */
static struct fit_number each(const struct fit *f, const struct fit_set *set,
                              double *residual)
{
    double *v = xcalloc(set->n, sizeof *v);

    for (size_t i = 0; i < set->n; i++)
        v[i] = set->points[i]->measured_s / busiest(f->m, &set->points[i]->x);
    struct fit_number number = fit_median(v, set->n);
    for (size_t i = 0; i < set->n; i++)
        v[i] = fabs(number.value / v[i] - 1);
    *residual = fit_median(v, set->n).value;
    free(v);
    return number;
}

static const char *too_few(const struct fit_set *set, unsigned most)
{
    return set->n < 3 ? "fewer than 3 points"
           : most < 4 ? "too few ranks at once"
                      : NULL;
}

/* Fits the engine, which serves one copy after the other: with many ranks its
 * time is all that is left of a small copy's time. */
static void fit_engine(struct fit *f, struct json *copies, unsigned most)
{
    struct crowd many = {0, 4096, most > 2 ? most - 2 : 1};
    struct fit_set set;
    double residual;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_on", NULL}, of_crowd,
               &many);
    if (set.n) {
        struct fit_number number = each(f, &set, &residual);
        if (fit_put(f, copies, "copies",
                    KEY_OF(copies_keys, struct copy_table, engine_s), 1e6,
                    number, set.n, residual,
                    too_few(&set, most * sharing(f->m))))
            fit_source(copies, "engine_source", NULL, &set, set.n, "medians",
                       residual);
    }
    fit_set_clear(&set);
}

/* Limits the engine's part of a copy to the whole of the shortest. */
static void shorten_engine(struct fit *f, struct json *copies)
{
    const struct json *rows = json_member(copies, "rows");
    double engine_us = json_number(
        json_member(copies, KEY_OF(copies_keys, struct copy_table, engine_s)));
    double least_us = engine_us;

    for (const struct json *r = json_at(rows, 0); r; r = json_next(r))
        least_us =
            fmin(least_us,
                 json_number(json_member(
                     r, KEY_OF(copy_row_keys, struct copy_cost, alpha_s))));
    if (!(least_us < engine_us))
        return;
    fit_set_number(f, copies, "copies",
                   KEY_OF(copies_keys, struct copy_table, engine_s), 1e6,
                   (struct fit_number){least_us / 1e6, 0}, 0, 0,
                   "all of the shortest copy, which takes no longer");
    json_replace(copies, KEY_OF(copies_keys, struct copy_table, engine_s),
                 json_new_number(least_us));
}

/* Returns the type of the first wire between a socket and a GPU, or "". */
static const char *gpu_wire(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++) {
        enum device_kind a = m->devices[m->wires[i].ends[0]].kind;
        enum device_kind b = m->devices[m->wires[i].ends[1]].kind;
        if ((a == DEVICE_SOCKET && b == DEVICE_GPU) ||
            (a == DEVICE_GPU && b == DEVICE_SOCKET))
            return m->wires[i].type;
    }
    return "";
}

/* Returns the rate of the fastest copies of one process between host and
 * GPU. */
static double alone_Bps(const struct fit *f)
{
    const struct json *rows =
        json_member(json_member(f->doc, "copies"), "rows");
    double most = 0;

    for (const struct json *r = json_at(rows, 0); r; r = json_next(r)) {
        double ns = json_number(json_member(
            r, KEY_OF(copy_row_keys, struct copy_cost, beta_s_per_B)));
        const char *dir = json_string(json_member(r, "direction"));
        if (json_number(json_member(r, "processes")) == 1 && ns > 0 &&
            strcmp(dir, "D2D") != 0 && fit_limit(r) == INFINITY)
            most = fmax(most, 1e9 / ns);
    }
    return most;
}

/* Fits the wire to the GPU: the cost of each further byte of many large copies,
 * unless one process alone is faster, because then something else limits them,
 * which the GPUs share. */
static void fit_wire(struct fit *f, unsigned most)
{
    struct crowd large = {131072, UINT64_MAX, most > 2 ? most - 2 : 1};
    const char *type = gpu_wire(f->m);
    struct json *types = json_member(json_member(f->doc, "node"), "wire_types");
    struct json *wire = json_member(types, type);
    struct fit_set set;
    struct fit_line line;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_on", NULL}, of_crowd,
               &large);
    if (set.n && wire) {
        struct fit_point *points = xcalloc(set.n, sizeof *points);
        for (size_t i = 0; i < set.n; i++) {
            const struct measured_point *p = set.points[i];
            points[i] = (struct fit_point){
                (double)p->x.bytes, p->measured_s / busiest(f->m, &p->x)};
        }
        char path[96];
        fit_line(&line, points, set.n, FIT_BOTH);
        double slope = line.beta_s_per_B.value;
        struct fit_number number = {1 / slope,
                                    line.beta_s_per_B.half / (slope * slope)};
        snprintf(path, sizeof path, "node.wire_types.%s", type);
        const char *kept = too_few(&set, most);
        if (!kept && number.value < 0.8 * alone_Bps(f))
            kept = "one process copies faster: several share another limit";
        if (fit_put(f, wire, path, WIRE_KEY(bandwidth_Bps), 1e-9, number, set.n,
                    line.residual, kept))
            fit_source(wire, "source", NULL, &set, set.n, "medians",
                       line.residual);
        free(points);
    }
    fit_set_clear(&set);
}

/* Returns the median of time / ranks of two and more ranks at one size; 0 if
 * there is none. */
static double slice_at(const struct fit *f, uint64_t bytes)
{
    struct crowd several = {bytes, bytes, 2};
    struct fit_set set;
    double residual, at = 0;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_off", NULL}, of_crowd,
               &several);
    if (set.n)
        at = each(f, &set, &residual).value;
    fit_set_clear(&set);
    return at;
}

static void fit_slice(struct fit *f, struct json *copies)
{
    struct crowd several = {0, UINT64_MAX, 2};
    struct fit_set set;
    uint64_t breakpoint = 0, before = 0;
    double first = 0, residual;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_off", NULL}, of_crowd,
               &several);
    for (size_t i = 0; i < set.n && !breakpoint; i++) {
        uint64_t bytes = set.points[i]->x.bytes;
        double at = slice_at(f, bytes);
        first = first > 0 ? first : at;
        if (at < first / 2)
            breakpoint = bytes;
        else
            before = bytes;
    }
    fit_set_clear(&set);
    if (!breakpoint)
        return;
    several.to = breakpoint - 1;
    /* Nothing was measured between the two sizes, so that the old limit is kept
     * if it is there. */
    double old = json_number(json_member(
        copies, KEY_OF(copies_keys, struct copy_table, slice_below_B)));
    if (old > (double)before && old < (double)breakpoint)
        breakpoint = (uint64_t)old;
    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_off", NULL}, of_crowd,
               &several);
    struct fit_number number = each(f, &set, &residual);
    if (fit_put(f, copies, "copies",
                KEY_OF(copies_keys, struct copy_table, slice_s), 1e6, number,
                set.n, residual, set.n < 3 ? "fewer than 3 points" : NULL)) {
        fit_put(f, copies, "copies",
                KEY_OF(copies_keys, struct copy_table, slice_below_B), 1,
                (struct fit_number){(double)breakpoint, 0}, set.n, 0, NULL);
        fit_source(copies, "time_slice_source", NULL, &set, set.n, "medians",
                   residual);
    }
    fit_set_clear(&set);
}

int fit_copies(struct fit *f, struct err *err)
{
    (void)err;
    struct json *copies = json_member(f->doc, "copies");
    unsigned most = most_copiers(f, "memcpy_mult/MPS_on");

    if (!copies)
        return 0;
    fit_rows(f, copies);
    if (most) {
        fit_engine(f, copies, most);
        fit_wire(f, most);
    }
    fit_slice(f, copies);
    shorten_engine(f, copies);
    return 0;
}

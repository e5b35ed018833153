/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies: lines through the times of one process, and what the GPU's engine
 * does when several copy at once. */
#include "validate/fit.h"

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

/* As the simulator sees it: a copy between GPUs has their locality. */
static bool of_row(const struct measured_point *p, const void *arg)
{
    const struct wanted *w = arg;
    const unsigned *gpu = p->x.device, n = w->m->ngpus;

    if (p->x.kind != COPY || p->x.dir != w->dir || p->x.bytes < w->from ||
        p->x.bytes > w->to || gpu[0] >= n || gpu[1] >= n)
        return false;
    if (p->x.dir == D2D)
        return machine_gpu_locality(w->m, 0, gpu[0], 0, gpu[1]) == w->where;
    bool near = machine_core_socket(w->m, p->x.core[0]) ==
                machine_gpu(w->m, gpu[0])->socket;
    return w->where == (near ? ON_SOCKET : ON_NODE);
}

/* Every point that a row wants. Copies between GPUs that a process of another
 * socket starts take longer, which no row can say: they are left out. */
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

/* Rows of one direction and locality are segments: this one begins after the
 * largest limit below its own. */
static uint64_t begin_of(const struct json *rows, const struct json *row,
                         uint64_t to)
{
    uint64_t from = 0;

    for (const struct json *r = json_at(rows, 0); r; r = json_next(r)) {
        const struct json *limit = json_member(r, "up_to_bytes");
        if (!limit || json_number(json_member(r, "processes")) != 1 ||
            !same(r, row, "direction") || !same(r, row, "locality"))
            continue;
        uint64_t v = (uint64_t)json_number(limit);
        if (v < to && v + 1 > from)
            from = v + 1;
    }
    return from;
}

static void fit_rows(struct fit *f, struct json *copies)
{
    struct json *rows = json_member(copies, "rows");

    for (size_t i = 0; i < json_size(rows); i++) {
        struct json *row = json_at(rows, i);
        const struct json *limit = json_member(row, "up_to_bytes");
        struct wanted w = {
            f->m,
            (enum copy_dir)named(json_string(json_member(row, "direction")),
                                 copy_dir_names, NCOPY_DIRS),
            (enum locality)named(json_string(json_member(row, "locality")),
                                 locality_names, NLOCALITIES),
            0, limit ? (uint64_t)json_number(limit) : UINT64_MAX};
        struct fit_set set;
        char place[64];

        if (json_number(json_member(row, "processes")) != 1)
            continue;
        w.from = begin_of(rows, row, w.to);
        gather_copies(&set, f, &w);
        struct fit_point *points = xcalloc(set.n, sizeof *points);
        for (size_t k = 0; k < set.n; k++)
            points[k] = (struct fit_point){(double)set.points[k]->x.bytes,
                                           set.points[k]->measured_s};
        snprintf(place, sizeof place, "copies.rows.%zu", i);
        fit_put_segment(f, row, place, &set, points, set.n);
        free(points);
        fit_set_clear(&set);
    }
}

/* --- several processes at once -------------------------------------------- */

/* How many ranks copy to the GPU that most copy to: the ranks that the GPUs do
 * not divide land on GPU 0 (experiment.c). */
static unsigned busiest(const struct machine *m, const struct experiment *x)
{
    unsigned per_gpu = x->ranks_per_node / m->ngpus, n = x->copiers;

    if (!per_gpu)
        return n ? n : 1;
    for (unsigned r = per_gpu * m->ngpus; r < x->ranks_per_node; r++)
        n += r % per_gpu < x->copiers;
    return n ? n : 1;
}

struct crowd { /* of what the points are: sizes, and at least so many ranks */
    uint64_t from, to;
    unsigned copiers;
};

static bool of_crowd(const struct measured_point *p, const void *arg)
{
    const struct crowd *c = arg;

    return p->x.bytes >= c->from && p->x.bytes <= c->to &&
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

/* A median of time / ranks, with its residual. */
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

/* The engine serves one copy after the other: with many ranks that is all that
 * is left of a small copy's time. */
static void fit_engine(struct fit *f, struct json *copies, unsigned most)
{
    struct crowd many = {0, 4096, most > 2 ? most - 2 : 1};
    struct fit_set set;
    double residual;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_on", NULL}, of_crowd,
               &many);
    if (set.n) {
        struct fit_number number = each(f, &set, &residual);
        const char *kept = set.n < 3  ? "fewer than 3 points"
                           : most < 4 ? "too few ranks at once"
                                      : NULL;
        if (fit_put(f, copies, "copies", "engine_us", 1e6, number, set.n,
                    residual, kept))
            fit_source(copies, "engine_source", NULL, &set, set.n, "medians",
                       residual);
    }
    fit_set_clear(&set);
}

/* What each further byte of many large copies costs is the wire to the GPU. */
static void fit_wire(struct fit *f, unsigned most)
{
    struct crowd large = {131072, UINT64_MAX, most > 2 ? most - 2 : 1};
    struct json *types = json_member(json_member(f->doc, "node"), "wire_types");
    struct json *wire = json_member(types, "nvlink-cpu");
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
        fit_line(&line, points, set.n, FIT_BOTH);
        double slope = line.beta_s_per_B.value;
        struct fit_number number = {1 / slope,
                                    line.beta_s_per_B.half / (slope * slope)};
        if (fit_put(f, wire, "node.wire_types.nvlink-cpu", "bandwidth_GBps",
                    1e-9, number, set.n, line.residual,
                    set.n < 3 ? "fewer than 3 points" : NULL))
            fit_source(wire, "source", NULL, &set, set.n, "medians",
                       line.residual);
        free(points);
    }
    fit_set_clear(&set);
}

/* The median of time / ranks of two and more ranks at one size. */
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
    uint64_t border = 0;
    double first = 0, residual;

    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_off", NULL}, of_crowd,
               &several);
    for (size_t i = 0; i < set.n && !border; i++) {
        uint64_t bytes = set.points[i]->x.bytes;
        double at = slice_at(f, bytes);
        first = first > 0 ? first : at;
        if (at < first / 2)
            border = bytes;
    }
    fit_set_clear(&set);
    if (!border)
        return;
    several.to = border - 1;
    fit_gather(&set, f, (const char *[]){"memcpy_mult/MPS_off", NULL}, of_crowd,
               &several);
    struct fit_number number = each(f, &set, &residual);
    if (fit_put(f, copies, "copies", "time_slice_us", 1e6, number, set.n,
                residual, set.n < 3 ? "fewer than 3 points" : NULL)) {
        fit_put(f, copies, "copies", "time_slice_below_bytes", 1,
                (struct fit_number){(double)border, 0}, set.n, 0, NULL);
        fit_source(copies, "time_slice_source", NULL, &set, set.n, "medians",
                   residual);
    }
    fit_set_clear(&set);
}

void fit_copies(struct fit *f)
{
    struct json *copies = json_member(f->doc, "copies");
    unsigned most = most_copiers(f, "memcpy_mult/MPS_on");

    if (!copies)
        return;
    fit_rows(f, copies);
    if (most) {
        fit_engine(f, copies, most);
        fit_wire(f, most);
    }
    fit_slice(f, copies);
}

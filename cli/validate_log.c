/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the points of a log in a table for each operation. */
#include "cli/validate_log.h"

#include "validate/measure/benchmark.h"
#include "workloads/collective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double log_busbw(const struct measured_point *p, double time_s)
{
    /* By kind, as the rows of the workloads say (workloads/collective.c). */
    static const enum bus bus[NCOLLECTIVE_KINDS] = {
        [COLLECTIVE_ALLREDUCE] = BUS_TWICE,
        [COLLECTIVE_ALLGATHER] = BUS_OTHERS,
        [COLLECTIVE_REDUCE_SCATTER] = BUS_OTHERS,
        [COLLECTIVE_BROADCAST] = BUS_ALL,
        [COLLECTIVE_REDUCE] = BUS_ALL,
        [COLLECTIVE_ALLTOALL] = BUS_OTHERS};

    if (!(time_s > 0))
        return 0;
    if (!p->x.collective)
        return (double)p->x.bytes / time_s * (p->x.pairs ? p->x.pairs : 1) *
               (p->x.both_ways ? 2 : 1);
    return bus_factor(bus[p->x.collective->kind], p->x.ranks) *
           (double)p->x.bytes / time_s;
}

/* Returns the length of a group's name without the class of its sizes, and
 * the name after that class, such as "/in_place". */
static size_t without_class(const struct measured_point *p, const char **after)
{
    const char *class = log_size_class_at(p->name);

    *after = class ? strchr(class + 1, '/') : NULL;
    if (!*after)
        *after = "";
    return class ? (size_t)(class - p->name) : strlen(p->name);
}

static bool same_table(const struct measured_point *a,
                       const struct measured_point *b)
{
    const char *after_a, *after_b;
    size_t n = without_class(a, &after_a);

    return n == without_class(b, &after_b) && !strncmp(a->name, b->name, n) &&
           !strcmp(after_a, after_b);
}

static void print_head(const struct measured_point *p, const char *name,
                       void *arg)
{
    (void)arg;
    printf("%s\n  %14s %12s %12s %8s %9s %14s %14s\n", name, "size B",
           "measured us", "predicted us", "error", "base err",
           p->x.collective ? "busbw GB/s" : "GB/s", "pred GB/s");
}

static void print_point(const struct measured_point *p, void *arg)
{
    (void)arg;
    printf("  %14llu %12.2f ", (unsigned long long)p->x.bytes,
           p->measured_s * 1e6);
    if (!(p->simulated_s > 0)) {
        printf("%12s  %s\n", "-", p->why);
        return;
    }
    printf("%12.2f %+7.1f%%", p->simulated_s * 1e6,
           100 * (p->simulated_s / p->measured_s - 1));
    if (isnan(p->baseline_s))
        printf(" %9s", "-");
    else
        printf(" %+8.1f%%", 100 * (p->baseline_s / p->measured_s - 1));
    printf(" %14.2f %14.2f", log_busbw(p, p->measured_s) / 1e9,
           log_busbw(p, p->simulated_s) / 1e9);
    if (p->x.of == &memcpy_benchmark)
        printf("  GPU %u, %u", p->x.device[0], p->x.device[1]);
    printf("\n");
}

static void print_end(void *arg)
{
    (void)arg;
    printf("\n");
}

void log_tables(const struct measured *f, const struct log_table_printer *to,
                void *arg)
{
    for (size_t i = 0; i < f->npoints; i++) {
        const char *after;
        bool begun = false;
        for (size_t k = 0; k < i && !begun; k++)
            begun = same_table(&f->points[k], &f->points[i]);
        if (begun)
            continue;
        size_t n = without_class(&f->points[i], &after);
        char *name = xasprintf("%.*s%s", (int)n, f->points[i].name, after);
        to->head(&f->points[i], name, arg);
        free(name);
        for (size_t k = i; k < f->npoints; k++)
            if (same_table(&f->points[k], &f->points[i]))
                to->row(&f->points[k], arg);
        to->end(arg);
    }
}

void log_print_points(const struct measured *f)
{
    static const struct log_table_printer to = {print_head, print_point,
                                                print_end};

    printf("%s\n\n", f->path);
    log_tables(f, &to, NULL);
}

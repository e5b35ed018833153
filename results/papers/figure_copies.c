/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 3.1: a copy from and to one GPU, split over processes. */
#include "results/papers/figure.h"

#include "validate/measure/figure_points.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SMALLEST_B = 1 << 10, LARGEST_B = 256 << 20, FACTOR = 4 };

static const unsigned nprocs[] = {1, 2, 4, 8, 10};
enum { NNPROCS = sizeof nprocs / sizeof nprocs[0] };

static uint64_t copies_figure_share(uint64_t volume, unsigned np)
{
    return (volume + np - 1) / np;
}

/* Adds copies by np processes of GPU 0's socket, each of its share, at once. */
static void add_point(struct points *p, const struct machine *m,
                      enum copy_dir dir, unsigned np, uint64_t volume)
{
    unsigned first = machine_socket_core(m, machine_gpu(m, 0)->socket);
    unsigned *cores = xcalloc(np, sizeof *cores);
    struct plan plan;

    for (unsigned i = 0; i < np; i++)
        cores[i] = first + i;
    plan_init(&plan, m, "copies", 1, np, cores);
    for (unsigned i = 0; i < np; i++)
        plan_copy(&plan, dir == H2D ? PHASE_COPY_IN : PHASE_COPY_OUT, i, dir, 0,
                  copies_figure_share(volume, np));
    points_add(p, plan, NULL);
    free(cores);
}

/* Prints the time by Table 3, if that has a row for this number of
 * processes. */
static void print_model(FILE *csv, const struct machine *m, enum copy_dir dir,
                        unsigned np, uint64_t volume)
{
    uint64_t bytes = copies_figure_share(volume, np);
    const struct copy_cost *row = machine_copy(m, dir, ON_SOCKET, np, bytes);

    if (row && row->processes == np)
        fprintf(csv, "%.9g", copy_alone_s(row, bytes));
}

/* Walks the points in the order of the table: adds them if csv is NULL,
 * otherwise prints them. */
static size_t walk(struct points *p, FILE *csv, const struct machine *m)
{
    static const enum copy_dir dirs[] = {H2D, D2H};
    size_t at = 0;

    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < NNPROCS; i++) {
            if (nprocs[i] > machine_socket(m, 0)->cores)
                continue;
            for (uint64_t v = SMALLEST_B; v <= LARGEST_B; v *= FACTOR, at++) {
                if (!csv) {
                    add_point(p, m, dirs[d], nprocs[i], v);
                    continue;
                }
                fprintf(csv, "%s,%u,%" PRIu64 ",%.9g,", copy_dir_names[dirs[d]],
                        nprocs[i], v, p->times_s[at]);
                print_model(csv, m, dirs[d], nprocs[i], v);
                fputc('\n', csv);
            }
        }
    return at;
}

int figure_copies(FILE *csv, FILE *vars, const struct figure_input *in,
                  struct err *err)
{
    struct points p = {0};

    (void)vars;
    if (!in->m->ngpus)
        return fail(err, "%s has no GPUs", in->m->name);
    walk(&p, NULL, in->m);
    int result = points_time(&p, in->m, NULL, err);
    if (result == 0) {
        fprintf(csv, "direction,processes,volume_bytes,simulated_s,model_s\n");
        walk(&p, csv, in->m);
    }
    points_clear(&p);
    return result;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench halo: reads a matrix of a stencil and builds its halo. */
#include "cli/bench.h"

#include "workloads/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct halo_case {
    unsigned side;  /* of the cube of the 27-point stencil */
    char path[256]; /* the file to write and read */
};

static int write_matrix(const struct matrix *m, const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return -1;
    fprintf(f,
            "%%%%MatrixMarket matrix coordinate pattern general\n%u %u %llu\n",
            m->rows, m->rows, (unsigned long long)m->row_ptr[m->rows]);
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t i = m->row_ptr[row]; i < m->row_ptr[row + 1]; i++)
            fprintf(f, "%u %u\n", row + 1, m->col[i] + 1);
    return fclose(f);
}

static int stencil(struct matrix *m, unsigned side, struct err *err)
{
    char words[64];

    snprintf(words, sizeof words, "stencil:27pt:%ux%ux%u", side, side, side);
    return matrix_from_workload(m, words, err);
}

static int bench_halo_write(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};

    if (stencil(&m, c->side, &err) < 0)
        return -1;
    return write_matrix(&m, c->path);
}

static int bench_halo_read(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct err err = {0};

    if (matrix_read(&m, c->path, &err) < 0) {
        err_print(&err);
        return -1;
    }
    return 0;
}

static int bench_halo_run(void *arg)
{
    struct halo_case *c = arg;
    struct matrix m;
    struct halo h;
    struct err err = {0};

    if (stencil(&m, c->side, &err) < 0)
        return -1;
    uint32_t *part = xcalloc(m.rows, sizeof *part);
    return matrix_partition(part, &m, 256, "contiguous", &err) < 0 ||
                   matrix_halo(&h, &m, part, 256, 4, &err) < 0
               ? -1
               : 0;
}

int bench_halos(unsigned limit_s, struct err *err)
{
    static const unsigned sides[] = {27, 57, 123};
    const char *dir = getenv("TMPDIR");

    printf("27-point stencils in a .mtx file, halo for 256 GPUs (4 a node)\n");
    printf("%12s %10s %12s %9s %22s %9s\n", "nonzeros", "read s", "nonzeros/s",
           "peak MB", "generate and halo s", "peak MB");
    for (size_t i = 0; i < 3; i++) {
        struct halo_case c = {.side = sides[i]};
        snprintf(c.path, sizeof c.path, "%s/sluice-bench-%ld.mtx",
                 dir ? dir : "/tmp", (long)getpid());
        double s = 3.0 * sides[i] - 2, nnz = s * s * s;
        struct took w = bench_measure(bench_halo_write, &c, limit_s);
        if (w.code) {
            unlink(c.path);
            return fail_work(err, "%s: cannot be written", c.path);
        }
        struct took r = bench_measure(bench_halo_read, &c, limit_s);
        struct took h = bench_measure(bench_halo_run, &c, limit_s);
        unlink(c.path);
        if (r.code || h.code)
            return fail_work(err, "reading or halo failed or took over %u s",
                             limit_s);
        printf("%12.0f %10.2f %12.0f %9.0f %22.2f %9.0f\n", nnz, r.wall_s,
               nnz / r.wall_s, r.peak_MB, h.wall_s, h.peak_MB);
        fflush(stdout);
    }
    return 0;
}

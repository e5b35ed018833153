/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that take turns on a GPU (copies.contexts), compared with an H200
 * and a V100: the slice is taken from two processes, all else is predicted.
 * Also those that share the copy engine of a GCD of MI250X, to which engine_us
 * was fitted. */
#include "base/csv.h"
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 4, MOST_PROCESSES = 10, MOST_POINTS = 1000, MOST_ROWS = 40 };

struct point {
    bool h2d;
    uint32_t gpu; /* on the first socket */
    uint32_t processes;
    uint64_t bytes;
    double s[MOST_ROWS]; /* samples, of which the median is used */
    int n;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double *s, int n)
{
    qsort(s, (size_t)n, sizeof *s, by_size);
    return n ? (s[(n - 1) / 2] + s[n / 2]) / 2 : NAN;
}

/* Loads the rows of one configuration, grouped by direction, processes and
 * size; returns the number of groups. */
static size_t load_points(struct point *points, const char *path,
                          const char *config)
{
    struct err err = {0};
    struct csv t;
    size_t n = 0;

    if (csv_load(&t, path, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return 0;
    }
    for (size_t row = 0; row < t.nrows; row++) {
        struct point p = {
            .h2d = !strcmp(csv_text(&t, row, "direction_performed"), "H2D")};
        double s;
        if (strcmp(csv_text(&t, row, "config"), config) != 0)
            continue;
        CHECK(csv_below(&t, row, "copying_ranks_per_gpu", 1000, &p.processes,
                        &err) == 0);
        CHECK(csv_count(&t, row, "bytes_per_rank", &p.bytes, &err) == 0);
        CHECK(csv_number(&t, row, "time_s", &s, &err) == 0);
        size_t i = 0;
        while (i < n &&
               (points[i].h2d != p.h2d || points[i].processes != p.processes ||
                points[i].bytes != p.bytes))
            i++;
        if (i == n && n < MOST_POINTS)
            points[n++] = p;
        if (i < MOST_POINTS && points[i].n < MOST_ROWS)
            points[i].s[points[i].n++] = s;
    }
    csv_clear(&t);
    return n;
}

/* Returns the time of a copy, if each process makes several one after the
 * other. */
static double copy_s(const struct machine *m, const struct point *at)
{
    unsigned cores[MOST_PROCESSES];
    struct exec_result r;
    struct err err = {0};
    struct plan p;
    double first = 0, last = 0;

    for (unsigned i = 0; i < MOST_PROCESSES; i++)
        cores[i] = i;
    plan_init(&p, m, "copies", 1, at->processes, cores);
    for (uint32_t i = 0; i < at->processes; i++)
        for (uint32_t k = 0; k < COPIES; k++) {
            uint32_t op = plan_copy(&p, PHASE_WORK, i, at->h2d ? H2D : D2H,
                                    at->gpu, at->bytes);
            if (k)
                plan_after(&p, op - 1);
        }
    CHECK_EQ(exec_plan(&r, m, &p, NULL, EXEC_DETAILS, &err), 0);
    for (uint32_t i = 0; i < at->processes; i++) {
        first = fmax(first, r.ops[i * COPIES].end_s);
        last = fmax(last, r.ops[i * COPIES + COPIES - 1].end_s);
    }
    exec_result_clear(&r);
    plan_clear(&p);
    return (last - first) / (COPIES - 1);
}

/* Compares the points of 3 and more processes between two sizes; prints, and
 * checks, the median of |error|. */
static void compare(const char *what, const struct machine *m,
                    struct point *points, size_t n, bool h2d, uint64_t from_B,
                    uint64_t below_B, double most)
{
    double errors[MOST_POINTS], worst = 0;
    int k = 0;

    for (size_t i = 0; i < n; i++) {
        struct point *p = &points[i];
        if (p->h2d != h2d || p->processes < 3 || p->bytes < from_B ||
            p->bytes >= below_B || p->processes > MOST_PROCESSES)
            continue;
        double measured_s = median(p->s, p->n);
        errors[k] = fabs(copy_s(m, p) / measured_s - 1);
        worst = fmax(worst, errors[k++]);
    }
    double middle = median(errors, k);
    printf("%-44s %3d points, median |error| %5.1f %%, worst %5.1f %%\n", what,
           k, middle * 100, worst * 100);
    CHECK(k > 10);
    CHECK(middle < most);
}

/* Returns the time of a change of process, from two processes with small
 * copies: the median over these. */
static double slice_of_two(const struct machine *m, struct point *points,
                           size_t n)
{
    double of_two[MOST_POINTS];
    int k = 0;

    for (size_t i = 0; i < n; i++)
        if (points[i].h2d && points[i].processes == 2 &&
            points[i].bytes < 32768)
            of_two[k++] = median(points[i].s, points[i].n);
    CHECK(k > 0);
    return median(of_two, k) / 2 - m->copies.engine_s;
}

static void in_turn(struct machine *m, bool contexts, double slice_s)
{
    m->copies.contexts = contexts;
    m->copies.mps = !contexts;
    m->copies.slice_s = slice_s;
    m->copies.slice_below_B = 32768;
}

/* A message by IPC from one process to the other and back is a copy each, and
 * each changes the process: measured 148.9 us one way, for any size
 * (results/h200/MPS_off/ping_pong.csv, results/h200/calibrate-MPS_off.txt). */
static void check_ipc(const struct machine *m)
{
    struct exec_result r;
    struct err err = {0};
    struct plan p;
    uint32_t before = 0;

    plan_init(&p, m, "IPC", 1, 2, NULL);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t copy = plan_copy_peer(&p, PHASE_ON_NODE, i % 2, 0, 0, 4096);
        if (i)
            plan_after(&p, before);
        before =
            plan_msg(&p, PHASE_ON_NODE, i % 2, 1 - i % 2, NO_GPU, NO_GPU, 8);
        plan_after(&p, copy);
    }
    CHECK_EQ(exec_plan(&r, m, &p, NULL, EXEC_DETAILS, &err), 0);
    double candidate_s = (r.ops[11].end_s - r.ops[3].end_s) / 4;
    printf("%-44s %.1f us, measured 148.9: %+.1f %%\n",
           "H200, no MPS: a message by IPC", candidate_s * 1e6,
           (candidate_s / 148.9e-6 - 1) * 100);
    CHECK_NEAR(candidate_s, 148.9e-6, 0.05);
    exec_result_clear(&r);
    plan_clear(&p);
}

static void h200(struct point *points)
{
    static const char *const sets[] = {"gpus_used=1",
                                       "copies.gpus_are_one=false"};
    struct machine m;
    struct err err = {0};

    if (platform_load(&m, "h200-shared", sets, 2, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return;
    }
    memset(points, 0, MOST_POINTS * sizeof *points);
    size_t n = load_points(
        points, "results/h200/memory/MPS_off/memcpy_mult.csv.xz", "MPS_off");
    double slice_s = slice_of_two(&m, points, n);
    printf("H200: a change of process takes %.1f us\n", slice_s * 1e6);
    in_turn(&m, true, slice_s);
    compare("H200, no MPS: to the GPU, below 32 KiB", &m, points, n, true, 0,
            32768, 0.03);
    compare("H200, no MPS: to the GPU, 32 KiB and more", &m, points, n, true,
            32768, UINT64_MAX, 0.15);
    compare("H200, no MPS: from the GPU", &m, points, n, false, 0, UINT64_MAX,
            0.15);
    check_ipc(&m);
    memset(points, 0, MOST_POINTS * sizeof *points);
    n = load_points(points, "results/h200/memory/MPS_on/memcpy_mult.csv.xz",
                    "MPS_on");
    in_turn(&m, false, 0);
    compare("H200, MPS: to the GPU", &m, points, n, true, 0, UINT64_MAX, 0.15);
    compare("H200, MPS: from the GPU", &m, points, n, false, 0, UINT64_MAX,
            0.15);
    machine_clear(&m);
}

static void v100(struct point *points)
{
    static const char file[] =
        "results/measured/lassen_spectrum_memcpy_mult.csv";
    struct machine m;
    struct err err = {0};

    if (platform_load(&m, "lassen", NULL, 0, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return;
    }
    memset(points, 0, MOST_POINTS * sizeof *points);
    size_t n = load_points(points, file, "MPS_off");
    double slice_s = slice_of_two(&m, points, n);
    printf("V100: a change of process takes %.1f us\n", slice_s * 1e6);
    in_turn(&m, true, slice_s);
    /* In one of two series a process takes 93 us if there are two or three, in
     * the other 81, and if there are more 82 in both. */
    compare("V100, no MPS: to the GPU, below 32 KiB", &m, points, n, true, 0,
            32768, 0.06);
    compare("V100, no MPS: to the GPU, 32 KiB and more", &m, points, n, true,
            32768, UINT64_MAX, 0.15);
    memset(points, 0, MOST_POINTS * sizeof *points);
    n = load_points(points, file, "MPS_on");
    in_turn(&m, false, 0);
    compare("V100, MPS: to the GPU", &m, points, n, true, 0, UINT64_MAX, 0.15);
    machine_clear(&m);
}

/* Copies of 8 KiB to a GCD by several processes: medians of
 * tioga_memcpy_mult.csv (BenchPress 42bd708). The alpha of one process is
 * Frontier's, which is more than two processes take on Tioga. */
static void mi250x(void)
{
    static const struct {
        uint32_t processes;
        double s;
    } measured[] = {{5, 17.4e-6}, {6, 17.9e-6}, {7, 23.2e-6}, {8, 23.6e-6}};
    struct machine m;
    struct err err = {0};

    if (platform_load(&m, "tioga", NULL, 0, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return;
    }
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        struct point at = {.h2d = true,
                           .gpu = 4,
                           .processes = measured[i].processes,
                           .bytes = 8192};
        double s = copy_s(&m, &at);
        printf("MI250X: to a GCD, %u processes %20s %.1f us, measured %.1f\n",
               at.processes, "", s * 1e6, measured[i].s * 1e6);
        CHECK_NEAR(s, measured[i].s, 0.2);
    }
    machine_clear(&m);
}

int main(void)
{
    struct point *points = xcalloc(MOST_POINTS, sizeof *points);

    h200(points);
    v100(points);
    mi250x();
    free(points);
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A time depends only on its plan: it is equal bit for bit if the plan is
 * simulated alone or with others, in any order and by any number of jobs.
 * Without arguments the test uses random plans on all platforms and a part of
 * the measurements that come with the program; its arguments are files of
 * measurements that are used in full. */
#include "tests/on_machines.h"
#include "validate/measure/measured.h"

#include <glob.h>

static uint64_t seed = 31;

static unsigned below(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* --- random plans on all platforms ---------------------------------------- */

enum { PLANS = 24, MESSAGES = 12 };

/* Adds messages among `ranks` ranks from `first` on. */
static void random_messages(struct plan *p, const struct machine *m,
                            unsigned first, unsigned ranks)
{
    unsigned gpus = p->nodes * m->ngpus, n = 1 + below(MESSAGES);

    for (unsigned i = 0; i < n; i++) {
        uint32_t from = first + below(ranks), to = first + below(ranks);
        uint64_t bytes = UINT64_C(1) << below(23);
        bool gpu = gpus && ranks > 2 && below(2);
        uint32_t a = gpu ? below(gpus) : NO_GPU, b = gpu ? below(gpus) : NO_GPU;
        plan_msg(p, PHASE_OFF_NODE, from, to, a, b, bytes + i);
    }
}

/* Makes a plan; every other one stays on a few cores of one node, so that its
 * messages use few links of the node, or none. */
static void random_plan(struct plan *p, const struct machine *m)
{
    unsigned most = m->network.nodes < 5 ? m->network.nodes : 5;
    unsigned nodes = 1 + below(most);

    cores_plan(p, m, nodes);
    if (below(2))
        random_messages(p, m, below(nodes) * m->ncores, m->ncores > 1 ? 2 : 1);
    else
        random_messages(p, m, 0, nodes * m->ncores);
}

/* Makes a plan that the machine can run (some have no GPU messages on a
 * socket); returns its time. */
static double feasible_plan(struct plan *p, const struct machine *m)
{
    for (int tries = 0; tries < 100; tries++) {
        struct timed_plan timed = {p, NULL};
        struct err err = {0};
        double time_s;
        random_plan(p, m);
        if (exec_times(&time_s, m, &timed, 1, NULL, &err) == 0)
            return time_s;
        plan_clear(p);
    }
    CHECK(!"a plan that the machine can carry out");
    return 0;
}

static void times_of(double *times_s, const struct machine *m,
                     const struct timed_plan *plans, size_t n, unsigned jobs)
{
    struct exec_options o = exec_defaults;
    struct err err = {0};

    o.jobs = jobs;
    if (exec_times(times_s, m, plans, n, &o, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
    }
}

static void check_times(const char *platform, const char *how,
                        const double *times_s, const double *alone_s)
{
    for (size_t i = 0; i < PLANS; i++) {
        if (times_s[i] != alone_s[i])
            fprintf(stderr, "%s: plan %zu %s: %.17g s, alone %.17g s\n",
                    platform, i, how, times_s[i], alone_s[i]);
        CHECK(times_s[i] == alone_s[i]);
    }
}

static void check_platform(const char *name, const struct machine *m)
{
    struct plan plans[PLANS];
    struct timed_plan timed[PLANS], backwards[PLANS];
    double alone[PLANS], times[PLANS], turned[PLANS];

    for (size_t i = 0; i < PLANS; i++) {
        alone[i] = feasible_plan(&plans[i], m);
        timed[i] = backwards[PLANS - 1 - i] =
            (struct timed_plan){&plans[i], NULL};
    }
    times_of(times, m, timed, PLANS, 1);
    check_times(name, "in company", times, alone);
    times_of(times, m, timed, PLANS, 3);
    check_times(name, "by 3 jobs", times, alone);
    times_of(turned, m, backwards, PLANS, 1);
    for (size_t i = 0; i < PLANS; i++)
        times[PLANS - 1 - i] = turned[i];
    check_times(name, "backwards", times, alone);
    for (size_t i = 0; i < PLANS; i++)
        plan_clear(&plans[i]);
}

/* --- measurements --------------------------------------------------------- */

enum { MOST_OPS = 4000 };

static void simulate(struct measured *f, const struct machine *m, unsigned jobs)
{
    struct exec_options o = exec_defaults;
    struct err err = {0};

    o.jobs = jobs;
    if (measured_simulate(f, m, MOST_OPS, &o, NULL, &err) < 0) {
        err_print(&err);
        CHECK(!"simulated");
    }
}

/* Returns the time of the i-th point simulated without the others. */
static double alone_s(const struct measured *f, const struct machine *m,
                      size_t i)
{
    struct measured_point point = f->points[i];
    struct measured one = *f;

    one.points = &point;
    one.rows_s = &f->rows_s[i];
    one.npoints = 1;
    simulate(&one, m, 1);
    return point.simulated_s;
}

static void shuffle(struct measured *f)
{
    for (size_t i = f->npoints; i > 1; i--) {
        size_t other = below((unsigned)i);
        struct measured_point point = f->points[i - 1];
        double *rows_s = f->rows_s[i - 1];
        f->points[i - 1] = f->points[other];
        f->rows_s[i - 1] = f->rows_s[other];
        f->points[other] = point;
        f->rows_s[other] = rows_s;
    }
}

/* Keeps about one point in `part`, drawn at random. */
static void thin(struct measured *f, unsigned part)
{
    size_t kept = 0;

    shuffle(f);
    for (size_t i = 0; i < f->npoints; i++)
        if (i % part)
            free(f->rows_s[i]);
        else {
            f->points[kept] = f->points[i];
            f->rows_s[kept++] = f->rows_s[i];
        }
    f->npoints = kept;
}

static void check_points(struct measured *f, const struct machine *m,
                         const double *want_s, const unsigned *line)
{
    for (int order = 0; order < 2; order++) {
        if (order)
            shuffle(f);
        simulate(f, m, order ? 3 : 1);
        for (size_t i = 0; i < f->npoints; i++) {
            const struct measured_point *p = &f->points[i];
            size_t was = 0;
            while (line[was] != p->line)
                was++;
            if (p->simulated_s != want_s[was])
                fprintf(stderr, "%s:%u: %.17g s %s, alone %.17g s\n", f->path,
                        p->line, p->simulated_s,
                        order ? "shuffled" : "in company", want_s[was]);
            CHECK(p->simulated_s == want_s[was]);
        }
    }
}

static void check_machine(const char *path, const char *name, unsigned part)
{
    struct measured f;
    struct machine m;
    struct err err = {0};
    const struct measured_words words = {.only = name};

    if (platform_load(&m, name, NULL, 0, &err) < 0)
        return; /* `validate` leaves out rows of such a machine, too */
    if (measured_load_of(&f, path, &m, &words, &err) < 0) {
        err_print(&err);
        CHECK(!"read");
        machine_clear(&m);
        return;
    }
    thin(&f, part);
    double *want = xcalloc(f.npoints + 1, sizeof *want);
    unsigned *line = xcalloc(f.npoints + 1, sizeof *line);
    for (size_t i = 0; i < f.npoints; i++) {
        want[i] = alone_s(&f, &m, i);
        line[i] = f.points[i].line;
    }
    check_points(&f, &m, want, line);
    free(want);
    free(line);
    measured_clear(&f);
    machine_clear(&m);
}

static void check_file(const char *path, unsigned part)
{
    struct err err = {0};
    const char *kind;
    char **names;
    size_t n;

    if (measured_machines(&names, &n, &kind, path, &err) < 0) {
        err_print(&err);
        CHECK(!"read");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        check_machine(path, names[i], part);
        free(names[i]);
    }
    free(names);
}

static void shipped_files(unsigned part)
{
    glob_t found;

    CHECK(glob("results/measured/*.csv", 0, NULL, &found) == 0);
    CHECK(glob("results/measured/mpi_advance/*.xz", GLOB_APPEND, NULL,
               &found) == 0);
    CHECK(found.gl_pathc > 20);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_file(found.gl_pathv[i], part);
    globfree(&found);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        check_file(argv[i], 1);
    if (argc == 1) {
        on_all_machines(check_platform);
        check_file("tests/data/alltoall_two_phases.csv", 1);
        shipped_files(24);
    }
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a table of measurements determine its kind: under any name,
 * it is read the same. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "validate/measure/measured.h"
#include "validate/measure/measured_rows.h"
#include "validate/measure/benchmark.h"

#include <ctype.h>

/* One table of every kind and set of columns that come with the program. */
static const char *const TABLES[] = {
    "results/h200/memory/MPS_on/matching.csv.xz",
    "results/h200/node/collective/2-large.csv.xz",
    "results/h200/node/p2p/memcpy.csv.xz",
    "results/h200/node/p2p/memcpy_mult.csv.xz",
    "results/h200/patterns/MPS_off/gpu_messages.csv.xz",
    "results/h200/patterns/MPS_off/memcpy_both.csv.xz",
    "results/h200/two/ping_pong.csv",
    "results/measured/lassen_spectrum_all_to_all.csv",
    "results/measured/lassen_spectrum_all_to_all_v.csv",
    "results/measured/lassen_spectrum_mult_pong.csv",
    "results/measured/lassen_spectrum_node_pong.csv",
    "results/measured/lassen_spectrum_ping_pong_all_pairs_summary.csv",
    "results/measured/lassen_spectrum_spmv_diffusion_4nodes.csv",
    "results/measured/mpi_advance/dane_matching.csv.xz",
    "results/measured/mpi_advance/tioga_multi_pair_ping_pong.csv.xz",
    "results/measured/mpi_advance/tioga_ping_pong.csv.xz",
    "results/measured/stream_triggering_halo_step.csv",
    "results/measured/summit_spectrum_memcpy_mult.csv",
    "results/testbed/4x4/maxrate.csv",
    "results/testbed/4x4/node_pong.csv",
    "tests/data/alltoall_two_phases.csv",
    "tests/data/lassen_excerpt_maxrate.csv",
    "tests/data/lassen_excerpt_memcpy.csv",
    "tests/data/lassen_excerpt_mult_pong_split.csv",
    "tests/data/lassen_excerpt_ping_pong.csv",
};
/* Neither these names nor a table's own one must matter; the second has all
 * words that readers have searched names for. */
static const char *const NAMES[] = {
    "table.csv", "a_ping_pong_3step_split_collectives_rank_nodes.csv"};

/* Returns all of a reader's data of the point as text, which the caller
 * frees. */
static char *said(const struct measured_point *p)
{
    const struct experiment *x = &p->x;

    return xasprintf("%u %s %s %s %s %s %s: %s: bytes %llu on %u:%u gpu %d "
                     "staged %d split %d placed %d, %zu rows of %g s",
                     p->line, p->name, p->label, p->apart, p->mpi, p->decision,
                     p->choice, x->of->file.name, (unsigned long long)x->bytes,
                     x->core[0], x->core[1], x->gpu, x->staged, x->split,
                     x->placed && x->placed->known, p->nrows, p->measured_s);
}

static void alike(const struct measured *a, const struct measured *b)
{
    CHECK_EQ(a->npoints, b->npoints);
    CHECK_EQ(a->nnotes, b->nnotes);
    for (size_t i = 0; i < a->npoints && i < b->npoints; i++) {
        char *of_a = said(&a->points[i]), *of_b = said(&b->points[i]);
        bool same = !strcmp(of_a, of_b);
        if (!same)
            fprintf(stderr, "%s: %s\n%s: %s\n", a->path, of_a, b->path, of_b);
        CHECK(same);
        free(of_a);
        free(of_b);
        if (!same)
            return; /* the others would have the same fault */
    }
}

/* Reads the table under its own name and under the others. */
static void under_other_names(const char *path, const struct machine *m)
{
    struct measured of, copy;
    struct err err = {0};
    char *target = realpath(path, NULL);

    if (!target || measured_load(&of, path, m, &err) < 0) {
        err_print(&err);
        CHECK(!"is read");
        free(target);
        return;
    }
    CHECK(of.npoints > 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        char *link = scratch_path(NAMES[i]);
        if (symlink(target, link) < 0 ||
            measured_load(&copy, link, m, &err) < 0) {
            err_print(&err);
            CHECK(!"is read under another name");
        } else {
            alike(&of, &copy);
            measured_clear(&copy);
        }
        unlink(link);
        free(link);
    }
    measured_clear(&of);
    free(target);
}

/* Reads the table as measured on the machine that it names first. */
static void of_a_table(const char *path)
{
    struct err err = {0};
    struct machine m;
    const char *kind;
    char **names, name[64] = "";
    size_t n;

    if (measured_machines(&names, &n, &kind, path, &err) < 0) {
        err_print(&err);
        CHECK(!"is a table");
        return;
    }
    if (n)
        snprintf(name, sizeof name, "%s", names[0]);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (platform_load(&m, name, NULL, 0, &err) == 0) {
        under_other_names(path, &m);
        machine_clear(&m);
    } else {
        err_print(&err);
        CHECK(!"is of a known machine");
    }
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

/* A table's kind is determined by the "measured:" line of its head, by no other
 * line and not by the name of the file. */
static void heads(void)
{
    static const struct {
        const char *head, *group;
    } cases[] = {
        {"", "ping_pong/gpu/off_node"},
        {"# note: as ping_pong_3step\n", "ping_pong/gpu/off_node"},
        {"# measured: ping_pong_3step, by hand\n",
         "ping_pong_3step/gpu/off_node"},
    };
    struct machine lassen;
    struct err err = {0};

    CHECK(platform_load(&lassen, "lassen", NULL, 0, &err) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct measured f;
        char *text = xasprintf(
            "%smachine,mpi,device,locality,rank_a,rank_b,socket_a,socket_b,"
            "bytes,time_s\nl,spectrum,gpu,off_node,0,4,0,0,8,1e-5\n",
            cases[i].head);
        char *path = scratch_file("x-3step.csv", text);
        if (measured_load(&f, path, &lassen, &err) < 0) {
            err_print(&err);
            CHECK(!"is read");
        } else {
            CHECK(!strcmp(f.points[0].group, cases[i].group));
            measured_clear(&f);
        }
        unlink(path);
        free(path);
        free(text);
    }
    machine_clear(&lassen);
}

int main(void)
{
    scratch_make();
    heads();
    for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++)
        of_a_table(TABLES[i]);
    scratch_clear();
    return check_result();
}

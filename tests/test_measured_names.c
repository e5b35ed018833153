/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of measurements says by itself what it is of: under whatever name, it
 * is read alike. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "validate/measure/measured.h"
#include "validate/measure/measured_rows.h"

#include <ctype.h>
#include <glob.h>

static const char *const SHIPPED[] = {
    "results/measured/*.csv",  "results/measured/*/*.csv.xz",
    "results/h200/*/*.csv*",   "results/h200/*/*/*.csv*",
    "results/testbed/*/*.csv", "../shared/reference/measured/*.csv",
};
/* The words were once looked for. */
static const char *const NAMES[] = {
    "table.csv", "a_ping_pong_3step_split_collectives_rank_nodes.csv"};

/* Of the point all that its reader says, as text; the caller frees it. */
static char *said(const struct measured_point *p)
{
    const struct experiment *x = &p->x;

    return xasprintf("%u %s %s %s %s %s %s: kind %d bytes %llu on %u:%u gpu %d "
                     "staged %d split %d placed %d, %zu rows of %g s",
                     p->line, p->name, p->label, p->apart, p->mpi, p->decision,
                     p->choice, (int)x->kind, (unsigned long long)x->bytes,
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
            return; /* the others would be the same fault */
    }
}

/* Where a copy of the file is read otherwise than it is, that is an error. */
static void under_other_names(const char *path, const struct machine *m)
{
    struct measured of, copy;
    struct err err = {0};
    char *target = realpath(path, NULL);

    if (measured_load(&of, path, m, &err) < 0) {
        free(target); /* of another machine: has no GPU ... */
        return;
    }
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

/* On the machine that it names, or Lassen. */
static bool of_a_table(const char *path)
{
    struct err err = {0};
    struct machine m;
    const char *kind;
    char **names, name[64] = "lassen";
    size_t n;

    if (measured_machines(&names, &n, &kind, path, &err) < 0) {
        err_print(&err);
        CHECK(!"is a table");
        return false;
    }
    if (n)
        snprintf(name, sizeof name, "%s", names[0]);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    bool known = kind && platform_load(&m, name, NULL, 0, &err) == 0;
    if (known) {
        under_other_names(path, &m);
        machine_clear(&m);
    }
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return known;
}

static void shipped(void)
{
    size_t tables = 0;

    for (size_t i = 0; i < sizeof SHIPPED / sizeof SHIPPED[0]; i++) {
        glob_t found;
        if (glob(SHIPPED[i], 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                tables += of_a_table(found.gl_pathv[k]);
        globfree(&found);
    }
    if (tables < 50)
        fprintf(stderr, "%zu tables\n", tables);
    CHECK(tables >= 50);
}

/* What a head says, and a name beside it does not. */
static void heads(const struct machine *m)
{
    static const struct {
        const char *head, *group;
    } cases[] = {
        {"", "ping_pong/gpu/off_node"},
        {"# note: as ping_pong_3step\n", "ping_pong/gpu/off_node"},
        {"# measured: ping_pong_3step, by hand\n",
         "ping_pong_3step/gpu/off_node"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct measured f;
        struct err err = {0};
        char *text = xasprintf(
            "%smachine,mpi,device,locality,rank_a,rank_b,socket_a,socket_b,"
            "bytes,time_s\nl,spectrum,gpu,off_node,0,4,0,0,8,1e-5\n",
            cases[i].head);
        char *path = scratch_file("x-3step.csv", text);
        if (measured_load(&f, path, m, &err) < 0) {
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
}

int main(void)
{
    struct machine lassen;
    struct err err = {0};

    if (platform_load(&lassen, "lassen", NULL, 0, &err) < 0)
        return err_print(&err);
    scratch_make();
    heads(&lassen);
    shipped();
    scratch_clear();
    machine_clear(&lassen);
    return check_result();
}

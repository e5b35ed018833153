/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/platform.h"
#include "sim/cli/cli.h"
#include "sim/cli/figure_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
    const char *platform, *out;
    struct texts workloads, sets;
};

/* The command that makes this one figure again. The folder is left out: it
 * changes nothing. */
static char *command_of(const struct figure *f, const struct request *r)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fprintf(to, "sluice figure %s --platform %s", f->name, r->platform);
    for (size_t i = 0; f->of_workloads && i < r->workloads.n; i++)
        fprintf(to, " --workload %s", r->workloads.items[i]);
    for (size_t i = 0; i < r->sets.n; i++)
        fprintf(to, " --set %s", r->sets.items[i]);
    fclose(to);
    return text;
}

static int write_one(const struct figure *f, const struct request *r,
                     const struct machine *m, struct err *err)
{
    static const char *const ends[] = {"csv", "svg", "pdf", "png"};
    struct figure_input in = {m, r->workloads.items, r->workloads.n};
    char *command = command_of(f, r);

    if (isatty(2))
        fprintf(stderr, "fig %s: %s\n", f->name, f->about);
    int result = figure_write(f, &in, r->out, command, err);
    for (int i = 0; result == 0 && i < NFIGURE_FILES; i++)
        printf("%s/fig-%s.%s\n", r->out, f->name, ends[i]);
    free(command);
    if (result < 0)
        return fail_in(err, "fig %s", f->name);
    return stdout_flush(err);
}

static int write_all(const struct figure *one, const struct request *r,
                     struct err *err)
{
    struct machine m;
    int result = 0;

    if (gnuplot_check(err) < 0 ||
        platform_load(&m, r->platform, r->sets.items, r->sets.n, err) < 0)
        return -1;
    for (size_t i = 0; result == 0 && i < nfigures; i++)
        if (!one || one == &figures[i])
            result = write_one(&figures[i], r, &m, err);
    machine_clear(&m);
    return result;
}

/* What there is, for --help; the caller frees. */
static char *list_figures(void)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fprintf(to, "Figures of Lockhart et al. 2022, from the simulator and the "
                "models:\n");
    for (size_t i = 0; i < nfigures; i++)
        fprintf(to, "  %-6s %s\n", figures[i].name, figures[i].about);
    fprintf(to, "Each is DIR/fig-NAME.csv, and .svg, .pdf and .png made of it "
                "by gnuplot.\n");
    fclose(to);
    return text;
}

int cmd_figure(int argc, char **argv, struct err *err)
{
    struct request r = {0};
    const struct figure *one = NULL;
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &r.platform, "NAME", "the machine (lassen)"},
        {"set", OPT_TEXTS, &r.sets, "KEY=VALUE", "override a platform value"},
        {"workload", OPT_TEXTS, &r.workloads, "W",
         "of 4.2 and 5.1: spmv:FILE, ...; may be given again"},
        {"out", OPT_TEXT, &r.out, "DIR", "where the files go (out)"},
    };

    char *more = list_figures();
    int parsed =
        opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "figure NAME|all [OPTIONS]", more, &noperands, &helped, err);
    free(more);
    if (parsed < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "figure: expected one figure or all (see --help)");
    if (strcmp(argv[1], "all") != 0) {
        one = figure_find(argv[1], err);
        if (!one)
            return -1;
    }
    r.platform = r.platform ? r.platform : "lassen";
    r.out = r.out ? r.out : "out";
    if (!*r.out)
        return fail(err, "--out: expected a folder");
    return write_all(one, &r, err);
}

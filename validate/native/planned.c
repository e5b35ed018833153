/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the benchmarks that are plans: each point's plan as a list of calls,
 * until its time is steady. */
#include "validate/native/planned.h"

#include "validate/measure/benchmark.h"
#include "validate/native/calls.h"

#include <stdlib.h>
#include <string.h>

struct planned {
    struct native *n;
    const struct benchmark *of;
    const struct benchmark_command *command;
    struct bench_options o;
    struct table t;
    struct machine m; /* the ranks, as cores */
    struct sweep sweep;
    struct calls_memory memory;
    bool measures; /* otherwise it only finds the memory that points need */
    uint64_t checks;
    int result; /* -1 once a point has failed */
    struct err *err;
};

/* --- the ranks as a machine ----------------------------------------------- */

static void planned_machine(struct machine *m, const struct native *n)
{
    unsigned gpus = n->gpu->count;

    *m = (struct machine){.name = xstrdup("this machine"),
                          .network.nodes = (unsigned)n->nodes,
                          .nsockets = 1,
                          .ngpus = gpus,
                          .ncores = (unsigned)n->per_node,
                          .ndevices = 1 + gpus};
    m->devices = xcalloc(m->ndevices, sizeof *m->devices);
    m->devices[0].kind = DEVICE_SOCKET;
    m->devices[0].cores = m->ncores;
    for (unsigned g = 0; g < gpus; g++) {
        m->devices[1 + g].kind = DEVICE_GPU;
        m->devices[1 + g].index = g;
    }
}

/* --- points --------------------------------------------------------------- */

static int measure_plan(struct planned *b, const struct plan *p,
                        const char *cells)
{
    const struct repeat how = {.per_point_s = b->o.native.per_point_s};
    double ways = b->of->round_trip ? 2 : 1;
    struct samples s;
    struct calls calls;

    if (calls_init(&calls, &b->memory, p, b->err) < 0)
        return -1;
    /* Seeds of different checks differ in more than an operation's number. */
    calls_check(&calls, ++b->checks << 32);
    repeat(&s, b->n, &how, calls_batch, &calls);
    for (size_t i = 0; i < s.n; i++)
        table_row(&b->t, "%s,%u,%.6e%s", cells, s.iterations, s.s[i] / ways,
                  b->command->same_rack ? "," : "");
    samples_clear(&s);
    calls_clear(&calls);
    return 0;
}

static void planned_point(void *arg, const struct experiment *x,
                          const char *cells)
{
    struct planned *b = arg;
    struct experiment of = *x;
    struct plan p;

    of.of = b->of;
    if (b->result < 0)
        return;
    b->result =
        native_agree(b->n, experiment_plan(&p, &b->m, &of, b->err), b->err);
    if (b->result < 0)
        return;
    if (b->measures)
        b->result = measure_plan(b, &p, cells);
    else
        calls_memory_needs(&b->memory, &p);
    plan_clear(&p);
}

static int planned_memory(struct planned *b, bool gpu)
{
    b->sweep.gpu = gpu;
    b->sweep.far = !gpu || b->n->device_mpi;
    calls_memory_init(&b->memory, b->n, b->m.ngpus, b->of->one_buffer);
    for (int turn = 0; turn < 2 && b->result == 0; turn++) {
        b->measures = turn > 0;
        if (b->measures)
            b->result = calls_memory_new(&b->memory, b->err);
        if (b->result == 0)
            b->command->sweep(&b->sweep);
    }
    calls_memory_free(&b->memory);
    return b->result;
}

static int planned_points(struct planned *b)
{
    unsigned *sockets = native_sockets(b->n);

    planned_machine(&b->m, b->n);
    b->sweep.m = &b->m;
    b->sweep.sockets = sockets;
    b->sweep.sizes = b->o.sizes;
    b->sweep.point = planned_point;
    b->sweep.arg = b;
    if (b->command->host || b->o.cpu)
        (void)planned_memory(b, false);
    if (!b->command->host && b->o.gpu)
        (void)planned_memory(b, true);
    machine_clear(&b->m);
    free(sockets);
    return b->result;
}

/* --- options -------------------------------------------------------------- */

static int tags_suffice(const struct planned *b, struct err *err)
{
    int *most, found;

    MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found));
    if (b->command->sized && found && b->o.sizes.to > (uint64_t)*most + 1)
        return fail(err, "--sizes: this MPI has tags up to %d only", *most);
    return 0;
}

static int planned_options(struct planned *b, unsigned most, const char *all,
                           struct err *err)
{
    const struct benchmark_command *c = b->command;
    int pairs = 0;

    b->sweep.all = all && !strcmp(all, c->all_words[1]);
    if (all && !b->sweep.all && strcmp(all, c->all_words[0]) != 0)
        return fail(err, "--%s: expected %s or %s, got '%s'", c->all,
                    c->all_words[0], c->all_words[1], all);
    if (!c->two_nodes && b->n->ranks < 2)
        return fail(err, "%s: expected two ranks or more", c->name);
    if (c->two_nodes &&
        bench_ranks(&pairs, b->n, c->name, c->most, most, err) < 0)
        return -1;
    b->sweep.most = (unsigned)pairs;
    return tags_suffice(b, err);
}

static int planned_table(struct planned *b, struct err *err)
{
    const struct benchmark_command *c = b->command;
    char *columns =
        xasprintf("%s,iterations,%s%s", c->columns, b->of->file.time,
                  c->same_rack ? ",same_rack" : "");
    int result = table_open(&b->t, b->n, &b->o.native, c->measured, c->notes,
                            columns, err);

    free(columns);
    return result;
}

/* Adds the options that the command has; returns their number. */
static size_t planned_opts(struct opt *out, struct planned *b, unsigned *most,
                           const char **all)
{
    const struct benchmark_command *c = b->command;
    const struct opt between = BETWEEN_OPTION(b->o.sizes);
    size_t n = 0;

    if (c->most)
        out[n++] = (struct opt){c->most, OPT_COUNT, most, "N", c->most_help};
    if (c->all)
        out[n++] = (struct opt){c->all, OPT_TEXT, all, "WHICH", c->all_help};
    if (c->between)
        out[n++] = between;
    out[n] = (struct opt){0};
    return n;
}

static int planned_run(struct planned *b, int argc, char **argv,
                       struct err *err)
{
    char usage[64];
    struct opt more[4];
    const char *all = NULL;
    unsigned most = 0;
    bool helped;

    snprintf(usage, sizeof usage, "%s [OPTIONS]", b->command->name);
    planned_opts(more, b, &most, &all);
    if (bench_begin(b->n, &b->o, argc, argv, usage, more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (planned_options(b, most, all, err) < 0 || planned_table(b, err) < 0)
        return -1;
    return table_end(&b->t, b->n, planned_points(b), err);
}

int bench_planned(struct native *n, int argc, char **argv, struct err *err)
{
    struct planned b = {.n = n, .err = err};

    b.command = planned_find(argv[0], &b.of);
    b.o = (struct bench_options){.sizes = b.command->sizes,
                                 .sized = b.command->sized,
                                 .copies = b.command->host,
                                 .ipc = b.command->ipc,
                                 .about = b.command->about};
    return planned_run(&b, argc, argv, err);
}

/* --- commands ------------------------------------------------------------- */

const struct benchmark_command *planned_next(size_t *benchmark, size_t *command)
{
    for (; *benchmark < nbenchmarks; ++*benchmark, *command = 0) {
        const struct benchmark_command *c = benchmarks[*benchmark]->commands;
        if (c && c[*command].name)
            return &c[(*command)++];
    }
    return NULL;
}

const struct benchmark_command *planned_find(const char *name,
                                             const struct benchmark **of)
{
    const struct benchmark_command *c;

    for (size_t b = 0, i = 0; (c = planned_next(&b, &i));)
        if (!strcmp(c->name, name)) {
            *of = benchmarks[b];
            return c;
        }
    return NULL;
}

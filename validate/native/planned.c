/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the benchmarks that are plans: each point's plan as a list of calls,
 * until its time is steady. */
#include "validate/native/planned.h"

#include "validate/measure/benchmark.h"
#include "validate/native/calls.h"
#include "validate/native/host.h"
#include "validate/native/mps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Batches of iterations that are timed one by one: more, because they are
 * short. */
enum { ALONE_LEAST = 10, ALONE_MOST = 200 };

struct planned {
    struct native *n;
    const struct benchmark *of;
    const struct benchmark_command *command;
    struct bench_options o;
    struct table t;
    struct machine m; /* the ranks, as cores */
    unsigned gpus;    /* of a node */
    struct sweep sweep;
    struct calls_memory memory;
    bool measures; /* otherwise it only finds the memory that points need */
    uint64_t checks;
    int result; /* -1 once a point has failed */
    struct err *err;
};

/* --- the ranks as a machine ----------------------------------------------- */

static void planned_machine(struct machine *m, const struct native *n,
                            unsigned gpus)
{
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
                        const struct experiment *x, const char *cells)
{
    const struct repeat how = {.iterations = b->command->alone,
                               .least = b->command->alone ? ALONE_LEAST : 0,
                               .most = b->command->alone ? ALONE_MOST : 0,
                               .per_point_s = b->o.native.per_point_s};
    double legs = b->of->round_trip ? 2 : 1;
    struct samples s;
    struct calls calls;

    b->memory.buffers = x->buffers;
    b->memory.turn_B = x->bytes;
    if (calls_init(&calls, &b->memory, p, NULL, false, b->err) < 0)
        return -1;
    /* Seeds of different checks differ in more than an operation's number. */
    calls_check(&calls, ++b->checks << 32);
    repeat(&s, b->n, &how, calls_batch, &calls);
    for (size_t i = 0; i < s.n; i++)
        table_row(&b->t, "%s,%u,%.6e%s", cells, s.iterations, s.s[i] / legs,
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
        b->result = measure_plan(b, &p, x, cells);
    else
        calls_memory_needs(&b->memory, &p);
    plan_clear(&p);
}

static int planned_memory(struct planned *b, bool gpu)
{
    b->sweep.gpu = gpu;
    b->sweep.far = !gpu || b->n->device_mpi;
    bool wanted[NBUFFERS];

    for (unsigned i = 0; i < NBUFFERS; i++)
        wanted[i] = b->sweep.wanted >> i & 1;
    calls_memory_init(&b->memory, b->n, b->m.ngpus, b->of->one_buffer);
    if (b->command->buffers)
        b->memory.room = slots_room(wanted, b->o.sizes.to, 1);
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

/* Finds the sockets of the GPUs. Rank 0's are used, because its node is
 * measured. */
static int *gpu_sockets(const struct planned *b)
{
    const struct gpu_api *api = b->n->gpu;
    int *sockets = xcalloc(b->gpus, sizeof *sockets);

    for (unsigned g = 0; g < b->gpus; g++) {
        char address[32] = "";
        sockets[g] = -1;
        if (!api->address)
            continue;
        DIE_TRY(api->address(g, address, sizeof address, DIE));
        sockets[g] = host_pci_socket(address);
    }
    return sockets;
}

static int planned_points(struct planned *b)
{
    unsigned *sockets = native_sockets(b->n), *numas = native_numas(b->n);
    int *of_gpus = gpu_sockets(b);
    bool messages = !b->command->host && !b->command->copies;

    planned_machine(&b->m, b->n, b->gpus);
    b->sweep.m = &b->m;
    b->sweep.sockets = sockets;
    b->sweep.numas = numas;
    b->sweep.gpu_sockets = of_gpus;
    b->sweep.sizes = b->o.sizes;
    b->sweep.point = planned_point;
    b->sweep.arg = b;
    if (!messages || b->o.cpu)
        (void)planned_memory(b, false);
    if (messages && b->o.gpu && b->result == 0)
        (void)planned_memory(b, true);
    machine_clear(&b->m);
    free(of_gpus);
    free(numas);
    free(sockets);
    return b->result;
}

/* --- options -------------------------------------------------------------- */

/* The values of the options that not all commands have. */
struct planned_values {
    unsigned most, gpus;
    const char *words, *mps;
};

static int tags_suffice(const struct planned *b, struct err *err)
{
    int *most, found;

    MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found));
    if (b->command->sized && found && b->o.sizes.to > (uint64_t)*most + 1)
        return fail(err, "--sizes: this MPI has tags up to %d only", *most);
    return 0;
}

/* Sets the GPUs of a node: `asked`, or all that there are. If there are none,
 * each rank has one; or there are two, because copies between GPUs need two. */
static int copied_gpus(struct planned *b, unsigned asked, struct err *err)
{
    enum { GPUS_WITHOUT_ANY = 2 };
    unsigned there = b->n->gpu->count, ranks = (unsigned)b->n->per_node;

    if (there && asked > there)
        return fail(err, "--gpus %u: there are %u", asked, there);
    b->gpus = asked               ? asked
              : there             ? there
              : b->command->dealt ? ranks
                                  : GPUS_WITHOUT_ANY;
    return b->command->dealt && ranks % b->gpus
               ? fail(err,
                      "%u ranks of a node cannot be dealt to %u GPUs (see "
                      "--gpus)",
                      ranks, b->gpus)
               : 0;
}

/* Sets the most ranks of a GPU that copy at once. */
static int most_copiers(struct planned *b, const struct planned_values *v,
                        struct err *err)
{
    enum { COPIERS = 10 };
    unsigned ranks = (unsigned)b->n->per_node;

    /* A default number of GPUs is reduced to the number of ranks; one that the
     * user names is not. */
    if (!v->gpus && b->gpus > ranks)
        b->gpus = ranks;
    if (b->gpus > ranks)
        return fail(err, "--gpus %u: there are %u ranks on a node", b->gpus,
                    ranks);
    unsigned each = ranks / b->gpus;
    if (v->most > each)
        return fail(err, "--%s %u: there are %u ranks for each GPU",
                    b->command->most, v->most, each);
    b->sweep.most = v->most ? v->most : each < COPIERS ? each : COPIERS;
    return 0;
}

/* Leaves out the words that need an MPI that sends GPU memory if this one
 * cannot; fails if the user has asked for them. */
static int aware_words(struct planned *b, const char *list, struct err *err)
{
    const struct benchmark_command *c = b->command;
    unsigned cannot = b->n->device_mpi ? 0 : b->sweep.wanted & c->aware;

    if (cannot && list)
        return fail(err,
                    "--%s %s: this MPI cannot send GPU memory (it was built "
                    "without CUDA)",
                    c->words_option, list);
    for (unsigned i = 0; i < c->nwords; i++)
        if ((cannot & 1u << i) && b->n->rank == 0)
            fprintf(stderr,
                    "sluice-native: %s is left out: this MPI cannot send GPU "
                    "memory\n",
                    c->words[i]);
    b->sweep.wanted &= ~cannot;
    return 0;
}

static int planned_words(struct planned *b, const char *list, struct err *err)
{
    const struct benchmark_command *c = b->command;
    unsigned usual = c->usual ? c->usual : 1;
    bool wanted[4];

    for (unsigned i = 0; i < 4; i++)
        wanted[i] = usual & 1u << i;
    if (c->words && bench_list(wanted, c->words, (int)c->nwords,
                               c->words_option, list, err) < 0)
        return -1;
    for (unsigned i = 0; i < 4; i++)
        b->sweep.wanted |= (unsigned)wanted[i] << i;
    return aware_words(b, list, err);
}

static int planned_options(struct planned *b, const struct planned_values *v,
                           struct err *err)
{
    const struct benchmark_command *c = b->command;
    int most = 0;

    b->gpus = b->n->gpu->count;
    if (planned_words(b, v->words, err) < 0)
        return -1;
    if (c->copies)
        return copied_gpus(b, v->gpus, err) < 0 ||
                       (c->most && most_copiers(b, v, err) < 0)
                   ? -1
                   : mps_find(&b->o.native, b->n, v->mps, err);
    if (!c->two_nodes && b->n->ranks < 2)
        return fail(err, "%s: expected two ranks or more", c->name);
    if (c->two_nodes &&
        bench_ranks(&most, b->n, c->name, c->most, v->most, err) < 0)
        return -1;
    b->sweep.most = (unsigned)most;
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

/* Writes the options that the command has, ended by one without name. */
static void planned_opts(struct opt *out, struct planned *b,
                         struct planned_values *v)
{
    const struct benchmark_command *c = b->command;
    const struct opt between = BETWEEN_OPTION(b->o.sizes);
    const struct opt mps = MPS_OPTION(v->mps);

    if (c->copies) {
        *out++ = mps;
        *out++ = (struct opt){
            "gpus", OPT_COUNT, &v->gpus, "N",
            "GPUs of a node (all; without any, host memory stands for 2)"};
    }
    if (c->words)
        *out++ = (struct opt){c->words_option, OPT_TEXT, &v->words, "LIST",
                              c->words_help};
    if (c->most)
        *out++ = (struct opt){c->most, OPT_COUNT, &v->most, "N", c->most_help};
    if (c->between)
        *out++ = between;
    *out = (struct opt){0};
}

int bench_planned(struct native *n, int argc, char **argv, struct err *err)
{
    struct planned b = {.n = n, .err = err};
    struct planned_values v = {0};
    struct opt more[8];
    char usage[64];
    bool helped;

    b.command = planned_find(argv[0], &b.of);
    b.o = (struct bench_options){.sizes = b.command->sizes,
                                 .sized = b.command->sized,
                                 .copies = b.command->host || b.command->copies,
                                 .ipc = b.command->ipc,
                                 .about = b.command->about};
    snprintf(usage, sizeof usage, "%s [OPTIONS]", b.command->name);
    planned_opts(more, &b, &v);
    if (bench_begin(n, &b.o, argc, argv, usage, more, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (planned_options(&b, &v, err) < 0 || planned_table(&b, err) < 0)
        return -1;
    return table_end(&b.t, n, planned_points(&b), err);
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

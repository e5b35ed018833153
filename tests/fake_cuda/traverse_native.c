/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Native graph searches of `sluice-native traverse`, including host threads, on
 * simulated GPUs (tests/fake_cuda): every run's answer is that of a serial
 * computation, on 1 to 8 GPUs, even if they share devices. */
#include "tests/check.h"
#include "validate/native/cuda/traverse_case.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>

/* --- functions of the command that searches call -------------------------- */

static char last_row[1024];

void table_row(struct table *t, const char *fmt, ...)
{
    va_list args;

    (void)t;
    va_start(args, fmt);
    vsnprintf(last_row, sizeof last_row, fmt, args);
    va_end(args);
}

void native_die(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void native_die_of(const struct err *err)
{
    native_die("%s", err->text);
}

void native_alive(const struct native *n, const char *what)
{
    (void)n;
    (void)what;
}

/* --- cases ---------------------------------------------------------------- */

struct ground {
    struct graph g;
    const char *words;
    struct traverse_answer bfs, ranks;
};

static void ground_make(struct ground *o, const char *words)
{
    struct err err = {0};

    *o = (struct ground){.words = words};
    if (graph_from_words(&o->g, words, &err) < 0)
        native_die_of(&err);
    answer_bfs(&o->bfs, &o->g, graph_hub(&o->g));
    answer_pagerank(&o->ranks, &o->g);
}

static void ground_clear(struct ground *o)
{
    answer_clear(&o->bfs);
    answer_clear(&o->ranks);
    graph_clear(&o->g);
}

static struct traverse_setting setting_of(struct ground *o, const char *how,
                                          unsigned gpus, unsigned devices)
{
    return (struct traverse_setting){.g = &o->g,
                                     .graph = o->words,
                                     .partition = how,
                                     .seed = 1,
                                     .source = graph_hub(&o->g),
                                     .gpus = gpus,
                                     .devices = devices,
                                     .runs = 1,
                                     .most_s = 60};
}

/* Runs one case of a setting; returns -1 with the reason in err. */
static int one_case(struct traverse_setting *s, const struct ground *o,
                    const struct traverse_execution *x, enum transfer transfer,
                    struct err *err)
{
    struct traverse_case how = {.x = x,
                                .gpus = s->gpus,
                                .transfer = transfer,
                                .delta = x->deltas ? 2 : 0,
                                .threshold = 0.1,
                                .max_iterations = 6};

    s->answer = strcmp(x->algorithm, "bfs") == 0 ? &o->bfs : &o->ranks;
    return setting_measure(s, &how, err);
}

static void all_transfers(struct traverse_setting *s, const struct ground *o,
                          const struct traverse_execution *x)
{
    struct err err = {0};
    char gpus[32];

    for (int k = TRANSFER_NONE; k < TRANSFERS; k++) {
        if (s->gpus == 1 ? k != TRANSFER_NONE : !(x->transfers >> k & 1))
            continue;
        if (k == TRANSFER_RING && s->gpus != 2)
            continue;
        last_row[0] = '\0';
        if (one_case(s, o, x, (enum transfer)k, &err) < 0)
            native_die("%s, %s, %u GPUs: %s", x->name, transfer_names[k],
                       s->gpus, err.text);
        snprintf(gpus, sizeof gpus, ",%u,%u,%s,", s->gpus, s->devices,
                 s->partition);
        CHECK_HAS(last_row, gpus);
        CHECK_HAS(last_row, "median,");
    }
}

/* Runs all executions of the algorithm. */
static void searches(const char *algorithm, const char *words, const char *how,
                     unsigned gpus, unsigned devices)
{
    struct ground o;
    struct err err = {0};

    ground_make(&o, words);
    uint32_t *part = xcalloc(o.g.n, sizeof *part);
    struct traverse_setting s = setting_of(&o, how, gpus, devices);
    if (graph_partition_by(part, &o.g, gpus, gpus > 1 ? how : NULL, 1, &err) <
            0 ||
        setting_make(&s, part, &err) < 0)
        native_die_of(&err);
    for (size_t i = 0; traverse_executions[i]; i++)
        if (strcmp(traverse_executions[i]->algorithm, algorithm) == 0)
            all_transfers(&s, &o, traverse_executions[i]);
    setting_clear(&s);
    free(part);
    ground_clear(&o);
}

/* Tests kernels that wait for each other but do not all fit at once. */
static void crowded(void)
{
    struct ground o;
    struct err err = {0};

    ground_make(&o, "uniform:vertices=60,arcs=200");
    uint32_t *part = xcalloc(o.g.n, sizeof *part);
    for (uint32_t v = 0; v < o.g.n; v++)
        part[v] = v % 4;
    struct traverse_setting s = setting_of(&o, "random", 4, 1);
    fake_resident = 3;
    CHECK_EQ(setting_make(&s, part, &err), 0);
    CHECK_EQ(one_case(&s, &o, &bfs_persistent_execution, TRANSFER_STORE, &err),
             -1);
    CHECK_HAS(err.text, "device 0 holds 3 CTAs at once, and 4 GPUs");
    setting_clear(&s);
    s = setting_of(&o, "random", 4, 4);
    fake_devices = 2;
    CHECK_EQ(setting_make(&s, part, &err), -1);
    CHECK_HAS(err.text, "--gpus 4: there are 2");
    setting_clear(&s);
    s = setting_of(&o, "random", 4, 3);
    CHECK_EQ(setting_make(&s, part, &err), -1);
    CHECK_HAS(err.text, "--devices 3: there are 2");
    setting_clear(&s);
    free(part);
    ground_clear(&o);
}

int main(void)
{
    const char *kronecker = "kronecker:scale=6,edge_factor=8,seed=3";
    const char *uniform = "uniform:vertices=100,arcs=300";
    const char *small = "uniform:vertices=24,arcs=72"; /* visited often */

    /* Memory is kept, because stacks of threads are allocated and freed again
     * and again. */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    searches("bfs", kronecker, "-", 1, 1);
    searches("bfs", kronecker, "random", 2, 2);
    searches("bfs", uniform, "metis", 4, 4);
    searches("bfs", kronecker, "random", 8, 8);
    searches("pagerank", small, "random", 2, 2);
    searches("pagerank", small, "metis", 4, 4);
    searches("pagerank", small, "random", 8, 8);
    fake_resident = TRAVERSE_GPUS;
    fake_devices = 2;
    searches("bfs", uniform, "random", 5, 2);
    crowded();
    return check_result();
}

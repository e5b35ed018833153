/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of Faraji and Afsahi 2018 from simulated times on helios and odin:
 * curves by size, and gains by GPUs, processes and size. */
#include "results/papers/figure.h"

#include "results/papers/shared_study.h"
#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"

#include <inttypes.h>
#include <stdlib.h>

/* A table of a study: its open study, and the destination of its rows. */
struct shared_table {
    struct shared_study study;
    FILE *csv;
    struct err *err;
    bool failed;
};

static bool table_open(struct shared_table *t, FILE *csv, const char *columns,
                       struct err *err)
{
    *t = (struct shared_table){.csv = csv, .err = err};
    t->failed = shared_study_open(&t->study, NULL, 0, err) < 0;
    fprintf(csv, "%s\n", columns);
    return !t->failed;
}

static int table_close(struct shared_table *t)
{
    shared_study_close(&t->study);
    return t->failed ? -1 : 0;
}

/* Returns the time of a case; 0 once anything has failed. */
static double table_s(struct shared_table *t, struct shared_case c)
{
    const struct shared_known *k =
        t->failed ? NULL : shared_study_get(&t->study, c, t->err);

    t->failed = !k;
    return k ? k->time_s : 0;
}

/* --- 6: one GPU ----------------------------------------------------------- */

int figure_shared_6(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err)
{
    static const char *const names[] = {"mvapich2", "gsb_gsb", "btb_btb"};
    static const char *const shown[] = {"MVAPICH2", "GSB", "BTB"};
    static const unsigned procs[] = {4, 8, 16, 24};
    struct shared_table t;

    (void)vars;
    (void)in;
    if (table_open(&t, csv, "processes,algorithm,bytes,time_s", err))
        for (int p = 0; p < 4; p++)
            for (int a = 0; a < 3; a++)
                for (int i = 0; i < SHARED_SIZES; i++)
                    fprintf(csv, "%u,%s,%" PRIu64 ",%.9g\n", procs[p], shown[a],
                            shared_size(i),
                            table_s(&t, (struct shared_case){
                                            ON_HELIOS, COLLECTIVE_ALLREDUCE,
                                            names[a], 1, 1, procs[p],
                                            shared_size(i)}));
    return table_close(&t);
}

/* --- 7 to 10: several GPUs ------------------------------------------------ */

struct versus {
    const char *was, *is, *shown;
};

/* Prints how much less time `is` takes than `was`, in percent of that. */
static void table_gains(struct shared_table *t, unsigned panel,
                        const struct versus *v, unsigned nodes)
{
    for (int s = 0; s < NSHARED_SHAPES; s++)
        for (uint64_t bytes = 256 << 10; bytes <= 16 << 20; bytes *= 2) {
            struct shared_case c = {
                ON_HELIOS,           COLLECTIVE_ALLREDUCE, v->was, nodes,
                shared_shapes[s][0], shared_shapes[s][1],  bytes};
            double was_s = table_s(t, c);
            c.algorithm = v->is;
            double is_s = table_s(t, c);
            fprintf(t->csv, "%u,%s,%u,%u,%d,%" PRIu64 ",%.4g\n", panel,
                    v->shown, shared_shapes[s][0], shared_shapes[s][1], s,
                    bytes, t->failed ? 0 : (was_s - is_s) / was_s * 100);
        }
}

static int gains_of(FILE *csv, const struct versus *v, unsigned n,
                    unsigned nodes, struct err *err)
{
    struct shared_table t;

    if (table_open(&t, csv, "panel,what,gpus,per_gpu,row,bytes,gain_percent",
                   err))
        for (unsigned i = 0; i < n; i++)
            table_gains(&t, i + 1, &v[i], nodes);
    return table_close(&t);
}

static const struct versus over_mvapich2[] = {
    {"mvapich2", "gsb_gsb", "GSB-GSB over MVAPICH2"}};
static const struct versus over_others[] = {
    {"btb_gsb", "gsb_gsb", "GSB-GSB over BTB-GSB"},
    {"btb_btb", "gsb_gsb", "GSB-GSB over BTB-BTB"},
    {"gsb_btb", "gsb_gsb", "GSB-GSB over GSB-BTB"}};

#define GAINS(number, what, n, nodes)                                          \
    int figure_shared_##number(FILE *csv, FILE *vars,                          \
                               const struct figure_input *in, struct err *err) \
    {                                                                          \
        (void)vars;                                                            \
        (void)in;                                                              \
        return gains_of(csv, what, n, nodes, err);                             \
    }
GAINS(7, over_mvapich2, 1, 1)
GAINS(8, over_others, 3, 1)
GAINS(9, over_mvapich2, 1, 4)
GAINS(10, over_others, 3, 4)

/* --- 11, 12: pairs -------------------------------------------------------- */

static int pairs_of(FILE *csv, bool all, struct err *err)
{
    struct shared_table t;

    if (table_open(&t, csv, "host_pairs,ipc_pairs,mps,bytes,time_s", err))
        for (int off = 0; off <= !all; off++)
            for (unsigned host = 0; host <= SHARED_PAIRS;
                 host += all ? 1 : SHARED_PAIRS / 2)
                for (int i = 0; i < SHARED_SIZES && !t.failed; i++) {
                    double time_s = 0;
                    t.failed =
                        shared_study_pairs(&time_s, &t.study,
                                           off ? ON_ODIN_NO_MPS : ON_ODIN, host,
                                           shared_size(i), err) < 0;
                    fprintf(csv, "%u,%u,%d,%" PRIu64 ",%.9g\n", host,
                            SHARED_PAIRS - host, !off, shared_size(i), time_s);
                }
    return table_close(&t);
}

int figure_shared_11(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return pairs_of(csv, false, err);
}

int figure_shared_12(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return pairs_of(csv, true, err);
}

/* --- 15, 17, 18: Static and Dynamic --------------------------------------- */

static int choices_of(FILE *csv, unsigned nodes, struct err *err)
{
    static const char *const names[] = {"static", "dynamic", "mvapich2",
                                        "mvapich2_gdr"};
    static const enum collective_kind kinds[] = {COLLECTIVE_ALLGATHER,
                                                 COLLECTIVE_ALLREDUCE};
    struct shared_table t;

    if (!table_open(&t, csv, "kind,algorithm,mps,bytes,time_s", err))
        return table_close(&t);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 4; a++)
            for (int off = 0; off < 2; off++)
                for (int i = 0; i < SHARED_SIZES; i++)
                    fprintf(
                        csv, "%s,%s,%d,%" PRIu64 ",%.9g\n",
                        collective_kind_names[kinds[k]], names[a], !off,
                        shared_size(i),
                        table_s(&t, (struct shared_case){
                                        off ? ON_ODIN_NO_MPS : ON_ODIN,
                                        kinds[k], names[a], nodes, 1,
                                        SHARED_ODIN_RANKS, shared_size(i)}));
    return table_close(&t);
}

int figure_shared_15(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return choices_of(csv, 1, err);
}

int figure_shared_17(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return choices_of(csv, 4, err);
}

int figure_shared_18(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    static const char *const names[] = {"mvapich2", "mvapich2_gdr", "gsb_gsb",
                                        "btb_btb", "dynamic"};
    struct shared_table t;

    (void)vars;
    (void)in;
    if (table_open(&t, csv, "over,bytes,improvement_percent", err))
        for (int a = 0; a < 5; a++)
            for (int i = 0; i < SHARED_SIZES; i++) {
                struct shared_case c = {
                    ON_ODIN, COLLECTIVE_ALLREDUCE, names[a],      4,
                    1,       SHARED_ODIN_RANKS,    shared_size(i)};
                double other_s = table_s(&t, c);
                c.algorithm = "static";
                double static_s = table_s(&t, c);
                fprintf(csv, "%s,%" PRIu64 ",%.4g\n", names[a], shared_size(i),
                        t.failed ? 0 : (other_s - static_s) / other_s * 100);
            }
    return table_close(&t);
}

/* --- 16: the copies of Dynamic -------------------------------------------- */

static void print_spans(FILE *csv, const struct plan *p,
                        const struct exec_result *r)
{
    static const char *const copies[] = {
        [H2D] = "H2D", [D2H] = "D2H", [D2D] = "IPC"};

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_COPY || o->kind == OP_REDUCE)
            fprintf(csv, "%u,%s,%.9g,%.9g\n", o->src,
                    o->kind == OP_REDUCE ? "kernel" : copies[o->dir],
                    r->ops[i].start_s, r->ops[i].end_s);
    }
}

int figure_shared_16(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 1,
                           .ranks_per_node = SHARED_ODIN_RANKS,
                           .bytes = 128 << 10,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE,
                           .per_gpu = SHARED_ODIN_RANKS};
    const struct collective_algorithm *a =
        collective_find(c.kind, "dynamic", err);
    struct shared_table t;
    struct exec_result r;
    struct plan p;

    (void)vars;
    (void)in;
    if (!table_open(&t, csv, "rank,what,from_s,to_s", err))
        return table_close(&t);
    const struct machine *m = &t.study.machines[ON_ODIN];
    t.failed = !a || collective_plan(&p, m, a, NULL, &c, err) < 0;
    if (!t.failed) {
        t.failed = exec_plan(&r, m, &p, NULL, EXEC_DETAILS, err) < 0;
        if (!t.failed)
            print_spans(csv, &p, &r);
        exec_result_clear(&r);
        plan_clear(&p);
    }
    return table_close(&t);
}

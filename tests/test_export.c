/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL schedules and traces of every strategy on machines and halos of all
 * shapes, of exchanges and of schedules: complete, matched, without cycles and
 * deadlocks, by readers that do not know plans. */
#include "tests/check.h"
#include "tests/goal.h"
#include "tests/scratch.h"
#include "tests/toys.h"
#include "tests/trace.h"

#include "platforms/platform.h"
#include "sim/export/export.h"
#include "strategies/strategy.h"
#include "workloads/exchange.h"
#include "workloads/matrix.h"
#include "workloads/schedule.h"

/* Returns the text; NULL if it is refused. */
static char *text_of(int (*write)(FILE *f, const struct exported *x,
                                  struct err *err),
                     const struct exported *x, struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    int result = write(f, x, err);

    fclose(f);
    if (result == 0)
        return text;
    free(text);
    return NULL;
}

/* Counts of a plan. */
struct sum {
    size_t messages, deps, receive_deps;
    uint64_t bytes;
    double busy_s;
};

static struct sum sum_of(const struct exported *x)
{
    const struct plan *p = x->p;
    struct sum s = {.deps = p->ndeps};

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_MSG || o->kind == OP_SEND) {
            s.messages++;
            s.bytes += o->bytes;
        }
        if (o->kind == OP_WORK)
            s.busy_s += o->work_s;
        if (o->kind == OP_COPY)
            s.busy_s += x->run->ops[i].end_s - x->run->ops[i].start_s;
    }
    return s;
}

static void check_goal(const struct exported *x)
{
    struct sum s = sum_of(x);
    struct goal_text g;
    struct err err;
    char *text = text_of(export_goal, x, &err);

    CHECK(text != NULL);
    if (!text)
        return;
    if (goal_check(&g, text) < 0) {
        fprintf(stderr, "%s on %s: %s\n", x->p->name, x->m->name, g.error);
        CHECK(!"a good schedule");
    }
    CHECK_EQ(g.ranks, x->p->nodes * x->p->ranks_per_node);
    CHECK_EQ(g.sends, s.messages);
    CHECK_EQ(g.recvs, s.messages);
    CHECK_EQ(g.bytes, s.bytes);
    CHECK_EQ(g.nrequires, s.deps);
    CHECK(fabs((double)g.calc - s.busy_s * 1e9) <= (double)x->p->nops);
    goal_clear(&g);
    free(text);
}

/* Returns the line after which a rank knows the end of an operation; 0 if
 * unknown, because it is no message. */
static size_t line_of_end(const struct exported *x, const struct trace_text *t,
                          uint32_t dep)
{
    uint32_t op = dep & DEP_OP;
    const struct op *o = &x->p->ops[op];

    if (o->kind == OP_RECV)
        return t->messages[x->run->partner[op]].waited[1];
    if (o->kind == OP_SEND || (o->kind == OP_MSG && dep & AFTER_SENT))
        return t->messages[op].waited[0];
    return o->kind == OP_MSG ? t->messages[op].waited[1] : 0;
}

/* Checks that messages are posted after the waits for their dependencies. */
static void check_order(const struct exported *x, const struct trace_text *t)
{
    for (uint32_t i = 0; i < x->p->nops; i++) {
        const struct op *o = &x->p->ops[i];
        if (o->kind == OP_COPY || o->kind == OP_WORK)
            continue;
        for (uint32_t d = plan_first_dep(x->p, i); d < plan_end_dep(x->p, i);
             d++) {
            uint32_t dep = x->p->deps[d];
            uint32_t msg = o->kind == OP_RECV ? x->run->partner[i] : i;
            bool receive = o->kind == OP_RECV || dep & FOR_RECEIVE;
            uint8_t kind = x->p->ops[dep & DEP_OP].kind;
            if (kind == OP_COPY || kind == OP_WORK)
                continue;
            size_t end = line_of_end(x, t, dep);
            CHECK(end > 0 && end < t->messages[msg].posted[receive]);
        }
    }
}

/* Counts the sends that are waited for. */
static size_t sent_waits(const struct plan *p)
{
    bool *waited = xcalloc(p->nops, sizeof *waited);
    size_t n = 0;

    for (size_t i = 0; i < p->ndeps; i++) {
        uint32_t op = p->deps[i] & DEP_OP;
        if ((p->ops[op].kind != OP_SEND && !(p->deps[i] & AFTER_SENT)) ||
            waited[op])
            continue;
        waited[op] = true;
        n++;
    }
    free(waited);
    return n;
}

static void check_trace(const struct exported *x)
{
    struct sum s = sum_of(x);
    struct trace_text t;
    struct err err;
    char *text = text_of(export_ti, x, &err);

    CHECK(text != NULL);
    if (!text)
        return;
    if (trace_check(&t, text) < 0) {
        fprintf(stderr, "%s on %s: %s\n", x->p->name, x->m->name, t.error);
        CHECK(!"a good trace");
    }
    CHECK_EQ(t.ranks, x->p->nodes * x->p->ranks_per_node);
    CHECK_EQ(t.sends, s.messages);
    CHECK_EQ(t.recvs, s.messages);
    CHECK_NEAR(t.sleep_s, s.busy_s, 1e-9);
    CHECK_EQ(t.waits, s.messages + sent_waits(x->p));
    check_order(x, &t);
    trace_clear(&t);
    free(text);
}

static void check_plan(const struct machine *m, const struct plan *p)
{
    struct exec_result run;
    struct err err = {0};

    if (exec_plan(&run, m, p, NULL, EXEC_SENT, &err) < 0) {
        fprintf(stderr, "%s on %s: %s\n", p->name, m->name, err.text);
        CHECK(!"a run");
        return;
    }
    struct exported x = {m, p, &run, true};
    check_goal(&x);
    check_trace(&x);
    exec_result_clear(&run);
}

/* --- strategies ----------------------------------------------------------- */

static int check_halo(const struct machine *m, const struct halo *h,
                      const struct strategy_options *options)
{
    struct err err;
    int plans = 0;

    for (size_t s = 0; s < nstrategies; s++) {
        struct plan p;
        if (strategy_plan(strategies[s], &p, m, h, options, &err) < 0)
            continue;
        check_plan(m, &p);
        plan_clear(&p);
        plans++;
    }
    return plans;
}

static void check_machine(const char *name, unsigned gpus, int want)
{
    struct machine m;
    struct err err = {0};

    CHECK(platform_load(&m, name, NULL, 0, &err) == 0);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct halo h = toy_halo(gpus, m.ngpus, seed);
        struct strategy_options options = {.keep_duplicates = seed == 2,
                                           .message_cap_B = seed == 3 ? 40 : 0};
        CHECK_EQ(check_halo(&m, &h, &options), want);
        toy_halo_clear(&h);
    }
    machine_clear(&m);
}

static void check_matrix(void)
{
    enum { GPUS = 8 };
    struct machine m;
    struct matrix a;
    struct halo h;
    struct err err = {0};
    struct strategy_options options = {0};

    CHECK(platform_load(&m, "lassen", NULL, 0, &err) == 0);
    CHECK(matrix_from_workload(&a, "spmv:workloads/data/cvxbqp1.mtx.gz",
                               &err) == 0);
    uint32_t *part = xcalloc(a.rows, sizeof *part);
    CHECK(matrix_partition(part, &a, GPUS, "contiguous", &err) == 0);
    CHECK(matrix_halo(&h, &a, part, GPUS, m.ngpus, &err) == 0);
    CHECK_EQ(check_halo(&m, &h, &options), (int)nstrategies);
    free(part);
    halo_clear(&h);
    matrix_clear(&a);
    machine_clear(&m);
}

/* --- messages ------------------------------------------------------------- */

static void check_exchange(const char *platform, const char *workload)
{
    struct machine m;
    struct exchange x;
    struct plan p;
    struct err err = {0};

    CHECK(platform_load(&m, platform, NULL, 0, &err) == 0);
    CHECK(exchange_draw(&x, workload, machine_cores(&m), &err) == 0);
    CHECK(exchange_to_plan(&p, &m, &x, &err) == 0);
    check_plan(&m, &p);
    plan_clear(&p);
    exchange_clear(&x);
    machine_clear(&m);
}

static void schedule(struct machine *m, struct plan *p, const char *rows)
{
    struct err err = {0};
    uint32_t ranks;
    char *text =
        xasprintf("op,rank,kind,peer,tag,bytes,work_us,after\n%s", rows);
    char *path = scratch_file("s.csv", text);
    char *workload = xasprintf("schedule:%s", path);

    CHECK(platform_load(m, "flat8", NULL, 0, &err) == 0);
    CHECK(schedule_to_plan(p, &ranks, m, workload, &err) == 0);
    free(text);
    free(path);
    free(workload);
}

static void check_schedule(const char *rows)
{
    struct machine m;
    struct plan p;

    schedule(&m, &p, rows);
    check_plan(&m, &p);
    plan_clear(&p);
    machine_clear(&m);
}

static void check_schedules(void)
{
    /* All messages have one tag: the peers' matching must not depend on an
     * order. */
    check_schedule("0,0,send,8,1,10,,\n1,0,send,8,1,20,,\n2,8,recv,0,1,,,\n"
                   "3,8,recv,0,1,,,\n4,8,send,0,1,5,,2 3\n5,0,recv,8,1,9,,\n");
    /* Wildcards of both kinds are mixed with exact receives. */
    check_schedule("0,0,send,8,1,10,,\n1,1,send,8,2,20,,\n2,2,send,8,3,30,,\n"
                   "3,8,recv,any,2,,,\n4,8,recv,0,any,,,\n"
                   "5,8,recv,any,any,,,3 4\n6,8,work,,,,5,5\n"
                   "7,8,send,0,4,8,,6\n8,0,recv,8,4,,,0\n");
    /* A receive is posted while its rank works, and a send waits for work. */
    check_schedule("0,8,work,,,,50,\n1,8,recv,0,7,,,\n2,0,send,8,7,100000,,\n"
                   "3,0,work,,,,1,2\n4,0,send,8,8,1,,3\n5,8,recv,0,8,,,0\n");
}

/* --- refusals ------------------------------------------------------------- */

static void
refused(int (*write)(FILE *f, const struct exported *x, struct err *err),
        const struct plan *p, const struct machine *m, const char *want)
{
    struct exec_result run = {.ops = xcalloc(p->nops, sizeof *run.ops)};
    struct exported x = {m, p, &run, false};
    struct err err = {0};
    char *text = text_of(write, &x, &err);

    CHECK(text == NULL);
    CHECK_HAS(err.text, want);
    free(text);
    exec_result_clear(&run);
}

static void check_refused(void)
{
    struct machine m;
    struct plan p;
    struct err err = {0};

    CHECK(platform_load(&m, "duo", NULL, 0, &err) == 0);
    plan_init(&p, &m, "p", 2, 2, NULL);
    plan_work(&p, 1, 0);
    plan_work(&p, 0, 0);
    plan_after(&p, 0);
    refused(export_goal, &p, &m, "rank 0 waits for operation 0, which ends on");
    refused(export_ti, &p, &m, "p: operation 1: rank 0 waits for operation 0");
    plan_clear(&p);

    plan_init(&p, &m, "p", 2, 2, NULL);
    plan_msg(&p, PHASE_OFF_NODE, 0, 2, NO_GPU, NO_GPU, 5000000000);
    plan_recv(&p, PHASE_OFF_NODE, 2, 0, ANY_TAG, 8);
    plan_msg(&p, PHASE_OFF_NODE, 0, 2, 0, 1, 8);
    refused(export_goal, &p, &m, "operation 0: rank 2 has wildcard receives");
    refused(export_ti, &p, &m, "operation 0: 5000000000 B: SMPI counts");
    refused(export_simgrid, &p, &m, "p: rank 0 sends or receives in two");
    plan_clear(&p);
    machine_clear(&m);
}

/* Checks that neither GOAL nor a trace can express it. */
static void refused_by_both(const struct plan *p, const struct machine *m,
                            const char *before, const char *after)
{
    char *goal = xasprintf("p: %sGOAL cannot say%s", before, after);
    char *trace = xasprintf("p: %sa trace cannot say%s", before, after);

    refused(export_goal, p, m, goal);
    refused(export_ti, p, m, trace);
    free(goal);
    free(trace);
}

/* A plan that a format cannot express is refused, not shortened. */
static void check_not_said(void)
{
    struct machine m;
    struct plan p;
    struct err err = {0};

    CHECK(platform_load(&m, "duo", NULL, 0, &err) == 0);
    plan_init(&p, &m, "p", 2, 2, NULL);
    p.runtime = RUNTIME_NCCL_LL;
    refused_by_both(&p, &m, "messages of nccl_ll, which ", "");
    p.runtime = RUNTIME_MPI;
    plan_work(&p, 0, 1);
    uint32_t last = plan_msg(&p, PHASE_OFF_NODE, 0, 2, 0, 1, 8);
    refused(export_ti, &p, &m,
            "operation 1: a trace cannot say a message of GPUs' memory: only "
            "with --simgrid-platform");
    p.ops[last].src_gpu = p.ops[last].dst_gpu = NO_GPU;
    last = plan_send(&p, PHASE_OFF_NODE, 0, 2, 1, 8);
    p.ops[last].synced = true;
    refused_by_both(&p, &m, "operation 2: ",
                    " a send that is complete only when it is received");
    p.ops[last].synced = false;
    last = plan_work_beside(&p, 0, 1, 1);
    refused(export_ti, &p, &m,
            "operation 3: a trace cannot say work beside its rank's CPU");
    p.ops[last].lane = 0;
    plan_probe(&p, PHASE_OFF_NODE, 2, 0, 1);
    refused_by_both(&p, &m, "operation 4: ", " a probe");
    plan_clear(&p);
    machine_clear(&m);
}

/* --- the readers find errors ---------------------------------------------- */

static void bad_goal(const char *ranks, const char *want)
{
    struct goal_text g;

    CHECK(goal_check(&g, ranks) < 0);
    CHECK_HAS(g.error, want);
    goal_clear(&g);
}

static void bad_trace(const char *text, const char *want)
{
    struct trace_text t;

    CHECK(trace_check(&t, text) < 0);
    CHECK_HAS(t.error, want);
    trace_clear(&t);
}

#define TWO(a, b) "num_ranks 2\nrank 0 {\n" a "\n}\n\nrank 1 {\n" b "\n}\n"

static void check_readers(void)
{
    struct goal_text g;

    CHECK(goal_check(&g, TWO("s1: send 8b to 1 tag 2 nic 1",
                             "// x\nr1: recv 8b from 0 tag 2\nc: calc 5 cpu "
                             "1\nc requires r1")) == 0);
    CHECK_EQ(g.calc, 5);
    CHECK_EQ(g.nrequires, 1);
    goal_clear(&g);
    bad_goal("num_ranks 2\nrank 0 {\nc: calc 1\n}\n", "1 of 2 ranks");
    bad_goal("num_ranks 1\nrank 0 {\nc: calc 1 // no\n}\n", "more in a line");
    bad_goal("num_ranks 1\nrank 0 {\nc: calc 1\nc requires d\n}\n",
             "no label d");
    bad_goal("num_ranks 1\nrank 0 {\nc: calc 1\nc: calc 1\n}\n", "c twice");
    bad_goal(TWO("s: send 8b to 1 tag 2", "c: calc 1"), "1 sends, 0 receives");
    bad_goal(TWO("s: send 8b to 1 tag 2", "r: recv 8b from 0 tag 3"),
             "no receive");
    bad_goal(TWO("s: send 8b to 1 tag 2", "r: recv 9b from 0 tag 2"),
             "another size");
    bad_goal(TWO("s: send 8b to 1 tag 2\nt: send 8b to 1 tag 2",
                 "r: recv 8b from 0 tag 2\nq: recv 8b from 0 tag 2"),
             "its tag twice");
    bad_goal(TWO("s: send 8b to 1 tag 2\nt: send 8b to 1 tag 2",
                 "r: recv 8b from -1 tag 2\nq: recv 8b from 0 tag 3"),
             "no receive");
    bad_goal(TWO("r: recv 8b from 1 tag 1\ns: send 8b to 1 tag 1\n"
                 "s requires r",
                 "r: recv 8b from 0 tag 1\ns: send 8b to 0 tag 1\n"
                 "s requires r"),
             "a circle");
    bad_trace("0 init\n0 isend 1 0 8\n1 init\n1 irecv 0 0 9\n", "sides differ");
    bad_trace("0 init\n0 isend 1 0 8\n1 init\n", "has one side");
    bad_trace("0 init\n0 wait 1 0 0\n1 init\n", "never posted");
    bad_trace("0 init\n0 irecv 1 0 8\n0 wait 1 0 0\n0 isend 1 1 8\n"
              "1 init\n1 irecv 0 1 8\n1 wait 0 1 1\n1 isend 0 0 8\n",
              "one side");
}

int main(void)
{
    scratch_make();
    check_readers();
    check_refused();
    check_not_said();
    check_machine("duo", 2, (int)nstrategies);
    check_machine("lassen", 7, (int)nstrategies);
    check_machine("summit", 12, (int)nstrategies);
    check_machine("dgx-a100", 16, (int)nstrategies);
    check_machine("tests/data/even.json", 9, (int)nstrategies);
    check_matrix();
    check_exchange("flat8",
                   "random:ranks=40,messages=10,rounds=4,bytes=0..9000,seed=2");
    check_exchange("lassen",
                   "random:ranks=90,messages=7,rounds=3,bytes=1..90000,seed=5");
    check_schedules();
    scratch_clear();
    return check_result();
}

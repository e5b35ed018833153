/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of ranks that share GPUs: each vector reaches each rank, added up
 * once, in any order that the plan allows; the bytes that they move; and
 * refusals. */
#include "strategies/shared_gpu/copy_choice.h"

#include "base/random.h"
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan_check.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

static struct machine helios, odin;

/* --- data flow ------------------------------------------------------------ */

/* An order of events: each operation begins, or is sent, and ends: 2 * op and
 * the next. */
struct order {
    const struct plan *p;
    const struct shared_moves *moves;
    uint64_t *has; /* for each place the vectors in it, a bit each */
    uint32_t *waits, *ready;
    size_t nready, done;
    bool blocks; /* a block may arrive again, if the first copy is slow */
};

static void order_met(struct order *o, uint32_t event)
{
    if (--o->waits[event] == 0)
        o->ready[o->nready++] = event;
}

static void order_tell(struct order *o, uint32_t op, bool sent)
{
    const struct plan *p = o->p;

    for (uint32_t i = op + 1; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            if ((p->deps[d] & DEP_OP) == op &&
                !!(p->deps[d] & AFTER_SENT) == sent)
                order_met(o, 2 * i + !!(p->deps[d] & FOR_RECEIVE));
}

static void order_move(struct order *o, uint32_t op)
{
    for (size_t i = 0; i < o->moves->n; i++) {
        const struct shared_move *v = &o->moves->moves[i];
        if (v->op != op)
            continue;
        CHECK(o->has[v->from]);
        CHECK(!v->adds || o->blocks || !(o->has[v->to] & o->has[v->from]));
        o->has[v->to] = o->has[v->from] | (v->adds ? o->has[v->to] : 0);
    }
}

static void order_go(struct order *o, uint32_t event)
{
    uint32_t op = event / 2;

    o->done++;
    if (event % 2) {
        order_move(o, op);
        order_tell(o, op, false);
        if (o->p->ops[op].kind != OP_MSG)
            order_tell(o, op, true);
        return;
    }
    if (o->p->ops[op].kind == OP_MSG)
        order_tell(o, op, true);
    order_met(o, event + 1);
}

static void order_init(struct order *o, const struct plan *p,
                       const struct shared_moves *moves, uint32_t ranks)
{
    *o = (struct order){.p = p, .moves = moves};
    o->has = xcalloc((size_t)ranks * NSHARED_PLACES, sizeof *o->has);
    o->waits = xcalloc(2 * p->nops, sizeof *o->waits);
    o->ready = xcalloc(2 * p->nops, sizeof *o->ready);
    for (uint32_t i = 0; i < p->nops; i++) {
        o->waits[2 * i + 1] = 1;
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            o->waits[2 * i + !!(p->deps[d] & FOR_RECEIVE)]++;
    }
    for (uint32_t i = 0; i < p->nops; i++)
        if (!o->waits[2 * i])
            o->ready[o->nready++] = 2 * i;
    for (uint32_t r = 0; r < ranks; r++)
        o->has[r * NSHARED_PLACES + SHARED_OWN] = UINT64_C(1) << r;
}

static void check_order(const struct plan *p, const struct shared_moves *moves,
                        uint32_t ranks, bool blocks, uint64_t seed)
{
    struct order o;

    order_init(&o, p, moves, ranks);
    o.blocks = blocks;
    while (o.nready) {
        size_t k = next_random(&seed) % o.nready;
        uint32_t event = o.ready[k];
        o.ready[k] = o.ready[--o.nready];
        order_go(&o, event);
    }
    CHECK_EQ(o.done, 2 * p->nops);
    for (uint32_t r = 0; r < ranks; r++)
        CHECK_EQ(o.has[r * NSHARED_PLACES + SHARED_OWN],
                 (UINT64_C(1) << ranks) - 1);
    free(o.has);
    free(o.waits);
    free(o.ready);
}

/* --- plans ---------------------------------------------------------------- */

static int make(struct plan *p, const struct machine *m, const char *name,
                enum collective_kind kind, unsigned gpus, unsigned per_gpu,
                unsigned nodes, uint64_t bytes, struct shared_moves *moves,
                struct err *err)
{
    const struct collective_algorithm *a = collective_find(kind, name, err);
    struct collective c = {.kind = kind,
                           .nodes = nodes,
                           .ranks_per_node = gpus * per_gpu,
                           .bytes = bytes,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE,
                           .per_gpu = per_gpu,
                           .moves = moves};

    return a ? collective_plan(p, m, a, NULL, &c, err) : -1;
}

static void check_flow_of(const char *name, unsigned gpus, unsigned per_gpu)
{
    struct shared_moves moves = {0};
    struct err err = {0};
    struct plan p;

    if (make(&p, &helios, name, COLLECTIVE_ALLREDUCE, gpus, per_gpu, 1, 4096,
             &moves, &err) < 0 ||
        plan_check(&p, &helios, &err) < 0 || plan_check_ranks(&p, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return;
    }
    for (uint64_t seed = 0; seed < 5; seed++)
        check_order(&p, &moves, gpus * per_gpu, false, seed);
    plan_clear(&p);
    free(moves.moves);
}

static const char *const ways[] = {"gsb_gsb", "gsb_btb", "btb_gsb", "btb_btb"};

static void flows(void)
{
    for (size_t w = 0; w < 4; w++) {
        for (unsigned per_gpu = 2; per_gpu <= 24; per_gpu += per_gpu / 3 + 1)
            check_flow_of(ways[w], 1, per_gpu);
        for (unsigned gpus = 2; gpus <= 8; gpus++)
            check_flow_of(ways[w], gpus, 2 + gpus % 2);
    }
}

/* Returns the bytes through the GPU's memory: (5 P - 3) vectors of GSB, 7 (P -
 * 1) of BTB; and the number of copies, 2 (P - 1). */
static double moved_B(const struct plan *p, unsigned *copies)
{
    double B = 0;

    *copies = 0;
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_COPY && o->dir == D2D)
            B += 2.0 * (double)o->bytes, ++*copies;
        if (o->kind == OP_REDUCE)
            B += (o->inputs + 1.0) * (double)o->bytes;
    }
    return B;
}

static void traffic(void)
{
    struct err err = {0};
    unsigned copies;
    struct plan p;

    for (unsigned n = 2; n <= 24; n++) {
        CHECK_EQ(make(&p, &helios, "gsb_gsb", COLLECTIVE_ALLREDUCE, 1, n, 1,
                      1000, NULL, &err),
                 0);
        CHECK_NEAR(moved_B(&p, &copies), (5.0 * n - 3) * 1000, 1e-9);
        CHECK_EQ(copies, 2 * (n - 1));
        plan_clear(&p);
        CHECK_EQ(make(&p, &helios, "btb_btb", COLLECTIVE_ALLREDUCE, 1, n, 1,
                      1000, NULL, &err),
                 0);
        CHECK_NEAR(moved_B(&p, &copies), 7.0 * (n - 1) * 1000, 1e-9);
        CHECK_EQ(copies, 2 * (n - 1));
        plan_clear(&p);
    }
}

/* GSB of two ranks of a GPU, in us: issue 5, engine 5 and 1.6 MB at 80 GB/s,
 * 20; event 28, flag 0.3 and 0.2 ns for each of its 8 bytes, launch 7; a change
 * of process, and 3 vectors at 160 GB/s: SLICE + 30; seen 5. The other rank
 * copies it: flag, issue 5, SLICE + 5 + 20. */
static void by_hand(void)
{
    double slice_us = helios.copies.slice_s * 1e6;
    struct exec_result r;
    struct err err = {0};
    struct plan p;

    CHECK_EQ(make(&p, &helios, "gsb_gsb", COLLECTIVE_ALLREDUCE, 1, 2, 1,
                  1600000, NULL, &err),
             0);
    CHECK_EQ(exec_plan(&r, &helios, &p, NULL, 0, &err), 0);
    CHECK_NEAR(r.time_s * 1e6, 65.3016 + slice_us + 35 + 30.3016 + slice_us,
               1e-6);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Counts the ranks of a GPU that copied through the host in a plan of `rounds`
 * rounds, of all its nodes together, as a mean over the rounds: to the leader
 * (in) and from it (out). */
static void count_host(const struct plan *p, unsigned rounds, double *in,
                       double *out)
{
    unsigned all_in = 0, all_out = 0;

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind != OP_COPY || o->src % p->ranks_per_node == 0)
            continue;
        all_in += o->phase == PHASE_GATHER && o->dir == D2H;
        all_out += o->phase == PHASE_SCATTER && o->dir == H2D;
    }
    *in = (double)all_in / (rounds ? rounds : 1);
    *out = (double)all_out / (rounds ? rounds : 1);
}

/* --- choice of copies through the host ------------------------------------ */

static double choose(const char *name, enum collective_kind kind,
                     unsigned per_gpu, unsigned nodes, uint64_t block,
                     unsigned host_copies, double *in, double *out)
{
    uint32_t ranks = nodes * per_gpu;
    bool gather = kind == COLLECTIVE_ALLGATHER;
    struct shared_moves moves = {0};
    struct collective c = {.kind = kind,
                           .nodes = nodes,
                           .ranks_per_node = per_gpu,
                           .bytes = gather ? block * ranks : block,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE,
                           .per_gpu = per_gpu,
                           .host_copies = host_copies,
                           .moves = &moves};
    struct exec_result r;
    struct err err = {0};
    struct plan p;

    if (collective_plan(&p, &odin, collective_find(kind, name, &err), NULL, &c,
                        &err) < 0 ||
        plan_check_ranks(&p, &err) < 0 ||
        exec_plan(&r, &odin, &p, NULL, 0, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return 0;
    }
    for (uint64_t seed = 0; seed < 3 && nodes == 1; seed++)
        check_order(&p, &moves, ranks, gather, seed);
    count_host(&p, nodes, in, out);
    double time_s = r.time_s;
    exec_result_clear(&r);
    plan_clear(&p);
    free(moves.moves);
    return time_s;
}

static void choices(void)
{
    static const enum collective_kind kinds[] = {COLLECTIVE_ALLREDUCE,
                                                 COLLECTIVE_ALLGATHER};
    double in, out;

    for (int k = 0; k < 2; k++)
        for (unsigned n = 2; n <= 16; n += n / 3 + 1) {
            for (unsigned host = 0; host < n; host++) {
                choose("static", kinds[k], n, 1, 4096, 1 + host, &in, &out);
                CHECK_NEAR(in, host, 1e-12);
                CHECK_NEAR(out, host, 1e-12);
            }
            choose("dynamic", kinds[k], n, 1, 4096, 0, &in, &out);
            CHECK(in < n && out < n);
            CHECK(choose("dynamic", kinds[k], n, 4, 4096, 0, &in, &out) > 0);
            CHECK(choose("static", kinds[k], n, 4, 4096, 0, &in, &out) > 0);
        }
}

/* Static is as fast as the best of its numbers, in the rounds that it tries.
 * Copies to the GPU return early up to 64 KiB, so that Dynamic prefers the host
 * up to that size, and IPC above. */
static void chosen(void)
{
    double best, in, out;
    double tuned_s =
        choose("static", COLLECTIVE_ALLREDUCE, 8, 1, 65536, 0, &best, &out);

    CHECK_NEAR(choose("static", COLLECTIVE_ALLREDUCE, 8, 1, 65536,
                      1 + (unsigned)best, &in, &out),
               tuned_s, 1e-12);
    choose("dynamic", COLLECTIVE_ALLREDUCE, 16, 1, 65536, 0, &in, &out);
    CHECK(in > 8);
    choose("dynamic", COLLECTIVE_ALLREDUCE, 16, 1, 131072, 0, &in, &out);
    CHECK(in >= 1 && in < 8);
    CHECK(out >= 1 && out < 8);
}

static void pair_by_ipc(struct plan *p, const struct machine *m, uint32_t from,
                        uint64_t bytes)
{
    uint32_t copy = plan_copy_peer(p, PHASE_ON_NODE, from, 0, 0, bytes);
    uint32_t event = plan_work(p, from, m->gpu.ipc_event_s);

    plan_after(p, copy);
    plan_msg(p, PHASE_ON_NODE, from, from + 1, NO_GPU, NO_GPU, 8);
    plan_after(p, event);
}

static void pair_by_host(struct plan *p, uint32_t from, uint64_t bytes)
{
    uint32_t copy = plan_copy(p, PHASE_COPY_OUT, from, D2H, 0, bytes);
    uint32_t flag =
        plan_msg(p, PHASE_ON_NODE, from, from + 1, NO_GPU, NO_GPU, 8);

    plan_after(p, copy);
    plan_copy(p, PHASE_COPY_IN, from + 1, H2D, 0, bytes);
    plan_after(p, flag);
}

/* Makes a plan of pairs of ranks on GPU 0 of one node. In each pair, one rank
 * copies a vector to the other within the GPU, in the first `host` pairs
 * through the host; all begin at once. */
static void plan_pairs(struct plan *p, const struct machine *m, unsigned pairs,
                       unsigned host, uint64_t bytes)
{
    plan_init(p, m, "pairs", 1, 2 * pairs, NULL);
    for (unsigned i = 0; i < pairs; i++)
        if (i < host)
            pair_by_host(p, 2 * i, bytes);
        else
            pair_by_ipc(p, m, 2 * i, bytes);
}

/* Two of four pairs copy through the host: D2H, issue 5, engine 5 and 6.5536
 * for 64 KiB, one after the other; flag, issue, engine and bytes of the last:
 * 28.1072 + 0.3016 + 16.5536. Two use IPC: 5, two engines of 5, 0.8192 of
 * bytes, event and flag: 44.1208. */
static void pairs(void)
{
    struct exec_result r;
    struct err err = {0};
    struct plan p;

    plan_pairs(&p, &odin, 4, 2, 65536);
    CHECK_EQ(exec_plan(&r, &odin, &p, NULL, 0, &err), 0);
    CHECK_NEAR(r.time_s * 1e6, 28.1072 + 0.3016 + 16.5536, 1e-6);
    exec_result_clear(&r);
    plan_clear(&p);
}

static void several_nodes(void)
{
    struct exec_result r;
    struct err err = {0};
    struct plan p;

    for (size_t w = 0; w < 4; w++) {
        CHECK_EQ(make(&p, &helios, ways[w], COLLECTIVE_ALLREDUCE, 8, 3, 4, 4096,
                      NULL, &err),
                 0);
        CHECK_EQ(plan_check_ranks(&p, &err), 0);
        CHECK_EQ(exec_plan(&r, &helios, &p, NULL, 0, &err), 0);
        CHECK(r.time_s > 0);
        exec_result_clear(&r);
        plan_clear(&p);
    }
}

/* In rounds one after the other, ranks run ahead of each other: three take less
 * than three times one, and more than one. */
static void rounds(void)
{
    static const char *const all[] = {"gsb_gsb", "btb_btb", "static", "dynamic",
                                      "mvapich2"};

    for (size_t a = 0; a < sizeof all / sizeof all[0]; a++) {
        double time_s[2] = {0};
        for (int k = 0; k < 2; k++) {
            struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                                   .nodes = 1,
                                   .ranks_per_node = 8,
                                   .bytes = 65536,
                                   .element_B = 4,
                                   .memory = COLLECTIVE_DEVICE,
                                   .per_gpu = 8,
                                   .rounds = k ? 3 : 1};
            struct exec_result r;
            struct err err = {0};
            struct plan p;
            CHECK_EQ(collective_plan(&p, &odin,
                                     collective_find(c.kind, all[a], &err),
                                     NULL, &c, &err),
                     0);
            CHECK_EQ(plan_check_ranks(&p, &err), 0);
            CHECK_EQ(exec_plan(&r, &odin, &p, NULL, 0, &err), 0);
            time_s[k] = r.time_s;
            exec_result_clear(&r);
            plan_clear(&p);
        }
        CHECK(time_s[1] > 1.5 * time_s[0]);
        CHECK(time_s[1] < 3 * time_s[0]);
    }
}

static void refused(void)
{
    struct err err = {0};
    struct plan p;

    CHECK(make(&p, &helios, "gsb_gsb", COLLECTIVE_ALLREDUCE, 1, 1, 1, 4, NULL,
               &err) < 0);
    CHECK_HAS(err.text, "gsb_gsb: is for vectors in GPUs that ranks share");
    err.text[0] = '\0';
    CHECK(make(&p, &helios, "gsb_gsb", COLLECTIVE_ALLREDUCE, 9, 2, 1, 4, NULL,
               &err) < 0);
    CHECK_HAS(err.text, "helios has 8 GPUs a node");
    err.text[0] = '\0';
    CHECK(make(&p, &odin, "dynamic", COLLECTIVE_ALLREDUCE, 2, 4, 1, 4, NULL,
               &err) < 0);
    CHECK_HAS(err.text, "dynamic: is for one GPU a node");
    err.text[0] = '\0';
    CHECK(make(&p, &odin, "static", COLLECTIVE_ALLREDUCE, 1, 17, 1, 4, NULL,
               &err) < 0);
    CHECK_HAS(err.text, "MPS serves at most 16 processes of a GPU of odin");
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&helios, "helios", NULL, 0, &err) < 0 ||
        platform_load(&odin, "odin", NULL, 0, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return check_result();
    }
    flows();
    traffic();
    by_hand();
    choices();
    chosen();
    pairs();
    several_nodes();
    rounds();
    refused();
    machine_clear(&helios);
    machine_clear(&odin);
    return check_result();
}

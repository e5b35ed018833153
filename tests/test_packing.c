/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing in plans: the time of a pack by hand, and that a plan with packs is
 * the plan without, whose operations wait for the packs of their values. */
#include "sim/plan/describe.h"
#include "strategies/strategy.h"
#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"
#include "tests/toys.h"

#include <stdlib.h>

/* --- time ----------------------------------------------------------------- */

/* Makes a machine with a launch of 5 us, memory of 20 GB/s, and synchronisation
 * of 3 us: 10 kB, read and written, take a kernel 1 us. */
static struct machine packing_machine(void)
{
    struct machine m;

    tiny_machine(&m, 4);
    m.gpu.launch_s = 5e-6;
    m.gpu.sync_s = 3e-6;
    m.gpu.memory_Bps = 20e9;
    return m;
}

static void ends(const struct machine *m, const struct plan *p,
                 const double *want_us)
{
    struct exec_result r;
    struct err err = {0};

    if (exec_plan(&r, m, p, NULL, EXEC_DETAILS, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        return;
    }
    for (size_t i = 0; i < p->nops; i++)
        CHECK_NEAR(r.ops[i].end_s * 1e6, want_us[i], 1e-6);
    exec_result_clear(&r);
}

static void kernels(void)
{
    struct machine m = packing_machine();
    struct plan p;

    /* A rank launches one kernel after the other, continues meanwhile, and
     * waits if it has to: 5 + 1; its CPU is free at 5, 10 + 1; 10 + 5 + 1 +
     * 3. */
    plan_init(&p, &m, "one after the other", 1, 8, NULL);
    plan_pack(&p, PHASE_PACK, 0, 0, 10000, false);
    plan_pack(&p, PHASE_PACK, 0, 0, 10000, false);
    plan_pack(&p, PHASE_PACK, 0, 0, 10000, true);
    plan_work(&p, 0, 1e-6);
    ends(&m, &p, (const double[]){6, 11, 19, 20});
    plan_clear(&p);

    /* Two ranks share a GPU, whose kernels run one after the other; a third has
     * its own GPU. */
    plan_init(&p, &m, "one at a time", 1, 8, NULL);
    plan_pack(&p, PHASE_PACK, 0, 0, 20000, true);
    plan_pack(&p, PHASE_PACK, 1, 0, 30000, false);
    plan_pack(&p, PHASE_UNPACK, 2, 1, 10000, false);
    ends(&m, &p, (const double[]){10, 10, 6});
    plan_clear(&p);
    machine_clear(&m);
}

/* The CPU copies 10 kB at the 1 ns a byte of a message on its socket, and does
 * nothing else meanwhile; through the socket's memory of 4 GB/s, which reads
 * and writes them, eight ranks get half of their rate each. */
static void host(void)
{
    struct machine m = packing_machine();
    struct plan p;

    plan_init(&p, &m, "host", 1, 8, NULL);
    plan_pack(&p, PHASE_PACK, 0, NO_GPU, 10000, false);
    plan_work(&p, 0, 1e-6);
    ends(&m, &p, (const double[]){10, 11});
    plan_clear(&p);

    m.devices[0].memory_Bps = 2e9;
    plan_init(&p, &m, "four hosts", 1, 8, NULL);
    for (uint32_t rank = 0; rank < 4; rank++)
        plan_pack(&p, PHASE_PACK, rank, NO_GPU, 10000, false);
    ends(&m, &p, (const double[]){20, 20, 20, 20});
    plan_clear(&p);
    machine_clear(&m);
}

/* Three buffers of 10 kB are read and one is written, 2 us of a kernel; a CPU
 * adds two of them to the first, as fast as it copies, 1 ns a byte, or at the
 * socket's own rate; one buffer is copied. */
static void reductions(void)
{
    struct machine m = packing_machine();
    struct plan p;

    plan_init(&p, &m, "reductions", 1, 8, NULL);
    plan_reduce(&p, PHASE_WORK, 0, 0, 10000, 3, false);
    plan_reduce(&p, PHASE_WORK, 0, 0, 10000, 3, true);
    plan_work(&p, 0, 1e-6);
    plan_reduce(&p, PHASE_WORK, 1, NO_GPU, 10000, 3, false);
    plan_work(&p, 1, 1e-6);
    plan_reduce(&p, PHASE_WORK, 2, NO_GPU, 10000, 1, false);
    ends(&m, &p, (const double[]){7, 15, 16, 20, 21, 10});
    m.devices[0].reduce_Bps = 4e9;
    ends(&m, &p, (const double[]){7, 15, 16, 5, 6, 10});
    m.devices[0].copy_Bps = 2e9;
    ends(&m, &p, (const double[]){7, 15, 16, 5, 6, 5});
    /* 8 processes have 16 kB each; three quarters of 64 kB have no room and
     * take 0.4 ns a byte longer: 10 kB copied once, or added twice. */
    m.devices[0].shared_cache_B = 64000;
    m.devices[0].uncached_s_per_B = 0.4e-9;
    p.working_set_B = 8000.0 * m.nsockets * 4;
    ends(&m, &p, (const double[]){7, 15, 16, 11, 12, 8});
    plan_clear(&p);
    machine_clear(&m);
}

/* Tests the reason why a kernel is late, and its report. */
static void told(void)
{
    struct machine m = packing_machine();
    struct exec_result r;
    struct report report;
    struct err err = {0};
    struct plan p;
    char text[96];

    m.gpu.source = source_new(PROVENANCE_SPECIFICATION, "a test");
    m.gpu.launch_source = source_new(PROVENANCE_MEASURED, "a test");
    plan_init(&p, &m, "told", 1, 8, NULL);
    plan_pack(&p, PHASE_PACK, 0, 0, 20000, false);
    plan_pack(&p, PHASE_UNPACK, 1, 0, 10000, false);
    plan_pack(&p, PHASE_PACK, 2, NO_GPU, 9, false);
    plan_reduce(&p, PHASE_WORK, 3, 1, 10, 24, false);
    plan_reduce(&p, PHASE_WORK, 3, NO_GPU, 10, 2, false);
    CHECK_EQ(exec_plan(&r, &m, &p, NULL, EXEC_DETAILS, &err), 0);
    report_make(&report, &m, &p, &r);
    CHECK_EQ(report.npath, 2);
    CHECK_EQ(report.path[1].cause, CAUSE_KERNEL);
    CHECK_NEAR(report.phases[PHASE_UNPACK].wall_s, 8e-6, 1e-9);
    /* 5 us of launch, and behind it the bytes of both kernels. */
    CHECK_NEAR(report.rests_on.total_s, 8e-6, 1e-9);
    CHECK_NEAR(report.rests_on.s[PROVENANCE_MEASURED], 5e-6, 1e-9);
    CHECK_NEAR(report.rests_on.s[PROVENANCE_SPECIFICATION], 3e-6, 1e-9);
    op_describe(text, sizeof text, &m, &p, 1);
    CHECK_HAS(text, "unpack kernel, rank 1, GPU 0, 10000 B");
    op_describe(text, sizeof text, &m, &p, 2);
    CHECK_HAS(text, "pack, rank 2, 9 B");
    op_describe(text, sizeof text, &m, &p, 3);
    CHECK_HAS(text, "reduction kernel of 24, rank 3, GPU 1, 10 B");
    op_describe(text, sizeof text, &m, &p, 4);
    CHECK_HAS(text, "reduction of 2, rank 3, 10 B");
    exec_result_clear(&r);
    plan_clear(&p);
    machine_clear(&m);
}

/* --- plans ---------------------------------------------------------------- */

static bool same_but_for_deps(const struct plan *a, size_t i,
                              const struct plan *b, size_t k)
{
    const struct op *x = &a->ops[i], *y = &b->ops[k];
    const uint32_t npieces = plan_npieces(a, i);

    if (x->kind != y->kind || x->phase != y->phase || x->dir != y->dir ||
        x->src != y->src || x->dst != y->dst || x->src_gpu != y->src_gpu ||
        x->dst_gpu != y->dst_gpu || x->bytes != y->bytes ||
        npieces != plan_npieces(b, k))
        return false;
    for (uint32_t n = 0; n < npieces; n++) {
        const struct piece *v = &a->pieces[plan_first_piece(a, i) + n];
        const struct piece *w = &b->pieces[plan_first_piece(b, k) + n];
        if (v->class_id != w->class_id || v->first != w->first ||
            v->count != w->count)
            return false;
    }
    return true;
}

static uint64_t values_of(const struct plan *p, size_t op)
{
    uint64_t n = 0;

    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++)
        n += p->pieces[i].count;
    return n;
}

/* Marks the dependencies of an operation, direct ones or through a pack of its
 * own rank, as numbers among the operations that are no packs. */
static void mark_deps(bool *waits, const struct plan *p, const uint32_t *number,
                      uint32_t op)
{
    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
        uint32_t dep = p->deps[i];
        if (p->ops[dep].kind != OP_PACK) {
            waits[number[dep]] = true;
            continue;
        }
        CHECK_EQ(p->ops[dep].src, p->ops[op].src);
        mark_deps(waits, p, number, dep);
    }
}

static bool after_pack(const struct plan *p, size_t op)
{
    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++)
        if (p->ops[p->deps[i]].kind == OP_PACK)
            return true;
    return false;
}

/* Checks that each of the plain plan's operations is in the packed one, in
 * order, with at least the same dependencies. */
static void check_the_same(const struct plan *plain, const struct plan *packed)
{
    uint32_t *number = xcalloc(packed->nops, sizeof *number), n = 0;
    bool *waits = xcalloc(plain->nops, sizeof *waits);

    for (uint32_t i = 0; i < packed->nops; i++) {
        const struct op *o = &packed->ops[i];
        if (o->kind == OP_PACK)
            continue;
        number[i] = n;
        CHECK(n < plain->nops && same_but_for_deps(plain, n, packed, i));
        memset(waits, 0, plain->nops * sizeof *waits);
        mark_deps(waits, packed, number, i);
        for (uint32_t d = plan_first_dep(plain, n); d < plan_end_dep(plain, n);
             d++)
            CHECK(waits[plain->deps[d]]);
        n++;
    }
    CHECK_EQ(n, plain->nops);
    free(number);
    free(waits);
}

/* Checks that kernels gather and scatter the values that are copied, or in GPU
 * memory those that are sent first and received last; forwarded values are
 * packed again. */
static void check_packs(const struct plan *p, const struct strategy *s,
                        const struct halo *h)
{
    uint64_t copied[NCOPY_DIRS] = {0}, packed = 0, unpacked = 0;

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_COPY)
            copied[o->dir] += o->bytes;
        if (o->kind == OP_COPY && o->dir == D2H)
            CHECK(after_pack(p, i));
        if (o->kind == OP_MSG && s->device_aware)
            CHECK(after_pack(p, i));
        if (o->kind == OP_MSG && o->phase == PHASE_SCATTER)
            CHECK(after_pack(p, i) || plan_ndeps(p, i) > 0);
        if (o->kind != OP_PACK)
            continue;
        CHECK_EQ(o->bytes, values_of(p, i) * h->value_bytes);
        CHECK(o->phase == PHASE_PACK || o->phase == PHASE_UNPACK);
        CHECK_EQ(o->synced, s->device_aware && o->phase == PHASE_PACK);
        if (o->src_gpu == NO_GPU)
            CHECK(!s->device_aware && o->phase == PHASE_PACK &&
                  plan_ndeps(p, i) > 0);
        else if (o->phase == PHASE_UNPACK)
            unpacked += o->bytes;
        else if (!plan_ndeps(p, i))
            packed += o->bytes;
    }
    CHECK(packed > 0 && unpacked > 0);
    if (!s->device_aware) {
        CHECK_EQ(packed, copied[D2H]);
        CHECK_EQ(unpacked, copied[H2D]);
    }
}

static void plans(void)
{
    for (uint64_t seed = 1; seed <= 25; seed++) {
        unsigned gpus = 1 + (unsigned)seed % 4, nodes = 2 + (unsigned)seed % 3;
        struct machine m = toy_machine(nodes, gpus, 4);
        struct halo h = toy_halo(nodes * gpus, gpus, seed);
        struct strategy_options options = {.keep_duplicates = seed % 2,
                                           .message_cap_B = 16 + seed};
        struct err err = {0};
        for (size_t s = 0; s < nstrategies; s++) {
            struct plan plain, packed;
            options.pack = false;
            CHECK_EQ(
                strategy_plan(strategies[s], &plain, &m, &h, &options, &err),
                0);
            options.pack = true;
            CHECK_EQ(
                strategy_plan(strategies[s], &packed, &m, &h, &options, &err),
                0);
            check_the_same(&plain, &packed);
            if (plain.nops)
                check_packs(&packed, strategies[s], &h);
            plan_clear(&plain);
            plan_clear(&packed);
        }
        toy_halo_clear(&h);
        machine_clear(&m);
    }
}

int main(void)
{
    kernels();
    host();
    reductions();
    told();
    plans();
    return check_result();
}

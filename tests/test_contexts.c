/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several processes on one GPU, computed by hand: time slices without MPS, the
 * work that overlaps with them, copies inside the GPU, copies that return
 * early. */
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

/* Makes a machine with these costs. Kernels: launch 5 us, memory 20 GB/s,
 * synchronisation 3 us. Copies: 2 us to issue, 1 us of the engine, to and from
 * the host 1 ns a byte, inside a GPU 0.05 ns a byte; a change of process takes
 * 100 us. */
static struct machine shared_machine(bool mps)
{
    struct machine m;

    tiny_machine(&m, 4);
    m.gpu.launch_s = 5e-6;
    m.gpu.sync_s = 3e-6;
    m.gpu.memory_Bps = 20e9;
    m.copies.engine_s = 1e-6;
    m.copies.contexts = true;
    m.copies.mps = mps;
    m.copies.slice_s = 100e-6;
    m.copies.slice_below_B = 32768;
    for (size_t i = 0; i < m.copies.nrows; i++)
        source_free(m.copies.rows[i].source);
    free(m.copies.rows);
    m.copies.nrows = 3;
    m.copies.rows = xcalloc(3, sizeof *m.copies.rows);
    for (int d = 0; d < 3; d++)
        m.copies.rows[d] = (struct copy_cost){
            .dir = (enum copy_dir)d,
            .locality = d == D2D ? SHARED_CACHE : ON_SOCKET,
            .processes = 1,
            .up_to_B = UINT64_MAX,
            .alpha_s = 3e-6,
            .beta_s_per_B = d == D2D ? 0.05e-9 : 1e-9,
            .source = source_new(PROVENANCE_ASSUMED, "a test")};
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

/* Two ranks make copies of 20 kB inside the GPU, to it and from it, and
 * kernels. */
static void turns(void)
{
    struct machine off = shared_machine(false), on = shared_machine(true);
    struct plan p;

    plan_init(&p, &off, "inside", 1, 8, NULL);
    plan_copy_peer(&p, PHASE_GATHER, 0, 0, 0, 20000);
    plan_copy_peer(&p, PHASE_GATHER, 1, 0, 0, 20000);
    /* The copies take turns: 2 + 1 + 1 us, 100 + 1 + 1 more. With MPS the
     * second waits only for the engine's 1 us. */
    ends(&off, &p, (const double[]){4, 106});
    ends(&on, &p, (const double[]){4, 5});
    plan_clear(&p);

    plan_init(&p, &off, "to it", 1, 8, NULL);
    plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 20000);
    plan_copy(&p, PHASE_COPY_IN, 1, H2D, 0, 20000);
    ends(&off, &p, (const double[]){23, 144});
    ends(&on, &p, (const double[]){23, 44});
    plan_clear(&p);

    /* Large copies, and those to the host, have their engines to themselves. */
    plan_init(&p, &off, "engines", 1, 8, NULL);
    plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 40000);
    plan_copy(&p, PHASE_COPY_IN, 1, H2D, 0, 40000);
    plan_copy(&p, PHASE_COPY_OUT, 2, D2H, 0, 40000);
    ends(&off, &p, (const double[]){43, 84, 43});
    ends(&on, &p, (const double[]){43, 84, 43});
    plan_clear(&p);

    /* A kernel of 1 us is followed by a copy: 5 + 1; 100 + 1 + 1 later. */
    plan_init(&p, &off, "kernels", 1, 8, NULL);
    plan_reduce(&p, PHASE_WORK, 0, 0, 5000, 3, false);
    uint32_t late = plan_work(&p, 1, 3.5e-6);
    plan_copy_peer(&p, PHASE_GATHER, 1, 0, 0, 20000);
    plan_after(&p, late);
    ends(&off, &p, (const double[]){6, 3.5, 108});
    ends(&on, &p, (const double[]){6, 3.5, 7.5});
    plan_clear(&p);
    machine_clear(&off);
    machine_clear(&on);
}

/* Two copies of 200 kB are inside a GPU at 20 GB/s each, whose memory reads and
 * writes 40 GB/s: 20 GB/s of copies together. With MPS they take 25 % longer
 * from 100 kB on, which only the last part shows, where one has the memory
 * alone. */
static void memory(void)
{
    struct machine m = shared_machine(true);
    struct plan p;

    for (size_t d = 0; d < m.ndevices; d++)
        if (m.devices[d].kind == DEVICE_GPU)
            m.devices[d].memory_Bps = 40e9;
    plan_init(&p, &m, "memory", 1, 8, NULL);
    plan_copy_peer(&p, PHASE_GATHER, 0, 0, 0, 200000);
    plan_copy_peer(&p, PHASE_GATHER, 1, 0, 0, 200000);
    /* From 3 us on one is alone, from 4 us on both: the first has 180 kB left,
     * until 22; then the second, of 200 kB, has 20 kB left. */
    ends(&m, &p, (const double[]){22, 23});
    m.copies.mps_from_B = 100000;
    m.copies.mps_gpu_more = 0.25;
    m.copies.mps_host_more = 0.5;
    plan_copy(&p, PHASE_COPY_OUT, 2, D2H, 0, 100000);
    plan_copy(&p, PHASE_COPY_OUT, 3, D2H, 1, 99999);
    /* Each has at most 16 GB/s: 184 kB left at 4, 200 kB; 10 GB/s each until
     * 22.4; 16 kB more at 16 GB/s. To the host it is 1.5 ns a byte. */
    ends(&m, &p, (const double[]){22.4, 23.4, 153, 102.999});
    plan_clear(&p);
    machine_clear(&m);
}

/* A copy of 1000 B to the GPU returns once it is issued, after 2 us, and its
 * rank continues; operations that need its bytes wait longer. */
static void returns(void)
{
    struct machine m = shared_machine(true);
    struct plan p;

    m.copies.returns_up_to_B = 1000;
    plan_init(&p, &m, "returns", 1, 8, NULL);
    uint32_t copy = plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 1000);
    plan_work(&p, 0, 7e-6);
    plan_after(&p, copy | AFTER_SENT);
    plan_work(&p, 1, 7e-6);
    plan_after(&p, copy);
    uint32_t large = plan_copy(&p, PHASE_COPY_IN, 2, H2D, 1, 1001);
    plan_work(&p, 2, 7e-6);
    plan_after(&p, large | AFTER_SENT);
    ends(&m, &p, (const double[]){4, 9, 11, 4.001, 11.001});
    plan_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    turns();
    memory();
    returns();
    return check_result();
}

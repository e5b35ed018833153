/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime mpi-rma, compared with times computed by hand: epochs, fences,
 * windows. */
#include "tests/team_toys.h"

/* Start and put take 0.7; it arrives at 2.7, which is after the notice of the
 * end (0.95 + 1); wait and post 0.8. */
static void rma_one(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);
    struct exec_result r;

    rma_costs();
    message(&p, 0, 1, 1000);
    r = run(&p);
    CHECK_NEAR(r.time_s, 3.5 * us, 1e-9);
    CHECK_NEAR(r.hosts[1].reserved_B, 1000, 0);
    CHECK_NEAR(r.hosts[1].most_B, 0, 0);
    CHECK_NEAR(r.hosts[0].most_B, 1000, 0);
    CHECK_NEAR(r.windows_s, 4 * us, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* An epoch has two puts, with 2 us of work between: called at 0.7 and 3.4,
 * complete at 3.9, notice at 4.9: the first is received at 5.7, the second,
 * which arrives at 5.4, at 6.2. */
static void rma_epoch_ends_with_its_last_put(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 3);
    struct exec_result r;

    rma_costs();
    message(&p, 0, 1, 1000);
    uint32_t work = plan_work(&p, 0, 2 * us);
    message(&p, 0, 2, 1000);
    plan_after(&p, work);
    r = run(&p);
    CHECK_NEAR(r.ops[0].end_s, 5.7 * us, 1e-9);
    CHECK_NEAR(r.ops[2].end_s, 6.2 * us, 1e-9);
    const struct op_wait *w = waits_until(&r.waits, 0, 5 * us);
    CHECK(w && w->cause == CAUSE_EPOCH && w->whom == 2);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* A message that waits for another belongs to the next epoch. */
static void rma_epochs_follow(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    uint32_t there = message(&p, 0, 1, 1000);
    message(&p, 1, 0, 1000);
    plan_after(&p, there);
    CHECK_NEAR(time_us(&p), 7, 1e-9);
}

/* Calls of two threads take 0.55, arrival at 2.55, a barrier of two rounds
 * 4.55, fence 1.05. */
static void rma_fence(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 3);

    rma_costs()->epoch = EPOCH_FENCE;
    message(&p, 0, 1, 1000);
    message(&p, 0, 2, 1000);
    CHECK_NEAR(time_us(&p), 5.6, 1e-9);
}

/* The receive is posted at 10, its sender is notified at 11: 13, and 0.8. */
static void rma_waits_for_its_window(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    uint32_t work = plan_work(&p, 1, 10 * us);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 1000);
    plan_after(&p, work);
    CHECK_NEAR(time_us(&p), 13.8, 1e-9);
}

static void rma_refusals(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    plan_recv(&p, PHASE_OFF_NODE, 1, ANY_RANK, 7, 1000);
    CHECK_HAS(refusal(&p), "mpi-rma has no wildcards");

    p = plan_of(RUNTIME_MPI_RMA, 2);
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    plan_probe(&p, PHASE_OFF_NODE, 1, 0, 7);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 1000);
    CHECK_HAS(refusal(&p), "mpi-rma has nothing to probe for");

    p = plan_of(RUNTIME_MPI_RMA, 2);
    tiny.devices[0].memory_B = 0x1p30;
    message(&p, 0, 1, UINT64_C(2) << 30);
    CHECK_HAS(refusal(&p), "mpi-rma: the windows of the ranks of node 1 hold 2 "
                           "GiB, more than the 1 GiB of its memory");
    tiny.devices[0].memory_B = 0;
}

int main(void)
{
    team_machine();
    rma_one();
    rma_epoch_ends_with_its_last_put();
    rma_epochs_follow();
    rma_fence();
    rma_waits_for_its_window();
    rma_refusals();
    machine_clear(&tiny);
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job on other machines of one shape has the times of the job loaded anew
 * there, bit for bit; machines of another shape are refused. */
#include "platforms/platform.h"
#include "platforms/shape.h"
#include "sim/network/node_routes.h"
#include "study/run/job_again.h"
#include "tests/check.h"

#include <stdlib.h>

static const char *const costs[] = {
    "network.bandwidth_GBps=9",
    "node.wire_types.nic.bandwidth_GBps=7.5",
    "messages.cpu.off_node.segments.1.alpha_us=5",
    "messages.gpu.off_node.segments.0.alpha_us=9",
    "copies.rows.1.alpha_us=40",
    "gpu.kernel_launch_us=9",
    /* limits of protocols, at which some algorithms cut messages */
    "messages.cpu.off_node.segments.0.up_to_bytes=200",
    "messages.cpu.off_node.segments.2.up_to_bytes=100000",
};
enum { NCOSTS = sizeof costs / sizeof costs[0] };

static struct request request_of(const char *words, const char *partition,
                                 const char *platform)
{
    struct request r;
    struct err ignored;

    request_init(&r);
    r.platform = platform;
    r.work.words = words;
    r.work.nodes = 3;
    r.work.partition = partition;
    if (workload_find(words, &ignored)->collective)
        r.algorithm = "all"; /* includes those that no library has */
    return r;
}

/* Compares all candidates of a job with those of the same job on `m`. */
static void compare(const struct job *job, const struct machine *m,
                    const struct request *r)
{
    struct node_routes *node_routes = node_routes_new(m);
    struct job again, anew;
    struct err err = {0};
    unsigned done = 0;

    CHECK(job_on_machine(&again, job, m, &err) == 0);
    CHECK(job_load_on(&anew, m, r, &err) == 0);
    CHECK_EQ(again.nchoices, anew.nchoices);
    for (size_t i = 0; i < anew.nchoices; i++) {
        struct outcome o = {0};
        double time_s = 0;
        const struct run_options options = {0};
        int result =
            job_time(&time_s, &again, &again.choices[i], node_routes, &err);
        CHECK(result >= 0);
        struct err why = {0};
        int other = job_run_one(&o, &anew, &anew.choices[i], &options, &why);
        CHECK_EQ(result != 0, other != 0);
        if (result || other)
            continue;
        CHECK(time_s == o.time_s && time_s > 0);
        done++;
        outcome_clear(&o);
    }
    CHECK(done > 0);
    job_clear(&anew);
    node_routes_free(node_routes);
}

static size_t count_kept(const struct job_plans *kept)
{
    size_t n = 0;

    for (size_t i = 0; i < kept->n; i++)
        n += kept->of[i].plan.nops || kept->of[i].loop.steps;
    return n;
}

/* A platform, and the costs that vary between machines. */
struct others {
    const char *platform;
    const char *const *base; /* settings of all machines */
    size_t nbase;
    const char *const *costs;
    size_t ncosts;
};

/* Makes the machine with the base and `n` costs from `from` on. */
static struct machine machine_with(const struct others *o, size_t from,
                                   size_t n)
{
    const char *sets[TEXTS];
    struct machine m;
    struct err err = {0};

    for (size_t i = 0; i < o->nbase; i++)
        sets[i] = o->base[i];
    for (size_t i = 0; i < n; i++)
        sets[o->nbase + i] = o->costs[from + i];
    CHECK(platform_load(&m, o->platform, sets, o->nbase + n, &err) == 0);
    return m;
}

/* Compares the job on the platform with each cost changed, and with all of
 * them. At least `least_kept` candidates must have a plan that is kept. */
static void check_on(const struct others *o, const struct request *r,
                     size_t least_kept)
{
    struct machine first = machine_with(o, 0, 0), other;
    struct job_plans kept;
    struct job job;
    struct err err = {0};

    CHECK(job_load_on(&job, &first, r, &err) == 0);
    job_keep_plans(&kept, &job);
    CHECK(count_kept(&kept) >= least_kept);
    compare(&job, &first, r);
    for (size_t i = 0; i <= o->ncosts; i++) {
        bool all = i == o->ncosts;
        other = machine_with(o, all ? 0 : i, all ? o->ncosts : 1);
        compare(&job, &other, r);
        machine_clear(&other);
    }
    job_plans_clear(&kept);
    job_clear(&job);
    machine_clear(&first);
}

static void check_words(const char *words, const char *partition,
                        size_t least_kept)
{
    const struct others o = {"lassen", NULL, 0, costs, NCOSTS};
    const struct request r = request_of(words, partition, "lassen");

    check_on(&o, &r, least_kept);
}

/* Ranks that share GPUs copy in the fastest manner, and by events and gdrcopy;
 * results that depend on their costs are made anew. */
static void check_shared(void)
{
    static const char *const base[] = {"gpus_used=1",
                                       "gpu.ipc_event_us=3",
                                       "gpu.gdrcopy_us=2",
                                       "gpu.gdrcopy_GBps=5",
                                       "gpu.gdrcopy_up_to_bytes=1000000",
                                       "gpu.cpu_sums_up_to_bytes=1000000",
                                       "gpu.cpu_sums_ns_per_byte=1"};
    static const char *const shared[] = {
        "gpu.ipc_event_us=30", "gpu.gdrcopy_us=9", "gpu.cpu_sums_ns_per_byte=9",
        "copies.rows.0.alpha_us=40"};
    const struct others o = {"h200-shared", base, sizeof base / sizeof base[0],
                             shared, sizeof shared / sizeof shared[0]};
    struct request r =
        request_of("allreduce:bytes=64k,per_gpu=4", NULL, "h200-shared");

    r.work.nodes = 1;
    check_on(&o, &r, 1);
}

/* The time of NCCL's kernels is in its loops. */
static void check_nccl(void)
{
    static const char *const nccl[] = {"nccl.simple.start_us=90",
                                       "nccl.ll.start_us=90"};
    const struct others o = {"h200-x2", NULL, 0, nccl,
                             sizeof nccl / sizeof nccl[0]};
    struct request r = request_of("allreduce:bytes=1M", NULL, "h200-x2");

    r.work.nodes = 1;
    check_on(&o, &r, 1);
}

/* Checks that a machine is refused with the key that differs. */
static void check_refused(const char *set, const char *key)
{
    struct request r = request_of("stencil:5pt:64x64", NULL, "lassen");
    struct machine other;
    struct job job, again;
    struct err err = {0};

    CHECK(job_load(&job, &r, &err) == 0);
    CHECK(platform_load(&other, "lassen", &set, 1, &err) == 0);
    CHECK(machine_shape_differs(job.machine, &other) != NULL);
    CHECK(job_on_machine(&again, &job, &other, &err) < 0);
    CHECK_HAS(err.text, key);
    machine_clear(&other);
    job_clear(&job);
}

int main(void)
{
    check_words("spmv:workloads/data/cvxbqp1.mtx.gz", "contiguous", 1);
    check_words("stencil:27pt:16x16x16", "boxes", 1);
    check_words("alltoall:bytes=1M", NULL, 1);
    check_words("allreduce:bytes=1M", NULL, 10);
    check_words("allreduce:bytes=64k,memory=staged", NULL, 10);
    check_words("reduce_scatter:bytes=64k,place=both", NULL, 1);
    check_words("broadcast:bytes=1M", NULL, 1);
    check_words("reduce:bytes=64k", NULL, 1);
    /* There are 120 ranks: some run in steps, and some repack by the cost of a
     * copy. */
    check_words("allgather:bytes=64k,memory=host", NULL, 3);
    check_words("allreduce:bytes=64k,memory=host", NULL, 3);
    check_words("alltoall:bytes=64k,memory=host", NULL, 0);
    check_words(
        "random:ranks=64,messages=20,rounds=4,bytes=1000..100000,seed=1", NULL,
        0);
    check_shared();
    check_nccl();
    check_refused("network.nodes=500", "network.nodes");
    check_refused("node.devices.0.cores=10", "node.devices");
    check_refused("gpus_used=2", "gpus_used");
    check_refused("gpudirect=false", "messages");
    check_refused("copies.mps=false", "copies");
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job on other machines of one shape has the times of the job loaded anew
 * there, bit for bit; machines of another shape are refused. */
#include "platforms/platform.h"
#include "platforms/shape.h"
#include "sim/network/node_ways.h"
#include "strategies/run/job_again.h"
#include "tests/check.h"

#include <stdlib.h>

static const char *const costs[] = {
    "network.bandwidth_GBps=9",
    "node.wire_types.nic.bandwidth_GBps=7.5",
    "messages.cpu.off_node.segments.1.alpha_us=5",
    "messages.gpu.off_node.segments.0.alpha_us=9",
    "copies.rows.1.alpha_us=40",
    "gpu.kernel_launch_us=9",
};
enum { NCOSTS = sizeof costs / sizeof costs[0] };

static struct request request_of(const char *words, const char *partition)
{
    struct request r;

    request_init(&r);
    r.work.words = words;
    r.work.nodes = 3;
    r.work.partition = partition;
    return r;
}

/* All ways of a job, and of the same on `m`. */
static void compare(const struct job *job, const struct machine *m,
                    const struct request *r)
{
    struct node_ways *ways = node_ways_new(m);
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
        int result = job_time(&time_s, &again, &again.choices[i], ways, &err);
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
    node_ways_free(ways);
}

static void check_words(const char *words, const char *partition)
{
    struct request r = request_of(words, partition);
    struct machine first, other;
    struct job_plans kept;
    struct job job;
    struct err err = {0};

    CHECK(platform_load(&first, "lassen", NULL, 0, &err) == 0);
    CHECK(job_load_on(&job, &first, &r, &err) == 0);
    job_keep_plans(&kept, &job);
    compare(&job, &first, &r);
    for (size_t i = 0; i < NCOSTS; i++) {
        CHECK(platform_load(&other, "lassen", &costs[i], 1, &err) == 0);
        compare(&job, &other, &r);
        machine_clear(&other);
    }
    CHECK(platform_load(&other, "lassen", costs, NCOSTS, &err) == 0);
    compare(&job, &other, &r);
    machine_clear(&other);
    job_plans_clear(&kept);
    job_clear(&job);
    machine_clear(&first);
}

/* One refused machine: the key that differs is named. */
static void check_refused(const char *set, const char *key)
{
    struct request r = request_of("stencil:5pt:64x64", NULL);
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
    check_words("spmv:workloads/data/cvxbqp1.mtx.gz", "contiguous");
    check_words("stencil:27pt:16x16x16", "boxes");
    check_words("alltoall:bytes=1M", NULL);
    check_words("allreduce:bytes=1M", NULL);
    check_words("allgather:bytes=64k,memory=host", NULL);
    check_words(
        "random:ranks=64,messages=20,rounds=4,bytes=1000..100000,seed=1", NULL);
    check_refused("network.nodes=500", "network.nodes");
    check_refused("node.devices.0.cores=10", "node.devices");
    check_refused("gpus_used=2", "gpus_used");
    check_refused("messages.cpu.off_node.segments.0.up_to_bytes=64",
                  "messages");
    check_refused("gpudirect=false", "messages");
    check_refused("copies.mps=false", "copies");
    return check_result();
}

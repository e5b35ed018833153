/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms whose messages a machine lacks are left out if none is named, and
 * are an error if they are. */
#include "study/run/run.h"
#include "tests/check.h"

#include <string.h>

static struct request asked(const char *algorithm)
{
    struct request r;

    request_init(&r);
    r.platform = "helios"; /* its MPI has no messages between GPUs */
    r.work.words = "allreduce:bytes=1M,memory=device,per_gpu=4";
    r.work.gpus = 1;
    r.algorithm = algorithm;
    return r;
}

static void without_a_name(void)
{
    const struct run_options options = {0};
    struct request r = asked(NULL);
    struct outcome *list = NULL;
    struct err err = {0};
    struct job j;
    size_t n = 0, left_out = 0;

    CHECK(job_load(&j, &r, &err) == 0);
    CHECK(job_run(&list, &n, &j, &options, &err) == 0);
    for (size_t i = 0; i < n; i++) {
        left_out += list[i].why != NULL;
        if (!strcmp(list[i].name, "ring") && list[i].why)
            CHECK_HAS(list[i].why->text, "helios has no gpu_no_gdr messages");
    }
    CHECK(left_out > 0 && left_out < n);
    CHECK(n && !list[0].why && list[0].time_s > 0);
    outcomes_free(list, n);
    job_clear(&j);
}

static void by_name(void)
{
    const struct run_options options = {0};
    struct request r = asked("ring");
    struct outcome *list = NULL;
    struct err err = {0};
    struct job j;
    size_t n = 0;

    CHECK(job_load(&j, &r, &err) == 0);
    CHECK(job_run(&list, &n, &j, &options, &err) < 0);
    CHECK_HAS(err.text, "helios has no gpu_no_gdr messages");
    CHECK_EQ(n, 0);
    job_clear(&j);
}

int main(void)
{
    without_a_name();
    by_name();
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of collectives by the algorithm that NCCL chooses among those that its
 * variables leave: a name is no prefix of another; and the errors if they leave
 * none, and if the choice fails. */
#include "validate/measure/library_call.h"

#include "platforms/platform.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"

/* Runs an allreduce on a node of 4 GPUs of Alps with a variable set. */
static int call(struct library_call *r, const char *set, uint64_t bytes,
                struct err *err)
{
    static const struct collective_algorithm asked = {.kind =
                                                          COLLECTIVE_ALLREDUCE};
    const struct experiment x = {.collective = &asked,
                                 .nodes = 1,
                                 .ranks_per_node = 4,
                                 .ranks = 4,
                                 .bytes = bytes,
                                 .gpu = true};
    struct machine m;

    if (platform_load(&m, "alps", &set, 1, err) < 0)
        return -1;
    int result = library_call_run(r, &m, &x, NULL, err);
    machine_clear(&m);
    return result;
}

static void check_choice(const char *set, const char *end)
{
    struct library_call r;
    struct err err = {0};

    int result = call(&r, set, 64 << 20, &err);

    CHECK(result == 0);
    if (result < 0)
        return;
    size_t n = strlen(r.algorithm), most = strlen(end);
    CHECK(n >= most && !strcmp(r.algorithm + n - most, end));
    CHECK(r.time_s > 0);
}

int main(void)
{
    struct library_call r;
    struct err err = {0};

    check_choice("nccl.settings.NCCL_PROTO=\"LL\"", "/ll");
    check_choice("nccl.settings.NCCL_PROTO=\"LL128\"", "/ll128");
    check_choice("nccl.settings.NCCL_ALGO=\"Ring\"", "nccl_ring/simple");
    CHECK(call(&r, "nccl.settings.NCCL_ALGO=\"CollnetChain\"", 1024, &err) < 0);
    CHECK_HAS(err.text, "has no allreduce on alps");
    CHECK(call(&r, "nccl.settings.NCCL_ALGO=\"Ring\"", 1022, &err) < 0);
    CHECK_HAS(err.text, "1022 bytes are no whole elements of 4 B");
    return check_result();
}

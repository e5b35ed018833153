/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of collectives by the fastest algorithm of a word: the errors if no
 * algorithm has it, and if each that has it fails. */
#include "validate/measure/library_call.h"

#include "platforms/platform.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"

/* Returns the result of an allreduce on a node of 4 GPUs. */
static int call(const struct machine *m, const char *only, uint64_t bytes,
                struct err *err)
{
    static const struct collective_algorithm asked = {.kind =
                                                          COLLECTIVE_ALLREDUCE};
    const struct experiment x = {.collective = &asked,
                                 .nodes = 1,
                                 .ranks_per_node = 4,
                                 .ranks = 4,
                                 .bytes = bytes,
                                 .gpu = true,
                                 .only = only};
    struct library_call r;
    int result = library_call_run(&r, m, &x, NULL, err);

    if (result == 0)
        CHECK(strstr(r.algorithm, only) && r.time_s > 0);
    return result;
}

int main(void)
{
    struct machine alps, lassen;
    struct err err = {0};

    if (platform_load(&alps, "alps", NULL, 0, &err) < 0 ||
        platform_load(&lassen, "lassen", NULL, 0, &err) < 0)
        return err_print(&err);
    CHECK(call(&alps, "ring", 1024, &err) == 0);
    CHECK(call(&alps, "no_such", 1024, &err) < 0);
    CHECK_HAS(err.text, "has no allreduce with no_such on alps");
    CHECK(call(&alps, "ring", 1022, &err) < 0);
    CHECK_HAS(err.text, "1022 bytes are no whole elements of 4 B");
    CHECK(call(&lassen, "ring", 1024, &err) < 0);
    CHECK_HAS(err.text, "has no allreduce with ring on lassen");
    machine_clear(&alps);
    machine_clear(&lassen);
    return check_result();
}

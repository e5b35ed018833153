/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two states of a simulation are equal if each of their numbers is. */
#include "sim/network/snapshot.h"
#include "tests/check.h"

static void fill(struct snapshot *s, uint64_t word, double time_s, double value)
{
    snapshot_empty(s);
    snapshot_word(s, 7);
    snapshot_word(s, word);
    snapshot_time(s, 1e-6);
    snapshot_time(s, time_s);
    snapshot_value(s, 100);
    snapshot_value(s, value);
}

int main(void)
{
    struct snapshot a = {0}, b = {0};

    CHECK(snapshot_equal(&a, &b, 0, 0));
    fill(&a, 3, 2e-6, 50);
    fill(&b, 3, 2e-6, 50);
    CHECK(snapshot_equal(&a, &b, 0, 0));
    fill(&b, 4, 2e-6, 50);
    CHECK(!snapshot_equal(&a, &b, 1, 1));
    fill(&b, 3, 2.5e-6, 50);
    CHECK(!snapshot_equal(&a, &b, 0.4e-6, 0));
    CHECK(snapshot_equal(&a, &b, 0.6e-6, 0));
    fill(&b, 3, 2e-6, 51);
    CHECK(!snapshot_equal(&a, &b, 0, 0.01));
    CHECK(snapshot_equal(&a, &b, 0, 0.02));
    snapshot_value(&b, 1);
    CHECK(!snapshot_equal(&a, &b, 1, 1));
    snapshot_clear(&a);
    snapshot_clear(&b);
    return check_result();
}

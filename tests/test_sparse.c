/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by index, few of them written, compared with a plain array. */
#include "apps/agents/sparse.h"
#include "base/random.h"
#include "tests/check.h"

#include <stdint.h>

enum { N = 1 << 16, NONE = 7 };

static void nothing_written(void)
{
    struct sparse s = {.none = NONE};

    CHECK(sparse_get(&s, 0) == NONE);
    CHECK(sparse_get(&s, UINT32_MAX - 1) == NONE);
    CHECK(!s.slots);
    sparse_clear(&s);
    CHECK(s.none == NONE);
}

/* Writes at most `most` indices, a step apart: blocks, strides and large
 * ones. */
static void random_writes(uint32_t first, uint32_t step, uint32_t most)
{
    static uint32_t want[N];
    struct sparse s = {.none = NONE};
    uint64_t state = first + step;
    uint32_t written = 0;

    for (uint32_t i = 0; i < N; i++)
        want[i] = NONE;
    for (uint32_t k = 0; k < 3 * most; k++) {
        uint32_t i = (uint32_t)(next_random(&state) % most);
        uint32_t value = (uint32_t)next_random(&state) | 8;
        CHECK(sparse_get(&s, first + step * i) == want[i]);
        CHECK(*sparse_at(&s, first + step * i) == want[i]);
        *sparse_at(&s, first + step * i) = value;
        written += want[i] == NONE;
        want[i] = value;
    }
    for (uint32_t i = 0; i < most; i++)
        CHECK(sparse_get(&s, first + step * i) == want[i]);
    CHECK(s.n == written && written > most / 2);
    /* Memory is in proportion to the writes: at most three times as many
     * slots. */
    CHECK(s.bits <= 3 || (uint64_t)1 << s.bits <= 3 * (uint64_t)s.n);
    sparse_clear(&s);
}

int main(void)
{
    nothing_written();
    random_writes(0, 1, 5);
    random_writes(0, 1, N);
    random_writes(4000000000u, 1, 1000);
    random_writes(0, 65536, 60000);
    return check_result();
}

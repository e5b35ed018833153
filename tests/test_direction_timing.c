/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of searches that push and pull on tiny graphs and a GPU of round
 * numbers, with each kernel computed by hand in the comment above its case. */
#include "tests/timing_toys.h"

/* Makes one GPU with discrete kernels of 10 us and 1 us an edge. */
static void toy_pull(struct toy *t, uint32_t n)
{
    toy_init(t, n, 1);
    toy_discrete(t);
    t->x.control = CONTROL_CPU;
    t->x.runtime = RUNTIME_CPU_COPY;
    t->x.direction = DIRECTION_OPTIMISED;
}

static void pull_takes(struct toy *t, unsigned kernels, unsigned edges)
{
    struct traverse_result r;

    CHECK_NEAR(toy_run(t, &r), kernels * 10 + edges + 1, 1e-9);
    CHECK_EQ(r.edges, edges);
}

static void push_to_pull(void)
{
    struct toy t;

    /* 0 leads to 1, 1 to 14 leaves: the arc of 0 is not more than a 14th of the
     * 14 of vertices that are not found yet, so it is pushed, and so are the
     * next ones, because one vertex is not more than one. */
    toy_pull(&t, 16);
    toy_arc(&t, 0, 1);
    toy_fan(&t, 1, 2, 14);
    pull_takes(&t, 3, 1 + 14);
    /* A visit takes the whole GPU 2 us. */
    toy_pull(&t, 16);
    toy_visits(&t, 2);
    toy_arc(&t, 0, 1);
    toy_fan(&t, 1, 2, 14);
    CHECK_NEAR(toy_run(&t, NULL), 3 * 10 + 15 + 16 * 2 + 1, 1e-9);
    /* With 13 leaves it is more: 1 and all leaves pull, an arc each, then the
     * leaves again; when they are found no vertex is left to pull. */
    toy_pull(&t, 15);
    toy_arc(&t, 0, 1);
    toy_fan(&t, 1, 2, 13);
    pull_takes(&t, 3, 14 + 13);
    /* A frontier that does not grow is pushed, regardless of its arcs: here 13,
     * with one arc left that is not reached. */
    toy_pull(&t, 17);
    toy_arc(&t, 0, 1);
    toy_fan(&t, 1, 2, 13);
    toy_arc(&t, 15, 16);
    pull_takes(&t, 3, 1 + 13);
}

static void pull_to_push(void)
{
    struct toy t;

    /* 0 leads to 1 and 2, 1 to 3, 3 to 4; and 5, which is not reached, to 6. In
     * the first step 1, 2, 3, 4 and 6 pull, then 3, 4 and 6. Then the frontier
     * shrinks to one vertex: of 24 vertices it is a 24th, and 4 and 6 pull,
     * then 6. Of 25 it is less, and its arc is pushed. */
    for (uint32_t n = 24; n <= 25; n++) {
        toy_pull(&t, n);
        toy_fan(&t, 0, 1, 2);
        toy_arc(&t, 1, 3);
        toy_arc(&t, 3, 4);
        toy_arc(&t, 5, 6);
        pull_takes(&t, 4, n == 24 ? 5 + 3 + 2 + 1 : 5 + 3 + 1);
    }
    /* A frontier of one after one does not shrink: 1, 2 and 4 pull, then 2 and
     * 4, then 4. */
    toy_pull(&t, 100);
    toy_chain(&t, 0, 2);
    toy_arc(&t, 3, 4);
    pull_takes(&t, 3, 3 + 2 + 1);
}

int main(void)
{
    push_to_pull();
    pull_to_push();
    return check_result();
}

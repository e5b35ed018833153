/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bine_alltoall.c - an all-to-all in log2(n) steps by a Bine butterfly: in each
 * step a rank sends its partner the blocks for all ranks that the partner
 * reaches, which are half of all blocks. Before each step it copies the blocks
 * that it keeps and those that it sends in order, and all of them at the
 * beginning and at the end (libbine).
 */
#include "strategies/collective/butterfly.h"

#include <stdlib.h>

/* Appends to the newest message the blocks that its sender has before step s
 * for the ranks that `to` reaches; of[] lists the 2^s ranks whose blocks the
 * sender has. */
static void bine_blocks(struct collective_build *b, const struct butterfly *f,
                        uint32_t to, unsigned s, const uint32_t *of)
{
    unsigned t = f->steps - 1 - s;
    uint32_t first = f->place[to] >> t << t;

    for (uint32_t i = 0; i < UINT32_C(1) << s; i++)
        for (uint32_t k = first; k < first + (UINT32_C(1) << t); k++)
            collective_block(b, of[i], f->at[k], 1);
}

static void bine_copy(struct collective_build *b)
{
    for (uint32_t i = 0; i < b->ranks; i++)
        collective_copy(b, i, b->ranks * b->block_B);
    collective_step(b);
}

/* Plans step s. Row i of has[] (n entries) lists the ranks whose blocks rank i
 * has. */
static void bine_step(struct collective_build *b, const struct butterfly *f,
                      unsigned s, uint32_t *has)
{
    uint32_t n = f->n, half = UINT32_C(1) << s;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = butterfly_partner(f, i, s);
        collective_send_blocks(b, f->comm.phase, i, to, n / 2 * b->block_B);
        if (b->c->pieces)
            bine_blocks(b, f, to, s, &has[(size_t)i * n]);
    }
    collective_step(b);
    for (uint32_t i = 0; i < n && b->c->pieces; i++)
        for (uint32_t k = 0; k < half; k++)
            has[(size_t)i * n + half + k] =
                has[(size_t)butterfly_partner(f, i, s) * n + k];
}

static void build_alltoall(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_BINE, &world);
    uint32_t *has =
        b->c->pieces ? xcalloc((size_t)f.n * f.n, sizeof *has) : NULL;
    for (uint32_t i = 0; has && i < f.n; i++)
        has[(size_t)i * f.n] = i;
    bine_copy(b);
    for (unsigned s = 0; s < f.steps; s++) {
        bine_copy(b);
        bine_step(b, &f, s, has);
    }
    bine_copy(b);
    free(has);
    butterfly_clear(&f);
}

const struct collective_algorithm bine_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "bine",
    .summary = "half of the blocks go on to each of log2 Bine partners",
    .refuses = refuses_not_power_of_two,
    .phases = {{.build = build_alltoall}},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* toys.h - machines and halos for tests, made in code: small enough to check by
 * hand, or random from a seed. */
#ifndef TESTS_TOYS_H
#define TESTS_TOYS_H

#include "platforms/machine.h"
#include "base/random.h"
#include "workloads/halo.h"

#include <stdlib.h>

enum { TOY_EAGER_B = 64 }; /* the machine's largest eager message */

static inline void toy_segments(struct message_table *t, double alpha_s)
{
    t->nsegments = 2;
    t->segments = xcalloc(2, sizeof *t->segments);
    t->segments[0] = (struct segment){.protocol = PROTOCOL_EAGER,
                                      .up_to_B = TOY_EAGER_B,
                                      .alpha_s = alpha_s,
                                      .beta_s_per_B = 2e-10,
                                      .nic = NIC_OF_SOCKET};
    t->segments[1] = (struct segment){.protocol = PROTOCOL_RENDEZVOUS,
                                      .up_to_B = UINT64_MAX,
                                      .alpha_s = 3 * alpha_s,
                                      .beta_s_per_B = 1e-10,
                                      .nic = NIC_OF_SOCKET};
}

/* Makes a machine with two sockets of `cores` cores each, and the first half of
 * the GPUs on the first. */
static inline struct machine toy_machine(unsigned nodes, unsigned ngpus,
                                         unsigned cores)
{
    struct machine m = {.name = xstrdup("toy"),
                        .gpudirect = true,
                        .nsockets = 2,
                        .ngpus = ngpus,
                        .ncores = 2 * cores};
    unsigned on_first = (ngpus + 1) / 2;

    m.network.nodes = nodes;
    m.devices = xcalloc(2 + ngpus, sizeof *m.devices);
    for (unsigned s = 0; s < 2; s++)
        m.devices[m.ndevices++] = (struct device){.id = xasprintf("cpu%u", s),
                                                  .kind = DEVICE_SOCKET,
                                                  .index = s,
                                                  .socket = s,
                                                  .cores = cores};
    for (unsigned g = 0; g < ngpus; g++)
        m.devices[m.ndevices++] =
            (struct device){.id = xasprintf("gpu%u", g),
                            .kind = DEVICE_GPU,
                            .index = g,
                            .socket = g < on_first ? 0 : 1};
    for (int path = 0; path < NPATHS; path++)
        for (int where = 0; where < NLOCALITIES; where++)
            toy_segments(&m.messages[RUNTIME_MPI][path][where],
                         1e-6 * (1 + path + where));

    m.copies.nrows = 2;
    m.copies.rows = xcalloc(2, sizeof *m.copies.rows);
    for (int dir = H2D; dir <= D2H; dir++)
        m.copies.rows[dir] = (struct copy_cost){.dir = (enum copy_dir)dir,
                                                .locality = ON_SOCKET,
                                                .processes = 1,
                                                .up_to_B = UINT64_MAX,
                                                .alpha_s = 1e-5,
                                                .beta_s_per_B = 2e-11};
    return m;
}

static inline uint32_t toy_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(next_random(state) % n);
}

static inline void toy_class(struct halo *h, uint32_t src, uint32_t dst_node,
                             gpu_set dst_mask, uint64_t count)
{
    h->classes = xrealloc(h->classes, h->nclasses + 1, sizeof *h->classes);
    h->classes[h->nclasses++] =
        (struct halo_class){src, dst_node, dst_mask, 0, count};
}

/* Returns the bits of the GPUs of a node that may need values of src. */
static inline uint32_t toy_mask(const struct halo *h, uint32_t src,
                                uint32_t node)
{
    uint32_t first = node * h->gpus_per_node, mask = 0;

    for (uint32_t i = 0; i < h->gpus_per_node; i++)
        if (first + i < h->ngpus && first + i != src)
            mask |= 1u << i;
    return mask;
}

/* Makes a halo that is sparse or dense, with empty and one-sided pairs, and
 * small and large classes. */
static inline struct halo toy_halo(uint32_t ngpus, uint32_t gpus_per_node,
                                   uint64_t seed)
{
    struct halo h = {.ngpus = ngpus,
                     .gpus_per_node = gpus_per_node,
                     .value_bytes = seed % 3 ? 8 : 4};
    uint32_t density = 1 + toy_below(&seed, 8);

    for (uint32_t src = 0; src < ngpus; src++)
        for (uint32_t node = 0; node < halo_nodes(&h); node++) {
            uint32_t can = toy_mask(&h, src, node);
            for (uint32_t mask = 1; mask <= can; mask++)
                if (!(mask & ~can) && toy_below(&seed, 4 + can) < density)
                    toy_class(&h, src, node, mask,
                              1 + toy_below(&seed, 1u << toy_below(&seed, 6)));
        }
    return h;
}

/* Frees the classes of toy_class(). */
static inline void toy_halo_clear(struct halo *h)
{
    free(h->classes);
    h->classes = NULL;
    h->nclasses = 0;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_machine.h - the tiny machine with all of its numbers drawn at
 * random. */
#ifndef TESTS_RANDOM_MACHINE_H
#define TESTS_RANDOM_MACHINE_H

#include "base/random.h"
#include "tests/tiny_machine.h"

#include <assert.h>

static uint64_t state; /* the seed */

static inline unsigned below(unsigned n)
{
    assert(n > 0);
    return (unsigned)(next_random(&state) % n);
}

/* Draws a topology for 64 nodes, with few nodes per switch. */
static inline void random_network(struct network *n)
{
    n->topology = (enum topology)below(NTOPOLOGIES);
    n->hop_s = below(3) ? 0 : 1e-8 * (1 + below(30));
    for (int l = 0; l < 4; l++) {
        n->down[l] = 2;
        n->up[l] = n->parallel[l] = 1;
    }
    switch (n->topology) {
    case TOPOLOGY_TORUS:
        n->levels = 3;
        n->down[0] = n->down[1] = n->down[2] = 4;
        break;
    case TOPOLOGY_DRAGONFLY:
        n->levels = 4;
        n->down[0] = below(2) ? 4 : 16;
        n->down[3] = n->down[0] == 4 ? 4 : 1;
        n->group_wires = n->down[0] == 16 ? 1 + below(3) : 0;
        break;
    case TOPOLOGY_DRAGONFLY_PLUS:
        n->levels = 3;
        n->down[0] = 16;
        n->up[1] = 1 + below(3);
        n->parallel[1] = 1 + below(2);
        n->group_wires = 1 + below(3);
        break;
    default:
        n->levels = 2;
        n->down[0] = 4;
        n->down[1] = 32;
        n->up[1] = 2;
    }
    if (n->topology == TOPOLOGY_RAILS) {
        n->rails = 1 + below(2);
        n->joined = below(2);
    }
    if (n->group_wires)
        n->routing = below(2) ? ROUTING_MINIMAL : ROUTING_VALIANT;
}

/* Makes a machine with random wires, caps, shares, gaps, and topology. */
static inline void random_machine(struct machine *m)
{
    tiny_machine(m, 4);
    for (size_t w = 0; w < m->nwires; w++)
        m->wires[w].bandwidth_Bps = (1 + below(40)) * 1e9;
    m->network.bandwidth_Bps = (1 + below(40)) * 1e9;
    m->network.process_Bps = below(2) ? 0 : (1 + below(20)) * 1e9;
    m->devices[0].memory_Bps = below(2) ? 0 : (5 + below(60)) * 1e9;
    m->devices[6].message_gap_s = below(3) ? 0 : 1e-7;
    m->devices[7].messages_at_once = below(3) ? 0 : 1 + below(4);
    random_network(&m->network);
    for (size_t i = 0; i < m->nwires; i++)
        m->wires[i].half_duplex = below(4) == 0;
    m->network.gpu_Bps = below(3) ? 0 : 1e9 * (1 + below(20));
    for (int path = 0; path < NPATHS; path++)
        for (int where = 0; where < NLOCALITIES; where++) {
            struct segment *s =
                &m->messages[RUNTIME_MPI][path][where].segments[0];
            s->alpha_s = (1 + below(100)) * 1e-8;
            s->beta_s_per_B = below(5) * 1e-10;
            s->send_s = s->alpha_s * below(80007) / 1e5;
            s->recv_s = s->alpha_s * below(80007) / 1e5;
            s->protocol = (enum protocol)below(NPROTOCOLS);
            s->buffer_free = (enum buffer_free)below(NBUFFER_FREE);
            s->ack_s = 1e-8 * below(50);
            if (s->protocol == PROTOCOL_RENDEZVOUS)
                s->rendezvous = below(5) == 4 ? RENDEZVOUS_GET : RENDEZVOUS_PUT;
            s->mover = below(4) ? MOVED_BY_WIRE : MOVED_BY_RECEIVER;
            s->nic = below(3) ? NIC_OF_SOCKET : (int)below(2);
        }
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for flows, each as wide as the longest route needs. */
#include "sim/network/fluid_net.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, FEWEST_FLOWS = 64 };

static size_t flow_bytes(unsigned bits)
{
    return sizeof(uint32_t) << bits;
}

/* Allocates room for flows of 2^bits words, and keeps those that exist. */
static void flows_resize(struct fluid *net, uint32_t room, unsigned bits)
{
    size_t bytes = flow_bytes(bits);
    void *raw = xmalloc(room * bytes + CACHE_LINE);
    uintptr_t at = ((uintptr_t)raw + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    uint32_t *flows = (uint32_t *)at;

    for (uint32_t f = 0; f < net->nflows; f++)
        memcpy(&flows[(size_t)f << bits], fluid_flow(net, f),
               flow_bytes(net->flow_bits));
    free(net->flows_raw);
    net->flows_raw = raw;
    net->flows = flows;
    net->flow_bits = bits;
}

/* Allocates room for slots in the same way, and renumbers the slots by which
 * links know their flows. */
static void slots_resize(struct fluid *net, uint32_t room, unsigned bits)
{
    unsigned more = bits - net->at_bits;

    assert((uint64_t)room << bits <= UINT32_MAX);
    net->at = xrealloc(net->at, (size_t)room << bits, sizeof *net->at);
    if (!more)
        return;
    for (uint32_t f = net->nflows; f-- > 0;)
        memmove(&net->at[(size_t)f << bits], fluid_slots(net, f),
                sizeof *net->at << net->at_bits);
    uint32_t k_of = (1u << net->at_bits) - 1;
    for (uint32_t n = 0; n < net->nnodes; n++)
        for (uint32_t i = 0; i < net->nodes[n].nothers; i++) {
            uint32_t *slot = &net->nodes[n].others[i].slot;
            *slot = (*slot & ~k_of) << more | (*slot & k_of);
        }
    net->at_bits = bits;
}

/* Returns the exponent of the least power of two, from 2^bits on, that is at
 * least n. */
static unsigned bits_for(size_t n, unsigned bits)
{
    while (n > (size_t)1 << bits)
        bits++;
    return bits;
}

uint32_t fluid_flow_room(struct fluid *net, size_t nlinks)
{
    unsigned bits = bits_for(nlinks + FLOW_WORDS, net->flow_bits);
    unsigned at_bits = bits_for(nlinks, net->at_bits);
    uint32_t room = net->flows_room, f = net->free_flow;

    if (f == NOBODY && net->nflows == room)
        room = room ? room + room / 2 : FEWEST_FLOWS;
    if (bits != net->flow_bits || room != net->flows_room)
        flows_resize(net, room, bits);
    if (at_bits != net->at_bits || room != net->flows_room)
        slots_resize(net, room, at_bits);
    if (room != net->flows_room)
        net->start = xrealloc(net->start, room, sizeof *net->start);
    net->flows_room = room;
    if (f == NOBODY)
        return net->nflows++;
    net->free_flow = fluid_flow(net, f)->place;
    return f;
}

void fluid_flows_free(struct fluid *net)
{
    free(net->flows_raw);
    free(net->at);
    free(net->start);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the wires that join the GPUs of a node. */
#include "strategies/collective/nccl_wires.h"

#include "platforms/nccl_settings.h"

unsigned nccl_far_end(const struct wire *w, unsigned device)
{
    return w->ends[0] == device   ? w->ends[1]
           : w->ends[1] == device ? w->ends[0]
                                  : NO_GPU;
}

/* Returns whether a wire joins the GPU to another GPU or a switch of GPUs. */
static bool has_links(const struct machine *m, unsigned gpu)
{
    for (size_t i = 0; i < m->nwires; i++) {
        unsigned to = nccl_far_end(&m->wires[i], gpu);
        if (to != NO_GPU && m->devices[to].kind != DEVICE_NIC &&
            !machine_is_pcie(m, to))
            return true;
    }
    return false;
}

/* Returns the socket to which the GPU's wire is faster than the socket's wires
 * to others, because both are one APU; or NO_GPU. */
static unsigned apu_of(const struct machine *m, unsigned gpu)
{
    double to_gpu = 0, to_sockets = 0;
    unsigned socket = NO_GPU;

    for (size_t i = 0; i < m->nwires; i++) {
        unsigned to = nccl_far_end(&m->wires[i], gpu);
        if (to != NO_GPU && m->devices[to].kind == DEVICE_SOCKET) {
            socket = to;
            to_gpu = m->wires[i].bandwidth_Bps;
        }
    }
    for (size_t i = 0; i < m->nwires && socket != NO_GPU; i++) {
        unsigned to = nccl_far_end(&m->wires[i], socket);
        if (to != NO_GPU && m->devices[to].kind == DEVICE_SOCKET)
            to_sockets += m->wires[i].bandwidth_Bps;
    }
    return to_sockets < to_gpu ? socket : NO_GPU;
}

unsigned nccl_port(const struct machine *m, unsigned gpu)
{
    unsigned device = (unsigned)(machine_gpu(m, gpu) - m->devices);
    unsigned apu = NO_GPU;

    if (nccl_is_rccl(nccl_generation_of(m)) && !has_links(m, device))
        apu = apu_of(m, device);
    return apu == NO_GPU ? device : apu;
}

bool nccl_joined(const struct machine *m, unsigned a, unsigned b)
{
    unsigned from = nccl_port(m, a), to = nccl_port(m, b);

    for (size_t i = 0; i < m->nwires; i++)
        if (nccl_far_end(&m->wires[i], from) == to)
            return true;
    return false;
}

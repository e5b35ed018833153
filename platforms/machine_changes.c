/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of a machine's links by settings and faults. */
#include "platforms/nccl_settings.h"

void machine_scale_network(struct machine *m, double factor)
{
    m->network.bandwidth_Bps *= factor;
    for (size_t i = 0; i < m->nwires; i++)
        for (int end = 0; end < 2; end++)
            if (m->devices[m->wires[i].ends[end]].kind == DEVICE_NIC)
                m->wires[i].bandwidth_Bps *= factor;
}

static bool is_gpu(const struct machine *m, unsigned device)
{
    return m->devices[device].kind == DEVICE_GPU;
}

bool machine_is_pcie(const struct machine *m, unsigned device)
{
    if (m->devices[device].kind != DEVICE_SWITCH)
        return m->devices[device].kind == DEVICE_SOCKET;
    for (size_t i = 0; i < m->nwires; i++)
        for (int end = 0; end < 2; end++)
            if (m->wires[i].ends[end] == device &&
                m->devices[m->wires[i].ends[!end]].kind == DEVICE_SOCKET)
                return true;
    return false;
}

bool machine_is_gpu_link(const struct machine *m, const struct wire *w)
{
    bool gpu = is_gpu(m, w->ends[0]) || is_gpu(m, w->ends[1]);

    for (int i = 0; i < 2; i++) {
        unsigned end = w->ends[i];
        if (machine_is_pcie(m, end) || m->devices[end].kind == DEVICE_NIC)
            return false;
    }
    return gpu;
}

bool machine_scale_gpu_links(struct machine *m, double factor)
{
    bool any = false;

    for (size_t i = 0; i < m->nwires; i++)
        if (machine_is_gpu_link(m, &m->wires[i])) {
            m->wires[i].bandwidth_Bps *= factor;
            any = true;
        }
    return any;
}

/* Returns the rate of the wire from the first GPU to PCIe; 0 if it has none. */
static double pcie_rate(const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        for (int end = 0; end < 2; end++)
            if (is_gpu(m, w->ends[end]) && machine_is_pcie(m, w->ends[!end]))
                return w->bandwidth_Bps;
    }
    return 0;
}

/* Returns the sum of the links of the first GPU. */
static double links_rate(const struct machine *m)
{
    unsigned gpu = (unsigned)(machine_gpu(m, 0) - m->devices);
    double rate = 0;

    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        if ((w->ends[0] == gpu || w->ends[1] == gpu) &&
            machine_is_gpu_link(m, w))
            rate += w->bandwidth_Bps;
    }
    return rate;
}

bool machine_gpu_links_by_pcie(struct machine *m, double factor)
{
    if (!m->ngpus)
        return false;
    double links = links_rate(m), pcie = pcie_rate(m);
    return links > 0 && pcie > 0 && pcie < links &&
           machine_scale_gpu_links(m, factor * pcie / links);
}

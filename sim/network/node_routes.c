/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the links between all devices of a node, once for a machine. */
#include "sim/network/node_routes.h"

#include "base/err.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_LINK = -1 };

/* A route from one device to another: hops[first .. first + n). */
struct hops {
    uint32_t first, n;
};

struct node_routes {
    const struct machine *m;
    unsigned nendpoints, nlinks;
    unsigned process; /* the first of the processes' links */
    int gpus;         /* the limit of the GPUs' route to the NICs, or NO_LINK */
    /* Indexed by device, or NO_LINK: a socket's link for reads, after which
     * that for writes follows; a GPU's link for copies inside it. */
    int *memory;
    unsigned *device;      /* indexed by endpoint */
    unsigned *nearest_nic; /* indexed by endpoint */
    unsigned *nic;         /* device of each NIC */
    struct hops *routes;   /* indexed by from device * ndevices + to device */
    unsigned *hops;        /* links of `routes` */
    size_t nhops;
    /* Routes in leg_hops: for each endpoint out and in, each for NIC_OF_SOCKET
     * and then for each NIC (leg_of()). */
    struct hops *legs;
    unsigned *leg_hops;
};

static unsigned device_of(const struct machine *m, const struct device *d)
{
    return (unsigned)(d - m->devices);
}

static void find_hops(struct node_routes *w)
{
    const struct machine *m = w->m;
    size_t room = 0;

    w->routes = xcalloc(m->ndevices * m->ndevices, sizeof *w->routes);
    for (unsigned a = 0; a < m->ndevices; a++)
        for (unsigned b = 0; b < m->ndevices; b++) {
            unsigned hops[16];
            bool reversed[16];
            int n = a == b ? 0 : machine_route(m, a, b, hops, reversed);
            struct hops *route = &w->routes[a * m->ndevices + b];
            route->first = (uint32_t)w->nhops;
            route->n = n > 0 ? (uint32_t)n : 0;
            if (w->nhops + 16 > room) {
                room = 2 * room + 256;
                w->hops = xrealloc(w->hops, room, sizeof *w->hops);
            }
            for (int i = 0; i < n; i++)
                w->hops[w->nhops++] =
                    2 * hops[i] +
                    (reversed[i] && !m->wires[hops[i]].half_duplex);
        }
}

static void find_devices(struct node_routes *w)
{
    const struct machine *m = w->m;
    unsigned *device = w->device = xcalloc(w->nendpoints, sizeof *device);

    for (unsigned s = 0; s < m->nsockets; s++) {
        const struct device *socket = machine_socket(m, s);
        for (unsigned c = 0; c < socket->cores; c++)
            *device++ = device_of(m, socket);
    }
    for (unsigned g = 0; g < m->ngpus; g++)
        *device++ = device_of(m, machine_gpu(m, g));
    w->nic = xcalloc(m->nnics, sizeof *w->nic);
    for (unsigned n = 0; n < m->nnics; n++)
        w->nic[n] = device_of(m, machine_nic(m, n));
    w->nearest_nic = xcalloc(w->nendpoints, sizeof *w->nearest_nic);
    machine_nearest_nics(m, w->nearest_nic);
}

static size_t leg_of(const struct node_routes *w, unsigned endpoint,
                     bool enters, int nic)
{
    size_t nics = (size_t)w->m->nnics + 1;

    return (2 * (size_t)endpoint + enters) * nics + (size_t)(nic + 1);
}

/* Finds the routes between endpoints and the network; a node without NICs has
 * none. */
static void find_legs(struct node_routes *w)
{
    size_t nics = w->m->nnics ? (size_t)w->m->nnics + 1 : 0;
    size_t nlegs = 2 * w->nendpoints * nics, n = 0, room = 0;

    w->legs = xcalloc(nlegs, sizeof *w->legs);
    for (size_t leg = 0; leg < nlegs; leg++) {
        unsigned endpoint = (unsigned)(leg / nics / 2);
        bool enters = leg / nics % 2;
        if (n + NODE_MAX_ROUTE > room) {
            room = 2 * room + 256;
            w->leg_hops = xrealloc(w->leg_hops, room, sizeof *w->leg_hops);
        }
        size_t found = node_routes_find(w, enters ? NODE_NETWORK : endpoint,
                                        enters ? endpoint : NODE_NETWORK,
                                        (int)(leg % nics) - 1, &w->leg_hops[n]);
        w->legs[leg] = (struct hops){(uint32_t)n, (uint32_t)found};
        n += found;
    }
}

static struct node_leg leg(const struct node_routes *w, unsigned endpoint,
                           bool enters, int nic)
{
    struct hops h = w->legs[leg_of(w, endpoint, enters, nic)];

    return (struct node_leg){&w->leg_hops[h.first], h.n};
}

struct node_leg node_routes_leave(const struct node_routes *w, unsigned from,
                                  int nic)
{
    return leg(w, from, false, nic);
}

struct node_leg node_routes_enter(const struct node_routes *w, unsigned to,
                                  int nic)
{
    return leg(w, to, true, nic);
}

struct node_routes *node_routes_new(const struct machine *m)
{
    struct node_routes *w = xcalloc(1, sizeof *w);

    w->m = m;
    w->nendpoints = m->ncores + m->ngpus;
    w->nlinks = 2 * (unsigned)m->nwires;
    w->memory = xcalloc(m->ndevices, sizeof *w->memory);
    for (unsigned d = 0; d < m->ndevices; d++) {
        bool limited = m->devices[d].memory_Bps > 0;
        w->memory[d] = limited ? (int)w->nlinks : NO_LINK;
        w->nlinks += !limited ? 0 : m->devices[d].kind == DEVICE_SOCKET ? 2 : 1;
    }
    w->process = w->nlinks;
    if (m->network.process_Bps > 0)
        w->nlinks += 2 * w->nendpoints;
    w->gpus = m->network.gpu_Bps > 0 ? (int)w->nlinks++ : NO_LINK;
    find_devices(w);
    find_hops(w);
    find_legs(w);
    return w;
}

void node_routes_free(struct node_routes *w)
{
    if (!w)
        return;
    free(w->memory);
    free(w->device);
    free(w->nearest_nic);
    free(w->nic);
    free(w->routes);
    free(w->hops);
    free(w->legs);
    free(w->leg_hops);
    free(w);
}

const struct machine *node_routes_machine(const struct node_routes *w)
{
    return w->m;
}

unsigned node_routes_endpoints(const struct node_routes *w)
{
    return w->nendpoints;
}

unsigned node_routes_links(const struct node_routes *w)
{
    return w->nlinks;
}

/* Returns the device whose memory a link represents. */
static const struct device *memory_of(const struct node_routes *w,
                                      unsigned link)
{
    unsigned d = (unsigned)w->m->ndevices - 1;

    while (w->memory[d] == NO_LINK || link < (unsigned)w->memory[d])
        d--;
    return &w->m->devices[d];
}

/* Returns the bandwidth of the link; a GPU's is halved, because a copy inside a
 * GPU reads and writes each byte there. */
static double memory_Bps(const struct device *d)
{
    return d->kind == DEVICE_SOCKET ? d->memory_Bps : d->memory_Bps / 2;
}

double node_routes_bandwidth(const struct node_routes *w, unsigned link)
{
    assert(link < w->nlinks);
    if (link < 2 * w->m->nwires)
        return w->m->wires[link / 2].bandwidth_Bps;
    if (link < w->process)
        return memory_Bps(memory_of(w, link));
    return (int)link == w->gpus ? w->m->network.gpu_Bps
                                : w->m->network.process_Bps;
}

void node_routes_name(const struct node_routes *w, unsigned link, char *name,
                      size_t room)
{
    const struct machine *m = w->m;

    if (link < 2 * m->nwires) {
        const unsigned *ends = m->wires[link / 2].ends;
        snprintf(name, room, "%s>%s", m->devices[ends[link % 2]].id,
                 m->devices[ends[1 - link % 2]].id);
    } else if (link < w->process) {
        const struct device *d = memory_of(w, link);
        bool read = link == (unsigned)w->memory[device_of(m, d)];
        snprintf(name, room, "%s.memory%s", d->id,
                 d->kind == DEVICE_GPU ? ""
                 : read                ? ".read"
                                       : ".write");
    } else if ((int)link == w->gpus) {
        snprintf(name, room, "gpus.network");
    } else {
        unsigned endpoint = (link - w->process) / 2;
        const char *dir = (link - w->process) % 2 ? "in" : "out";
        if (endpoint < m->ncores)
            snprintf(name, room, "core%u.%s", endpoint, dir);
        else
            snprintf(name, room, "%s.%s", m->devices[w->device[endpoint]].id,
                     dir);
    }
}

/* Returns the link of a device's memory if it is a socket with a limit, else
 * NO_LINK. */
static int memory_link(const struct node_routes *w, unsigned device, bool write)
{
    const struct device *d = &w->m->devices[device];
    int link = d->kind == DEVICE_SOCKET ? w->memory[device] : NO_LINK;

    return link == NO_LINK ? NO_LINK : link + write;
}

unsigned node_routes_nic(const struct node_routes *w, unsigned endpoint,
                         int nic)
{
    return nic == NIC_OF_SOCKET ? w->nearest_nic[endpoint] : (unsigned)nic;
}

size_t node_routes_find(const struct node_routes *w, unsigned from, unsigned to,
                        int nic, unsigned links[NODE_MAX_ROUTE])
{
    bool leaves = to == NODE_NETWORK, enters = from == NODE_NETWORK;
    bool bounded = w->m->network.process_Bps > 0;
    unsigned inside = enters ? to : from, port = 0;
    size_t n = 0;

    if (leaves || enters)
        port = w->nic[node_routes_nic(w, inside, nic)];
    unsigned a = enters ? port : w->device[from];
    unsigned b = leaves ? port : w->device[to];
    struct hops route = w->routes[a * w->m->ndevices + b];
    int read = enters || nic == BY_CACHE ? NO_LINK : memory_link(w, a, false);
    int write = leaves || nic == BY_CACHE ? NO_LINK : memory_link(w, b, true);
    if (a == b && w->m->devices[a].kind == DEVICE_GPU &&
        w->memory[a] != NO_LINK)
        links[n++] = (unsigned)w->memory[a];
    if (read != NO_LINK)
        links[n++] = (unsigned)read;
    if (leaves && bounded)
        links[n++] = w->process + 2 * from;
    for (uint32_t i = 0; i < route.n; i++)
        links[n++] = w->hops[route.first + i];
    if (enters && bounded)
        links[n++] = w->process + 2 * to + 1;
    if ((leaves || enters) && w->gpus != NO_LINK && inside >= w->m->ncores)
        links[n++] = (unsigned)w->gpus;
    if (write != NO_LINK)
        links[n++] = (unsigned)write;
    return n;
}

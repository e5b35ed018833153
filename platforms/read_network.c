/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network between the nodes, and whether it can hold them all. */
#include "platforms/topology.h"

#include <string.h>

enum { MAX_NODES = 10000000 };

static const char *const common_keys[] = {
    "topology",       "nodes",  "bandwidth_GBps", "process_GBps", "gpu_GBps",
    "nodes_per_rack", "hop_ns", "source",         "first_node",   "node_list"};

/* The keys of the topology, and no others. */
static int read_shape(struct network *net, const struct json *o,
                      struct err *err)
{
    enum { COMMON = sizeof common_keys / sizeof common_keys[0], MOST = 32 };
    const struct topology_reader *r = topology_reader(net->topology);
    const char *keys[MOST];
    size_t n = COMMON;

    memcpy(keys, common_keys, sizeof common_keys);
    for (const char *const *k = r->keys; k && *k && n < MOST; k++)
        keys[n++] = *k;
    if (json_only_keys(o, keys, n, err) < 0)
        return -1;
    return r->read ? r->read(net, o, err) : 0;
}

static int check_room(const struct network *net, struct err *err)
{
    const struct topology_reader *r = topology_reader(net->topology);

    if (!r->room || r->room(net) >= net->nodes)
        return 0;
    return fail(err, "%s: expected room for %u nodes, got %g", r->room_key,
                net->nodes, r->room(net));
}

/* Some NIC for each rail, and numbers for all ends of joined rails. */
static int check_rails(const struct machine *m, struct err *err)
{
    const struct network *net = &m->network;

    if (net->rails > m->nnics)
        return fail(err,
                    "rails: expected at most as many as a node has NICs "
                    "(%u), got %u",
                    m->nnics, net->rails);
    if ((double)net->rails * (net->nodes + (double)net->down[0]) > 0x1p31)
        return fail(err, "rails: %u times %u nodes are too many", net->rails,
                    net->nodes);
    return 0;
}

/* Reads the bandwidth of a node's link: if it is left out, that of its NICs
 * together, or with rails the part of one. */
static int read_bandwidth(struct machine *m, const struct json *o,
                          struct err *err)
{
    double sum_Bps = 0;

    if (json_member(o, "bandwidth_GBps"))
        return read_positive(o, "bandwidth_GBps", 1e9,
                             &m->network.bandwidth_Bps, err);
    for (unsigned d = 0; d < m->ndevices; d++) {
        double best_Bps = 0;
        for (size_t w = 0; w < m->nwires; w++)
            if (m->devices[d].kind == DEVICE_NIC &&
                (m->wires[w].ends[0] == d || m->wires[w].ends[1] == d) &&
                m->wires[w].bandwidth_Bps > best_Bps)
                best_Bps = m->wires[w].bandwidth_Bps;
        sum_Bps += best_Bps;
    }
    if (!(sum_Bps > 0))
        return fail(err, "bandwidth_GBps: expected a number, because no NIC "
                         "has a wire, got nothing");
    m->network.bandwidth_Bps =
        m->network.rails ? sum_Bps / m->network.rails : sum_Bps;
    return 0;
}

int read_network(struct machine *m, const struct json *o, struct err *err)
{
    struct network *net = &m->network;
    unsigned topology;

    if (read_name(o, "topology", topology_names, NTOPOLOGIES, &topology, err) <
        0)
        return -1;
    net->topology = (enum topology)topology;
    if (read_shape(net, o, err) < 0 ||
        read_unsigned(o, "nodes", 1, MAX_NODES, &net->nodes, err) < 0 ||
        read_bandwidth(m, o, err) < 0 ||
        read_optional(o, "process_GBps", 1e9, &net->process_Bps, err) < 0 ||
        read_optional(o, "gpu_GBps", 1e9, &net->gpu_Bps, err) < 0 ||
        (json_member(o, "hop_ns") &&
         read_not_negative(o, "hop_ns", 1e-9, &net->hop_s, err) < 0) ||
        source_read(&net->source, o, "source", err) < 0)
        return -1;
    if (json_member(o, "nodes_per_rack") &&
        read_unsigned(o, "nodes_per_rack", 1, MAX_NODES, &net->nodes_per_rack,
                      err) < 0)
        return -1;
    if ((json_member(o, "first_node") &&
         read_text(o, "first_node", &net->first_node, err) < 0) ||
        (json_member(o, "node_list") &&
         read_text(o, "node_list", &net->node_list, err) < 0))
        return -1;
    if (net->first_node && net->node_list)
        return fail(err, "first_node and node_list: expected one of them");
    return check_room(net, err) < 0 || check_rails(m, err) < 0 ? -1 : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the network between the nodes, and checks whether it has room for them
 * all. */
#include "platforms/keys.h"
#include "platforms/topology.h"

#include <string.h>

enum { MAX_NODES = 10000000, MAX_WIDTH = 1000000 };

/* Bits of the topologies that have a key. */
enum {
    FAT_TREE = 1u << TOPOLOGY_FAT_TREE,
    TORUS = 1u << TOPOLOGY_TORUS,
    DRAGONFLY = 1u << TOPOLOGY_DRAGONFLY,
    PLUS = 1u << TOPOLOGY_DRAGONFLY_PLUS,
    RAILS = 1u << TOPOLOGY_RAILS
};
#define AT(field) offsetof(struct network, field)
#define COUNT(key, field, of)                                                  \
    key, KEY_WHOLE, AT(field), of, of, .least = 1, .most = MAX_WIDTH
static const struct key rows[] = {
    {"topology", KEY_WORD, AT(topology), KEY_ALWAYS, .words = topology_names,
     .nwords = NTOPOLOGIES, .help = "the shape of the network"},
    {COUNT("rails", rails, RAILS),
     .help = "links of a node, each to a rail; NIC i is on rail i modulo "
             "their number"},
    {"joined", KEY_FLAG, AT(joined), .only = RAILS,
     .help = "one tree whose leaf switches have one rail of levels[0].down "
             "nodes each (rail-optimised), instead of a tree for each rail"},
    {"levels", KEY_OTHER, .needed = FAT_TREE | RAILS, .only = FAT_TREE | RAILS,
     .help = "a list of levels, as SimGrid takes "
             "them"},
    {"dimensions", KEY_OTHER, .needed = TORUS, .only = TORUS,
     .help = "a list of lengths"},
    {COUNT("groups", down[0], DRAGONFLY | PLUS), .help = "groups"},
    {COUNT("chassis", down[1], DRAGONFLY), .help = "chassis of a group"},
    {COUNT("routers", down[2], DRAGONFLY), .help = "routers of a chassis"},
    {COUNT("nodes_per_router", down[3], DRAGONFLY),
     .help = "nodes of a router"},
    {COUNT("leaves", down[1], PLUS), .help = "leaf switches of a group"},
    {COUNT("spines", up[1], PLUS), .help = "spine switches of a group"},
    {COUNT("nodes_per_leaf", down[2], PLUS), .help = "nodes of a leaf switch"},
    {COUNT("group_links", parallel[0], DRAGONFLY | PLUS),
     .help = "a wire between two groups is so many times as fast as the link "
             "of a node"},
    {COUNT("chassis_links", parallel[1], DRAGONFLY),
     .help = "the same of a wire between two chassis"},
    {COUNT("router_links", parallel[2], DRAGONFLY),
     .help = "the same of a wire between two routers"},
    {COUNT("leaf_links", parallel[1], PLUS),
     .help = "the same of a wire between a leaf and a spine switch"},
    {"group_wires", KEY_WHOLE, AT(group_wires), .only = DRAGONFLY | PLUS,
     .least = 1, .most = MAX_WIDTH,
     .help = "wires between each two groups (left out: one, of a dragonfly at "
             "SimGrid's place)"},
    {"routing", KEY_WORD, AT(routing), .only = DRAGONFLY | PLUS,
     .words = routing_names, .nwords = NROUTINGS,
     .help = "how a flow chooses its route (left out: minimal)"},
    {"nodes", KEY_WHOLE, AT(nodes), KEY_ALWAYS, .least = 1, .most = MAX_NODES,
     .help = "how many the machine has"},
    {"nodes_per_rack", KEY_WHOLE, AT(nodes_per_rack), .least = 1,
     .most = MAX_NODES,
     .help = "consecutive nodes of a rack (left out: no "
             "racks)"},
    {"bandwidth_GBps", KEY_POSITIVE, AT(bandwidth_Bps),
     .help = "the rate of a link, each way (left out: that of the node's NICs "
             "together, or of a rail's part of them)"},
    {"hop_ns", KEY_FROM_0, AT(hop_s),
     .help = "more latency for each switch between two nodes"},
    {"process_GBps", KEY_POSITIVE, AT(process_Bps),
     .help = "the rate at which one process can send into the network, and "
             "receive from it (left out: no limit)"},
    {"gpu_GBps", KEY_POSITIVE, AT(gpu_Bps),
     .help = "the rate at which the NICs of a node move data from and to GPU "
             "memory, both ways together (left out: no limit)"},
    {"reduces", KEY_FLAG, AT(reduces),
     .help = "its switches can add (SHARP), which NCCL uses by its plug-in "
             "(NCCL_COLLNET_ENABLE)"},
    {"first_node", KEY_TEXT, AT(first_node),
     .help = "the name of node 0, by which nodes are named"},
    {"node_list", KEY_TEXT, AT(node_list),
     .help = "instead, a CSV file of the names of nodes"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the numbers are from"},
};
#undef AT
const struct key_table network_keys = {
    "network", "the network between the nodes", KEY_ROWS(rows),
    KEY_ROWS(topology_names), .benchmark = "maxrate"};

bool topology_has_key(const char *topology, const char *key)
{
    const struct key *p = key_find(&network_keys, key);

    for (int t = 0; p && t < NTOPOLOGIES; t++)
        if (!strcmp(topology_names[t], topology))
            return p->only >> t & 1;
    return false;
}

bool topology_key(const char *key)
{
    const struct key *p = key_find(&network_keys, key);

    return p && p->only;
}

static int check_room(const struct network *net, struct err *err)
{
    const struct topology_reader *r = topology_reader(net->topology);

    if (!r->room || r->room(net) >= net->nodes)
        return 0;
    return fail(err, "%s: expected room for %u nodes, got %g", r->room_key,
                net->nodes, r->room(net));
}

/* Checks that there is a NIC for each rail, and that the ends of joined rails
 * can be numbered. */
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

/* Completes the bandwidth of a node's link: if it is left out, it is that of
 * its NICs together, or if there are rails the part of one. */
static int fill_bandwidth(struct machine *m, const struct json *o,
                          struct err *err)
{
    double sum_Bps = 0;

    if (json_member(o, "bandwidth_GBps"))
        return 0;
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

static int read_shape(struct network *net, const struct json *o,
                      struct err *err)
{
    const struct topology_reader *r = topology_reader(net->topology);

    return r->read ? r->read(net, o, err) : 0;
}

int read_network(struct machine *m, const struct json *o, struct err *err)
{
    struct network *net = &m->network;
    unsigned topology;

    if (read_name(o, "topology", topology_names, NTOPOLOGIES, &topology, err) <
            0 ||
        keys_read(&network_keys, net, o, 1u << topology, err) < 0 ||
        read_shape(net, o, err) < 0 || fill_bandwidth(m, o, err) < 0)
        return -1;
    if (net->first_node && net->node_list)
        return fail(err, "first_node and node_list: expected one of them");
    return check_room(net, err) < 0 || check_rails(m, err) < 0 ? -1 : 0;
}

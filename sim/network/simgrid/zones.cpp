/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a machine's network in SimGrid: nodes as zones, the topology between
 * them, and the routes. */
#include "sim/network/simgrid/zones.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>

#include <cassert>

namespace s4u = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::Route;

int node_zone::current_nic = NIC_OF_SOCKET;
s4u::Link *node_zone::current_cap = nullptr;

static std::string link_name(const struct node_ways *ways, unsigned link)
{
    char name[LINK_NAME];

    node_ways_name(ways, link, name, sizeof name);
    return name;
}

void node_zone::populate(unsigned node, bool whole,
                         std::vector<s4u::Host *> &hosts)
{
    std::string prefix = "node" + std::to_string(node) + ".";

    for (unsigned i = 0; i < (whole ? node_ways_endpoints(ways_) : 1); i++)
        hosts.push_back(
            create_host(prefix + std::to_string(i), std::vector<double>{1e9}));
    for (unsigned i = 0; whole && i < node_ways_links(ways_); i++)
        links_.push_back(
            create_link(prefix + link_name(ways_, i),
                        std::vector<double>{node_ways_bandwidth(ways_, i)}));
    gateway = create_router(prefix + "network");
    seal();
}

/* From an endpoint to another, or to or from the gateway (the network). */
void node_zone::get_local_route(const NetPoint *src, const NetPoint *dst,
                                Route *into, double *)
{
    unsigned links[NODE_MAX_WAY];

    if (src != gateway && current_cap)
        into->link_list_.push_back(current_cap->get_impl());
    if (links_.empty())
        return; /* only the ways between nodes are asked for */
    size_t n = node_ways_find(ways_, src == gateway ? NODE_NETWORK : src->id(),
                              dst == gateway ? NODE_NETWORK : dst->id(),
                              current_nic, links);
    for (size_t i = 0; i < n; i++)
        into->link_list_.push_back(links_[links[i]]->get_impl());
}

route_table::route_table(const network_of_nodes *net, unsigned nodes)
    : net_(net), nodes_(nodes), endpoints_(node_ways_endpoints(net->ways))
{
    for (unsigned n = 0; n < nodes; n++)
        for (unsigned l = 0; l < node_ways_links(net->ways); l++)
            bandwidths_.push_back(node_ways_bandwidth(net->ways, l));
}

/* What SimGrid puts between the nodes' own links. */
const std::vector<uint32_t> &route_table::way_between(unsigned a, unsigned b)
{
    uint64_t key = (uint64_t)a * nodes_ + b;
    auto found = ways_.find(key);

    if (found != ways_.end())
        return found->second;
    std::vector<s4u::Link *> all;
    std::vector<uint32_t> between;
    unsigned ends[NODE_MAX_WAY];
    double latency = 0;
    node_zone::current_nic = NIC_OF_SOCKET;
    node_zone::current_cap = nullptr;
    net_->hosts[a * endpoints_]->route_to(net_->hosts[b * endpoints_], all,
                                          &latency);
    size_t out =
        node_ways_find(net_->ways, 0, NODE_NETWORK, NIC_OF_SOCKET, ends);
    size_t in =
        node_ways_find(net_->ways, NODE_NETWORK, 0, NIC_OF_SOCKET, ends);
    for (size_t i = out; i + in < all.size(); i++) {
        auto known = number_.find(all[i]);
        if (known == number_.end()) {
            known = number_.emplace(all[i], (uint32_t)bandwidths_.size()).first;
            bandwidths_.push_back(all[i]->get_bandwidth());
            between_.push_back(all[i]);
        }
        between.push_back(known->second);
    }
    return ways_.emplace(key, between).first->second;
}

void route_table::find(uint32_t from, uint32_t to, int nic,
                       std::vector<uint32_t> &links)
{
    unsigned a = from / endpoints_, b = to / endpoints_;
    uint32_t per_node = node_ways_links(net_->ways);
    unsigned local[NODE_MAX_WAY];

    links.clear();
    size_t n =
        node_ways_find(net_->ways, from % endpoints_,
                       a == b ? to % endpoints_ : NODE_NETWORK, nic, local);
    for (size_t i = 0; i < n; i++)
        links.push_back(a * per_node + local[i]);
    if (a == b)
        return;
    const std::vector<uint32_t> &between = way_between(a, b);
    links.insert(links.end(), between.begin(), between.end());
    n = node_ways_find(net_->ways, NODE_NETWORK, to % endpoints_, nic, local);
    for (size_t i = 0; i < n; i++)
        links.push_back(b * per_node + local[i]);
}

std::string route_table::name(size_t link) const
{
    size_t per_node = node_ways_links(net_->ways);

    if (link < nodes_ * per_node)
        return "node" + std::to_string(link / per_node) + "." +
               link_name(net_->ways, (unsigned)(link % per_node));
    return between_[link - nodes_ * per_node]->get_name();
}

using leaf_maker = s4u::ClusterCallbacks::ClusterNetPointCb;

/* The smallest fat tree of this shape that has room: fewer subtrees under the
 * root, whose number of switches stays. */
static s4u::FatTreeParams fat_tree(const struct network *n, unsigned nodes)
{
    std::vector<unsigned> down(n->down, n->down + n->levels);
    std::vector<unsigned> up(n->up, n->up + n->levels);
    std::vector<unsigned> parallel(n->parallel, n->parallel + n->levels);
    unsigned below = 1;

    for (unsigned l = 0; l + 1 < n->levels; l++)
        below *= down[l];
    down.back() = (nodes + below - 1) / below;
    return s4u::FatTreeParams(n->levels, down, up, parallel);
}

static void crossbar(s4u::NetZone *root, double Bps, unsigned nodes,
                     const std::function<leaf_maker> &leaf)
{
    s4u::NetZone *star = s4u::create_star_zone("network");

    star->set_parent(root);
    for (unsigned i = 0; i < nodes; i++) {
        auto made = leaf(star, {i}, i);
        std::string name = "network.node" + std::to_string(i);
        s4u::Link *up = star->create_link(name + ".up", Bps)->seal();
        s4u::Link *down = star->create_link(name + ".down", Bps)->seal();
        star->add_route(made.first, nullptr, made.second, nullptr,
                        {s4u::LinkInRoute(up)}, false);
        star->add_route(nullptr, made.first, nullptr, made.second,
                        {s4u::LinkInRoute(down)}, false);
    }
    star->seal();
}

int build_network(struct network_of_nodes *net, const struct machine *m,
                  unsigned nodes, struct err *err)
{
    const struct network *n = &m->network;
    s4u::NetZone *root = s4u::create_full_zone("root");

    /* The clusters' leaves come in order, those beyond the last node empty. */
    std::function<leaf_maker> leaf =
        [net, nodes](s4u::NetZone *zone, const std::vector<unsigned long> &,
                     unsigned long id) -> std::pair<NetPoint *, NetPoint *> {
        if (id >= nodes)
            return {zone->create_router("empty" + std::to_string(id)), nullptr};
        auto *node = new node_zone("node" + std::to_string(id), net->ways);
        node->set_parent(zone->get_impl());
        node->set_network_model(zone->get_impl()->get_network_model());
        node->populate((unsigned)id, net->whole, net->hosts);
        return {node->get_netpoint(), node->gateway};
    };
    const auto duplex = s4u::Link::SharingPolicy::SPLITDUPLEX;
    s4u::ClusterCallbacks callbacks(leaf);

    try {
        switch (n->topology) {
        case TOPOLOGY_FAT_TREE:
            s4u::create_fatTree_zone("network", root, fat_tree(n, nodes),
                                     callbacks, n->bandwidth_Bps, 0, duplex)
                ->seal();
            break;
        case TOPOLOGY_TORUS:
            s4u::create_torus_zone("network", root,
                                   {n->down, n->down + n->levels}, callbacks,
                                   n->bandwidth_Bps, 0, duplex)
                ->seal();
            break;
        case TOPOLOGY_DRAGONFLY:
            s4u::create_dragonfly_zone(
                "network", root,
                s4u::DragonflyParams({n->down[0], n->parallel[0]},
                                     {n->down[1], n->parallel[1]},
                                     {n->down[2], n->parallel[2]}, n->down[3]),
                callbacks, n->bandwidth_Bps, 0, duplex)
                ->seal();
            break;
        default:
            crossbar(root, n->bandwidth_Bps, nodes, leaf);
        }
    } catch (const std::exception &x) {
        return fail(err, "%s: network: %s", m->name, x.what());
    }
    root->seal();
    net->caps = s4u::create_empty_zone("caps");
    net->caps->get_impl()->set_network_model(
        root->get_impl()->get_network_model());
    return 0;
}

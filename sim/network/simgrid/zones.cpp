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
struct route_choice routes_zone::current_choice;

static std::string link_name(const struct node_routes *node_routes,
                             unsigned link)
{
    char name[LINK_NAME];

    node_routes_name(node_routes, link, name, sizeof name);
    return name;
}

void node_zone::populate(unsigned node, bool whole,
                         std::vector<s4u::Host *> &hosts)
{
    std::string prefix = "node" + std::to_string(node) + ".";

    for (unsigned i = 0; i < (whole ? node_routes_endpoints(node_routes_) : 1);
         i++)
        hosts.push_back(
            create_host(prefix + std::to_string(i), std::vector<double>{1e9}));
    for (unsigned i = 0; whole && i < node_routes_links(node_routes_); i++)
        links_.push_back(create_link(
            prefix + link_name(node_routes_, i),
            std::vector<double>{node_routes_bandwidth(node_routes_, i)}));
    gateway = create_router(prefix + "network");
    seal();
}

/* Finds the route from an endpoint to another, or to or from the gateway, which
 * is the network. */
void node_zone::get_local_route(const NetPoint *src, const NetPoint *dst,
                                Route *into, double *)
{
    unsigned links[NODE_MAX_ROUTE];

    if (src != gateway && current_cap)
        into->link_list_.push_back(current_cap->get_impl());
    if (links_.empty())
        return; /* only routes between nodes are requested */
    size_t n = node_routes_find(
        node_routes_, src == gateway ? NODE_NETWORK : src->id(),
        dst == gateway ? NODE_NETWORK : dst->id(), current_nic, links);
    for (size_t i = 0; i < n; i++)
        into->link_list_.push_back(links_[links[i]]->get_impl());
}

static std::vector<uint64_t> links_of(const struct net_routes *net,
                                      const struct route_choice &choice)
{
    std::vector<uint64_t> links(net_routes_find(net, &choice, nullptr, 0));

    net_routes_find(net, &choice, links.data(), links.size());
    return links;
}

s4u::Link *routes_zone::link(uint64_t id)
{
    auto found = links_.find(id);

    if (found != links_.end())
        return found->second;
    char name[LINK_NAME];
    net_routes_name(net_, id, name, sizeof name);
    s4u::Link *link = made->create_link(name, net_routes_bandwidth(net_, id));
    link->seal();
    return links_.emplace(id, link).first->second;
}

void routes_zone::get_local_route(const NetPoint *src, const NetPoint *dst,
                                  Route *into, double *)
{
    assert(src->id() == current_choice.from && dst->id() == current_choice.to);
    into->gw_src_ = gateways[src->id()];
    into->gw_dst_ = gateways[dst->id()];
    for (uint64_t id : links_of(net_, current_choice))
        into->link_list_.push_back(link(id)->get_impl());
}

route_table::route_table(const network_of_nodes *net, unsigned nodes)
    : net_(net), nodes_(nodes),
      endpoints_(node_routes_endpoints(net->node_routes))
{
    for (unsigned n = 0; n < nodes; n++)
        for (unsigned l = 0; l < node_routes_links(net->node_routes); l++)
            bandwidths_.push_back(node_routes_bandwidth(net->node_routes, l));
}

uint32_t route_table::number(const s4u::Link *link)
{
    auto known = number_.find(link);

    if (known == number_.end()) {
        known = number_.emplace(link, (uint32_t)bandwidths_.size()).first;
        bandwidths_.push_back(link->get_bandwidth());
        between_.push_back(link);
    }
    return known->second;
}

/* Returns the links that SimGrid puts between the nodes' own links. */
const std::vector<uint32_t> &route_table::route_between(unsigned a, unsigned b)
{
    uint64_t key = (uint64_t)a * nodes_ + b;
    auto found = routes_.find(key);

    if (found != routes_.end())
        return found->second;
    std::vector<s4u::Link *> all;
    std::vector<uint32_t> between;
    unsigned ends[NODE_MAX_ROUTE];
    double latency = 0;
    node_zone::current_nic = NIC_OF_SOCKET;
    node_zone::current_cap = nullptr;
    net_->hosts[a * endpoints_]->route_to(net_->hosts[b * endpoints_], all,
                                          &latency);
    size_t out = node_routes_find(net_->node_routes, 0, NODE_NETWORK,
                                  NIC_OF_SOCKET, ends);
    size_t in = node_routes_find(net_->node_routes, NODE_NETWORK, 0,
                                 NIC_OF_SOCKET, ends);
    for (size_t i = out; i + in < all.size(); i++)
        between.push_back(number(all[i]));
    return routes_.emplace(key, between).first->second;
}

void route_table::add_own(const struct route_choice &choice,
                          std::vector<uint32_t> &links)
{
    for (uint64_t id : links_of(&net_->choices.net, choice))
        links.push_back(number(net_->own->link(id)));
}

void route_table::find(uint32_t from, uint32_t to, int nic,
                       const struct route_choice &choice,
                       std::vector<uint32_t> &links)
{
    unsigned a = from / endpoints_, b = to / endpoints_;
    uint32_t per_node = node_routes_links(net_->node_routes);
    unsigned local[NODE_MAX_ROUTE];

    links.clear();
    size_t n =
        node_routes_find(net_->node_routes, from % endpoints_,
                         a == b ? to % endpoints_ : NODE_NETWORK, nic, local);
    for (size_t i = 0; i < n; i++)
        links.push_back(a * per_node + local[i]);
    if (a == b)
        return;
    if (net_->own) {
        add_own(choice, links);
    } else {
        const std::vector<uint32_t> &between = route_between(a, b);
        links.insert(links.end(), between.begin(), between.end());
    }
    n = node_routes_find(net_->node_routes, NODE_NETWORK, to % endpoints_, nic,
                         local);
    for (size_t i = 0; i < n; i++)
        links.push_back(b * per_node + local[i]);
}

std::string route_table::name(size_t link) const
{
    size_t per_node = node_routes_links(net_->node_routes);

    if (link < nodes_ * per_node)
        return "node" + std::to_string(link / per_node) + "." +
               link_name(net_->node_routes, (unsigned)(link % per_node));
    return between_[link - nodes_ * per_node]->get_name();
}

using leaf_maker = s4u::ClusterCallbacks::ClusterNetPointCb;

/* Returns the smallest fat tree of this shape that has room: it has fewer
 * subtrees under the root, but as many root switches. */
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

/* Makes the nodes and joins them by routes_zone. */
static void own_network(struct network_of_nodes *net, s4u::NetZone *root,
                        unsigned nodes, const std::function<leaf_maker> &leaf)
{
    auto *zone = new routes_zone("network", &net->choices.net);

    zone->set_parent(root->get_impl());
    zone->set_network_model(root->get_impl()->get_network_model());
    zone->made = net->caps;
    net->own = zone;
    for (unsigned i = 0; i < nodes; i++)
        zone->gateways.push_back(leaf(zone->get_iface(), {i}, i).second);
    zone->seal();
}

int build_network(struct network_of_nodes *net, const struct machine *m,
                  unsigned nodes, struct err *err)
{
    const struct network *n = &m->network;
    s4u::NetZone *root = s4u::create_full_zone("root");

    /* The leaves are requested in order; those after the last node stay
     * empty. */
    std::function<leaf_maker> leaf =
        [net, nodes](s4u::NetZone *zone, const std::vector<unsigned long> &,
                     unsigned long id) -> std::pair<NetPoint *, NetPoint *> {
        if (id >= nodes)
            return {zone->create_router("empty" + std::to_string(id)), nullptr};
        auto *node =
            new node_zone("node" + std::to_string(id), net->node_routes);
        node->set_parent(zone->get_impl());
        node->set_network_model(zone->get_impl()->get_network_model());
        node->populate((unsigned)id, net->whole, net->hosts);
        return {node->get_netpoint(), node->gateway};
    };
    const auto duplex = s4u::Link::SharingPolicy::SPLITDUPLEX;
    s4u::ClusterCallbacks callbacks(leaf);

    net->caps = s4u::create_empty_zone("caps");
    net->caps->get_impl()->set_network_model(
        root->get_impl()->get_network_model());
    try {
        switch (net_routes_in_simgrid(n, nodes) ? n->topology : NTOPOLOGIES) {
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
        case TOPOLOGY_CROSSBAR:
            crossbar(root, n->bandwidth_Bps, nodes, leaf);
            break;
        default:
            own_network(net, root, nodes, leaf);
        }
    } catch (const std::exception &x) {
        return fail(err, "%s: network: %s", m->name, x.what());
    }
    root->seal();
    return 0;
}

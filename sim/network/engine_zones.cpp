/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a machine's network in SimGrid: nodes as zones, the topology between
 * them, and the routes. */
#include "sim/network/engine_simgrid.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>

#include <cassert>

namespace s4u = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::Route;

int node_zone::current_nic = NIC_OF_SOCKET;
s4u::Link *node_zone::current_cap = nullptr;

static unsigned device_of(const struct machine *m, enum device_kind kind,
                          unsigned index)
{
    for (unsigned d = 0; d < m->ndevices; d++)
        if (m->devices[d].kind == kind && m->devices[d].index == index)
            return d;
    assert(!"no such device");
    return 0;
}

node_shape::node_shape(const struct machine *machine) : m(machine)
{
    auto add = [this](const std::string &name, double Bps) {
        link_names.push_back(name);
        link_Bps.push_back(Bps);
        return (unsigned)link_names.size() - 1;
    };
    for (size_t w = 0; w < m->nwires; w++) {
        const struct wire *wire = &m->wires[w];
        std::string a = m->devices[wire->ends[0]].id;
        std::string b = m->devices[wire->ends[1]].id;
        add(a + ">" + b, wire->bandwidth_Bps);
        add(b + ">" + a, wire->bandwidth_Bps);
    }
    for (unsigned s = 0; s < m->nsockets; s++) {
        const struct device *socket = machine_socket(m, s);
        bool limited = socket->memory_Bps > 0;
        std::string id = socket->id;
        read_link.push_back(
            limited ? add(id + ".memory.read", socket->memory_Bps) : none);
        write_link.push_back(
            limited ? add(id + ".memory.write", socket->memory_Bps) : none);
    }
    for (unsigned c = 0; c < m->ncores; c++)
        endpoint_device.push_back(
            device_of(m, SOCKET, machine_core_socket(m, c)));
    for (unsigned g = 0; g < m->ngpus; g++)
        endpoint_device.push_back(device_of(m, GPU, g));

    first_process_link = none;
    if (m->network.process_Bps > 0) {
        first_process_link = (unsigned)link_names.size();
        for (size_t i = 0; i < endpoint_device.size(); i++) {
            std::string id = i < m->ncores ? "core" + std::to_string(i)
                                           : m->devices[endpoint_device[i]].id;
            add(id + ".out", m->network.process_Bps);
            add(id + ".in", m->network.process_Bps);
        }
    }

    way.resize(m->ndevices * m->ndevices);
    reachable.resize(m->ndevices * m->ndevices);
    for (unsigned a = 0; a < m->ndevices; a++) {
        for (unsigned b = 0; b < m->ndevices; b++) {
            unsigned hops[16];
            bool reversed[16];
            int n = a == b ? 0 : machine_route(m, a, b, hops, reversed);
            reachable[a * m->ndevices + b] = n >= 0;
            for (int i = 0; i < n; i++)
                way[a * m->ndevices + b].push_back(2 * hops[i] + reversed[i]);
        }
    }
    nearest_nic.resize(endpoint_device.size(), 0);
    machine_nearest_nics(m, nearest_nic.data());
}

void node_zone::populate(unsigned node, bool whole,
                         std::vector<s4u::Host *> &hosts)
{
    std::string prefix = "node" + std::to_string(node) + ".";

    for (size_t i = 0; i < (whole ? shape_->endpoint_device.size() : 1); i++)
        hosts.push_back(
            create_host(prefix + std::to_string(i), std::vector<double>{1e9}));
    for (size_t i = 0; whole && i < shape_->link_names.size(); i++)
        links_.push_back(create_link(prefix + shape_->link_names[i],
                                     std::vector<double>{shape_->link_Bps[i]}));
    gateway = create_router(prefix + "network");
    seal();
}

void node_shape::local_way(unsigned src, unsigned dst, int nic,
                           std::vector<unsigned> &links) const
{
    bool leaves = dst == network, enters = src == network;
    unsigned from = enters ? 0 : endpoint_device[src];
    unsigned to = leaves ? 0 : endpoint_device[dst];
    auto push = [&links](unsigned link) {
        if (link != none)
            links.push_back(link);
    };

    if (leaves || enters) {
        unsigned index = nic == NIC_OF_SOCKET ? nearest_nic[leaves ? src : dst]
                                              : (unsigned)nic;
        unsigned port = device_of(m, NIC, index);
        (leaves ? to : from) = port;
    }
    if (!enters && m->devices[from].kind == SOCKET)
        push(read_link[m->devices[from].index]);
    if (leaves && first_process_link != none)
        push(first_process_link + 2 * src);
    for (unsigned link : way[(size_t)from * m->ndevices + to])
        push(link);
    if (enters && first_process_link != none)
        push(first_process_link + 2 * dst + 1);
    if (!leaves && m->devices[to].kind == SOCKET)
        push(write_link[m->devices[to].index]);
}

/* From an endpoint to another, or to or from the gateway (the network). */
void node_zone::get_local_route(const NetPoint *src, const NetPoint *dst,
                                Route *into, double *)
{
    std::vector<unsigned> links;

    if (src != gateway && current_cap)
        into->link_list_.push_back(current_cap->get_impl());
    if (links_.empty())
        return; /* only the ways between nodes are asked for */
    shape_->local_way(
        src == gateway ? node_shape::network : (unsigned)src->id(),
        dst == gateway ? node_shape::network : (unsigned)dst->id(), current_nic,
        links);
    for (unsigned link : links)
        into->link_list_.push_back(links_[link]->get_impl());
}

route_table::route_table(const network_of_nodes *net, const struct machine *m,
                         unsigned nodes)
    : net_(net), nodes_(nodes), endpoints_(m->ncores + m->ngpus)
{
    for (unsigned n = 0; n < nodes; n++)
        bandwidths_.insert(bandwidths_.end(), net->shape->link_Bps.begin(),
                           net->shape->link_Bps.end());
    binds_.assign(bandwidths_.size(), true);
    nics_Bps_ = 0;
    for (size_t w = 0; w < m->nwires; w++)
        for (unsigned end : m->wires[w].ends)
            if (m->devices[end].kind == NIC)
                nics_Bps_ += m->wires[w].bandwidth_Bps;
    own_links_ =
        m->network.topology == CROSSBAR || m->network.topology == FAT_TREE;
}

/* What SimGrid puts between the nodes' own links. */
const std::vector<uint32_t> &route_table::way_between(unsigned a, unsigned b)
{
    uint64_t key = (uint64_t)a * nodes_ + b;
    auto found = ways_.find(key);

    if (found != ways_.end())
        return found->second;
    std::vector<s4u::Link *> all;
    std::vector<unsigned> out, in;
    std::vector<uint32_t> between;
    double latency = 0;
    node_zone::current_nic = NIC_OF_SOCKET;
    node_zone::current_cap = nullptr;
    size_t hosts = net_->whole ? endpoints_ : 1;
    net_->hosts[a * hosts]->route_to(net_->hosts[b * hosts], all, &latency);
    if (net_->whole) {
        net_->shape->local_way(0, node_shape::network, NIC_OF_SOCKET, out);
        net_->shape->local_way(node_shape::network, 0, NIC_OF_SOCKET, in);
    }
    for (size_t i = out.size(); i + in.size() < all.size(); i++) {
        auto known = number_.find(all[i]);
        if (known == number_.end()) {
            known = number_.emplace(all[i], (uint32_t)bandwidths_.size()).first;
            bool own = own_links_ &&
                       (i == out.size() || i + in.size() + 1 == all.size());
            bandwidths_.push_back(all[i]->get_bandwidth());
            binds_.push_back(!own || nics_Bps_ > all[i]->get_bandwidth());
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
    uint32_t per_node = (uint32_t)net_->shape->link_Bps.size();

    links.clear();
    local_.clear();
    net_->shape->local_way(from % endpoints_,
                           a == b ? to % endpoints_ : node_shape::network, nic,
                           local_);
    for (unsigned link : local_)
        links.push_back(a * per_node + link);
    if (a == b)
        return;
    const std::vector<uint32_t> &between = way_between(a, b);
    links.insert(links.end(), between.begin(), between.end());
    local_.clear();
    net_->shape->local_way(node_shape::network, to % endpoints_, nic, local_);
    for (unsigned link : local_)
        links.push_back(b * per_node + link);
}

std::string route_table::name(size_t link) const
{
    size_t per_node = net_->shape->link_names.size();

    if (link < nodes_ * per_node)
        return "node" + std::to_string(link / per_node) + "." +
               net_->shape->link_names[link % per_node];
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

    net->shape = std::make_unique<node_shape>(m);
    const node_shape *shape = net->shape.get();
    /* The clusters' leaves come in order, those beyond the last node empty. */
    std::function<leaf_maker> leaf =
        [net, shape,
         nodes](s4u::NetZone *zone, const std::vector<unsigned long> &,
                unsigned long id) -> std::pair<NetPoint *, NetPoint *> {
        if (id >= nodes)
            return {zone->create_router("empty" + std::to_string(id)), nullptr};
        auto *node = new node_zone("node" + std::to_string(id), shape);
        node->set_parent(zone->get_impl());
        node->set_network_model(zone->get_impl()->get_network_model());
        node->populate((unsigned)id, net->whole, net->hosts);
        return {node->get_netpoint(), node->gateway};
    };
    const auto duplex = s4u::Link::SharingPolicy::SPLITDUPLEX;
    s4u::ClusterCallbacks callbacks(leaf);

    try {
        switch (n->topology) {
        case FAT_TREE:
            s4u::create_fatTree_zone("network", root, fat_tree(n, nodes),
                                     callbacks, n->bandwidth_Bps, 0, duplex)
                ->seal();
            break;
        case TORUS:
            s4u::create_torus_zone("network", root,
                                   {n->down, n->down + n->levels}, callbacks,
                                   n->bandwidth_Bps, 0, duplex)
                ->seal();
            break;
        case DRAGONFLY:
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_simgrid.hpp - a machine's nodes and network as SimGrid zones. */
#ifndef SIM_NETWORK_ENGINE_SIMGRID_HPP
#define SIM_NETWORK_ENGINE_SIMGRID_HPP

extern "C" {
#include "sim/network/engine.h"
}

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <memory>
#include <unordered_map>
#include <vector>

/*
 * The shape that all nodes share: which of a node's links lead from one device
 * to another, as indices into the links of a node. One copy for all nodes.
 */
struct node_shape {
    explicit node_shape(const struct machine *machine);

    const struct machine *m;
    std::vector<std::string> link_names;
    std::vector<double> link_Bps;
    /* from device * ndevices + to device: link indices; and whether any. */
    std::vector<std::vector<unsigned>> way;
    std::vector<bool> reachable;
    std::vector<unsigned> read_link, write_link; /* of each socket, or none */
    unsigned first_process_link; /* two for each endpoint: out, in; or none */
    std::vector<unsigned> endpoint_device;
    std::vector<unsigned> nearest_nic; /* index of it, for each endpoint */

    /* The links of a node that a flow takes from endpoint `from` to `to`;
     * `network` stands for the gateway. */
    static constexpr unsigned network = ~0u;
    void local_way(unsigned from, unsigned to, int nic,
                   std::vector<unsigned> &links) const;

    static constexpr unsigned none = ~0u;
};

class node_zone : public simgrid::kernel::routing::NetZoneImpl
{
    using NetPoint = simgrid::kernel::routing::NetPoint;
    using Route = simgrid::kernel::routing::Route;

  public:
    node_zone(const std::string &name, const node_shape *shape)
        : NetZoneImpl(name), shape_(shape)
    {
    }
    void get_local_route(const NetPoint *src, const NetPoint *dst, Route *into,
                         double *latency) override;
    void populate(unsigned node, bool whole,
                  std::vector<simgrid::s4u::Host *> &hosts);
    NetPoint *gateway = nullptr;

    /* Of the flow that is being started: SimGrid asks for the way of a flow
     * while it starts it, and gives the zone no other hint of which it is. */
    static int current_nic;
    static simgrid::s4u::Link *current_cap;

  private:
    const node_shape *shape_;
    std::vector<simgrid::s4u::Link *> links_;
};

struct network_of_nodes {
    std::unique_ptr<node_shape> shape;
    /* Whole nodes, with a host for each endpoint and all links; or one host a
     * node, which is enough to ask for the ways between them and lets thousands
     * of nodes start at once. */
    bool whole = true;
    std::vector<simgrid::s4u::Host *> hosts; /* by endpoint, or by node */
    simgrid::s4u::NetZone *caps = nullptr;   /* where rate caps are made */
};

/*
 * All links of the platform by number, and the way of any flow: the nodes' own
 * links from their shape, those between two nodes as SimGrid routes them.
 */
class route_table
{
  public:
    route_table(const network_of_nodes *net, const struct machine *m,
                unsigned nodes);
    void find(uint32_t from, uint32_t to, int nic,
              std::vector<uint32_t> &links);
    size_t count() const
    {
        return bandwidths_.size();
    }
    double bandwidth(size_t link) const
    {
        return bandwidths_[link];
    }
    std::string name(size_t link) const;
    /* False for a link that can never be what holds a flow back, since every
     * flow over it also goes by links that have no more bandwidth together. */
    bool binds(size_t link) const
    {
        return binds_[link];
    }

  private:
    const network_of_nodes *net_;
    unsigned nodes_, endpoints_;
    std::vector<double> bandwidths_;
    std::vector<bool> binds_;
    double nics_Bps_; /* of one node, together */
    bool own_links_;  /* a node's first link into the network is its alone */
    std::vector<const simgrid::s4u::Link *> between_; /* links between nodes */
    std::unordered_map<const simgrid::s4u::Link *, uint32_t> number_;
    std::unordered_map<uint64_t, std::vector<uint32_t>>
        ways_;                    /* by node pair */
    std::vector<unsigned> local_; /* scratch of find() */
    const std::vector<uint32_t> &way_between(unsigned a, unsigned b);
};

int build_network(struct network_of_nodes *net, const struct machine *m,
                  unsigned nodes, struct err *err);

#endif

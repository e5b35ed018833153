/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zones.hpp - a machine's nodes and network as SimGrid zones. */
#ifndef SIM_NETWORK_SIMGRID_ZONES_HPP
#define SIM_NETWORK_SIMGRID_ZONES_HPP

extern "C" {
#include "sim/network/engine.h"
#include "sim/network/node_routes.h"
#include "sim/network/route_choices.h"
}

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <memory>
#include <unordered_map>
#include <vector>

class node_zone : public simgrid::kernel::routing::NetZoneImpl
{
    using NetPoint = simgrid::kernel::routing::NetPoint;
    using Route = simgrid::kernel::routing::Route;

  public:
    node_zone(const std::string &name, const struct node_routes *node_routes)
        : NetZoneImpl(name), node_routes_(node_routes)
    {
    }
    void get_local_route(const NetPoint *src, const NetPoint *dst, Route *into,
                         double *latency) override;
    void populate(unsigned node, bool whole,
                  std::vector<simgrid::s4u::Host *> &hosts);
    NetPoint *gateway = nullptr;

    /* The parameters of the flow that is being started. SimGrid requests a
     * flow's route while it starts the flow, and gives the zone no other hint
     * of which flow it is. */
    static int current_nic;
    static simgrid::s4u::Link *current_cap;

  private:
    const struct node_routes *node_routes_;
    std::vector<simgrid::s4u::Link *> links_;
};

/* A network of a shape for which SimGrid has no zone: its routes are those of
 * net_routes.h, and a link is made when it is first part of a route. */
class routes_zone : public simgrid::kernel::routing::NetZoneImpl
{
    using NetPoint = simgrid::kernel::routing::NetPoint;
    using Route = simgrid::kernel::routing::Route;

  public:
    routes_zone(const std::string &name, const struct net_routes *net)
        : NetZoneImpl(name), net_(net)
    {
    }
    void get_local_route(const NetPoint *src, const NetPoint *dst, Route *into,
                         double *latency) override;
    simgrid::s4u::Link *link(uint64_t id);
    std::vector<NetPoint *> gateways;      /* indexed by node */
    simgrid::s4u::NetZone *made = nullptr; /* zone of the links */

    /* The parameters of the flow that is being started. */
    static struct route_choice current_choice;

  private:
    const struct net_routes *net_;
    std::unordered_map<uint64_t, simgrid::s4u::Link *> links_;
};

struct network_of_nodes {
    network_of_nodes(const struct machine *m, unsigned nodes)
        : node_routes(node_routes_new(m))
    {
        route_choices_init(&choices, m, node_routes, nodes);
    }
    network_of_nodes(const network_of_nodes &) = delete;
    ~network_of_nodes()
    {
        route_choices_clear(&choices);
        node_routes_free(node_routes);
    }
    struct node_routes *node_routes;
    struct route_choices choices;
    routes_zone *own = nullptr; /* the network, if SimGrid has no zone for it */
    /* If true, nodes have a host for each endpoint and all links. Else each has
     * one host, which is enough to find the routes between nodes, so that
     * thousands of nodes start quickly. */
    bool whole = true;
    /* Indexed by endpoint, or by node if nodes are not whole. */
    std::vector<simgrid::s4u::Host *> hosts;
    simgrid::s4u::NetZone *caps = nullptr; /* zone of the rate caps */
};

/* All links of the platform by number, and the route of any flow: the nodes'
 * own links are from node_routes.h, those between two nodes are SimGrid's. */
class route_table
{
  public:
    route_table(const network_of_nodes *net, unsigned nodes);
    /* Finds the route of a flow; `trip` is used if its ends are on two
     * nodes. */
    void find(uint32_t from, uint32_t to, int nic,
              const struct route_choice &choice, std::vector<uint32_t> &links);
    size_t count() const
    {
        return bandwidths_.size();
    }
    double bandwidth(size_t link) const
    {
        return bandwidths_[link];
    }
    std::string name(size_t link) const;

  private:
    const network_of_nodes *net_;
    unsigned nodes_, endpoints_;
    std::vector<double> bandwidths_;
    std::vector<const simgrid::s4u::Link *> between_; /* links between nodes */
    std::unordered_map<const simgrid::s4u::Link *, uint32_t> number_;
    std::unordered_map<uint64_t, std::vector<uint32_t>>
        routes_; /* indexed by node pair */
    const std::vector<uint32_t> &route_between(unsigned a, unsigned b);
    uint32_t number(const simgrid::s4u::Link *link);
    void add_own(const struct route_choice &choice,
                 std::vector<uint32_t> &links);
};

int build_network(struct network_of_nodes *net, const struct machine *m,
                  unsigned nodes, struct err *err);

#endif

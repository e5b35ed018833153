/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every network that a platform file must not describe, as a change of
 * duo.json, with the place and words of the refusal. */
#include "tests/platform_refused.h"

/* Returns the error of a network with these keys and duo's nodes. */
static const char *network_of(const char *keys)
{
    char *to = xasprintf("\"nodes\": 2, %s,", keys);
    const char *error =
        edited("\"topology\": \"crossbar\",\n    \"nodes\": 2,", to);

    free(to);
    return error;
}

#define PLUS                                                                   \
    "\"topology\": \"dragonfly_plus\", \"groups\": 3, \"leaves\": 1, "         \
    "\"nodes_per_leaf\": 1, \"group_links\": 1, \"leaf_links\": 1, "
#define TREE "\"levels\": [{\"down\": 2, \"up\": 1, \"links\": 1}]"

static void own_shapes(void)
{
    CHECK(!*network_of(PLUS "\"spines\": 1, \"routing\": \"ugal_g\""));
    CHECK_HAS(network_of(PLUS "\"spines\": 1, \"routing\": \"ugal\""),
              "network.routing: expected minimal, valiant, ugal_l or ugal_g, "
              "got \"ugal\"");
    CHECK_HAS(network_of(PLUS "\"spines\": 0"),
              "network.spines: expected a whole number from 1");
    CHECK_HAS(network_of(PLUS "\"spines\": 1, \"group_wires\": 0"),
              "network.group_wires: expected a whole number from 1");
    CHECK_HAS(network_of(PLUS "\"spines\": 1, \"routers\": 2"),
              "network.routers: only of dragonfly");
    CHECK(!*network_of("\"topology\": \"rails\", \"rails\": 1, " TREE));
    CHECK_HAS(network_of("\"topology\": \"rails\", \"rails\": 2, " TREE),
              "network.rails: expected at most as many as a node has NICs (1), "
              "got 2");
    CHECK_HAS(network_of("\"topology\": \"rails\", \"rails\": 1, "
                         "\"joined\": 1, " TREE),
              "network.joined: expected true or false, got 1");
    CHECK_HAS(network_of("\"topology\": \"rails\", \"rails\": 1, \"levels\": "
                         "[{\"down\": 1, \"up\": 1, \"links\": 1}]"),
              "network.levels: expected room for 2 nodes, got 1");
    CHECK_HAS(set("network.hop_ns=-1"),
              "network.hop_ns: expected a number not below 0, got -1");
    CHECK(!*set("network.hop_ns=0"));
}

static void test_network(void)
{
    CHECK_HAS(set("network.topology=ring"),
              ": network.topology: expected crossbar, fat_tree, torus, "
              "dragonfly, dragonfly_plus or rails, got \"ring\"");
    CHECK_HAS(set("network.topology=fat_tree"),
              ": network.levels: expected an array, got nothing");
    CHECK_HAS(set3("network.topology=fat_tree", "network.nodes=37",
                   "network.levels=[{\"down\":18,\"up\":1,\"links\":1},"
                   "{\"down\":2,\"up\":18,\"links\":1}]"),
              ": network.levels: expected room for 37 nodes, got 36");
    CHECK_HAS(set3("network.topology=fat_tree",
                   "network.levels=[{\"down\":18,\"up\":0,\"links\":1}]", NULL),
              ": network.levels[0].up: expected a whole number from 1");
    CHECK_HAS(set3("network.topology=torus", "network.dimensions=[4, 4]",
                   "network.nodes=17"),
              ": network.dimensions: expected room for 17 nodes, got 16");
    CHECK_HAS(
        set3("network.topology=torus", "network.dimensions=[4, 0.5]", NULL),
        ": network.dimensions[1]: expected a whole number from 1");
    CHECK(!*set3("network.topology=torus", "network.dimensions=[4,4]",
                 "network.nodes=16"));
    CHECK_HAS(edited("\"topology\": \"crossbar\",\n    \"nodes\": 2,",
                     "\"topology\": \"dragonfly\", \"nodes\": 49, \"groups\": "
                     "2, \"chassis\": 3, \"routers\": 4, \"nodes_per_router\": "
                     "2, \"group_links\": 1, \"chassis_links\": 1, "
                     "\"router_links\": 1,"),
              "network.groups: expected room for 49 nodes, got 48");
    CHECK_HAS(edited("\"topology\": \"crossbar\",\n    \"nodes\": 2,",
                     "\"topology\": \"dragonfly\", \"nodes\": 8, \"groups\": "
                     "7, \"chassis\": 2, \"routers\": 3, \"nodes_per_router\": "
                     "2, \"group_links\": 1, \"chassis_links\": 1, "
                     "\"router_links\": 1,"),
              "network.groups: expected at most chassis * routers (6) without "
              "group_wires, got 7");
    /* 2^32 routers are accepted. */
    CHECK(!*edited("\"topology\": \"crossbar\",\n    \"nodes\": 2,",
                   "\"topology\": \"dragonfly\", \"nodes\": 8, \"groups\": "
                   "7, \"chassis\": 65536, \"routers\": 65536, "
                   "\"nodes_per_router\": 2, \"group_links\": 1, "
                   "\"chassis_links\": 1, \"router_links\": 1,"));
    own_shapes();
    CHECK_HAS(set("network.nodes=0"), ": network.nodes: expected a whole");
    CHECK_HAS(set("network.nodes_per_rack=0"),
              ": network.nodes_per_rack: expected a whole");
}

int main(void)
{
    refused_open();
    test_network();
    refused_close();
    return check_result();
}

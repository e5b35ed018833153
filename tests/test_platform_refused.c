/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that a platform file must not say, as a change of duo.json, with
 * the place and words of the refusal. */
#include "tests/platform_refused.h"

/* `measured` with a source. */
static const char *measured(const char *ranges)
{
    static char setting[200];

    snprintf(setting, sizeof setting,
             "measured={%s,\"source\":{\"kind\":\"assumed\",\"text\":\"t\"}}",
             ranges);
    return set(setting);
}

static void test_keys(void)
{
    CHECK_HAS(set("formatt=1"), ": formatt: unknown key (did you mean format");
    CHECK_HAS(set("measured=3"), ": measured: expected an object, got 3");
    CHECK_HAS(measured("\"bytes\":[1,2]"),
              ": measured.nodes: expected [least, most], got nothing");
    CHECK_HAS(measured("\"nodes\":[1,2,3]"),
              ": measured.nodes: expected [least, most]");
    CHECK_HAS(measured("\"nodes\":[2,1]"),
              ": measured.nodes: expected the least first, got [2, 1]");
    CHECK_HAS(measured("\"nodes\":[1,1.5]"),
              ": measured.nodes[1]: expected a whole number of at least 1");
    CHECK_HAS(set("measured={\"nodes\":[1,2]}"),
              ": measured.source: expected {");
    CHECK_HAS(set("measured={\"node\":[1,2]}"),
              ": measured.node: unknown key (did you mean");
    CHECK_HAS(set("node.wire=1"), ": node.wire: unknown key (did you mean");
    CHECK_HAS(set("node.devices.0.core=1"),
              ": node.devices[0].core: unknown key (did you mean cores?)");
    CHECK_HAS(set("node.devices.1.cores=1"),
              ": node.devices[1].cores: only of socket");
    CHECK_HAS(set("node.wire_types.pcie.bandwidth=1"),
              ": node.wire_types.pcie.bandwidth: unknown key (did you mean "
              "bandwidth_GBps?)");
    CHECK_HAS(set("node.wires.1.typ=1"),
              ": node.wires[1].typ: unknown key (did you mean type?)");
    CHECK_HAS(set("network.levels=[]"),
              ": network.levels: only of fat_tree or rails");
    CHECK_HAS(set("messages.cpuu=1"),
              ": messages.cpuu: unknown key (did you mean cpu?)");
    CHECK_HAS(set("messages.gpu.shared_cache=1"),
              ": messages.gpu.shared_cache: unknown key");
    CHECK_HAS(set("messages.cpu.on_socket.other_rack_us=1"),
              ": messages.cpu.on_socket.other_rack_us: only of messages "
              "between nodes");
    CHECK_HAS(set("messages.cpu.off_node.segments.1.alfa_us=1"),
              ": messages.cpu.off_node.segments[1].alfa_us: unknown key (did "
              "you mean alpha_us?)");
    CHECK_HAS(set("copies.engin_us=1"),
              ": copies.engin_us: unknown key (did you mean engine_us?)");
    CHECK_HAS(set("copies.rows.1.process=1"),
              ": copies.rows[1].process: unknown key (did you mean processes");
    CHECK_HAS(set("gpu={\"memory\":1}"),
              ": gpu.memory: unknown key (did you mean memory_GBps?)");
}

static void test_head(void)
{
    CHECK_HAS(set("format=2"), ": format: expected 1, got 2");
    CHECK_HAS(edited("\"format\": 1,", ""),
              "format: expected a number, got nothing");
    CHECK_HAS(error_of("[]"), "expected an object, got an array");
    CHECK_HAS(set("name=\"\""), ": name: expected a text that says something");
    CHECK_HAS(set("about=3"), ": about: expected a string, got 3");
    CHECK_HAS(set("gpudirect=1"), ": gpudirect: expected true or false, got 1");
    CHECK_HAS(set("node=1"),
              ": --set: node=1: expected an object, got a number");
    CHECK_HAS(edited("\"messages\"", "\"messages2\""),
              "messages2: unknown key (did you mean messages?)");
}

static void test_numbers(void)
{
    CHECK_HAS(set("network.bandwidth_GBps=-23.5"),
              ": network.bandwidth_GBps: expected a number above 0, got -23.5");
    CHECK_HAS(set("network.bandwidth_GBps=0"),
              ": network.bandwidth_GBps: expected a number above 0, got 0");
    CHECK_HAS(set("network.bandwidth_GBps=fast"),
              ": network.bandwidth_GBps: expected a number above 0, got "
              "\"fast\"");
    CHECK_HAS(set("network.process_GBps=0"),
              ": network.process_GBps: expected a number above 0, got 0");
    CHECK_HAS(set("network.bandwidth_GBps=1e300"),
              ": network.bandwidth_GBps: expected a number up to 1e+12, got "
              "1e+300");
    CHECK_HAS(edited("\"bandwidth_GBps\": 10", "\"bandwidth_GBps\": 1e999"),
              "x.json: bandwidth_GBps: expected a finite number");
    CHECK_HAS(set("node.wire_types.pcie.bandwidth_GBps=0"),
              ": node.wire_types.pcie.bandwidth_GBps: expected a number above "
              "0, got 0");
    CHECK_HAS(edited("\"pcie\": {", "\"pcie.4\": {"),
              "node.wire_types.pcie.4: expected a name without '.'");
    CHECK_HAS(set("node.devices.0.reduce_GBps=0"),
              ": node.devices[0].reduce_GBps: expected a number above 0");
    CHECK_HAS(set("node.devices.0.memory_GBps=-1"),
              ": node.devices[0].memory_GBps: expected a number above 0");
    CHECK_HAS(set("node.devices.0.cores=2.5"),
              ": node.devices[0].cores: expected a whole number from 1 to "
              "4096, got 2.5");
    CHECK_HAS(edited("\"cores\": 2,", ""),
              "node.devices[0].cores: expected a whole number from 1 to 4096, "
              "got nothing");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.alpha_us=-1"),
              ": messages.cpu.on_socket.segments[0].alpha_us: expected a "
              "number not below 0, got -1");
    CHECK_HAS(edited("\"beta_ns_per_byte\": 1,", ""),
              "messages.cpu.on_socket.segments[0].beta_ns_per_byte: expected a "
              "number not below 0, got nothing");
    CHECK_HAS(set("copies.rows.0.processes=0"),
              ": copies.rows[0].processes: expected a whole number from 1");
}

/* Every object with a number must state its source. */
static void test_sources(void)
{
    static const char *const owners[] = {"node.devices.0",
                                         "node.devices.1",
                                         "node.wire_types.pcie",
                                         "network",
                                         "messages.gpu.off_node.segments.1",
                                         "copies.rows.0"};
    static const char *const places[] = {"node.devices[0]",
                                         "node.devices[1]",
                                         "node.wire_types.pcie",
                                         "network",
                                         "messages.gpu.off_node.segments[1]",
                                         "copies.rows[0]"};

    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        char change[80], want[120];
        snprintf(change, sizeof change, "%s.source=\"\"", owners[i]);
        snprintf(want, sizeof want,
                 ": %s.source: expected {\"kind\": KIND, \"from\"", places[i]);
        CHECK_HAS(set(change), want);
    }
    CHECK_HAS(edited("\"cores\": 2,\n        \"source\": { \"kind\": "
                     "\"assumed\", \"text\": \"round, to check by hand\" }",
                     "\"cores\": 2"),
              "node.devices[0].source: expected {\"kind\": KIND");
    CHECK_HAS(set("copies.engine_source=1"),
              ": --set: copies.engine_source=1: expected an object");
    CHECK_HAS(set("copies.contexts=yes"),
              ": copies.contexts: expected true or");
    CHECK_HAS(set("copies.h2d_returns_up_to_bytes=-1"),
              ": copies.h2d_returns_up_to_bytes: expected");
    CHECK_HAS(set("copies.mps_clients=0"), ": copies.mps_clients: expected");
    CHECK_HAS(set("copies.mps_overhead=much"),
              ": copies.mps_overhead: expected an object");
    CHECK_HAS(set("copies.rows.0.locality=on_gpu"),
              ": copies.rows[0].locality: only D2D copies are on_gpu");
    CHECK_HAS(set("copies.time_slice_source=1"),
              ": --set: copies.time_slice_source=1: expected an object");
    CHECK_HAS(
        edited("\"off_node\": {", "\"off_node\": { \"other_rack_us\": 1,"),
        "messages.cpu.off_node.other_rack_source: expected {\"kind\": KIND");
    CHECK_HAS(edited("\"gpudirect\": true",
                     "\"gpudirect\": true, \"gpu\": {\"memory_GBps\": 1}"),
              "gpu.source: expected {\"kind\": KIND");
}

static void test_gpus_used(void)
{
    CHECK(!*set("gpus_used=1"));
    CHECK_HAS(set("gpus_used=0"),
              ": gpus_used: expected a whole number from 1 to 1, got 0");
    CHECK_HAS(set("gpus_used=2"), ": gpus_used: expected a whole number");
}

static void test_devices(void)
{
    CHECK_HAS(set("node.devices.1.id=cpu0"),
              ": node.devices[1].id: there are two devices \"cpu0\"");
    CHECK_HAS(set("node.devices.0.kind=cpu"),
              ": node.devices[0].kind: expected socket, gpu, nic or switch, "
              "got \"cpu\"");
    CHECK_HAS(edited("\"id\": \"nic0\", \"kind\": \"nic\"",
                     "\"id\": \"nic0\", \"kind\": \"switch\""),
              "node.devices[2].socket: only of gpu or nic");
    CHECK_HAS(edited("\"kind\": \"nic\", \"socket\": \"cpu0\"",
                     "\"kind\": \"switch\", \"cores\": 2"),
              "node.devices[2].cores: only of socket");
    CHECK_HAS(set("node.devices.1.socket=cpu9"),
              ": node.devices[1].socket: expected a socket of this node, got "
              "\"cpu9\" (did you mean cpu0?)");
    CHECK_HAS(set("node.devices.1.socket=nic0"),
              ": node.devices[1].socket: expected a socket of this node, got "
              "\"nic0\"");
    CHECK_HAS(set("node.devices.1=7"),
              ": node.devices[1]: expected an object, got 7");
    CHECK_HAS(set("node.devices=[]"),
              ": node.devices: expected at least one socket");
}

/* Returns the error of duo with n more devices of a kind. */
static const char *with_devices(unsigned n, const char *kind)
{
    char *more = xstrdup("");

    for (unsigned i = 0; i < n; i++) {
        char *longer = xasprintf("%s{\"id\":\"d%u\",\"kind\":\"%s\",\"socket\":"
                                 "\"cpu0\"},",
                                 more, i, kind);
        free(more);
        more = longer;
    }
    char *text = xasprintf("\"devices\": [%s", more);
    const char *error = edited("\"devices\": [", text);
    free(text);
    free(more);
    return error;
}

static void test_too_many(void)
{
    CHECK_HAS(with_devices(254, "nic"),
              "node.devices: expected at most 256, got 257");
    CHECK_HAS(with_devices(128, "gpu"),
              "node.devices[129]: expected at most 128 GPUs");
}

static void test_wires(void)
{
    CHECK_HAS(set("node.wires.1.ends.1=gpu9"),
              ": node.wires[1].ends[1]: expected a device of this node, got "
              "\"gpu9\" (did you mean gpu0?)");
    CHECK_HAS(set("node.wires.1.ends.1=3"),
              ": node.wires[1].ends[1]: expected a device of this node, got 3");
    CHECK_HAS(set("node.wires.1.ends=[\"cpu0\"]"),
              ": node.wires[1].ends: expected two devices, got 1");
    CHECK_HAS(set("node.wires.0.ends.1=cpu0"),
              ": node.wires[0].ends: joins cpu0 to itself");
    CHECK_HAS(set("node.wires.0.type=pcie5"),
              ": node.wires[0].type: expected one of node.wire_types, got "
              "\"pcie5\"");
    CHECK_HAS(set("node.wires.0=7"),
              ": node.wires[0]: expected an object, got 7");
}

static void test_candidates(void)
{
    const char *other =
        "node.devices=[{\"id\":\"cpu0\",\"kind\":\"socket\",\"cores\":2,"
        "\"source\":{\"kind\": \"assumed\", \"text\": "
        "\"s\"}},{\"id\":\"gpu0\",\"kind\":\"gpu\",\"socket\":"
        "\"cpu0\"},{\"id\":\"nic0\",\"kind\":\"nic\",\"socket\":\"cpu0\"},"
        "{\"id\":\"cpu1\",\"kind\":\"socket\",\"cores\":2,\"source\":{\"kind\":"
        " \"assumed\", \"text\": \"s\"}}]";

    CHECK_HAS(
        edited("{ \"type\": \"pcie\", \"ends\": [\"cpu0\", \"gpu0\"] },", ""),
        "node.wires: expected a way from gpu0 to cpu0, got none");
    CHECK_HAS(set("node.wires.1.ends.0=gpu0"),
              ": node.wires: expected a way from cpu0 to nic0, got none");
    CHECK_HAS(set(other),
              ": node.wires: expected a way from cpu1 to cpu0, got none");
    CHECK_HAS(edited("{ \"id\": \"nic0\", \"kind\": \"nic\", \"socket\": "
                     "\"cpu0\" }",
                     "{ \"id\": \"nic0\", \"kind\": \"gpu\", \"socket\": "
                     "\"cpu0\" }"),
              "node.devices: expected a nic, because there are 2 nodes, got "
              "none");
}

static void test_segments(void)
{
    const char *first = "messages.cpu.on_socket.segments.0";
    char change[120];

    snprintf(change, sizeof change, "%s.protocol=fast", first);
    CHECK_HAS(set(change), ": messages.cpu.on_socket.segments[0].protocol: "
                           "expected short, eager or rendezvous, got \"fast\"");
    CHECK_HAS(edited("\"up_to_bytes\": 1000,", ""),
              "messages.cpu.on_socket.segments[0].up_to_bytes: expected a "
              "limit before the last segment, got nothing");
    CHECK_HAS(set("messages.cpu.on_socket.segments.1.up_to_bytes=5000"),
              ": messages.cpu.on_socket.segments[1].up_to_bytes: the last "
              "segment has no limit, got 5000");
    CHECK_HAS(edited("\"segments\": [",
                     "\"segments\": [{\"protocol\":\"short\",\"up_to_bytes\":"
                     "1000,\"alpha_us\":1,\"beta_ns_per_byte\":1,"
                     "\"alpha_shares\":[0,0],\"source\":{\"kind\": "
                     "\"assumed\", \"text\": \"s\"}},"),
              "messages.cpu.on_socket.segments[1].up_to_bytes: expected more "
              "than the 1000 of the segment before, got 1000");
    CHECK_HAS(set("messages.gpu.off_node.segments=[]"),
              ": messages.gpu.off_node.segments: expected 1 to 1000 segments, "
              "got 0");
    CHECK_HAS(set("messages.gpu.off_node.segments.0.nic=nic1"),
              ": messages.gpu.off_node.segments[0].nic: expected a nic of this "
              "node, got \"nic1\" (did you mean nic0?)");
    CHECK_HAS(edited("\"on_socket\": {", "\"on_node\": {"),
              "messages.cpu.on_socket: expected an object, got nothing");
    CHECK_HAS(set("node.devices.0.cores_per_cache=2"),
              ": messages.cpu.shared_cache: expected an object, got nothing");
    CHECK_HAS(edited("\"gpu\": {", "\"gpu\": {}, \"cpu2\": {"),
              "messages.cpu2: unknown key");
    CHECK_HAS(set("messages.gpu={}"),
              ": messages.gpu: expected an object, because gpudirect is true");
}

static void test_shares(void)
{
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.send_us=1"),
              ".segments[0].alpha_shares: expected either shares or times "
              "(send_us, recv_us), got both");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.ack_us=1"),
              ".segments[0].ack_us: nothing is acknowledged");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.buffer_free=later"),
              ".segments[0].buffer_free: expected ");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.moved_by=sender"),
              ".segments[0].moved_by: expected ");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.buffer_free=acknowledged"),
              ".segments[0].ack_us: expected ");
    CHECK_HAS(set("messages.cpu.off_node.segments.0.self_us=1"),
              ".segments[0].self_us: only of host messages on a node");
    CHECK_HAS(set("messages.gpu.off_node.segments.0.copies=2"),
              ".segments[0].copies: only of host messages on a node");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.copies=0.5"),
              ".segments[0].copies: expected at least 1, got 0.5");
    CHECK_HAS(set("messages.cpu.off_node.segments.1.moved_by=receiver"),
              ".segments[1].moved_by: only on a node is it the receiver");
    CHECK_HAS(set("messages.cpu.off_node.segments.0.rendezvous=get"),
              ".rendezvous: only of a segment whose protocol is rendezvous");
    CHECK_HAS(set("messages.cpu.off_node.segments.1.rendezvous=push"),
              ".segments[1].rendezvous: expected put or get, got ");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.alpha_shares.1=1.5"),
              ": messages.cpu.on_socket.segments[0].alpha_shares[1]: expected "
              "a share from 0 to 1, got 1.5");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.alpha_shares.0=-0.1"),
              ".alpha_shares[0]: expected a share from 0 to 1, got -0.1");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.alpha_shares.0=half"),
              ".alpha_shares[0]: expected a share from 0 to 1, got \"half\"");
    CHECK_HAS(set("messages.cpu.on_socket.segments.0.alpha_shares=[0.6,0.5]"),
              ".alpha_shares: expected a sum of at most 1, got 1.1");
    CHECK_HAS(set("messages.cpu.on_socket.segments.1.beta_shares=[1]"),
              ": messages.cpu.on_socket.segments[1].beta_shares: expected "
              "[sender, receiver], got 1 numbers");
    CHECK_HAS(edited("\"alpha_shares\": [0, 0],", ""),
              ".alpha_shares: expected an array, got nothing");
    CHECK(!*set("messages.cpu.on_socket.segments.1.beta_shares=[0.5,0.5]"));
}

static void test_copies(void)
{
    CHECK_HAS(edited("\"copies\"", "\"copiess\""), "copiess: unknown key");
    CHECK_HAS(set("copies.rows.0.direction=H2H"),
              ": copies.rows[0].direction: expected H2D, D2H or D2D, got "
              "\"H2H\"");
    CHECK_HAS(
        set("copies.rows.0.locality=off_node"),
        ": copies.rows[0].locality: expected on_gpu, on_socket or on_node, got "
        "\"off_node\"");
    CHECK_HAS(set("copies.rows.0.direction=D2H"),
              ": copies.rows[1]: the same case as rows[0]");
    CHECK_HAS(set("copies.rows.0.direction=D2D"),
              ": copies.rows: expected one of direction H2D, locality "
              "on_socket, processes 1, got none");
    CHECK_HAS(set("copies.rows.0.up_to_bytes=100"),
              ": copies.rows[0].up_to_bytes: expected another row of this case "
              "without a limit, got none");
    CHECK_HAS(set("copies.engine_us=11"),
              ": copies.rows[0].alpha_us: expected at least the engine_us of "
              "11 that is a part of it, got 10");
}

/* Returns the error of a "gpu" with these members; "" if it is read. */
static const char *gpu(const char *members)
{
    char *text = xasprintf("\"gpudirect\": true, \"gpu\": {%s}", members);
    const char *error = edited("\"gpudirect\": true", text);

    free(text);
    return error;
}

#define ACCESS(members)                                                        \
    "\"source\": {\"kind\": \"assumed\", \"text\": \"s\"}, \"access\": "       \
    "{" members ", \"same_address_ns\": 1, \"latency_hit_ns\": 1, "            \
    "\"latency_miss_ns\": 1, \"source\": {\"kind\": \"assumed\", \"text\": "   \
    "\"s\"}}"

static void test_gpu(void)
{
    CHECK(!*gpu("\"source\": {\"kind\": \"assumed\", \"text\": \"s\"}"));
    CHECK_HAS(gpu("\"memory_GBps\": 0, \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.memory_GBps: expected a number above 0, got 0");
    CHECK_HAS(gpu("\"sms\": 1.5, \"source\": {\"kind\": \"assumed\", \"text\": "
                  "\"s\"}"),
              "gpu.sms: expected a whole number from 1 to 1000000, got 1.5");
    CHECK_HAS(gpu("\"arch\": \"hopper\", \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.arch: expected one such as sm_90 or gfx942, got \"hopper\"");
    CHECK_HAS(gpu("\"arch\": \"sm_9x\", \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.arch: expected one such as sm_90 or gfx942, got \"sm_9x\"");
    CHECK_HAS(gpu("\"sms\": 148, \"source\": {\"kind\": \"assumed\", \"text\": "
                  "\"s\"}}, \"nccl\": {\"channels\": 1"),
              "gpu.arch: expected one such as sm_90, by which NCCL takes "
              "algorithms, got nothing");
    CHECK_HAS(gpu("\"l2_MiB\": \"big\", \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.l2_MiB: expected a number above 0, got \"big\"");
    CHECK_HAS(gpu("\"remote_atomic_us\": -1, \"source\": {\"kind\": "
                  "\"assumed\", \"text\": \"s\"}"),
              "gpu.remote_atomic_us: expected a number not below 0, got -1");
    CHECK_HAS(
        gpu("\"shmem_put_source\": {\"kind\": \"assumed\", \"text\": \"\"}, "
            "\"source\": {\"kind\": \"assumed\", \"text\": \"s\"}"),
        "gpu.shmem_put_source: text: expected a text that says something");
    CHECK_HAS(gpu("\"gdrcopy_up_to_bytes\": 8192, \"source\": {\"kind\": "
                  "\"assumed\", \"text\": \"s\"}"),
              "gpu.gdrcopy_us: expected ");
    CHECK_HAS(gpu("\"gdrcopy_us\": 1, \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.gdrcopy_GBps: expected a number above 0, got nothing beside "
              "gdrcopy_us");
    CHECK_HAS(gpu("\"cpu_sums_ns_per_byte\": 1, \"source\": {\"kind\": "
                  "\"assumed\", \"text\": \"s\"}"),
              "gpu.cpu_sums_up_to_bytes: expected a whole number not below 0, "
              "got nothing");
    CHECK_HAS(gpu("\"cpu_sums_up_to_bytes\": -1, \"source\": {\"kind\": "
                  "\"assumed\", \"text\": \"s\"}"),
              "gpu.cpu_sums_up_to_bytes: expected a whole number");
    CHECK_HAS(gpu("\"ipc_event_us\": -1, \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.ipc_event_us: expected a number not below 0, got -1");
    CHECK_HAS(gpu("\"stream_sync\": 1, \"source\": {\"kind\": \"assumed\", "
                  "\"text\": \"s\"}"),
              "gpu.stream_sync: unknown key (did you mean stream_sync_us?)");
    CHECK(!*gpu(ACCESS("\"hit_ns\": 1, \"miss_ns\": 1")));
    CHECK_HAS(gpu(ACCESS("\"hit_ns\": -1, \"miss_ns\": 1")),
              "gpu.access.hit_ns: expected a number not below 0, got -1");
    CHECK_HAS(gpu(ACCESS("\"hit_ns\": 2, \"miss_ns\": 1")),
              "gpu.access.hit_ns: expected at most what a miss takes, 1, got "
              "2");
    CHECK_HAS(gpu(ACCESS("\"hit_ns\": 1, \"miss_ns\": 1, "
                         "\"atomic_hit_ns\": 3")),
              "gpu.access.atomic_hit_ns: expected at most");
    CHECK_HAS(gpu(ACCESS("\"hit_ns\": 1, \"mis_ns\": 1")),
              "gpu.access.mis_ns: unknown key (did you mean miss_ns?)");
    CHECK_HAS(gpu("\"source\": {\"kind\": \"assumed\", \"text\": \"s\"}, "
                  "\"access\": 1"),
              "gpu.access: expected an object, got 1");
}

/* Returns the error of runtimes with these members, and a GPU with such a
 * put. */
static const char *runtimes(const char *members, const char *put)
{
    char *text =
        xasprintf("\"gpudirect\": true, \"runtimes\": {%s}, \"gpu\": "
                  "{\"source\": {\"kind\": \"assumed\", \"text\": \"s\"}%s}",
                  members, put);
    const char *error = edited("\"gpudirect\": true", text);

    free(text);
    return error;
}

#define PUT_TABLE                                                              \
    "{\"segments\": [{\"protocol\": \"eager\", \"alpha_us\": 1, "              \
    "\"beta_ns_per_byte\": 0, \"alpha_shares\": [0, 0], \"source\": "          \
    "{\"kind\": \"assumed\", \"text\": \"s\"}}]}"

static void test_runtimes(void)
{
    CHECK(!*runtimes("", ""));
    CHECK(
        !*runtimes("\"shmem\": {\"gpu\": {\"off_node\": " PUT_TABLE "}}", ""));
    CHECK_HAS(runtimes("\"mpi\": {}", ""), "runtimes.mpi: unknown key");
    CHECK_HAS(runtimes("\"shmen\": {}", ""),
              "runtimes.shmen: unknown key (did you mean shmem?)");
    CHECK_HAS(runtimes("\"shmem\": {\"gpuu\": {}}", ""),
              "runtimes.shmem.gpuu: unknown key (did you mean gpu?)");
    CHECK_HAS(runtimes("\"cpu_copy\": {\"gpu\": {\"off_node\": "
                       "{\"segments\": []}}}",
                       ""),
              "runtimes.cpu_copy.gpu.off_node.segments: expected 1 to");
    CHECK_HAS(runtimes("\"shmem\": {\"gpu\": {\"off_node\": " PUT_TABLE "}}",
                       ", \"shmem_put_us\": 3"),
              "gpu.shmem_put_us: runtimes.shmem.gpu.off_node says what a put "
              "takes");
}

static void test_packet(void)
{
    static const char form[] = "\"source\": {\"kind\": \"assumed\", \"text\": "
                               "\"s\"}, \"nvlink_packet\": %s";
    static const char *const cases[][2] = {
        {"7", "gpu.nvlink_packet: expected an object, got 7"},
        {"{\"granule_bytes\": 32, \"payload_bytes\": 128, \"header_bytes\": "
         "16}",
         "gpu.nvlink_packet.source: expected {\"kind\": KIND"},
        {"{\"granule_bytes\": 0}", "gpu.nvlink_packet.granule_bytes: expected "
                                   "a whole number from 1 to 65536, got 0"},
        {"{\"granule_bytes\": 32, \"payload_bytes\": 100, \"header_bytes\": "
         "16, \"source\": {\"kind\": \"assumed\", \"text\": \"s\"}}",
         "gpu.nvlink_packet.payload_bytes: expected a multiple of the granule "
         "of 32, got 100"},
        {"{\"header\": 1}", "gpu.nvlink_packet.header: unknown key (did you "
                            "mean header_bytes?)"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char members[200];
        snprintf(members, sizeof members, form, cases[i][0]);
        CHECK_HAS(gpu(members), cases[i][1]);
    }
}

int main(void)
{
    refused_open();
    test_keys();
    test_head();
    test_numbers();
    test_sources();
    test_devices();
    test_gpus_used();
    test_too_many();
    test_wires();
    test_candidates();
    test_segments();
    test_shares();
    test_copies();
    test_gpu();
    test_runtimes();
    test_packet();
    refused_close();
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a platform's keys: each row is whole, every number of every
 * shipped machine has one, and the field that a row fills has the number of the
 * file, in the unit that its key ends in. */
#include "check.h"
#include "platforms/keys.h"
#include "platforms/platform.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool has_row(const struct key_table *t, const char *key)
{
    return !key || key_find(t, key);
}

/* Rows refer to rows, say something, and no key stands twice. */
static void rows_are_whole(const struct key_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct key *k = &t->rows[i];
        bool real = k->kind == KEY_COST || k->kind == KEY_FROM_0 ||
                    k->kind == KEY_POSITIVE;
        CHECK(key_find(t, k->key) == k);
        CHECK(k->help && *k->help && strlen(k->help) <= 200);
        CHECK(has_row(t, k->with) && has_row(t, k->as) &&
              has_row(t, k->source));
        CHECK(!k->as ||
              (key_find(t, k->as) < k && key_find(t, k->as)->kind == k->kind));
        CHECK(k->only < 1u << t->ncases);
        CHECK(k->kind != KEY_WHOLE || k->least <= k->most);
        CHECK(k->kind != KEY_WORD || (k->words && k->least < k->nwords));
        CHECK(k->needed == KEY_ALWAYS || !k->only || !(k->needed & ~k->only));
        /* A time or a rate is read in seconds, or bytes per second. */
        CHECK(real || (!key_is_time(k->key) && !key_is_rate(k->key)) ||
              k->kind == KEY_OTHER);
    }
}

static void units(void)
{
    CHECK_NEAR(key_unit("miss_ns"), 1e-9, 0);
    CHECK_NEAR(key_unit("send_ns_per_byte"), 1e-9, 0);
    CHECK_NEAR(key_unit("alpha_us"), 1e-6, 0);
    CHECK_NEAR(key_unit("gpu_GBps"), 1e9, 0);
    CHECK_NEAR(key_unit("memory_GiB"), 0x1p30, 0);
    CHECK_NEAR(key_unit("l2_MiB"), 0x1p20, 0);
    CHECK_NEAR(key_unit("clock_MHz"), 1e6, 0);
    CHECK_NEAR(key_unit("slots"), 1, 0);
    CHECK(key_is_time("pass_cycles") && key_is_rate("gpu_GBps"));
    CHECK(!key_is_time("extra_bytes") && !key_is_rate("alpha_us"));
}

static bool is_source(const char *key)
{
    size_t n = strlen(key);

    return n >= 6 && !strcmp(key + n - 6, "source");
}

/* Every number below v has a row by its path. */
static size_t check_paths(const char *name, const struct json *v,
                          const char *path)
{
    size_t n = 0, nth = 0;

    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        const char *benchmark;
        char *own = json_is_object(v) ? xasprintf("%s%s%s", path,
                                                  *path ? "." : "", json_key(c))
                                      : xasprintf("%s.%zu", path, nth);
        bool known = key_at(own, &benchmark) != NULL;
        if (json_is_object(v) && is_source(json_key(c)))
            known = true;
        else if (json_is_number(c) && json_is_object(v))
            n++;
        else if (json_is_object(c) ||
                 (json_is_array(c) && json_is_object(json_at(c, 0))))
            n += check_paths(name, c, own);
        if (json_is_number(c) && json_is_object(v) && !known)
            fprintf(stderr, "%s: %s has no row\n", name, own);
        CHECK(known || !json_is_number(c) || !json_is_object(v));
        free(own);
    }
    return n;
}

/* The fields of a struct have the numbers of the object that it was read
 * from. */
static size_t check_fields(const struct key_table *t, const void *of,
                           const struct json *o)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct key *k = &t->rows[i];
        const struct json *v = json_member(o, k->key);
        char text[80];
        if (!json_is_number(v) || k->kind == KEY_OTHER || json_number(v) == 0)
            continue;
        CHECK(key_text(k, of, text, sizeof text));
        CHECK_NEAR(strtod(text, NULL), json_number(v), 5e-6);
        n++;
    }
    return n;
}

static size_t check_tables(const struct machine *m, const struct json *doc)
{
    size_t n = 0;

    for (enum runtime r = 0; r < NRUNTIMES; r++)
        for (enum msg_path p = 0; p < NPATHS; p++)
            for (enum locality w = 0; w < NLOCALITIES; w++) {
                const struct message_table *t = &m->messages[r][p][w];
                char *path = xasprintf(
                    "%s%s.%s.%s", r == RUNTIME_MPI ? "messages" : "runtimes.",
                    r == RUNTIME_MPI ? "" : runtime_names[r], msg_path_names[p],
                    locality_names[w]);
                const struct json *o = json_at_path(doc, path);
                const struct json *list = o ? json_member(o, "segments") : NULL;
                if (o)
                    n += check_fields(&table_keys, t, o);
                for (size_t i = 0; list && i < t->nsegments; i++)
                    n += check_fields(&segment_keys, &t->segments[i],
                                      json_at(list, i));
                free(path);
            }
    return n;
}

static size_t check_machine_fields(const struct machine *m,
                                   const struct json *doc)
{
    const struct {
        const char *path;
        const struct key_table *table;
        const void *of;
    } objects[] = {
        {"network", &network_keys, &m->network},
        {"matching", &matching_keys, &m->matching},
        {"runtimes.lci.costs", &runtime_costs_keys, &m->costs[RUNTIME_LCI]},
        {"runtimes.mpi_probe.costs", &runtime_costs_keys,
         &m->costs[RUNTIME_MPI_PROBE]},
        {"runtimes.mpi_rma.costs", &runtime_costs_keys,
         &m->costs[RUNTIME_MPI_RMA]},
        {"copies", &copies_keys, &m->copies},
        {"copies.mps_overhead", &mps_overhead_keys, &m->copies},
        {"gpu", &gpu_keys, &m->gpu},
        {"gpu.access", &access_keys, &m->gpu.access},
        {"gpu.calls", &calls_keys, &m->gpu.calls},
        {"gpu.calls.several", &calls_keys, &m->gpu.calls_of_several},
        {"gpu.nvlink_packet", &packet_keys, &m->gpu.packet},
        {"nccl", &nccl_keys, &m->nccl},
        {"nccl.simple", &nccl_protocol_keys, &m->nccl.protocols[NCCL_SIMPLE]},
        {"nccl.ll", &nccl_protocol_keys, &m->nccl.protocols[NCCL_LL]},
        {"nccl.ll128", &nccl_protocol_keys, &m->nccl.protocols[NCCL_LL128]},
        {"nccl.nvls", &nccl_protocol_keys, &m->nccl.protocols[NCCL_NVLS]},
        {"nccl.settings", &nccl_settings_keys, &m->nccl.settings},
        {"nccl.p2p", &nccl_protocol_keys, &m->nccl.protocols[NCCL_P2P]},
        {"nccl.collnet", &nccl_protocol_keys, &m->nccl.protocols[NCCL_COLLNET]},
        {"nccl.pat", &nccl_protocol_keys, &m->nccl.protocols[NCCL_PAT]},
        {"graph", &graph_keys, &m->graph},
    };
    const struct json *rows = json_at_path(doc, "copies.rows");
    size_t n = check_tables(m, doc);

    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        const struct json *o = json_at_path(doc, objects[i].path);
        if (o)
            n += check_fields(objects[i].table, objects[i].of, o);
    }
    for (size_t i = 0; rows && i < m->copies.nrows; i++)
        n += check_fields(&copy_row_keys, &m->copies.rows[i], json_at(rows, i));
    return n;
}

static size_t check_devices(const struct machine *m, const struct json *doc)
{
    const struct json *list = json_at_path(doc, "node.devices");
    size_t n = 0;

    if (json_size(list) != m->ndevices || json_at_path(doc, "node.nics"))
        return 0;
    for (size_t i = 0; i < m->ndevices; i++)
        n += check_fields(&device_keys, &m->devices[i], json_at(list, i));
    for (size_t i = 0; i < m->nwires; i++)
        n += check_fields(&wire_type_keys, &m->wires[i],
                          json_member(json_at_path(doc, "node.wire_types"),
                                      m->wires[i].type));
    return n;
}

static void shipped_machines(void)
{
    struct platform_list list;
    size_t paths = 0, fields = 0;

    platform_list(&list);
    CHECK(list.n >= 30);
    for (size_t i = 0; i < list.n; i++) {
        struct machine m;
        struct err err;
        struct json *doc = platform_json(list.entries[i].name, NULL, 0, &err);
        CHECK(doc);
        CHECK(doc &&
              platform_load(&m, list.entries[i].name, NULL, 0, &err) == 0);
        paths += check_paths(list.entries[i].name, doc, "");
        fields += check_machine_fields(&m, doc) + check_devices(&m, doc);
        machine_clear(&m);
        json_free(doc);
    }
    platform_list_clear(&list);
    printf("%zu numbers by their paths, %zu by their fields\n", paths, fields);
    CHECK(paths > 4000 && fields > 4000);
}

static void check_benchmark(const char *path, const char *expected)
{
    const char *benchmark;

    (void)key_at(path, &benchmark);
    if (strcmp(benchmark, expected) != 0)
        fprintf(stderr, "%s: %s, expected %s\n", path, benchmark, expected);
    CHECK(!strcmp(benchmark, expected));
}

static void benchmarks(void)
{
    check_benchmark("messages.cpu.off_node.segments.1.send_us", "mult_pong");
    check_benchmark("messages.cpu.on_node.segments.1.send_us+recv_us", "ring");
    check_benchmark("messages.cpu.*.segments.*.alpha_us", "ping_pong");
    check_benchmark("messages.gpu.off_node.other_rack_us", "ping_pong");
    check_benchmark("runtimes.nccl_ll.gpu.on_node.segments.0.alpha_us", "nccl");
    check_benchmark("runtimes.lci.costs.call_us", "runtime");
    check_benchmark("copies.engine_us", "memcpy_mult");
    check_benchmark("copies.rows.*.alpha_us", "memcpy");
    check_benchmark("node.wire_types.nic.bandwidth_GBps", "maxrate");
    check_benchmark("node.wire_types.xbus.bandwidth_GBps", "memcpy_mult");
    check_benchmark("node.devices.3.memory_GBps", "all");
    check_benchmark("no.such.path", "all");
    check_benchmark("graph.arc_ns", "all");
}

/* Fields by their C names have the numbers of their paths, so that no row fills
 * the field of another. */
static void named_fields(void)
{
    struct machine m;
    struct err err;
    struct json *doc = platform_json("lassen", NULL, 0, &err);

    CHECK(doc && platform_load(&m, "lassen", NULL, 0, &err) == 0);
    const struct message_table *off =
        &m.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE];
    const struct {
        const char *path;
        double value, unit;
    } fields[] = {
        {"gpu.access.hit_ns", m.gpu.access.hit_s, 1e-9},
        {"gpu.access.miss_ns", m.gpu.access.miss_s, 1e-9},
        {"gpu.access.atomic_hit_ns", m.gpu.access.atomic_hit_s, 1e-9},
        {"gpu.access.atomic_miss_ns", m.gpu.access.atomic_miss_s, 1e-9},
        {"gpu.access.latency_hit_ns", m.gpu.access.latency_hit_s, 1e-9},
        {"gpu.access.latency_miss_ns", m.gpu.access.latency_miss_s, 1e-9},
        {"gpu.memory_GBps", m.gpu.memory_Bps, 1e9},
        {"gpu.l2_MiB", m.gpu.l2_B, 0x1p20},
        {"gpu.kernel_launch_us", m.gpu.launch_s, 1e-6},
        {"gpu.stream_sync_us", m.gpu.sync_s, 1e-6},
        {"gpu.calls.sync_us", m.gpu.calls.s[GPU_CALL_SYNC], 1e-6},
        {"gpu.calls.memset_us", m.gpu.calls.s[GPU_CALL_MEMSET], 1e-6},
        {"copies.engine_us", m.copies.engine_s, 1e-6},
        {"copies.time_slice_us", m.copies.slice_s, 1e-6},
        {"copies.rows.1.alpha_us", m.copies.rows[1].alpha_s, 1e-6},
        {"copies.rows.1.beta_ns_per_byte", m.copies.rows[1].beta_s_per_B, 1e-9},
        {"network.bandwidth_GBps", m.network.bandwidth_Bps, 1e9},
        {"network.process_GBps", m.network.process_Bps, 1e9},
        {"network.gpu_GBps", m.network.gpu_Bps, 1e9},
        {"messages.cpu.off_node.segments.1.alpha_us", off->segments[1].alpha_s,
         1e-6},
        {"messages.cpu.off_node.segments.1.beta_ns_per_byte",
         off->segments[1].beta_s_per_B, 1e-9},
        {"messages.cpu.off_node.segments.1.send_us", off->segments[1].send_s,
         1e-6},
        {"messages.cpu.off_node.segments.1.recv_us", off->segments[1].recv_s,
         1e-6},
        {"messages.cpu.off_node.segments.1.ack_us", off->segments[1].ack_s,
         1e-6},
        {"messages.cpu.off_node.other_rack_us", off->other_rack_s, 1e-6},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct json *v = json_at_path(doc, fields[i].path);
        CHECK(json_is_number(v));
        CHECK_NEAR(fields[i].value, json_number(v) * fields[i].unit, 1e-12);
    }
    machine_clear(&m);
    json_free(doc);
}

/* An object of a case refuses the keys of another, and says whose they are; a
 * cost of 0 is the least above it. */
static void reading(void)
{
    struct segment s = {.alpha_s = 0};
    struct err err;
    struct json *o = json_parse(
        "{\"protocol\": \"eager\", \"alpha_us\": 2, \"beta_ns_per_byte\": 0, "
        "\"gap_us\": 0, \"engine_us\": 1, "
        "\"source\": {\"kind\": \"assumed\", \"text\": \"test\"}}",
        "test", &err);

    CHECK(keys_read(&segment_keys, &s, o, 1, &err) < 0);
    CHECK(strstr(err.text, "engine_us: only of messages between the GPUs of a "
                           "node or messages of kernels on a node"));
    keys_free(&segment_keys, &s);
    s = (struct segment){.alpha_s = 0};
    CHECK(keys_read(&segment_keys, &s, o, 4, &err) == 0);
    CHECK_NEAR(s.alpha_s, 2e-6, 1e-15);
    CHECK_NEAR(s.gap_s, DBL_MIN, 0);
    CHECK(s.up_to_B == UINT64_MAX && s.protocol == PROTOCOL_EAGER);
    keys_free(&segment_keys, &s);
    json_free(o);
}

int main(void)
{
    const struct key_table *t;

    for (size_t i = 0; (t = key_table_nth(i)); i++)
        rows_are_whole(t);
    units();
    benchmarks();
    reading();
    named_fields();
    shipped_machines();
    return check_result();
}

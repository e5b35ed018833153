/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the objects of a platform's file, and finds the row of a number, and
 * the benchmark that measures it, by its path. */
#include "platforms/keys.h"

#include <string.h>

static const struct key_table *const objects[] = {
    &file_keys,      &node_keys,          &device_keys,
    &wire_type_keys, &wire_keys,          &network_keys,
    &level_keys,     &table_keys,         &segment_keys,
    &matching_keys,  &runtime_costs_keys, &copies_keys,
    &copy_row_keys,  &mps_overhead_keys,  &gpu_keys,
    &access_keys,    &calls_keys,         &packet_keys,
    &nccl_keys,      &nccl_protocol_keys, &nccl_settings_keys,
    &graph_keys,     &library_keys,       &measured_keys};

const struct key_table *key_table_nth(size_t i)
{
    return i < sizeof objects / sizeof objects[0] ? objects[i] : NULL;
}

/* Paths of objects, whose steps may be "*" for any, or end in it; the first
 * that matches counts. If a path has a benchmark, it measures all rows. */
static const struct place {
    const char *path;
    const struct key_table *table;
    const char *benchmark;
    bool off_node;
} places[] = {
    {"", &file_keys, NULL, false},
    {"node", &node_keys, NULL, false},
    {"node.devices.*", &device_keys, NULL, false},
    {"node.wire_types.nic*", &wire_type_keys, .benchmark = "maxrate"},
    {"node.wire_types.*", &wire_type_keys, NULL, false},
    {"node.wires.*", &wire_keys, NULL, false},
    {"network", &network_keys, NULL, false},
    {"network.levels.*", &level_keys, NULL, false},
    {"messages.*.off_node.segments.*", &segment_keys, .off_node = true},
    {"messages.*.*.segments.*", &segment_keys, NULL, false},
    {"messages.*.*", &table_keys, NULL, false},
    {"runtimes.nccl_*.*.*.segments.*", &segment_keys, .benchmark = "nccl"},
    {"runtimes.*.*.*.segments.*", &segment_keys, .benchmark = "runtime"},
    {"runtimes.*.costs", &runtime_costs_keys, NULL, false},
    {"runtimes.nccl_*.*.*", &table_keys, .benchmark = "nccl"},
    {"runtimes.*.*.*", &table_keys, .benchmark = "runtime"},
    {"matching", &matching_keys, NULL, false},
    {"copies", &copies_keys, NULL, false},
    {"copies.mps_overhead", &mps_overhead_keys, NULL, false},
    {"copies.rows.*", &copy_row_keys, NULL, false},
    {"gpu", &gpu_keys, NULL, false},
    {"gpu.access", &access_keys, NULL, false},
    {"gpu.calls", &calls_keys, NULL, false},
    {"gpu.calls.several", &calls_keys, NULL, false},
    {"gpu.nvlink_packet", &packet_keys, NULL, false},
    {"nccl", &nccl_keys, NULL, false},
    {"nccl.settings", &nccl_settings_keys, NULL, false},
    {"nccl.*", &nccl_protocol_keys, NULL, false},
    {"graph", &graph_keys, NULL, false},
    {"libraries.*", &library_keys, NULL, false},
    {"measured", &measured_keys, NULL, false},
};

/* Returns whether a path of n characters has the steps of a pattern. */
static bool matches(const char *pattern, const char *path, size_t n)
{
    const char *end = path + n;

    for (;; pattern++, path++) {
        if (*pattern == '*') {
            while (path < end && *path != '.')
                path++;
            pattern++;
        }
        if (path == end || *pattern == 0)
            return path == end && *pattern == 0;
        if (*pattern != *path)
            return false;
    }
}

/* Returns the row of a key, or of the first of several if a '+' joins them. */
static const struct key *first_row(const struct key_table *object,
                                   const char *keys)
{
    size_t n = strcspn(keys, "+");

    for (size_t i = 0; i < object->n; i++)
        if (!strncmp(object->rows[i].key, keys, n) && !object->rows[i].key[n])
            return &object->rows[i];
    return NULL;
}

static const char *benchmark_of(const struct place *at, const struct key *k)
{
    const char *own = at->off_node && k && k->off_node ? k->off_node
                      : k                              ? k->benchmark
                                                       : NULL;

    return at->benchmark          ? at->benchmark
           : own                  ? own
           : at->table->benchmark ? at->table->benchmark
                                  : "all";
}

/* Returns the place of the object that has the number at a path; NULL if it is
 * not listed. */
static const struct place *object_place(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (matches(places[i].path, path, dot ? (size_t)(dot - path) : 0))
            return &places[i];
    return NULL;
}

const struct key *key_at(const char *path, const char **benchmark)
{
    const char *dot = strrchr(path, '.');
    const struct place *at = object_place(path);

    *benchmark = "all";
    if (!at)
        return NULL;
    const struct key *k = first_row(at->table, dot ? dot + 1 : path);
    *benchmark = benchmark_of(at, k);
    return k;
}

bool key_may_stand_at(const char *path, const char *key)
{
    const struct place *at = object_place(path);

    return !at || key_find(at->table, key);
}

const char *key_source_key(const char *object, const char *number)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *dot = strrchr(places[i].path, '.');
        const char *last = dot ? dot + 1 : places[i].path;
        const struct key *k = key_find(places[i].table, number);
        if (k && k->source && matches(last, object, strlen(object)))
            return k->source;
    }
    return "source";
}

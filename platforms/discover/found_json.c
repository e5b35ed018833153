/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the devices that were found as the document of a platform. */
#include "platforms/discover/found.h"
#include "base/number.h"
#include "platforms/discover/known.h"

#include "platforms/compose.h"
#include "platforms/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the ids of the items: cpu0, pci0, gpu0, nic0, nvswitch0. */
static char **name_items(const struct found *f)
{
    static const char *const names[] = {"cpu", "pci", "gpu", "nic", "nvswitch"};
    unsigned counts[5] = {0};
    char **ids = xcalloc(f->nitems + 1, sizeof *ids);

    for (size_t i = 0; i < f->nitems; i++) {
        enum found_kind kind = f->items[i].kind;
        ids[i] = xasprintf("%s%u", names[kind], counts[kind]++);
    }
    return ids;
}

static size_t socket_above(const struct found *f, size_t item)
{
    while (f->items[item].parent != NO_ITEM)
        item = f->items[item].parent;
    return item;
}

static void add_model(struct json *d, const char *model)
{
    json_add(d, "source", source_json(PROVENANCE_SPECIFICATION, NULL, model));
}

static struct json *device_json(const struct found *f, size_t i, char **ids)
{
    static const char *const kinds[] = {"socket", "switch", "gpu", "nic",
                                        "switch"};
    const struct found_item *item = &f->items[i];
    const struct known_gpu *known = known_gpu(item->model);
    struct json *d = json_new_object();

    json_add_string(d, "id", ids[i]);
    json_add_string(d, "kind", kinds[item->kind]);
    switch (item->kind) {
    case FOUND_SOCKET:
        json_add_number(d, "cores", item->cores);
        if (item->cores_per_cache > 1)
            json_add_number(d, "cores_per_cache", item->cores_per_cache);
        json_add(d, "source", json_copy(item->source));
        break;
    case FOUND_GPU:
        json_add_string(d, "socket", ids[socket_above(f, i)]);
        if (item->memory_B > 0 || (known && known->memory_GiB > 0))
            json_add_number(d, "memory_GiB",
                            item->memory_B > 0
                                ? number_four_digits(item->memory_B / 0x1p30)
                                : known->memory_GiB);
        add_model(d, item->model ? item->model : "a GPU without a name");
        break;
    case FOUND_NIC:
        json_add_string(d, "socket", ids[socket_above(f, i)]);
        if (item->model && *item->model)
            add_model(d, item->model);
        break;
    case FOUND_BRIDGE:
    case FOUND_FABRIC:
        break;
    }
    return d;
}

/* Returns the name of a wire's type for its rate, "nic-1_25". It has no dot
 * because dots divide the paths that --set takes. */
static char *type_name(const char *name, double GBps)
{
    char *type = xasprintf("%s-%g", name, GBps);

    for (char *c = type; *c; c++)
        if (*c == '.')
            *c = '_';
    return type;
}

/* Adds a wire, and its type, of which there is one for each name and rate. */
static void wire_json(struct json *types, struct json *wires, const char *name,
                      double Bps, const struct json *source, const char *a,
                      const char *b)
{
    /* None of these rates has more than four digits. */
    double GBps = number_four_digits(Bps / 1e9);
    char *type = type_name(name, GBps);
    struct json *wire = json_new_object(), *ends = json_new_array();

    if (!json_member(types, type)) {
        struct json *o = json_new_object();
        json_add_number(o, "bandwidth_GBps", GBps);
        json_add(o, "source", json_copy(source));
        json_add(types, type, o);
    }
    json_add_string(wire, "type", type);
    json_append(ends, json_new_string(a));
    json_append(ends, json_new_string(b));
    json_add(wire, "ends", ends);
    json_append(wires, wire);
    free(type);
}

/* Returns the source of the rate of a NIC's wire, which is as fast as its ports
 * if the bus is no slower; the caller frees it. */
static struct json *nic_wire(const struct found_item *item, double *Bps)
{
    /* NICs of plain networks have one of these ranks. */
    bool plain = item->rank == 1 || item->rank == 4;
    bool known = item->port_Bps > 0;

    *Bps = known ? item->port_Bps : plain ? 1.25e9 : 12.5e9;
    if (item->wire_Bps > 0 && item->wire_Bps < *Bps) {
        *Bps = item->wire_Bps;
        return json_copy(item->wire_source);
    }
    return known ? json_copy(item->port_source)
                 : source_json(PROVENANCE_ASSUMED, NULL,
                               plain ? "10 Gbit/s, the source does not say"
                                     : "100 Gbit/s, the source does not say");
}

static void add_tree_wires(const struct found *f, char **ids,
                           struct json *types, struct json *wires)
{
    for (size_t i = 0; i < f->nitems; i++) {
        const struct found_item *item = &f->items[i];
        bool nic = item->kind == FOUND_NIC;
        double Bps = item->wire_Bps > 0 ? item->wire_Bps : 15.75e9;
        if (item->parent == NO_ITEM)
            continue;
        struct json *source = nic ? nic_wire(item, &Bps)
                              : item->wire_Bps > 0
                                  ? json_copy(item->wire_source)
                                  : source_json(PROVENANCE_ASSUMED, NULL,
                                                "PCIe 3 x16, the source does "
                                                "not say");
        wire_json(types, wires, nic ? "nic" : "pcie", Bps, source,
                  ids[item->parent], ids[i]);
        json_free(source);
    }
}

/* Adds wires between any two sockets. */
static void add_socket_wires(const struct found *f, char **ids,
                             struct json *types, struct json *wires)
{
    struct json *source = source_json(
        PROVENANCE_ASSUMED, NULL, "between any two sockets, no source says");

    for (size_t a = 0; a < f->nitems; a++)
        for (size_t b = a + 1; b < f->nitems; b++)
            if (f->items[a].kind == FOUND_SOCKET &&
                f->items[b].kind == FOUND_SOCKET)
                wire_json(types, wires, "sockets", 32e9, source, ids[a],
                          ids[b]);
    json_free(source);
}

static struct json *node_json(const struct found *f, char **ids)
{
    static const enum found_kind order[] = {FOUND_SOCKET, FOUND_GPU, FOUND_NIC,
                                            FOUND_BRIDGE, FOUND_FABRIC};
    struct json *node = json_new_object(), *devices = json_new_array();
    struct json *types = json_new_object(), *wires = json_new_array();

    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (size_t i = 0; i < f->nitems; i++)
            if (f->items[i].kind == order[k])
                json_append(devices, device_json(f, i, ids));
    /* Links come before PCIe, because the first of several routes with as few
     * wires is used. */
    for (size_t i = 0; i < f->nlinks; i++) {
        const struct found_link *l = &f->links[i];
        wire_json(types, wires, l->type, l->Bps, l->source, ids[l->ends[0]],
                  ids[l->ends[1]]);
    }
    add_tree_wires(f, ids, types, wires);
    add_socket_wires(f, ids, types, wires);
    json_add(node, "devices", devices);
    json_add(node, "wire_types", types);
    json_add(node, "wires", wires);
    return node;
}

static struct json *network_json(const struct found *f, unsigned nodes)
{
    struct json *n = json_new_object();
    bool nic = found_count(f, FOUND_NIC) > 0;

    if (!nodes)
        nodes = nic ? 2 : 1;
    json_add_string(n, "topology", "crossbar");
    json_add_number(n, "nodes", nodes);
    if (!nic)
        json_add_number(n, "bandwidth_GBps", 1);
    json_add(n, "source",
             source_json(PROVENANCE_ASSUMED, NULL,
                         nic ? "never blocks; how many nodes there are and how "
                               "they are joined no source says"
                             : "no NIC was found"));
    return n;
}

/* Costs of another machine. */

/* Removes the NICs of the other machine. */
static void leave_nics(struct json *v)
{
    for (struct json *c = json_at(v, 0); c; c = json_next(c))
        leave_nics(c);
    if (json_is_object(v) && json_member(v, "protocol"))
        json_remove(v, "nic");
}

static int take(struct json *to, const struct json *from, const char *key,
                const char *name, struct err *err)
{
    const struct json *v = json_member(from, key);

    if (!v)
        return 0;
    struct json *copy = json_copy(v);
    leave_nics(copy);
    json_add(to, key, copy);
    return compose_take_over(copy, name, err) < 0
               ? fail_in(err, "%s: %s", name, key)
               : 0;
}

/* Adds the numbers of the first GPU's model; the rest are the other
 * machine's. */
static void add_gpu_model(struct json *to, const struct found *f)
{
    const struct found_item *gpu = NULL;
    struct json *o = json_member(to, "gpu");

    for (size_t i = 0; i < f->nitems && !gpu; i++)
        gpu = f->items[i].kind == FOUND_GPU ? &f->items[i] : NULL;
    const struct known_gpu *known = known_gpu(gpu->model);
    if (!o) {
        o = json_new_object();
        json_add(to, "gpu", o);
    }
    static const char *const own[] = {"arch", "memory_GBps",    "l2_MiB",
                                      "sms",  "threads_per_sm", "source"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        json_remove(o, own[i]);
    if (gpu->arch || known)
        json_add_string(o, "arch", gpu->arch ? gpu->arch : known->arch);
    if (known) {
        json_add_number(o, "memory_GBps", known->memory_GBps);
        json_add_number(o, "l2_MiB", known->l2_MiB);
    }
    if (gpu->sms || known)
        json_add_number(o, "sms", gpu->sms ? gpu->sms : known->sms);
    json_add(
        o, "source",
        source_json(PROVENANCE_SPECIFICATION, NULL,
                    known ? known->name : "what the source says of its GPU"));
}

/* Returns a machine whose messages were measured, with GPUs most like the
 * first. */
static const char *costs_like(const struct found *f)
{
    static const struct {
        const char *gpu, *costs;
    } alike[] = {{"P100", "lassen"},     {"V100", "lassen"},
                 {"GH200", "deltaai"},   {"H200", "dgx-h100"},
                 {"H100", "dgx-h100"},   {"MI100", "frontier"},
                 {"MI210", "frontier"},  {"GCD of MI250", "frontier"},
                 {"MI300A", "tuolumne"}, {"MI300X", "tuolumne"}};
    const struct known_gpu *known = NULL;

    if (!found_count(f, FOUND_GPU))
        return "dane";
    for (size_t i = 0; i < f->nitems && !known; i++)
        if (f->items[i].kind == FOUND_GPU)
            known = known_gpu(f->items[i].model);
    for (size_t i = 0; known && i < sizeof alike / sizeof alike[0]; i++)
        if (!strncmp(known->name, alike[i].gpu, strlen(alike[i].gpu)))
            return alike[i].costs;
    return f->maker && !strcmp(f->maker, "amd") ? "tuolumne" : "dgx-a100";
}

static int add_costs(struct json *to, const struct found *f, const char *costs,
                     struct err *err)
{
    struct json *from = platform_json(costs, NULL, 0, err);
    bool gpus = found_count(f, FOUND_GPU) > 0;

    if (!from)
        return -1;
    int result = take(to, from, "messages", costs, err);
    struct json *messages = json_member(to, "messages");
    if (!gpus && messages) {
        json_remove(messages, "gpu");
        json_remove(messages, "gpu_no_gdr");
    }
    struct json *cpu = messages ? json_member(messages, "cpu") : NULL;
    /* Cores that share a cache are on one socket, too. */
    if (cpu && !json_member(cpu, "shared_cache") &&
        json_member(cpu, "on_socket"))
        json_add(cpu, "shared_cache", json_copy(json_member(cpu, "on_socket")));
    json_add_bool(to, "gpudirect",
                  gpus && messages && json_member(messages, "gpu"));
    if (gpus && result == 0)
        result = take(to, from, "copies", costs, err);
    if (gpus && result == 0)
        result = take(to, from, "gpu", costs, err);
    if (gpus && result == 0)
        add_gpu_model(to, f);
    json_free(from);
    return result;
}

struct json *found_json(const struct found *f,
                        const struct discover_options *options, struct err *err)
{
    const char *costs = options->costs ? options->costs : costs_like(f);
    struct json *doc = json_new_object();
    char **ids = name_items(f);
    bool unlinked = found_count(f, FOUND_GPU) > 1 && !f->nlinks;
    char *about =
        xasprintf("discovered: %s%s", f->what,
                  unlinked ? "; no links between GPUs are named there" : "");

    json_add_number(doc, "format", 1);
    json_add_string(doc, "name", options->name);
    json_add_string(doc, "about", about);
    json_add(doc, "node", node_json(f, ids));
    json_add(doc, "network", network_json(f, options->nodes));
    int result = add_costs(doc, f, costs, err);
    for (size_t i = 0; i < f->nitems; i++)
        free(ids[i]);
    free(ids);
    free(about);
    struct machine m;
    if (result == 0 && platform_read(&m, doc, err) < 0)
        result = fail_in(err, "with the costs of %s", costs);
    else if (result == 0)
        machine_clear(&m);
    if (result == 0)
        return doc;
    json_free(doc);
    return NULL;
}

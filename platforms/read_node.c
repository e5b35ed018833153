/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a node: its sockets, GPUs and NICs, and the wires between them. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEVICES = MACHINE_DEVICES,
    MAX_GPUS = 128,
    MAX_CORES = 4096,
    MAX_WIRES = 4096
};

/* Returns whether a device has a number, because without any it needs no
 * source. */
static bool has_number(const struct json *o)
{
    for (const struct json *c = json_at(o, 0); c; c = json_next(c))
        if (json_is_number(c))
            return true;
    return false;
}

/* Bits of the kinds of a device. */
enum {
    SOCKET = 1u << DEVICE_SOCKET,
    GPU = 1u << DEVICE_GPU,
    NIC = 1u << DEVICE_NIC
};
#define AT(field) offsetof(struct device, field)
static const struct key device_rows[] = {
    {"id", KEY_TEXT, AT(id), KEY_ALWAYS, .help = "its name in the node"},
    {"kind", KEY_WORD, AT(kind), KEY_ALWAYS, .words = device_kind_names,
     .nwords = NDEVICE_KINDS,
     .help = "what the device is; a switch joins wires of NVLink or PCIe"},
    {"cores", KEY_WHOLE, AT(cores), SOCKET, SOCKET, .least = 1,
     .most = MAX_CORES, .help = "cores that processes may use"},
    {"cores_per_cache", KEY_WHOLE, AT(cores_per_cache), .only = SOCKET,
     .initial = 1, .least = 1, .most = MAX_CORES,
     .help = "consecutive cores that share a cache"},
    {"socket", KEY_OTHER, .only = GPU | NIC,
     .help = "the socket that it hangs on; a NIC may name a gpu instead"},
    {"gpu", KEY_OTHER, .only = NIC,
     .help = "the GPU that it hangs on, which passes on its data"},
    {"memory_GiB", KEY_POSITIVE, AT(memory_B), .only = SOCKET | GPU,
     .help = "its memory"},
    {"memory_GBps", KEY_POSITIVE, AT(memory_Bps), .only = SOCKET | GPU,
     .help = "socket: the rate at which its memory is read, and written, by "
             "all cores; GPU: at which copies inside it read and write "
             "together"},
    {"reduce_GBps", KEY_POSITIVE, AT(reduce_Bps), .only = SOCKET,
     .benchmark = "collective",
     .help = "the rate at which a core adds a buffer to another (left out: "
             "copy_GBps, which is then assumed)"},
    {"copy_GBps", KEY_POSITIVE, AT(copy_Bps), .only = SOCKET,
     .benchmark = "pack",
     .help = "the rate at which a core copies in its own memory (left out: "
             "as in messages on the socket)"},
    {"shared_cache_MiB", KEY_POSITIVE, AT(shared_cache_B), .only = SOCKET,
     .help = "cache that the processes of a socket divide"},
    {"uncached_ns_per_byte", KEY_COST, AT(uncached_s_per_B), .only = SOCKET,
     .help = "how much longer a core copies and adds a byte that is not in "
             "the shared cache"},
    {"cache_MiB", KEY_POSITIVE, AT(cache_B), .only = SOCKET,
     .help = "cache of a core: so much of what a process uses again and "
             "again stays out of memory"},
    {"message_gap_ns", KEY_COST, AT(message_gap_s), .only = NIC,
     .benchmark = "maxrate",
     .help = "time between two messages that it begins to send"},
    {"messages_at_once", KEY_WHOLE, AT(messages_at_once), .only = NIC,
     .least = 1, .most = 1000000, .benchmark = "all_to_all_v",
     .help = "messages that it sends at the same time to nodes of the rack "
             "(left out: any number)"},
    {"messages_at_once_other_rack", KEY_WHOLE, AT(other_rack_at_once),
     .only = NIC, .as = "messages_at_once", .least = 1, .most = 1000000,
     .benchmark = "all_to_all_v", .help = "the same to other racks"},
    {"source", KEY_SOURCE, AT(source), .help = "needed if there is a number"},
};
#undef AT
static const char *const device_cases[] = {"socket", "gpu", "nic", "switch"};
const struct key_table device_keys = {
    "node.devices[]", "the devices of a node", KEY_ROWS(device_rows),
    KEY_ROWS(device_cases), .benchmark = NULL};

static int read_device(struct device *d, const struct json *o, struct err *err)
{
    unsigned kind;

    d->gpu = NO_GPU;
    if (read_text(o, "id", &d->id, err) < 0 ||
        read_name(o, "kind", device_kind_names, NDEVICE_KINDS, &kind, err) <
            0 ||
        keys_read(&device_keys, d, o, 1u << kind, err) < 0)
        return -1;
    if (!has_number(o) || json_member(o, "source"))
        return 0;
    return source_read(&d->source, o, "source", err);
}

/* Numbers the device among its kind, and refuses it if its id is there
 * already. */
static int enter_device(struct machine *m, struct device *d, struct err *err)
{
    unsigned *const counts[NDEVICE_KINDS] = {&m->nsockets, &m->ngpus, &m->nnics,
                                             &m->nswitches};

    for (struct device *e = m->devices; e < d; e++)
        if (!strcmp(e->id, d->id))
            return fail(err, "id: there are two devices \"%.60s\"", d->id);
    d->index = (*counts[d->kind])++;
    if (d->kind == DEVICE_SOCKET) {
        d->socket = d->index;
        m->ncores += d->cores;
    }
    if (m->ngpus > MAX_GPUS)
        return fail(err, ": expected at most %d GPUs", MAX_GPUS);
    return 0;
}

static int read_devices(struct machine *m, const struct json *array,
                        struct err *err)
{
    size_t n = json_size(array);
    const struct json *o;

    if (n > MAX_DEVICES)
        return fail(err, "devices: expected at most %d, got %zu", MAX_DEVICES,
                    n);
    m->devices = xcalloc(n, sizeof *m->devices);
    for (size_t i = 0; i < n; i++) {
        struct device *d = &m->devices[m->ndevices];
        if (read_element(array, "devices", i, &o, err) < 0)
            return -1;
        m->ndevices++;
        if (read_device(d, o, err) < 0 || enter_device(m, d, err) < 0)
            return fail_at_place(err, "devices[%zu]", i);
    }
    if (!m->nsockets)
        return fail(err, "devices: expected at least one socket");
    return 0;
}

/* Reads the socket of a GPU or NIC; if a NIC hangs on a GPU, it is the
 * GPU's. */
static int read_place(struct machine *m, struct device *d, const struct json *o,
                      struct err *err)
{
    const char *id;
    unsigned on;
    bool gpu = d->kind == DEVICE_NIC && json_member(o, "gpu");

    if (gpu && json_member(o, "socket"))
        return fail(err, "gpu: expected either a gpu or a socket, got both");
    if (json_get_string(o, gpu ? "gpu" : "socket", &id, err) < 0 ||
        find_device(m, gpu ? "gpu" : "socket", id,
                    gpu ? DEVICE_GPU : DEVICE_SOCKET, &on, err) < 0)
        return -1;
    d->socket = gpu ? m->devices[on].socket : m->devices[on].index;
    if (gpu)
        d->gpu = on;
    return 0;
}

/* Reads the places of GPUs first, because a NIC may get its socket from one. */
static int read_places(struct machine *m, const struct json *array,
                       struct err *err)
{
    static const enum device_kind kinds[] = {DEVICE_GPU, DEVICE_NIC};

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < m->ndevices; i++)
            if (m->devices[i].kind == kinds[k] &&
                read_place(m, &m->devices[i], json_at(array, i), err) < 0)
                return fail_at_place(err, "devices[%zu]", i);
    return 0;
}

static int read_ends(struct machine *m, struct wire *w, const struct json *o,
                     struct err *err)
{
    struct json *ends;

    if (json_get_array(o, "ends", &ends, err) < 0)
        return -1;
    if (json_size(ends) != 2)
        return fail(err, "ends: expected two devices, got %zu",
                    json_size(ends));
    for (unsigned i = 0; i < 2; i++) {
        const struct json *end = json_at(ends, i);
        char got[80], key[16];

        snprintf(key, sizeof key, "ends[%u]", i);
        if (!json_is_string(end))
            return fail(err, "%s: expected a device of this node, got %s", key,
                        json_describe(end, got, sizeof got));
        if (find_device(m, key, json_string(end), ANY_KIND, &w->ends[i], err) <
            0)
            return -1;
    }
    if (w->ends[0] == w->ends[1])
        return fail(err, "ends: joins %s to itself", m->devices[w->ends[0]].id);
    return 0;
}

#define AT(field) offsetof(struct wire, field)
static const struct key wire_type_rows[] = {
    {"bandwidth_GBps", KEY_POSITIVE, AT(bandwidth_Bps), KEY_ALWAYS,
     .help = "the rate each way"},
    {"specified_GBps", KEY_POSITIVE, AT(specified_Bps), .untimed = true,
     .help = "the rate of the port by specification: calibrate puts no more "
             "into the bandwidth, whatever is measured"},
    {"half_duplex", KEY_FLAG, AT(half_duplex),
     .help = "the bandwidth is that of both ways together"},
    {"reduces", KEY_FLAG, AT(reduces),
     .help = "the switch at its end adds data that come by several such "
             "wires, and sends the sum to all of them (NVLink SHARP)"},
    {"source", KEY_SOURCE, AT(source), KEY_ALWAYS,
     .help = "where the bandwidth is from"},
};
static const struct key wire_rows[] = {
    {"type", KEY_TEXT, AT(type), KEY_ALWAYS, .help = "one of node.wire_types"},
    {"ends", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "the ids of the two devices that it joins"},
};
#undef AT
/* A wire's type gives all but its ends. */
const struct key_table wire_type_keys = {
    "node.wire_types.TYPE",
    "kinds of wires; a name has no '.', '+', '*' or '=', which have a meaning "
    "for --set",
    KEY_ROWS(wire_type_rows), KEY_NO_CASES, .benchmark = "memcpy_mult"};
const struct key_table wire_keys = {"node.wires[]", "the wires between devices",
                                    KEY_ROWS(wire_rows), KEY_NO_CASES,
                                    .benchmark = NULL};

static const struct key node_rows[] = {
    {"devices", KEY_OTHER, .needed = KEY_ALWAYS, .help = "a list of devices"},
    {"wire_types", KEY_OTHER, .needed = KEY_ALWAYS,
     .help = "kinds of wires by their names"},
    {"wires", KEY_OTHER, .needed = KEY_ALWAYS, .help = "a list of wires"},
    {"nics", KEY_OTHER,
     .help = "so many NICs: evenly taken from those in devices, or each "
             "copied with its wires; needs a source"},
    {"source", KEY_OTHER, .with = "nics",
     .help = "where the number of NICs is from"},
};
const struct key_table node_keys = {"node", "a node of the machine",
                                    KEY_ROWS(node_rows), KEY_NO_CASES,
                                    .benchmark = NULL};

static int read_wire(struct machine *m, struct wire *w, const struct json *o,
                     const struct json *types, struct err *err)
{
    if (keys_read(&wire_keys, w, o, 0, err) < 0 || read_ends(m, w, o, err) < 0)
        return -1;
    const struct json *type = json_member(types, w->type);
    if (!type)
        return fail(err, "type: expected one of node.wire_types, got \"%.60s\"",
                    w->type);
    return keys_read(&wire_type_keys, w, type, 0, err);
}

static int check_wire_types(const struct json *types, struct err *err)
{
    char got[80];

    for (const struct json *t = json_at(types, 0); t; t = json_next(t)) {
        struct wire any = {0};
        if (strpbrk(json_key(t), ".+*="))
            return fail(err,
                        "wire_types.%.60s: expected a name without '.', '+', "
                        "'*' and '=', which have a meaning for --set",
                        json_key(t));
        if (!json_is_object(t))
            return fail(err, "wire_types.%.60s: expected an object, got %s",
                        json_key(t), json_describe(t, got, sizeof got));
        int bad = keys_read(&wire_type_keys, &any, t, 0, err) < 0;
        source_free(any.source);
        if (bad)
            return fail_at_place(err, "wire_types.%.60s", json_key(t));
    }
    return 0;
}

static int read_wires(struct machine *m, const struct json *array,
                      const struct json *types, struct err *err)
{
    size_t n = json_size(array);
    const struct json *o;

    if (n > MAX_WIRES)
        return fail(err, "wires: expected at most %d, got %zu", MAX_WIRES, n);
    m->wires = xcalloc(n, sizeof *m->wires);
    for (size_t i = 0; i < n; i++) {
        if (read_element(array, "wires", i, &o, err) < 0)
            return -1;
        m->nwires++;
        if (read_wire(m, &m->wires[i], o, types, err) < 0)
            return fail_at_place(err, "wires[%zu]", i);
    }
    return 0;
}

static int read_parts(struct machine *m, const struct json *devices,
                      const struct json *types, const struct json *wires,
                      struct err *err)
{
    if (read_devices(m, devices, err) < 0 || read_places(m, devices, err) < 0 ||
        check_wire_types(types, err) < 0)
        return -1;
    return read_wires(m, wires, types, err);
}

int read_node(struct machine *m, const struct json *node, struct err *err)
{
    struct json *devices, *types, *wires, *more_devices, *more_wires;
    struct number_source *source = NULL;
    unsigned nics;

    if (keys_read(&node_keys, m, node, 0, err) < 0 ||
        json_get_array(node, "devices", &devices, err) < 0 ||
        json_get_object(node, "wire_types", &types, err) < 0 ||
        json_get_array(node, "wires", &wires, err) < 0)
        return -1;
    if (!json_member(node, "nics"))
        return read_parts(m, devices, types, wires, err);
    if (read_unsigned(node, "nics", 1, MAX_DEVICES, &nics, err) < 0 ||
        source_read(&source, node, "source", err) < 0)
        return -1;
    source_free(source);
    if (read_nics(devices, wires, nics, &more_devices, &more_wires, err) < 0)
        return -1;
    int result = read_parts(m, more_devices, types, more_wires, err);
    json_free(more_devices);
    json_free(more_wires);
    return result;
}

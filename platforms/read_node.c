/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node: its sockets, GPUs and NICs, and the wires between them. */
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEVICES = MACHINE_DEVICES,
    MAX_GPUS = 128,
    MAX_CORES = 4096,
    MAX_WIRES = 4096
};

/* Without any number in it a device needs no source. */
static bool has_number(const struct json *o)
{
    for (const struct json *c = json_at(o, 0); c; c = json_next(c))
        if (json_is_number(c))
            return true;
    return false;
}

static int read_socket(struct device *d, const struct json *o, struct err *err)
{
    if (ONLY_KEYS(o, err, "id", "kind", "cores", "cores_per_cache",
                  "memory_GiB", "memory_GBps", "cache_MiB", "reduce_GBps",
                  "copy_GBps", "uncached_ns_per_byte", "shared_cache_MiB",
                  "source") < 0 ||
        read_optional(o, "memory_GiB", 0x1p30, &d->memory_B, err) < 0 ||
        read_optional(o, "copy_GBps", 1e9, &d->copy_Bps, err) < 0 ||
        read_optional_cost(o, "uncached_ns_per_byte", 1e-9,
                           &d->uncached_s_per_B, err) < 0 ||
        read_optional(o, "shared_cache_MiB", 0x1p20, &d->shared_cache_B, err) <
            0 ||
        read_optional(o, "reduce_GBps", 1e9, &d->reduce_Bps, err) < 0 ||
        read_optional(o, "cache_MiB", 0x1p20, &d->cache_B, err) < 0 ||
        read_unsigned(o, "cores", 1, MAX_CORES, &d->cores, err) < 0 ||
        read_optional(o, "memory_GBps", 1e9, &d->memory_Bps, err) < 0)
        return -1;
    d->cores_per_cache = 1;
    return json_member(o, "cores_per_cache")
               ? read_unsigned(o, "cores_per_cache", 1, MAX_CORES,
                               &d->cores_per_cache, err)
               : 0;
}

static int read_at_once(const struct json *o, const char *key, unsigned *out,
                        struct err *err)
{
    return json_member(o, key) ? read_unsigned(o, key, 1, 1000000, out, err)
                               : 0;
}

static int read_nic(struct device *d, const struct json *o, struct err *err)
{
    if (ONLY_KEYS(o, err, "id", "kind", "socket", "gpu", "message_gap_ns",
                  "messages_at_once", "messages_at_once_other_rack",
                  "source") < 0 ||
        read_optional_cost(o, "message_gap_ns", 1e-9, &d->message_gap_s, err) <
            0 ||
        read_at_once(o, "messages_at_once", &d->messages_at_once, err) < 0)
        return -1;
    d->other_rack_at_once = d->messages_at_once;
    return read_at_once(o, "messages_at_once_other_rack",
                        &d->other_rack_at_once, err);
}

static int read_gpu_device(struct device *d, const struct json *o,
                           struct err *err)
{
    if (ONLY_KEYS(o, err, "id", "kind", "socket", "memory_GiB", "memory_GBps",
                  "source") < 0 ||
        read_optional(o, "memory_GBps", 1e9, &d->memory_Bps, err) < 0)
        return -1;
    return read_optional(o, "memory_GiB", 0x1p30, &d->memory_B, err);
}

static int read_switch(struct device *d, const struct json *o, struct err *err)
{
    (void)d;
    return ONLY_KEYS(o, err, "id", "kind", "source");
}

static int (*const read_by_kind[NDEVICE_KINDS])(struct device *,
                                                const struct json *,
                                                struct err *) = {
    [DEVICE_SOCKET] = read_socket,
    [DEVICE_GPU] = read_gpu_device,
    [DEVICE_NIC] = read_nic,
    [DEVICE_SWITCH] = read_switch};

static int read_device(struct device *d, const struct json *o, struct err *err)
{
    unsigned kind;

    if (read_text(o, "id", &d->id, err) < 0 ||
        read_name(o, "kind", device_kind_names, NDEVICE_KINDS, &kind, err) < 0)
        return -1;
    d->kind = (enum device_kind)kind;
    d->gpu = NO_GPU;
    if (read_by_kind[kind](d, o, err) < 0)
        return -1;
    if (!has_number(o) && !json_member(o, "source"))
        return 0;
    return source_read(&d->source, o, "source", err);
}

/* Numbers the device among its kind, and refuses a second one of its id. */
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

/* The socket of a GPU, or that of the socket or GPU that a NIC hangs on. */
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

/* GPUs first: a NIC may take its socket from one. */
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

/* All but the ends; the caller owns the source. */
static int read_wire_type(struct wire *w, const struct json *o, struct err *err)
{
    if (ONLY_KEYS(o, err, "bandwidth_GBps", "specified_GBps", "half_duplex",
                  "reduces", "source") < 0 ||
        read_positive(o, "bandwidth_GBps", 1e9, &w->bandwidth_Bps, err) < 0 ||
        (json_member(o, "specified_GBps") &&
         read_positive(o, "specified_GBps", 1e9, &w->specified_Bps, err) < 0) ||
        (json_member(o, "half_duplex") &&
         json_get_bool(o, "half_duplex", &w->half_duplex, err) < 0) ||
        (json_member(o, "reduces") &&
         json_get_bool(o, "reduces", &w->reduces, err) < 0))
        return -1;
    return source_read(&w->source, o, "source", err);
}

static int read_wire(struct machine *m, struct wire *w, const struct json *o,
                     const struct json *types, struct err *err)
{
    if (ONLY_KEYS(o, err, "type", "ends") < 0 ||
        read_text(o, "type", &w->type, err) < 0 || read_ends(m, w, o, err) < 0)
        return -1;
    const struct json *type = json_member(types, w->type);
    if (!type)
        return fail(err, "type: expected one of node.wire_types, got \"%.60s\"",
                    w->type);
    return read_wire_type(w, type, err);
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
        int bad = read_wire_type(&any, t, err) < 0;
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

    if (ONLY_KEYS(node, err, "devices", "wire_types", "wires", "nics",
                  "source") < 0 ||
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

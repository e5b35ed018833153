/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the number of NICs in a node's description. */
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>

static bool is_nic(const struct json *device)
{
    const char *kind =
        json_is_object(device) ? json_string(json_member(device, "kind")) : "";

    return kind && !strcmp(kind, "nic") &&
           json_is_string(json_member(device, "id"));
}

/* Returns whether one of the two ids at the ends of a wire is this device's. */
static bool ends_at(const struct json *wire, const char *id, size_t *end)
{
    const struct json *ends =
        json_is_object(wire) ? json_member(wire, "ends") : NULL;

    for (*end = 0; json_is_array(ends) && *end < 2; ++*end) {
        const char *other = json_string(json_at(ends, *end));
        if (other && !strcmp(other, id))
            return true;
    }
    return false;
}

/* Adds copies of the wires of `model` for a device that is like it. */
static void copy_wires(struct json *to, const struct json *wires,
                       const char *model, const char *id)
{
    size_t end;

    for (const struct json *w = json_at(wires, 0); w; w = json_next(w)) {
        if (!ends_at(w, model, &end))
            continue;
        struct json *copy = json_copy(w);
        json_replace_at(json_member(copy, "ends"), end, json_new_string(id));
        json_append(to, copy);
    }
}

/* Adds NICs first to last - 1 of the new ones, which are like `nic`: the first
 * keeps its id. */
static void copy_nic(struct json *devices, struct json *to,
                     const struct json *wires, const struct json *nic,
                     unsigned first, unsigned last)
{
    const char *model = json_string(json_member(nic, "id"));

    for (unsigned k = first; k < last; k++) {
        char *id = k == first ? xstrdup(model)
                              : xasprintf("%s.%u", model, k - first + 1);
        struct json *copy = json_copy(nic);
        json_replace(copy, "id", json_new_string(id));
        json_append(devices, copy);
        copy_wires(to, wires, model, id);
        free(id);
    }
}

static bool of_nic(const struct json *wire, const struct json *devices)
{
    size_t end;

    for (const struct json *d = json_at(devices, 0); d; d = json_next(d))
        if (is_nic(d) && ends_at(wire, json_string(json_member(d, "id")), &end))
            return true;
    return false;
}

int read_nics(const struct json *devices, const struct json *wires, unsigned n,
              struct json **more_devices, struct json **more_wires,
              struct err *err)
{
    unsigned had = 0, i = 0;

    for (const struct json *d = json_at(devices, 0); d; d = json_next(d))
        had += is_nic(d);
    if (!had)
        return fail(err, "nics: the node has no NIC that %u could be like", n);
    *more_devices = json_new_array();
    *more_wires = json_new_array();
    for (const struct json *w = json_at(wires, 0); w; w = json_next(w))
        if (!of_nic(w, devices))
            json_append(*more_wires, json_copy(w));
    for (const struct json *d = json_at(devices, 0); d; d = json_next(d)) {
        if (!is_nic(d)) {
            json_append(*more_devices, json_copy(d));
            continue;
        }
        /* This NIC is the model of the k of n for which k * had / n, rounded
         * down, is i. */
        copy_nic(*more_devices, *more_wires, wires, d, (i * n + had - 1) / had,
                 ((i + 1) * n + had - 1) / had);
        i++;
    }
    return 0;
}

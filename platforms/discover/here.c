/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks libhwloc and /sys about this machine. */
#include "platforms/discover/here.h"

#include "platforms/discover/found.h"

#include <hwloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *export_xml(hwloc_topology_t topology)
{
    char *buffer, *text;
    int n;

    if (hwloc_topology_set_io_types_filter(
            topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) < 0 ||
        hwloc_topology_load(topology) < 0 ||
        hwloc_topology_export_xmlbuffer(topology, &buffer, &n, 0) < 0)
        return NULL;
    text = xstrdup(buffer);
    hwloc_free_xmlbuffer(topology, buffer);
    return text;
}

char *here_xml(char **host, struct err *err)
{
    hwloc_topology_t topology;
    char name[65] = "this machine", *text = NULL;

    if (hwloc_topology_init(&topology) == 0) {
        text = export_xml(topology);
        hwloc_topology_destroy(topology);
    }
    if (!text) {
        (void)fail_work(err, "hwloc cannot read this machine");
        return NULL;
    }
    (void)gethostname(name, sizeof name - 1);
    *host = found_word(name);
    return text;
}

/* Returns the first number of a file of one line, or 0 if there is none. */
static double number_in(const char *fmt, const char *name)
{
    char *path = xasprintf(fmt, name);
    FILE *file = fopen(path, "r");
    double v = 0;

    free(path);
    if (!file)
        return 0;
    if (fscanf(file, "%lf", &v) != 1)
        v = 0;
    fclose(file);
    return v;
}

void here_ports(struct found *f)
{
    for (size_t i = 0; i < f->nitems; i++) {
        struct found_item *item = &f->items[i];
        if (item->kind != FOUND_NIC || !item->model || strchr(item->model, '/'))
            continue;
        double Gbps =
            number_in("/sys/class/infiniband/%s/ports/1/rate", item->model);
        if (!(Gbps > 0))
            Gbps = number_in("/sys/class/net/%s/speed", item->model) / 1e3;
        if (!(Gbps > 0) || Gbps > 1e5)
            continue;
        item->port_Bps = Gbps * 1e9 / 8;
        json_free(item->port_source);
        item->port_source =
            found_source(PROVENANCE_SPECIFICATION,
                         "the port's speed of %g Gbit/s (the kernel)", Gbps);
    }
}

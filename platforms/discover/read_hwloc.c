/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the XML of hwloc, versions 1 to 3, as lstopo writes it. */
#include "platforms/discover/hwloc.h"

#include <stdlib.h>

int read_hwloc(struct found *f, const xmlNode *topology, bool numa,
               struct err *err)
{
    struct walk w = {.f = f, .err = err};
    int result = -1;

    w.version3 = xml_number(topology, "version") >= 3;
    if (hwloc_sockets(&w, topology, numa) == 0 &&
        hwloc_devices(&w, topology) == 0 && hwloc_links(&w, topology) == 0)
        result = 0;
    free(w.sockets);
    return result;
}

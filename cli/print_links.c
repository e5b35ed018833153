/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much each link carried and how busy it was, as text or JSON. */
#include "cli/print_links.h"

#include <stdio.h>

static double utilisation(const struct link_use *l, double time_s)
{
    return time_s > 0 ? l->bytes / (l->bandwidth_Bps * time_s) : 0;
}

void print_links(const struct link_use *links, size_t n, double time_s)
{
    for (size_t i = 0; i < n; i++)
        printf("  %-40s %6.2f GB/s %10.1f kB %6.1f %% %8llu transfers\n",
               links[i].name, links[i].bandwidth_Bps / 1e9,
               links[i].bytes / 1e3, 100 * utilisation(&links[i], time_s),
               (unsigned long long)links[i].flows);
}

struct json *links_json(const struct link_use *links, size_t n, double time_s)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", links[i].name);
        json_add_number(o, "bandwidth_Bps", links[i].bandwidth_Bps);
        json_add_number(o, "bytes", links[i].bytes);
        json_add_number(o, "transfers", (double)links[i].flows);
        json_add_number(o, "utilisation", utilisation(&links[i], time_s));
        json_append(list, o);
    }
    return list;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the use of the ranks' buffers and the work of their communication
 * threads, under runtimes that have such threads. */
#include "cli/list_columns.h"
#include "study/run/totals.h"

void print_hosts(const struct run_results *r, const struct outcome *o)
{
    if (!o->nhosts)
        return;
    printf("%s: buffers of a rank at most %.1f to %.1f kB at a time, besides "
           "%.1f kB reserved; communication threads busy for %.2f us at most\n",
           o->name, HOSTS_LEAST(o, most_B) / 1e3, HOSTS_MOST(o, most_B) / 1e3,
           HOSTS_MOST(o, reserved_B) / 1e3, HOSTS_MOST(o, comm_s) * 1e6);
    if (o->windows_s > 0)
        printf("%s: windows are created before, in %.2f us\n", o->name,
               o->windows_s * 1e6);
    if (hosts_retries(o) > 0)
        printf("%s: %.0f sends or arrivals found no packet or buffer, and "
               "waited %.2f us in all\n",
               o->name, hosts_retries(o), hosts_waited_s(o) * 1e6);
    if (!r->details)
        return;
    printf("  %-8s", "rank");
    list_print_head(LIST_hosts);
    for (uint32_t i = 0; i < o->nhosts; i++)
        if (o->hosts[i].messages || o->hosts[i].most_B > 0 ||
            o->hosts[i].comm_s > 0) {
            printf("  %-8u", i);
            list_print_entry(LIST_hosts, o, i);
        }
}

void add_hosts(struct json *x, const struct outcome *o)
{
    if (!o->nhosts)
        return;
    struct json *h = json_new_object();
    json_add_number(h, "buffers_most_bytes", HOSTS_MOST(o, most_B));
    json_add_number(h, "buffers_least_bytes", HOSTS_LEAST(o, most_B));
    json_add_number(h, "reserved_most_bytes", HOSTS_MOST(o, reserved_B));
    json_add_number(h, "reserved_least_bytes", HOSTS_LEAST(o, reserved_B));
    json_add_number(h, "windows_s", o->windows_s);
    json_add_number(h, "retries", hosts_retries(o));
    json_add_number(h, "waited_s", hosts_waited_s(o));
    json_add(h, "ranks", list_array(LIST_hosts, o, true));
    json_add(x, "runtime", h);
}

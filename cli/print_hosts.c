/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the use of the ranks' buffers and the work of their communication
 * threads, under runtimes that have such threads. */
#include "cli/print_run.h"
#include "strategies/run/totals.h"

static void print_host(uint32_t rank, const struct host_counts *h)
{
    printf("  %-8u %12.1f %12.1f %10llu %9llu %12.2f %12.2f %9u\n", rank,
           h->most_B / 1e3, h->reserved_B / 1e3,
           (unsigned long long)h->messages, (unsigned long long)h->retries,
           h->waited_s * 1e6, h->comm_s * 1e6, h->most_requests);
}

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
    printf("  %-8s %12s %12s %10s %9s %12s %12s %9s\n", "rank", "buffers kB",
           "reserved kB", "messages", "retries", "waited us", "thread us",
           "requests");
    for (uint32_t i = 0; i < o->nhosts; i++)
        if (o->hosts[i].messages || o->hosts[i].most_B > 0 ||
            o->hosts[i].comm_s > 0)
            print_host(i, &o->hosts[i]);
}

static struct json *host_json(uint32_t rank, const struct host_counts *h)
{
    struct json *o = json_new_object();

    json_add_number(o, "rank", rank);
    json_add_number(o, "buffers_most_bytes", h->most_B);
    json_add_number(o, "buffers_live_bytes", h->live_B);
    json_add_number(o, "reserved_bytes", h->reserved_B);
    json_add_number(o, "messages", (double)h->messages);
    json_add_number(o, "retries", (double)h->retries);
    json_add_number(o, "waited_s", h->waited_s);
    json_add_number(o, "communication_thread_s", h->comm_s);
    json_add_number(o, "most_requests", h->most_requests);
    return o;
}

void add_hosts(struct json *x, const struct outcome *o)
{
    if (!o->nhosts)
        return;
    struct json *list = json_new_array(), *h = json_new_object();
    json_add_number(h, "buffers_most_bytes", HOSTS_MOST(o, most_B));
    json_add_number(h, "buffers_least_bytes", HOSTS_LEAST(o, most_B));
    json_add_number(h, "reserved_most_bytes", HOSTS_MOST(o, reserved_B));
    json_add_number(h, "reserved_least_bytes", HOSTS_LEAST(o, reserved_B));
    json_add_number(h, "windows_s", o->windows_s);
    json_add_number(h, "retries", hosts_retries(o));
    json_add_number(h, "waited_s", hosts_waited_s(o));
    for (uint32_t i = 0; i < o->nhosts; i++)
        json_append(list, host_json(i, &o->hosts[i]));
    json_add(h, "ranks", list);
    json_add(x, "runtime", h);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the use of the ranks' buffers and the work of their communication
 * threads, under runtimes that have such threads. */
#include "cli/list_columns.h"
#include "cli/print_run.h"
#include "strategies/run/totals.h"

/* COLUMN(name, key, text, value of h) */
#define HOST_COLUMNS(COLUMN)                                                   \
    COLUMN(most, "buffers_most_bytes", (" ", "buffers kB", 12, 1, 1e-3),       \
           h->most_B)                                                          \
    COLUMN(live, "buffers_live_bytes", (NULL), h->live_B)                      \
    COLUMN(reserved, "reserved_bytes", (" ", "reserved kB", 12, 1, 1e-3),      \
           h->reserved_B)                                                      \
    COLUMN(messages, "messages", (" ", "messages", 10, 0, 1), h->messages)     \
    COLUMN(retries, "retries", (" ", "retries", 9, 0, 1), h->retries)          \
    COLUMN(waited, "waited_s", (" ", "waited us", 12, 2, 1e6), h->waited_s)    \
    COLUMN(comm, "communication_thread_s", (" ", "thread us", 12, 2, 1e6),     \
           h->comm_s)                                                          \
    COLUMN(requests, "most_requests", (" ", "requests", 9, 0, 1),              \
           h->most_requests)

#define GET(name, key, text, value)                                            \
    static double get_##name(const void *entry)                                \
    {                                                                          \
        const struct host_counts *h = entry;                                   \
        return (double)(value);                                                \
    }
HOST_COLUMNS(GET)
static const struct list_column host_columns[] = {HOST_COLUMNS(LIST_COLUMN)};
static const struct list_columns hosts = {
    host_columns, sizeof host_columns / sizeof host_columns[0]};

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
    list_print_head(&hosts);
    for (uint32_t i = 0; i < o->nhosts; i++)
        if (o->hosts[i].messages || o->hosts[i].most_B > 0 ||
            o->hosts[i].comm_s > 0) {
            printf("  %-8u", i);
            list_print_entry(&hosts, &o->hosts[i]);
        }
}

static struct json *host_json(uint32_t rank, const struct host_counts *h)
{
    struct json *o = json_new_object();

    json_add_number(o, "rank", rank);
    list_add_entry(o, &hosts, h);
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

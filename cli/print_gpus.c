/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the work and the messages of each GPU of a graph algorithm. */
#include "cli/list_columns.h"
#include "cli/print_run.h"

#include <string.h>

/* A GPU with the end of the run, of which its times are parts. */
struct gpu_entry {
    const struct traverse_gpu *gpu;
    double time_s;
};

static double percent(const struct gpu_entry *g, double part_s)
{
    return g->time_s > 0 ? 100 / g->time_s * part_s : 0;
}

/* COLUMN(name, key, text, value of e->gpu) */
#define GPU_COLUMNS(COLUMN)                                                    \
    COLUMN(busy, NULL, (" ", "busy %", 7, 1, 1), percent(e, e->gpu->busy_s))   \
    COLUMN(wait, NULL, (" ", "wait %", 7, 1, 1),                               \
           percent(e, e->gpu->waiting_s))                                      \
    COLUMN(idle, NULL, (" ", "idle %", 7, 1, 1), percent(e, e->gpu->idle_s))   \
    COLUMN(busy_s, "busy_s", (NULL), e->gpu->busy_s)                           \
    COLUMN(waiting_s, "waiting_s", (NULL), e->gpu->waiting_s)                  \
    COLUMN(idle_s, "idle_s", (NULL), e->gpu->idle_s)                           \
    COLUMN(visits, "visits", (" ", "visits", 12, 0, 1), e->gpu->visits)        \
    COLUMN(edges, "edges", (" ", "edges", 14, 0, 1), e->gpu->edges)            \
    COLUMN(sent, "sent", (" ", "sent", 12, 0, 1), e->gpu->updates)             \
    COLUMN(received, "received", (" ", "received", 12, 0, 1),                  \
           e->gpu->received)                                                   \
    COLUMN(sent_B, "sent_bytes", (NULL), e->gpu->sent_B)                       \
    COLUMN(received_B, "received_bytes", (NULL), e->gpu->received_B)           \
    COLUMN(queue_mean, "queue_mean", (" ", "queue mean", 12, 1, 1),            \
           e->gpu->queue_mean)                                                 \
    COLUMN(queue_most, "queue_most", (" ", "queue most", 12, 0, 1),            \
           e->gpu->queue_most)                                                 \
    COLUMN(gathered, "gathered_most_bytes", (NULL), e->gpu->gathered_most_B)   \
    COLUMN(buffers, "buffers_bytes", (NULL), e->gpu->buffers_B)

#define GET(name, key, text, value)                                            \
    static double get_##name(const void *entry)                                \
    {                                                                          \
        const struct gpu_entry *e = entry;                                     \
        return (double)(value);                                                \
    }
GPU_COLUMNS(GET)
static const struct list_column gpu_columns[] = {GPU_COLUMNS(LIST_COLUMN)};
static const struct list_columns gpus = {
    gpu_columns, sizeof gpu_columns / sizeof gpu_columns[0]};

void print_gpus(const struct outcome *o)
{
    printf("%s: %-5s", o->name, "GPU");
    list_print_head(&gpus);
    for (uint32_t i = 0; i < o->graph->ngpus; i++) {
        printf("%*s  %-5u", (int)strlen(o->name), "", i);
        list_print_entry(
            &gpus, &(struct gpu_entry){&o->graph->gpus[i], o->graph->time_s});
    }
}

struct json *gpus_json(const struct traverse_result *r)
{
    struct json *list = json_new_array();

    for (uint32_t i = 0; i < r->ngpus; i++) {
        struct json *o = json_new_object();
        list_add_entry(o, &gpus, &(struct gpu_entry){&r->gpus[i], r->time_s});
        json_append(list, o);
    }
    return list;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the events of a record to its rank's. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>

void dumpi_list_add(struct dumpi_list *l, uint32_t value)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 8;
        l->at = xrealloc(l->at, l->room, sizeof *l->at);
    }
    l->at[l->n++] = value;
}

void dumpi_list_free(struct dumpi_list *l)
{
    free(l->at);
    *l = (struct dumpi_list){0};
}

const char *dumpi_name(const struct dumpi_rank *r)
{
    return r->record.call < DUMPI_CALLS ? dumpi_call_names[r->record.call]
                                        : NULL;
}

char *dumpi_where(const struct dumpi_rank *r)
{
    return xasprintf("%s: byte %llu: rank %u: %s", r->trace->rank[r->rank].file,
                     (unsigned long long)r->place, r->rank, dumpi_name(r));
}

struct trace_event *dumpi_event(struct dumpi_rank *r, enum trace_call call)
{
    if (r->nevents == r->events_room) {
        r->events_room = r->events_room ? 2 * r->events_room : 4;
        r->event = xrealloc(r->event, r->events_room, sizeof *r->event);
    }
    struct trace_event *e = &r->event[r->nevents++];
    trace_event_set(e, call);
    e->name = dumpi_call_names[r->record.call];
    e->place = r->place;
    e->begin_s = e->end_s = r->begin_s;
    return e;
}

int dumpi_other(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

int dumpi_unknown(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    dumpi_event(r, TRACE_UNKNOWN);
    return 0;
}

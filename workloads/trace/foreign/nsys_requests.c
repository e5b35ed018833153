/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows requests and communicators of a rank by their handles. */
#include "workloads/trace/foreign/nsys_state.h"

#include <stdlib.h>
#include <string.h>

/* --- communicators -------------------------------------------------------- */

struct nsys_binding *nsys_binding_of(struct nsys_rank *r, int64_t handle)
{
    for (size_t i = 0; i < r->nbindings; i++)
        if (r->bindings[i].handle == handle)
            return &r->bindings[i];
    return NULL;
}

void nsys_bind(struct nsys_rank *r, int64_t handle, size_t comm)
{
    struct nsys_binding *b = nsys_binding_of(r, handle);

    if (!b) {
        r->bindings =
            xrealloc(r->bindings, r->nbindings + 1, sizeof *r->bindings);
        b = &r->bindings[r->nbindings++];
    }
    *b = (struct nsys_binding){.handle = handle, .comm = comm};
}

bool nsys_comm_of(struct trace *t, struct nsys_rank *r, int64_t handle,
                  uint32_t *number, uint32_t *members)
{
    struct nsys_state *s = t->state;

    *number = TRACE_WORLD;
    *members = t->ranks;
    if (handle == NSYS_NOT_SAID)
        return true;
    struct nsys_binding *b = nsys_binding_of(r, handle);
    /* The rank's first communicator is assumed to be the world. */
    if (!b && s->ncomms == 0) {
        if (r->nbindings)
            return false;
        nsys_bind(r, handle, SIZE_MAX);
        return true;
    }
    if (!b)
        return false;
    if (b->comm == SIZE_MAX || s->comms[b->comm].world)
        return true;
    const struct nsys_comm *c = &s->comms[b->comm];
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i] == UINT32_MAX)
            return false;
    *number = (uint32_t)b->comm + 1;
    *members = c->n;
    if (!b->told) {
        struct trace_event *e = &r->ready[r->n++];
        trace_event_set(e, TRACE_COMM);
        e->how = TRACE_KNOWN;
        e->new_comm = e->key = *number;
        e->members = c->members;
        e->nmembers = c->n;
        b->told = true;
    }
    return true;
}

/* --- requests ------------------------------------------------------------- */

struct nsys_handle *nsys_handle_of(struct nsys_rank *r, int64_t handle)
{
    for (size_t i = r->nhandles; i-- > 0;)
        if (r->handles[i].handle == handle)
            return &r->handles[i];
    return NULL;
}

void nsys_list_add(struct nsys_rank *r, uint64_t request)
{
    if (r->nlist == r->list_room) {
        r->list_room = r->list_room ? 2 * r->list_room : 16;
        r->list = xrealloc(r->list, r->list_room, sizeof *r->list);
    }
    r->list[r->nlist++] = request;
}

struct trace_event *nsys_push_wait(struct nsys_rank *r)
{
    struct trace_event *e = &r->ready[r->n++];

    trace_event_set(e, TRACE_WAIT);
    e->blocks = true;
    e->nrequests = r->nlist;
    return e;
}

uint64_t nsys_begin_request(struct nsys_rank *r, int64_t handle)
{
    struct nsys_handle *h = nsys_handle_of(r, handle);

    /* It completed in a call that the report does not have. */
    if (h && h->open && !h->persistent) {
        nsys_list_add(r, h->request);
        (void)nsys_push_wait(r);
        r->remarks[NSYS_NOT_WAITED]++;
    }
    if (!h) {
        if (r->nhandles == r->handle_room) {
            r->handle_room = r->handle_room ? 2 * r->handle_room : 16;
            r->handles =
                xrealloc(r->handles, r->handle_room, sizeof *r->handles);
        }
        h = &r->handles[r->nhandles++];
    }
    *h = (struct nsys_handle){
        .handle = handle, .request = r->next_request++, .open = true};
    return h->request;
}

void nsys_end_request(struct nsys_rank *r, int64_t handle)
{
    struct nsys_handle *h = nsys_handle_of(r, handle);

    if (!h || !h->open)
        return; /* it was MPI_REQUEST_NULL */
    nsys_list_add(r, h->request);
    if (h->persistent)
        h->open = false;
    else
        *h = r->handles[--r->nhandles];
}

void nsys_end_requests(struct nsys_rank *r)
{
    for (size_t i = 0; i < r->nhandles; i++)
        if (r->handles[i].open) {
            nsys_list_add(r, r->handles[i].request);
            r->remarks[NSYS_NOT_WAITED]++;
        }
    r->nhandles = 0;
    if (r->nlist)
        nsys_push_wait(r)->name = "waitall";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interprets the calls in a liballprof trace. */
#include "workloads/trace/liballprof.h"

#include <inttypes.h>
#include <stdlib.h>

#define LIBALLPROF_MPICH_WORLD 0x44000000u

/* --- requests ------------------------------------------------------------- */

/* Begins a request. If another request is known at its address, that has
 * completed, so it is dropped. */
static void liballprof_begin(struct liballprof_rank *r, uint64_t address,
                             struct trace_event *e)
{
    uint32_t low = (uint32_t)address, high = (uint32_t)(address >> 32);
    uint64_t old;

    (void)pending_take(&r->requests, low, high, 0, &old);
    e->request = r->next_request++;
    pending_add(&r->requests, low, high, 0, e->request);
}

/* Returns the size of a request in a list of them: 4 B in Fortran and in MPICH,
 * 8 B in C with Open MPI. It takes the size with which more requests of the
 * list are known. */
static uint64_t liballprof_stride(struct pending *p,
                                  const struct liballprof_line *l)
{
    if (l->howmany < 2)
        return 8;
    return pending_take_list(p, l->address, 4, l->howmany, NULL) >
                   pending_take_list(p, l->address, 8, l->howmany, NULL)
               ? 4
               : 8;
}

/* Finds the requests of a wait. The trace does not say which request
 * MPI_Waitany() completes, so it is assumed to be the oldest. */
static void liballprof_wait(struct liballprof_line *l,
                            const struct liballprof_call *c)
{
    struct liballprof_rank *r = l->r;

    if (strchr(c->arguments, 'q')) {
        l->e->requests = r->both;
        l->e->nrequests =
            pending_take(&r->requests, (uint32_t)l->address,
                         (uint32_t)(l->address >> 32), 0, &r->both[0]);
        return;
    }
    uint64_t each_B = liballprof_stride(&r->requests, l);
    if (c->collective != LIBALLPROF_ANY_OF) {
        l->e->nrequests = pending_take_list(&r->requests, l->address, each_B,
                                            l->howmany, &l->e->requests);
        return;
    }
    l->e->requests = r->both;
    l->e->nrequests = pending_take_oldest(&r->requests, l->address, each_B,
                                          l->howmany, &r->both[0]);
}

static void liballprof_make_persistent(struct liballprof_line *l)
{
    struct liballprof_rank *r = l->r;
    uint32_t low = (uint32_t)l->address, high = (uint32_t)(l->address >> 32);
    uint64_t number;

    if (!pending_take(&r->persistents, low, high, 0, &number)) {
        number = r->npersistent++;
        if (number == r->persistent_room) {
            r->persistent_room = 2 * r->persistent_room + 16;
            r->persistent = xrealloc(r->persistent, r->persistent_room,
                                     sizeof *r->persistent);
        }
    }
    pending_add(&r->persistents, low, high, 0, number);
    r->persistent[number] = (struct liballprof_persistent){
        l->e->call,  l->e->peer, l->e->tag,        l->e->comm,
        l->e->bytes, l->address, l->e->synchronous};
    uint64_t place = l->e->place;
    const char *name = l->e->name;
    trace_event_set(l->e, TRACE_OTHER);
    l->e->place = place;
    l->e->name = name;
}

void liballprof_start_next(struct liballprof_rank *r, struct trace_event *e)
{
    const struct liballprof_persistent *p =
        &r->persistent[r->starting[r->starting_at++]];

    *e = r->start;
    e->call = p->call;
    e->peer = p->peer;
    e->tag = p->tag;
    e->comm = p->comm;
    e->bytes = p->bytes;
    e->synchronous = p->synchronous;
    if (r->starting_at < r->nstarting)
        e->end_s = e->begin_s;
    else
        r->nstarting = r->starting_at = 0;
    liballprof_begin(r, p->address, e);
}

/* Begins persistent requests. They stay persistent, so those that are removed
 * from the list are put back. */
static void liballprof_start(struct liballprof_line *l,
                             const struct liballprof_call *c)
{
    struct liballprof_rank *r = l->r;
    const uint64_t *ids;

    if (strchr(c->arguments, 'q'))
        l->howmany = 1;
    size_t n = pending_take_list(&r->persistents, l->address,
                                 liballprof_stride(&r->persistents, l),
                                 l->howmany, &ids);
    if (n == 0)
        return;
    r->starting = xrealloc(r->starting, n, sizeof *r->starting);
    memcpy(r->starting, ids, n * sizeof *ids);
    r->nstarting = n;
    r->starting_at = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t address = r->persistent[r->starting[i]].address;
        pending_add(&r->persistents, (uint32_t)address,
                    (uint32_t)(address >> 32), 0, r->starting[i]);
    }
    r->start = *l->e;
    liballprof_start_next(r, l->e);
}

/* --- calls ---------------------------------------------------------------- */

/* Converts the peers -1 and -2, now that the MPI is known. */
static uint32_t liballprof_resolve(const struct liballprof_rank *r,
                                   uint32_t peer, bool receive)
{
    uint64_t world = r->ncomms ? r->comms[0].handle : 0;
    bool mpich = world == LIBALLPROF_MPICH_WORLD;

    if (peer < UINT32_MAX - 1)
        return peer;
    bool first = peer == UINT32_MAX; /* it is -1 */
    return receive && first != mpich ? ANY_RANK : NO_PEER;
}

static int liballprof_message(struct liballprof_line *l,
                              const struct liballprof_call *c)
{
    struct trace_event *e = l->e;

    e->peer = liballprof_resolve(l->r, l->peer[0], c->call != TRACE_SEND);
    e->tag = l->tag[0];
    e->bytes = l->bytes[0];
    e->synchronous = c->synchronous;
    if (c->call == TRACE_SEND && e->tag == ANY_TAG && e->peer != NO_PEER)
        return trace_fail(l->t, l->rank, e, l->err, "a send to any tag");
    if (c->collective == LIBALLPROF_PERSISTENT)
        liballprof_make_persistent(l);
    else if (!c->blocks)
        liballprof_begin(l->r, l->address, e);
    return 0;
}

/* Makes three events: the receive, the send, and a wait for both. */
static void liballprof_sendrecv(struct liballprof_line *l, bool replace)
{
    struct liballprof_rank *r = l->r;
    struct trace_event *e = l->e;

    r->then[0] = r->then[1] = *e;
    r->then[0].call = TRACE_SEND;
    r->then[0].peer = liballprof_resolve(r, l->peer[0], false);
    r->then[0].tag = l->tag[0];
    r->then[0].bytes = l->bytes[0];
    r->then[1].call = TRACE_WAIT;
    r->then[1].comm = TRACE_WORLD;
    r->then[1].requests = r->both;
    r->then[1].nrequests = 2;
    r->nthen = 2;
    e->call = TRACE_RECV;
    e->peer = liballprof_resolve(r, l->peer[1], true);
    e->tag = l->tag[1];
    e->bytes = l->bytes[replace ? 0 : 1];
    e->end_s = r->then[0].end_s = e->begin_s;
    r->both[0] = e->request = r->next_request++;
    r->both[1] = r->then[0].request = r->next_request++;
}

/* Sets the bytes of a collective. A reduction has one count, which is stored as
 * a first buffer's. */
static void liballprof_collective(struct liballprof_line *l)
{
    struct trace_event *e = l->e;

    if (e->collective == TRACE_SCATTER && e->counts)
        e->recv_bytes = l->bytes[0];
    else {
        e->bytes = l->bytes[0];
        e->recv_bytes = l->bytes[1];
    }
    if (e->collective == TRACE_REDUCE_SCATTER)
        e->recv_counts = e->counts;
}

/* Remarks, once per trace, that MPI_Waitany() is assumed to wait for the oldest
 * request, and MPI_Test() to find none complete. */
static void liballprof_guess(struct liballprof_line *l, const char *what)
{
    if (!l->x->guessed)
        trace_remark(l->t,
                     "rank %" PRIu32 ", line %" PRIu64 ", %s and others: "
                     "such traces do not say which request was complete: "
                     "the oldest of a wait, none of a test",
                     l->rank, l->r->line, what);
    l->x->guessed = true;
}

int liballprof_mean(struct liballprof_line *l, const struct liballprof_call *c)
{
    switch (c->call) {
    case TRACE_SEND:
        if (c->collective == LIBALLPROF_SENDRECV ||
            c->collective == LIBALLPROF_REPLACE) {
            liballprof_sendrecv(l, c->collective == LIBALLPROF_REPLACE);
            return 0;
        }
        return liballprof_message(l, c);
    case TRACE_RECV:
        return liballprof_message(l, c);
    case TRACE_PROBE:
        l->e->peer = liballprof_resolve(l->r, l->peer[0], true);
        l->e->tag = l->tag[0];
        return 0;
    case TRACE_POLL:
        liballprof_guess(l, l->e->name);
        return 0;
    case TRACE_CANCEL:
    case TRACE_WAIT:
        if (c->collective == LIBALLPROF_ANY_OF)
            liballprof_guess(l, l->e->name);
        liballprof_wait(l, c);
        return 0;
    case TRACE_COLLECTIVE:
        l->e->collective = c->collective;
        liballprof_collective(l);
        return 0;
    case TRACE_COMM:
        l->e->how = c->collective;
        l->e->new_comm = l->r->next_comm++;
        return 0;
    case TRACE_OTHER:
        if (c->collective == LIBALLPROF_START)
            liballprof_start(l, c);
        return 0;
    default:
        return 0;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the open requests of a rank by the numbers that DUMPI gives them. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

/* --- the table ------------------------------------------------------------ */

static size_t slot_of(const struct dumpi_requests *q, uint32_t number)
{
    return (number * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (q->nslots - 1);
}

/* Returns the slot of a number, or the free slot for it. */
static struct dumpi_request *slot_find(const struct dumpi_requests *q,
                                       uint32_t number)
{
    size_t i = slot_of(q, number);

    while (q->slot[i].state != DUMPI_FREE_SLOT && q->slot[i].number != number)
        i = (i + 1) & (q->nslots - 1);
    return &q->slot[i];
}

static void slots_grow(struct dumpi_requests *q)
{
    struct dumpi_requests old = *q;

    q->nslots = old.nslots ? 2 * old.nslots : 32;
    q->slot = xcalloc(q->nslots, sizeof *q->slot);
    for (size_t i = 0; i < old.nslots; i++)
        if (old.slot[i].state != DUMPI_FREE_SLOT)
            *slot_find(q, old.slot[i].number) = old.slot[i];
    free(old.slot);
}

static void slot_free(struct dumpi_requests *q, struct dumpi_request *s)
{
    size_t hole = (size_t)(s - q->slot), last = q->nslots - 1;

    if (s->kept) {
        q->kept[s->kept - 1].name = NULL;
        q->kept_gaps++;
    }
    q->used--;
    for (size_t i = (hole + 1) & last; q->slot[i].state != DUMPI_FREE_SLOT;
         i = (i + 1) & last) {
        size_t home = slot_of(q, q->slot[i].number);
        if (((i - home) & last) < ((i - hole) & last))
            /* In the hole it would be before its first slot, where a search
             * begins. */
            continue;
        q->slot[hole] = q->slot[i];
        hole = i;
    }
    q->slot[hole].state = DUMPI_FREE_SLOT;
}

void dumpi_waited_add(struct dumpi_rank *r, uint64_t id)
{
    if (r->nwaited == r->waited_room) {
        r->waited_room = r->waited_room ? 2 * r->waited_room : 16;
        r->waited = xrealloc(r->waited, r->waited_room, sizeof *r->waited);
    }
    r->waited[r->nwaited++] = id;
}

/* --- numbers that several requests have ----------------------------------- */

static void remark_forgotten(struct dumpi_rank *r)
{
    if (r->state->said_more)
        return;
    r->state->said_more = true;
    char *where = dumpi_where(r);
    trace_remark(r->trace,
                 "%s: more than %d older requests share numbers: the oldest "
                 "are not waited for",
                 where, DUMPI_MORE);
    free(where);
}

/* Adds an older request of a number; the oldest of all is forgotten, with a
 * remark, if there are too many. */
static void more_add(struct dumpi_rank *r, uint32_t number, uint64_t id)
{
    struct dumpi_requests *q = &r->requests;

    if (q->nmore == DUMPI_MORE) {
        remark_forgotten(r);
        memmove(q->more, q->more + 1, --q->nmore * sizeof q->more[0]);
    }
    q->more[q->nmore].number = number;
    q->more[q->nmore++].id = id;
}

/* Removes the older requests of a number; if `waits`, they join the list of a
 * wait. */
static void more_take(struct dumpi_rank *r, uint32_t number, bool waits)
{
    struct dumpi_requests *q = &r->requests;
    size_t left = 0;

    for (size_t i = 0; i < q->nmore; i++)
        if (q->more[i].number != number)
            q->more[left++] = q->more[i];
        else if (waits)
            dumpi_waited_add(r, q->more[i].id);
    q->nmore = left;
}

/* --- the interface -------------------------------------------------------- */

const struct dumpi_request *dumpi_request_find(const struct dumpi_rank *r,
                                               uint32_t number)
{
    const struct dumpi_requests *q = &r->requests;

    if (!q->nslots)
        return NULL;
    const struct dumpi_request *s = slot_find(q, number);
    return s->state == DUMPI_FREE_SLOT ? NULL : s;
}

uint64_t dumpi_request_begin(struct dumpi_rank *r, uint32_t number,
                             enum dumpi_request_state state)
{
    struct dumpi_requests *q = &r->requests;

    if (2 * (q->used + 1) > q->nslots)
        slots_grow(q);
    struct dumpi_request *s = slot_find(q, number);
    /* Several requests may have one number, because Open MPI returns one
     * request for all sends that are complete at once. */
    if (s->state != DUMPI_FREE_SLOT) {
        if (s->state == DUMPI_ACTIVE && !s->kept)
            more_add(r, number, s->id);
        q->generation += s->state == DUMPI_ACTIVE;
        slot_free(q, s);
        s = slot_find(q, number);
    }
    q->used++;
    *s = (struct dumpi_request){.number = number,
                                .state = (uint8_t)state,
                                .id = (uint64_t)q->generation << 32 | number};
    return s->id;
}

void dumpi_request_keep(struct dumpi_rank *r, uint32_t number,
                        const struct trace_event *e)
{
    struct dumpi_requests *q = &r->requests;
    size_t i = q->nkept;

    (void)dumpi_request_begin(r, number, DUMPI_IDLE);
    if (q->kept_gaps > q->nkept / 2)
        for (i = 0; q->kept[i].name; i++)
            ;
    if (i < q->nkept)
        q->kept_gaps--;
    else if (q->nkept++ == q->kept_room) {
        q->kept_room = q->kept_room ? 2 * q->kept_room : 8;
        q->kept = xrealloc(q->kept, q->kept_room, sizeof *q->kept);
    }
    q->kept[i] = *e;
    slot_find(q, number)->kept = (uint32_t)i + 1;
}

struct trace_event *dumpi_request_start(struct dumpi_rank *r, uint32_t number,
                                        enum dumpi_request_state state)
{
    struct dumpi_requests *q = &r->requests;
    struct dumpi_request *s = q->nslots ? slot_find(q, number) : NULL;

    if (!s || s->state == DUMPI_FREE_SLOT || !s->kept)
        return NULL;
    q->generation += s->state == DUMPI_ACTIVE;
    s->state = (uint8_t)state;
    s->id = (uint64_t)q->generation << 32 | number;
    q->kept[s->kept - 1].request = state == DUMPI_ACTIVE ? s->id : NO_REQUEST;
    return &q->kept[s->kept - 1];
}

static void waits_unknown(struct dumpi_rank *r, uint32_t number)
{
    if (number <= DUMPI_NULL_REQUEST || r->state->said_request)
        return;
    r->state->said_request = true;
    char *where = dumpi_where(r);
    trace_remark(
        r->trace,
        "%s: waits for request %u, which no recorded call began (it may "
        "be MPI_REQUEST_NULL): such requests are taken as complete",
        where, number);
    free(where);
}

void dumpi_request_wait(struct dumpi_rank *r, uint32_t number, bool keeps)
{
    struct dumpi_requests *q = &r->requests;
    struct dumpi_request *s = q->nslots ? slot_find(q, number) : NULL;

    if (!s || s->state == DUMPI_FREE_SLOT) {
        waits_unknown(r, number);
        return;
    }
    more_take(r, number, true);
    if (s->state == DUMPI_ACTIVE)
        dumpi_waited_add(r, s->id);
    if (s->kept || keeps)
        s->state = DUMPI_IDLE;
    else
        slot_free(q, s);
}

void dumpi_request_drop(struct dumpi_rank *r, uint32_t number)
{
    struct dumpi_requests *q = &r->requests;
    struct dumpi_request *s = q->nslots ? slot_find(q, number) : NULL;

    if (!s || s->state == DUMPI_FREE_SLOT)
        return;
    more_take(r, number, false);
    q->generation += s->state == DUMPI_ACTIVE;
    slot_free(q, s);
}

void dumpi_requests_clear(struct dumpi_requests *q)
{
    free(q->slot);
    free(q->kept);
    *q = (struct dumpi_requests){0};
}

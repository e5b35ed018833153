/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Returns the nodes of a graph, while they are read, in an order in which each
 * comes after its dependencies. */
#include "workloads/trace/foreign/chakra_order.h"

#include <stdlib.h>
#include <string.h>

/* --- nodes by their ids --------------------------------------------------- */

static size_t slot_place(const struct chakra_order *o, uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 17);

    for (at &= o->nslots - 1;; at = (at + 1) & (o->nslots - 1)) {
        const struct chakra_slot *s = &o->slots[at];
        if (!s->used || s->id == id)
            return at;
    }
}

static void slots_grow(struct chakra_order *o)
{
    struct chakra_slot *old = o->slots;
    size_t n = o->nslots;

    if (o->used * 2 < n)
        return;
    o->nslots = n ? 2 * n : 64;
    o->slots = xcalloc(o->nslots, sizeof *o->slots);
    for (size_t i = 0; i < n; i++)
        if (old[i].used)
            o->slots[slot_place(o, old[i].id)] = old[i];
    free(old);
}

/* Returns the slot of a node; makes it if it is new. */
static struct chakra_slot *slot_of(struct chakra_order *o, uint64_t id)
{
    slots_grow(o);
    struct chakra_slot *s = &o->slots[slot_place(o, id)];
    if (!s->used) {
        s->id = id;
        s->used = true;
        o->used++;
    }
    return s;
}

/* --- nodes that wait ------------------------------------------------------ */

static void make_ready(struct chakra_order *o, uint32_t i)
{
    if (o->nready == o->ready_room) {
        o->ready_room = o->ready_room ? 2 * o->ready_room : 16;
        o->ready = xrealloc(o->ready, o->ready_room, sizeof *o->ready);
    }
    o->ready[o->nready++] = i;
}

/* Lets a node wait for the first of its dependencies that was not returned. */
static void wait_for_one(struct chakra_order *o, uint32_t i)
{
    struct chakra_waiting *w = &o->waiting[i];

    for (size_t k = 0; k < w->node.ndata + w->node.nctrl; k++) {
        struct chakra_slot *s = slot_of(o, w->node.deps[k]);
        if (s->state == CHAKRA_GIVEN)
            continue;
        w->next = s->state;
        s->state = i + 1;
        return;
    }
    make_ready(o, i);
}

static uint32_t waiting_new(struct chakra_order *o)
{
    if (o->spare) {
        uint32_t i = o->spare - 1;
        o->spare = o->waiting[i].next;
        return i;
    }
    if (o->nwaiting == o->room) {
        o->room = o->room ? 2 * o->room : 16;
        o->waiting = xrealloc(o->waiting, o->room, sizeof *o->waiting);
    }
    return (uint32_t)o->nwaiting++;
}

int chakra_order_add(struct chakra_order *o, struct chakra_node *n)
{
    struct chakra_slot *s = slot_of(o, n->id);

    if (s->there)
        return 0;
    s->there = true;
    uint32_t i = waiting_new(o);
    o->waiting[i] = (struct chakra_waiting){.node = *n, .used = true};
    *n = chakra_node_new();
    wait_for_one(o, i);
    return 1;
}

/* Turns data dependencies on sends into control dependencies: a node waits
 * until the send has begun, because the channel then has the bytes, whether or
 * not they are received. */
static void free_from_sends(struct chakra_order *o, struct chakra_node *n)
{
    size_t kept = 0;

    for (size_t k = 0; k < n->ndata; k++) {
        uint64_t id = n->deps[k];
        if (slot_of(o, id)->sends)
            continue;
        n->deps[k] = n->deps[kept];
        n->deps[kept++] = id;
    }
    n->nctrl += n->ndata - kept;
    n->ndata = kept;
}

bool chakra_order_take(struct chakra_order *o, struct chakra_node *n)
{
    if (!o->nready)
        return false;
    uint32_t at = o->ready[--o->nready];
    chakra_node_clear(n);
    *n = o->waiting[at].node;
    o->waiting[at] = (struct chakra_waiting){.next = o->spare};
    o->spare = at + 1;
    struct chakra_slot *s = slot_of(o, n->id);
    uint32_t i = s->state;
    s->state = CHAKRA_GIVEN;
    s->sends = n->type == CHAKRA_SEND;
    free_from_sends(o, n);
    while (i) {
        uint32_t next = o->waiting[i - 1].next;
        wait_for_one(o, i - 1);
        i = next;
    }
    return true;
}

/* --- the end -------------------------------------------------------------- */

static void drop_absent(struct chakra_order *o, struct chakra_node *n)
{
    size_t kept = 0, ndata = n->ndata, all = n->ndata + n->nctrl;

    n->ndata = n->nctrl = 0;
    for (size_t k = 0; k < all; k++) {
        if (!slot_of(o, n->deps[k])->there) {
            o->absent++;
            continue;
        }
        n->deps[kept++] = n->deps[k];
        if (k < ndata)
            n->ndata++;
        else
            n->nctrl++;
    }
}

void chakra_order_end(struct chakra_order *o)
{
    for (size_t i = 0; i < o->nslots; i++)
        if (o->slots[i].state != CHAKRA_GIVEN)
            o->slots[i].state = 0;
    for (uint32_t i = 0; i < o->nwaiting; i++)
        if (o->waiting[i].used)
            drop_absent(o, &o->waiting[i].node);
    /* Backwards, so that the first becomes the first of its list. */
    for (uint32_t i = (uint32_t)o->nwaiting; i--;)
        if (o->waiting[i].used)
            wait_for_one(o, i);
}

const struct chakra_node *chakra_order_rest(const struct chakra_order *o)
{
    for (size_t i = 0; i < o->nwaiting; i++)
        if (o->waiting[i].used)
            return &o->waiting[i].node;
    return NULL;
}

void chakra_order_clear(struct chakra_order *o)
{
    for (size_t i = 0; i < o->nwaiting; i++)
        if (o->waiting[i].used)
            chakra_node_clear(&o->waiting[i].node);
    free(o->waiting);
    free(o->ready);
    free(o->slots);
    *o = (struct chakra_order){0};
}

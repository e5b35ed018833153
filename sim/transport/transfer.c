/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets transfers take resources in turn, wait, flow, and release them, and
 * tells their owner. */
#include "sim/transport/transfer.h"

#include <math.h>

/* --- its stages ------------------------------------------------------------
 */

void transfer_prepare(struct transfer *t)
{
    const struct transfer_stages *s = &transfer_kinds[t->kind];

    t->stage = 0;
    if (s->prepare)
        s->prepare(t);
}

void transfer_go(struct transfer *t)
{
    transfer_kinds[t->kind].go(t);
}

/* --- waits and releases --------------------------------------------------- */

void transfer_waited(struct transfer *t, enum cause cause,
                     const struct transfer *by)
{
    if (t->f->events->waited)
        t->f->events->waited(t->f->user, t, cause, by);
}

void fabric_rest(struct fabric *f, struct server *s, enum cause cause,
                 uint32_t number)
{
    struct transfer *last = s->first ? (struct transfer *)s->last : NULL;

    if (last && last->kind == TRANSFERS_AT_REST) {
        f->behind[last->to] = number;
        last->to = number;
        return;
    }
    last = &pool_take(&f->pool)->transfer;
    last->kind = TRANSFERS_AT_REST;
    last->cause = cause & 15u;
    last->from = last->to = number;
    server_wait(s, &last->waiter);
}

void transfer_take(struct transfer *t, struct server *s, uint8_t stage,
                   enum cause cause)
{
    struct fabric *f = t->f;
    uint32_t number = t->number;

    t->stage = stage;
    t->cause = cause & 15u;
    if (server_take(s))
        transfer_go(t);
    else if (f->events->rests && f->events->rests(f->user, t))
        fabric_rest(f, s, cause, number);
    else
        server_wait(s, &t->waiter);
}

void transfer_take_first(struct transfer *t, struct server *s, uint8_t stage,
                         enum cause cause)
{
    t->stage = stage;
    t->cause = cause & 15u;
    if (!s->first && server_take(s))
        transfer_go(t);
    else
        server_wait_first(s, &t->waiter);
}

void transfer_post(struct transfer *t)
{
    unsigned lane = t->kind == TRANSFER_WORK ? t->lane : 0;

    transfer_prepare(t);
    transfer_take(t, fabric_worker(t->f, t->from, lane), 0, CAUSE_CPU);
}

/* Continues the first of a run of resting numbers. */
static void fabric_resume(struct fabric *f, struct server *s,
                          struct transfer *resting, const struct transfer *by)
{
    uint32_t number = resting->from;
    enum cause cause = resting->cause;

    if (number == resting->to) {
        server_next(s);
        pool_give(&f->pool, (struct pooled *)resting);
    } else {
        resting->from = f->behind[number];
    }
    f->events->resumes(f->user, number, cause, by);
}

void transfer_release(const struct transfer *t, struct server *s)
{
    struct transfer *next = (struct transfer *)s->first;

    if (!next) {
        s->taken--;
    } else if (next->kind == TRANSFERS_AT_REST) {
        fabric_resume(t->f, s, next, t);
    } else {
        server_next(s);
        transfer_waited(next, next->cause, t);
        transfer_go(next);
    }
}

void transfer_release_cpu(const struct transfer *t, uint32_t process)
{
    t->f->cpu_free_s[process] = fabric_now(t->f);
    transfer_release(t, &t->f->cpu[process]);
}

static void fabric_go(void *arg)
{
    transfer_go(arg);
}

void transfer_later(struct transfer *t, double delay_s, uint8_t stage)
{
    t->stage = stage;
    engine_after(t->f->engine, delay_s, fabric_go, t);
}

void transfer_flow(struct transfer *t, uint8_t stage, uint32_t from,
                   uint32_t to, double bytes, double rate_cap_Bps, int nic)
{
    t->stage = stage;
    if (t->f->events->flows)
        t->f->events->flows(t->f->user, t);
    engine_flow(t->f->engine, from, to, bytes, rate_cap_Bps, nic, fabric_go, t);
}

static struct server *nic_places(const struct transfer *t, int nic)
{
    struct nic *n = fabric_nic(t, nic);

    return machine_same_rack(t->f->m, fabric_node(t->f, t->from),
                             fabric_node(t->f, t->to))
               ? &n->places
               : &n->other_rack;
}

void transfer_take_nic(struct transfer *t, int nic, uint8_t stage)
{
    /* The receiver pulls the data, so it needs no place at this NIC. */
    if (segment_gets(t->segment)) {
        t->stage = stage;
        transfer_go(t);
        return;
    }
    transfer_take(t, nic_places(t, nic), stage, CAUSE_NIC);
}

double transfer_gap_s(const struct transfer *t, int nic)
{
    return t->segment->gap_s > 0 ? t->segment->gap_s
                                 : fabric_nic(t, nic)->gap_s;
}

void transfer_wait_gap(struct transfer *t, int nic, double messages,
                       uint8_t stage)
{
    struct nic *n = fabric_nic(t, nic);
    double now = fabric_now(t->f), begin = fmax(now, n->free_s);

    n->free_s = begin + messages * transfer_gap_s(t, nic);
    transfer_later(t, begin - now, stage);
}

void transfer_release_nic(struct transfer *t, int nic)
{
    if (!segment_gets(t->segment))
        transfer_release(t, nic_places(t, nic));
}

/* --- callbacks of their owner --------------------------------------------- */

void transfer_began(struct transfer *t)
{
    if (t->f->events->began)
        t->f->events->began(t->f->user, t);
}

void transfer_flowed(struct transfer *t)
{
    if (t->f->events->flowed)
        t->f->events->flowed(t->f->user, t);
}

void transfer_sent(struct transfer *t)
{
    if (t->f->events->sent)
        t->f->events->sent(t->f->user, t);
}

void transfer_ended(struct transfer *t)
{
    if (t->f->events->ended)
        t->f->events->ended(t->f->user, t);
}

void transfer_done(struct transfer *t)
{
    if (t->f->events->done)
        t->f->events->done(t->f->user, t);
}

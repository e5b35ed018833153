/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the time of a mult_pong by recursion over its messages. */
#include "validate/calibrate/mult_pong_time.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>

/* The times of one message, stage by stage. */
struct stages {
    struct occupancies cpu;
    /* Parts of the latency before and after the match. */
    double before_s, after_s;
    double flow_s, link_s; /* times of its bytes: alone, and on a busy link */
    bool waits;            /* it waits for the receive before its bytes flow */
};

static struct stages stages_of(const struct segment *s, double link_Bps,
                               uint64_t bytes)
{
    double link_s = (double)bytes / link_Bps, wire_s = segment_latency_s(s);

    return (struct stages){
        .cpu = segment_occupancies(s, bytes),
        .before_s = segment_gets(s) ? 0 : wire_s,
        .after_s = segment_gets(s) ? wire_s : 0,
        .flow_s = fmax(segment_wire_s_per_B(s) * (double)bytes, link_s),
        .link_s = link_s,
        .waits = s->protocol == PROTOCOL_RENDEZVOUS,
    };
}

/* Returns when the sender goes on to the next message. */
static double sender_free(const struct segment *s, const struct stages *t,
                          double sent_s, double flowed_s)
{
    double cpu_s = sent_s + t->cpu.send.hidden_s;

    switch (segment_buffer_free(s)) {
    case FREE_TRANSFERRED:
        return fmax(cpu_s, flowed_s);
    case FREE_ACKNOWLEDGED:
        return fmax(cpu_s, flowed_s + s->ack_s);
    default:
        return cpu_s;
    }
}

/* Returns the time at which the bytes that may leave at `ready_s` have arrived.
 * *flowed_s is that time of the message before, and becomes that of this
 * one. */
static double flow(const struct stages *t, double ready_s, double *flowed_s)
{
    *flowed_s = fmax(ready_s + t->flow_s, *flowed_s + t->link_s);
    return *flowed_s;
}

/* Returns the end of the receive of an answer. A rank sends it at `at_s`, and
 * has done nothing else before; its receiver has posted the receive at
 * `posted_s`, and its CPU is idle since `idle_s`. */
static double answered(const struct stages *t, double at_s, double posted_s,
                       double idle_s, double *flowed_s)
{
    double here_s = at_s + t->cpu.send.s + t->before_s;
    double begin_s;

    if (t->waits)
        begin_s = flow(t, fmax(here_s, posted_s) + t->after_s, flowed_s);
    else
        begin_s = fmax(flow(t, here_s + t->after_s, flowed_s), posted_s);
    /* The receiver did its other work while it waited. */
    double hidden_s = fmax(t->cpu.recv.hidden_s - (begin_s - idle_s), 0);
    return begin_s + hidden_s + t->cpu.recv.s;
}

double mult_pong_s(const struct segment *s, double link_Bps, uint64_t bytes,
                   unsigned messages)
{
    const struct stages t = stages_of(s, link_Bps, bytes);
    double *received_s = xcalloc(messages, sizeof *received_s);
    double free_s = 0, idle_s = 0, out_s = 0, in_s = 0;

    for (unsigned i = 0; i < messages; i++) {
        double sent_s = free_s + t.cpu.send.s;
        double there_s = flow(&t, sent_s + t.before_s + t.after_s, &out_s);
        received_s[i] = fmax(there_s, t.cpu.recv.hidden_s) + t.cpu.recv.s;
        free_s = sender_free(s, &t, sent_s, there_s);
        idle_s = sent_s + t.cpu.send.hidden_s;
    }
    double posted_s = free_s;
    for (unsigned i = 0; i < messages; i++)
        idle_s = posted_s =
            answered(&t, received_s[i] + (i ? s->other_peer_s : 0), posted_s,
                     idle_s, &in_s);
    free(received_s);
    return posted_s / 2;
}

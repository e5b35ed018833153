/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transport.h - how bytes get from one process or GPU to another: what a
 * runtime does for a message, on the resources of fabric.h. Plans and graph
 * agents send by this, and by nothing else. A runtime is one file here and one
 * line in platforms/runtimes.def.
 */
#ifndef SIM_TRANSPORT_TRANSPORT_H
#define SIM_TRANSPORT_TRANSPORT_H

#include "sim/transport/teams.h"

/* How a message finds its receive. */
enum pairing {
    PAIRING_NONE, /* there are no receives */
    PAIRING_MPI,  /* by receiver, source and tag, as MPI does (match.h) */
};

/* In which order messages of one sender to one receiver are taken. */
enum ordering {
    ORDER_NONE, /* as they come */
    ORDER_PAIR, /* as they were sent */
};

/* Named in platforms/runtimes.def, as are its message tables. What it does not
 * have is NULL. */
struct transport {
    const char *summary; /* one line */
    enum pairing pairing;
    enum ordering ordering;
    bool by_gpu; /* a kernel can start its transfers */
    /* What a message with this segment costs the CPUs of its two ends. */
    struct occupancies (*progress)(const struct segment *s, uint64_t bytes);

    /* From host memory, or with GPUs from one GPU's to another's. Its receive
     * is another transfer (TRANSFER_SEND, TRANSFER_RECEIVE), which its owner
     * has announced to the matching, or none (TRANSFER_MESSAGE): then `partner`
     * is the message itself when it may be received at once, or NULL until
     * post_recv(). */
    void (*post_send)(struct transfer *t);
    /* The receive of a message that has none of its own, which `by` made
     * possible. */
    void (*post_recv)(struct transfer *t, const struct transfer *by);
    /* Between GPUs, by kernels of both, instead of post_send(): in so many
     * channels, with equal parts of the bytes; posted: it may be received at
     * once, else only after post_recv(). */
    void (*push)(struct transfer *t, unsigned channels, bool posted);
    /* Between GPUs, one-sided: the other end does nothing. Where the kernel
     * starts it, `puts` operations (1 at least) of equal parts of bytes that
     * are wire_B on the wire. */
    void (*put)(struct transfer *t);
    /* Of a runtime with a communication thread (teams.h), whose fabric has
     * them. */
    const struct team_rules *rules;
};
extern const struct transport *const transports[NRUNTIMES];

/* --- what runtimes have in common ----------------------------------------- */

/* message.c */
void message_send(struct transfer *t);
/* A message whose sender's turn is before all that wait for its CPU. */
void message_send_ahead(struct transfer *t);
void message_prepare(struct transfer *t);
/* Of what its receiver's CPU has to do, what it may have done before while it
 * was free. */
double message_hides_s(struct transfer *t);
/* A message and the receive that takes it, posted now or before. */
void message_pair(struct transfer *t, struct transfer *recv, bool posted_now);
void message_recv(struct transfer *t, const struct transfer *by);
/* Of one that is matched: its receiver hears of it. */
void message_announce(struct transfer *t);
/* put.c */
void transfer_put(struct transfer *t);
/* push.c */
void transfer_push(struct transfer *t, unsigned channels, bool posted);
void transfer_push_recv(struct transfer *t, const struct transfer *by);
/* copy.c: a process copies between its host memory and from_gpu, or from that
 * to to_gpu, as `dir` says. The row of its cost, NULL: the machine has none. */
void transfer_copy(struct transfer *t);
const struct copy_cost *transfer_copy_row(const struct transfer *t);

#endif

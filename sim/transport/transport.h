/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transport.h - how bytes get from one process or GPU to another: what a
 * runtime does for a message, on the resources of fabric.h. Plans and graph
 * agents send by this, and by nothing else. A runtime is one file here and one
 * line in list.def.
 */
#ifndef SIM_TRANSPORT_TRANSPORT_H
#define SIM_TRANSPORT_TRANSPORT_H

#include "sim/transport/fabric.h"

/* How a message finds its receive. */
enum matching {
    MATCHING_NONE, /* there are no receives */
    MATCHING_LIST, /* by receiver, source and tag, as MPI does (match.h) */
};

/* In which order messages of one sender to one receiver are taken. */
enum ordering {
    ORDER_NONE, /* as they come */
    ORDER_PAIR, /* as they were sent */
};

/* What a message costs the CPUs of its two processes. */
struct progress {
    double send_s, recv_s;
};

struct transport {
    const char *name;    /* as platforms name its message tables */
    const char *summary; /* one line */
    enum matching matching;
    enum ordering ordering;
    struct progress (*progress)(const struct segment *s, uint64_t bytes);

    /* From host memory, or with GPUs from one GPU's to another's. Its receive
     * is another transfer (kind TRANSFER_RECEIVE of the same fabric), or none:
     * then `partner` is the message itself when it may be received at once,
     * or NULL until post_recv(). */
    void (*post_send)(struct transfer *t);
    /* A receive; or that of a message that has none of its own, which `by`
     * made possible. */
    void (*post_recv)(struct transfer *t, const struct transfer *by);
};
extern const struct transport mpi_transport;

/* A process issues a copy between its host memory and from_gpu, or from that
 * to to_gpu (t->dir), and waits for its end. */
void transfer_copy(struct transfer *t);

/* --- message.c: what runtimes with messages have in common ---------------- */

void message_send(struct transfer *t);
void message_recv(struct transfer *t, const struct transfer *by);

#endif

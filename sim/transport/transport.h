/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transport.h - how bytes get from one process or GPU to another: the stages of
 * a message under a runtime, on the resources of fabric.h. Plans and graph
 * agents send by these functions, and by no others. A runtime is one file here
 * and one line in platforms/runtimes.def.
 */
#ifndef SIM_TRANSPORT_TRANSPORT_H
#define SIM_TRANSPORT_TRANSPORT_H

#include "sim/transport/host_processes.h"
#include "sim/transport/transfer.h"

/* The rule by which a message finds its receive. */
enum pairing {
    PAIRING_NONE, /* there are no receives */
    PAIRING_MPI,  /* by receiver, source and tag, as in MPI (match.h) */
};

/* The order in which messages of one sender are received by one receiver. */
enum ordering {
    ORDER_NONE, /* in order of arrival */
    ORDER_PAIR, /* in the order in which they were sent */
};

/* A runtime, which platforms/runtimes.def names, as it names the message
 * tables. A function that it does not have is NULL. */
struct transport {
    const char *summary; /* one line */
    enum pairing pairing;
    enum ordering ordering;
    bool by_gpu; /* a kernel can start its transfers */
    /* Returns how long a message with this segment keeps the CPUs of its two
     * ends busy. NULL if that is no time. */
    struct occupancies (*progress)(const struct segment *s, uint64_t bytes);

    /*
     * Sends a message from host memory, or with GPUs from one GPU's memory to
     * another's. Its receive is another transfer (TRANSFER_SEND,
     * TRANSFER_RECEIVE), which its owner has announced to the matching, or it
     * has none (TRANSFER_MESSAGE). In that case `partner` is the message itself
     * if it may be received at once, or NULL until post_recv().
     */
    void (*post_send)(struct transfer *t);
    /* Posts the receive of a message that has no transfer for it; `by` made the
     * receive possible. */
    void (*post_recv)(struct transfer *t, const struct transfer *by);
    /* Sends between GPUs by kernels of both, instead of post_send(), in
     * `channels` channels with equal parts of the bytes. If `posted`, it may be
     * received at once, else only after post_recv(). */
    void (*push)(struct transfer *t, unsigned channels, bool posted);
    /* Puts between GPUs: one-sided, so that the other end does nothing. If the
     * kernel starts it, it stands for `puts` operations (1 at least) of equal
     * parts of its bytes, which are wire_B on the wire. */
    void (*put)(struct transfer *t);
    /* The rules of a runtime with a communication thread, whose fabric has
     * host_processes. */
    const struct runtime_rules *rules;
};
extern const struct transport *const transports[NRUNTIMES];

/* --- functions that runtimes share ---------------------------------------- */

/* message.c */
void message_go(struct transfer *t);
void message_prepare(struct transfer *t);
/* Joins a message and the receive that takes it, posted now or before. */
void message_pair(struct transfer *t, struct transfer *recv, bool posted_now);
void message_recv(struct transfer *t, const struct transfer *by);
/* Announces a matched message to its receiver. */
void message_announce(struct transfer *t);
/* put.c */
void put_go(struct transfer *t);
void transfer_put(struct transfer *t);
/* push.c */
void push_go(struct transfer *t);
/* Fills in the fields of a push, and returns its bytes on the wires. */
double transfer_push_prepare(struct transfer *t, unsigned channels);
void transfer_push(struct transfer *t, unsigned channels, bool posted);
void transfer_push_recv(struct transfer *t, const struct transfer *by);
/* peer.c: returns the blocks of a kernel for so many bytes, of which there are
 * at most `most`. */
unsigned peer_blocks(uint64_t bytes, unsigned most);
/* copy.c: a process copies between its host memory and from_gpu, or from that
 * to to_gpu, as `dir` says. If the machine has no such copies, its row is NULL
 * once it is prepared. */
void copy_go(struct transfer *t);
void copy_prepare(struct transfer *t);
/* pack.c: a process gathers, scatters or adds up values in the memory of
 * from_gpu, or in its own if that is NO_GPU. It writes `bytes`, and reads that
 * many of each input. */
void pack_go(struct transfer *t);
/* work.c: keeps the process's CPU, or its lane, busy for work_s seconds. */
void work_go(struct transfer *t);

#endif

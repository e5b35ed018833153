/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cause.h - what transfers and operations wait for. */
#ifndef SIM_TRANSPORT_CAUSE_H
#define SIM_TRANSPORT_CAUSE_H

/* What a transfer waits for, or an operation of a plan. */
enum cause {
    CAUSE_NONE, /* nothing: it can start at once */
    CAUSE_DEPENDENCY,
    CAUSE_CPU,     /* a process's CPU was busy with another operation */
    CAUSE_ENGINE,  /* a GPU's copy engine was */
    CAUSE_NIC,     /* a NIC sent as many messages as it can at once */
    CAUSE_MATCH,   /* a receive: its message; a message: its receive */
    CAUSE_KERNEL,  /* a GPU ran another kernel */
    CAUSE_MATCHER, /* a message and its receive: the engine that matches them */
    CAUSE_COMM,    /* a process's communication thread */
    CAUSE_PACKET,  /* a packet, or a buffer, of the runtime */
    CAUSE_EPOCH,   /* the other puts of an epoch */
    NCAUSES
};
extern const char *const cause_names[NCAUSES];

#endif

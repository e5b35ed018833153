/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cause.h - the reasons for which transfers and operations wait. */
#ifndef SIM_TRANSPORT_CAUSE_H
#define SIM_TRANSPORT_CAUSE_H

/* The reason for which a transfer, or an operation of a plan, waits. */
enum cause {
    CAUSE_NONE, /* it can start at once */
    CAUSE_DEPENDENCY,
    CAUSE_CPU,    /* a process's CPU was busy with another operation */
    CAUSE_ENGINE, /* a GPU's copy engine was busy */
    CAUSE_NIC,    /* a NIC sent as many messages at once as it can */
    /* A receive waits for its message, or a message for its receive. */
    CAUSE_MATCH,
    CAUSE_KERNEL,  /* a GPU ran another kernel */
    CAUSE_MATCHER, /* the engine that matches messages and receives */
    CAUSE_COMM,    /* a process's communication thread */
    CAUSE_PACKET,  /* a packet, or a buffer, of the runtime */
    CAUSE_EPOCH,   /* the other puts of an epoch */
    NCAUSES
};
extern const char *const cause_names[NCAUSES];

#endif

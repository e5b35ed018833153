/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transfer.h - the steps of which the stages of all transfers consist: to wait
 * for a resource of the fabric, to hold it for a time, to flow, to release it.
 */
#ifndef SIM_TRANSPORT_TRANSFER_H
#define SIM_TRANSPORT_TRANSFER_H

#include "sim/transport/fabric.h"

/* The stages of a kind of transfers. */
struct transfer_stages {
    /* Continues with t->stage. */
    void (*go)(struct transfer *t);
    /* Fills in the fields below the line; NULL if stage 0 needs none. */
    void (*prepare)(struct transfer *t);
};
/* The stages of each enum transfer_kind (list.c). */
extern const struct transfer_stages transfer_kinds[TRANSFERS_AT_REST];

/* Fills in the fields below the line of a transfer whose process has its CPU,
 * so that stage 0 is next, as if the transfer had been posted. */
void transfer_prepare(struct transfer *t);
/* Continues with the transfer's next stage (t->stage). */
void transfer_go(struct transfer *t);
/* Prepares a transfer and waits for its process's CPU, or its lane. */
void transfer_post(struct transfer *t);
/* Appends a number to the queue of a server. */
void fabric_rest(struct fabric *f, struct server *s, enum cause cause,
                 uint32_t number);
/* Reports that its wait is over, because of the transfer `by`. */
void transfer_waited(struct transfer *t, enum cause cause,
                     const struct transfer *by);
/* Waits for a server, and continues with `stage` once it has it. */
void transfer_take(struct transfer *t, struct server *s, uint8_t stage,
                   enum cause cause);
/* Does the same, but waits before all others. */
void transfer_take_first(struct transfer *t, struct server *s, uint8_t stage,
                         enum cause cause);
/* Releases its place, which goes to the first that waits for it. */
void transfer_release(const struct transfer *t, struct server *s);
void transfer_release_cpu(const struct transfer *t, uint32_t process);
void transfer_later(struct transfer *t, double delay_s, uint8_t stage);
/* Starts its flow, and continues with `stage` at the end of it. */
void transfer_flow(struct transfer *t, uint8_t stage, uint32_t from,
                   uint32_t to, double bytes, double rate_cap_Bps, int nic);
void transfer_began(struct transfer *t);
void transfer_flowed(struct transfer *t);
void transfer_sent(struct transfer *t);
void transfer_ended(struct transfer *t);
void transfer_done(struct transfer *t);

/* Returns the time between its messages at that NIC. */
double transfer_gap_s(const struct transfer *t, int nic);
/* Waits for a place at that NIC, and continues with `stage` once it has one. */
void transfer_take_nic(struct transfer *t, int nic, uint8_t stage);
/* Continues with `stage` once the message rate of the NIC, at which it has a
 * place, lets it begin `messages` messages. */
void transfer_wait_gap(struct transfer *t, int nic, double messages,
                       uint8_t stage);
void transfer_release_nic(struct transfer *t, int nic);

#endif

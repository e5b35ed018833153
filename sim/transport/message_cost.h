/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_cost.h - the kind of a message between two processes, and its times.
 * Nothing here changes the message or the fabric. Seconds. */
#ifndef SIM_TRANSPORT_MESSAGE_COST_H
#define SIM_TRANSPORT_MESSAGE_COST_H

#include "sim/transport/transport.h"

/* A message of a process to itself is a copy by its CPU, if the machine says
 * so. */
bool message_is_copy(const struct transfer *t);
/* A message between GPUs of a node is a copy between them (CUDA IPC). */
bool message_is_peer_copy(const struct transfer *t);
/* The receiver's CPU is busy while the bytes flow. */
bool message_receiver_moves(const struct transfer *t);
/* A message whose bytes wait for the receive announces itself before. */
bool message_bytes_wait(const struct transfer *t);
/* The processes of one GPU take turns without MPS: a message has it alone. */
bool message_takes_turns(const struct machine *m);
/* Both processes are of one GPU, or of GPUs that one stands for. If they have
 * it in turn, a message takes the GPU as a kernel does. */
bool message_in_gpu(const struct transfer *t);

/* Returns how long the CPUs of both ends are busy with it. */
struct occupancies message_progress(const struct transfer *t);
/* The same of the receiver's CPU without the bytes: if it moves those, their
 * time is that of their flow. */
double message_recv_fixed(const struct transfer *t);
/* Returns the latency that the wire has of it, without the bytes. */
double message_wire(const struct transfer *t);
/* Returns a byte's time while it flows, 0 if nothing but links bounds it. */
double message_s_per_B(const struct transfer *t);
/* Returns how many bytes the memory and wires of a node carry for each of its
 * own. */
double message_traffic(const struct transfer *t);
/* Returns how long it keeps the engine of the receiving GPU, if it is a peer
 * copy. */
double message_peer_s(const struct transfer *t);
/* Returns the time of the receiver's CPU for looking through its lists, 0 if
 * the message has no receive of its own. */
double message_match_s(const struct transfer *recv, const struct transfer *msg);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p2p.h - the events of messages, which several kinds of calls begin. The
 * functions return NULL after an error. */
#ifndef WORKLOADS_TRACE_DUMPI_P2P_H
#define WORKLOADS_TRACE_DUMPI_P2P_H

#include "workloads/trace/dumpi/rank.h"

/* Adds an event in the communicator that is the record's argument `comm`. */
struct trace_event *dumpi_message(struct dumpi_rank *r, enum trace_call call,
                                  int comm, struct err *err);

/* Adds a send, or a receive, for a record that begins with count, datatype,
 * peer, tag and communicator; the event has no request yet. status may be
 * NULL. */
struct trace_event *dumpi_send_event(struct dumpi_rank *r, struct err *err);
struct trace_event *dumpi_recv_event(struct dumpi_rank *r,
                                     const struct dumpi_arg *status,
                                     struct err *err);

#endif

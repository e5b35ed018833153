/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_records.h - what the files that turn records of OTF2 into events share:
 * the queue of a location, its communicators, the call that it is in. */
#ifndef WORKLOADS_TRACE_FOREIGN_OTF2_RECORDS_H
#define WORKLOADS_TRACE_FOREIGN_OTF2_RECORDS_H

#include "workloads/trace/foreign/otf2_calls.h"

/* --- the queue ------------------------------------------------------------ */

void otf2_list_add(struct otf2_list *l, uint64_t value);
/* Since the clock of the archive began. */
double otf2_seconds(const struct otf2_queue *q, OTF2_TimeStamp time);
/* A new event at the end, now or in the call under way. */
struct otf2_item *otf2_push(struct otf2_queue *q, enum trace_call call);
/* By its number, counted from the rank's first. */
struct otf2_item *otf2_queue_item(struct otf2_queue *q, uint64_t number);
/* The newest event waits for the completion of this request. */
void otf2_pend(struct otf2_queue *q, uint64_t request);
/* The event that waits for the completion of this request, which does so no
 * longer; NULL: there is none. */
struct otf2_item *otf2_unpend(struct otf2_queue *q, uint64_t request);
/* The oldest that waits is left out: of whom it is, is not known. */
void otf2_give_up(struct otf2_queue *q);
/* Ends the reading with an error, "TEXT: A of B". */
OTF2_CallbackCode otf2_refuse(struct otf2_queue *q, const char *text,
                              uint64_t a, uint64_t b);
/* What a record's callback returns. */
OTF2_CallbackCode otf2_done(const struct otf2_queue *q);

/* --- communicators -------------------------------------------------------- */

uint32_t otf2_comm_number(const struct otf2_queue *q,
                          const struct otf2_comm *c);
uint32_t otf2_comm_size(const struct otf2_queue *q, const struct otf2_comm *c);
/* The communicator of a record, told of; NULL with an error, or (not of ranks)
 * without. */
const struct otf2_comm *otf2_comm_of(struct otf2_queue *q, uint64_t ref);
/* The event's communicator and peer, checked; false: an error. */
bool otf2_peer(struct otf2_queue *q, struct trace_event *e,
               const struct otf2_comm *c, uint32_t peer);

/* --- records -------------------------------------------------------------- */

/* A record outside of any call is a call of its own. */
void otf2_record(struct otf2_queue *q, OTF2_TimeStamp time, uint64_t place,
                 const char *name);
OTF2_CallbackCode otf2_record_end(struct otf2_queue *q);
/* The event that waits for puts and gets, if some are complete. */
void otf2_flush(struct otf2_queue *q);
void otf2_collective_callbacks(OTF2_EvtReaderCallbacks *c);

#endif

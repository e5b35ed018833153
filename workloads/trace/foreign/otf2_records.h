/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_records.h - declarations that the files share which turn OTF2 records
 * into events: the queue of a location, its communicators, and its current
 * call. */
#ifndef WORKLOADS_TRACE_FOREIGN_OTF2_RECORDS_H
#define WORKLOADS_TRACE_FOREIGN_OTF2_RECORDS_H

#include "workloads/trace/foreign/otf2_calls.h"

/* --- the queue ------------------------------------------------------------ */

void otf2_list_add(struct otf2_list *l, uint64_t value);
/* Returns the seconds since the clock of the archive began. */
double otf2_seconds(const struct otf2_queue *q, OTF2_TimeStamp time);
/* Pushes an event, which has the time of the current call, or the current time
 * outside of any call. */
struct otf2_item *otf2_push(struct otf2_queue *q, enum trace_call call);
/* Returns the item with a number, counted from the rank's first. */
struct otf2_item *otf2_queue_item(struct otf2_queue *q, uint64_t number);
/* Lets the newest event wait for the completion of this request. */
void otf2_pend(struct otf2_queue *q, uint64_t request);
/* Ends the wait for the completion of a request. Returns the event that waited;
 * NULL if there is none. */
struct otf2_item *otf2_unpend(struct otf2_queue *q, uint64_t request);
/* Leaves out the oldest event that waits, because its peer is not known. */
void otf2_give_up(struct otf2_queue *q);
/* Ends the reading with an error, "TEXT: A of B". */
OTF2_CallbackCode otf2_refuse(struct otf2_queue *q, const char *text,
                              uint64_t a, uint64_t b);
/* Returns the result of a record's callback. */
OTF2_CallbackCode otf2_done(const struct otf2_queue *q);

/* --- communicators -------------------------------------------------------- */

uint32_t otf2_comm_number(const struct otf2_queue *q,
                          const struct otf2_comm *c);
uint32_t otf2_comm_size(const struct otf2_queue *q, const struct otf2_comm *c);
/* Returns the communicator of a record, and pushes its event before its first
 * use. Returns NULL with an error, or without one if its members are not
 * ranks. */
const struct otf2_comm *otf2_comm_of(struct otf2_queue *q, uint64_t ref);
/* Sets and checks the event's communicator and peer. Returns false after an
 * error. */
bool otf2_peer(struct otf2_queue *q, struct trace_event *e,
               const struct otf2_comm *c, uint32_t peer);

/* --- records -------------------------------------------------------------- */

/* Begins a record. Outside of any call it is a call of its own. */
void otf2_record(struct otf2_queue *q, OTF2_TimeStamp time, uint64_t place,
                 const char *name);
OTF2_CallbackCode otf2_record_end(struct otf2_queue *q);
/* Pushes the event that waits for puts and gets, if some are complete. */
void otf2_flush(struct otf2_queue *q);
/* Ends a call. Its events all begin and end at its beginning, except that the
 * last takes its time. */
void otf2_call_end(struct otf2_queue *q);

/* --- otf2_collectives.c --------------------------------------------------- */

void otf2_collective_callbacks(OTF2_EvtReaderCallbacks *c);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the records of one rank one after the other, and returns their
 * events. */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>

/* --- calls without arguments ---------------------------------------------- */

int dumpi_init(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    dumpi_event(r, TRACE_INIT);
    return 0;
}

int dumpi_finalize(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    r->finalized = true;
    dumpi_event(r, TRACE_FINALIZE);
    return 0;
}

/* --- records -------------------------------------------------------------- */

/* Sets the times of a call. A record has only the lowest 16 bits of the
 * seconds, so overflows are counted. */
static void rank_clock(struct dumpi_rank *r)
{
    const struct dumpi_record *c = &r->record;

    if (!(c->mask & (DUMPI_CPU | DUMPI_WALL))) {
        r->begin_s = r->end_s = NAN;
        return;
    }
    if (r->last_s > c->begin_s && r->last_s - c->begin_s > 0x8000)
        r->wrapped_s += 0x10000;
    double bias_s = r->bias_s + r->wrapped_s;
    r->begin_s = bias_s + c->begin_s + 1e-9 * c->begin_ns;
    r->end_s =
        bias_s + c->end_s + 1e-9 * c->end_ns +
        (c->begin_s > c->end_s && c->begin_s - c->end_s > 0x8000 ? 0x10000 : 0);
    if (r->end_s < r->begin_s)
        r->end_s = r->begin_s;
    r->last_s = c->begin_s;
}

static void rank_thread(struct dumpi_rank *r)
{
    if (r->record.thread == 0 || r->state->said_thread)
        return;
    r->state->said_thread = true;
    char *where = dumpi_where(r);
    trace_remark(r->trace,
                 "%s: of thread %u: calls of several threads are taken as one "
                 "sequence, in the order of their ends",
                 where, r->record.thread);
    free(where);
}

/* Releases the pages of the file, because none is needed for now. */
static void rank_pass(struct dumpi_rank *r)
{
    r->file.in.at = r->file.in.end;
    input_pass(&r->file.in);
}

/* Returns whether the stream ends here, as early versions end: with a 0, the
 * number of a send, after MPI_Finalize. */
static bool rank_ended(const struct dumpi_rank *r)
{
    return r->finalized && r->file.stream_end - r->at >= 2 &&
           dumpi_u16(r->at) == DUMPI_MPI_Send;
}

/* Reads the next record of a call. Returns 1, or 0 at the end. */
static int rank_record(struct dumpi_rank *r, struct err *err)
{
    struct err why;

    do {
        r->place = dumpi_file_place(&r->file, r->at);
        int more = rank_ended(r) ? 0
                                 : dumpi_record_read(&r->record, &r->at,
                                                     r->file.stream_end,
                                                     r->file.version, &why);
        if (more < 0)
            return dumpi_fail(r, err, "%s", why.text);
        if (!more) {
            r->over = true;
            rank_pass(r);
            return 0;
        }
        /* Skips functions of the program. */
    } while (r->record.call >= DUMPI_CALLS);
    return 1;
}

int dumpi_rank_next(struct dumpi_rank *r, struct trace_event *e,
                    struct err *err)
{
    while (r->given == r->nevents) {
        if (r->over)
            return 0;
        r->nevents = r->given = r->nwaited = 0;
        r->members.n = 0;
        int more = rank_record(r, err);
        if (more <= 0)
            return more;
        rank_clock(r);
        rank_thread(r);
        if (dumpi_meanings[r->record.call](r, err) < 0) {
            r->over = true;
            r->given = r->nevents = 0;
            return -1;
        }
        if (r->nevents)
            r->event[r->nevents - 1].end_s = r->end_s;
        r->file.in.at = (const char *)r->at;
        input_pass(&r->file.in);
    }
    *e = r->event[r->given++];
    return 1;
}

/* --- creation and rewinding ----------------------------------------------- */

static void rank_clear(struct dumpi_rank *r)
{
    dumpi_requests_clear(&r->requests);
    dumpi_groups_clear(r);
    dumpi_windows_clear(r);
    dumpi_comms_clear(r);
    free(r->type_B);
    r->type_B = NULL;
    r->ntypes = 0;
}

void dumpi_rank_rewind(struct dumpi_rank *r)
{
    rank_clear(r);
    r->at = r->file.stream;
    r->file.in.at = r->file.in.begin;
    r->file.in.given_back = 0;
    r->over = r->finalized = false;
    r->nevents = r->given = 0;
    r->wrapped_s = 0;
    r->last_s = 0;
}

struct dumpi_rank *dumpi_rank_new(struct trace *t, struct dumpi_state *s,
                                  uint32_t rank, const char *path,
                                  struct err *err)
{
    struct dumpi_rank *r = xcalloc(1, sizeof *r);

    if (dumpi_file_open(&r->file, path, err) < 0) {
        free(r);
        return NULL;
    }
    r->trace = t;
    r->state = s;
    r->rank = rank;
    rank_pass(r);
    dumpi_rank_rewind(r);
    return r;
}

void dumpi_rank_free(struct dumpi_rank *r)
{
    if (!r)
        return;
    rank_clear(r);
    free(r->event);
    free(r->waited);
    free(r->counts[0]);
    free(r->counts[1]);
    dumpi_list_free(&r->members);
    dumpi_file_close(&r->file);
    free(r);
}

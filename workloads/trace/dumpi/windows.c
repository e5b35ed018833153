/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translates one-sided communication. Each window has a communicator of its
 * own, for the messages of its synchronisation: MPI_Win_post sends one to each
 * rank that may access the window, and MPI_Win_complete sends one to each rank
 * whose window was accessed.
 */
#include "workloads/trace/dumpi/rank.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_POST, TAG_COMPLETE };

static struct dumpi_window *window_slot(struct dumpi_rank *r, int64_t handle)
{
    size_t h = (size_t)handle, n = r->nwindows;

    if (h >= n) {
        r->nwindows = h + 1 > 2 * n ? h + 1 : 2 * n;
        r->window = xrealloc(r->window, r->nwindows, sizeof *r->window);
        memset(r->window + n, 0, (r->nwindows - n) * sizeof *r->window);
    }
    return &r->window[h];
}

static struct dumpi_window *window_of(struct dumpi_rank *r, int arg,
                                      struct err *err)
{
    struct dumpi_window *w = window_slot(r, dumpi_value(r, arg));

    if (w->comm == TRACE_WORLD)
        return dumpi_fail(r, err, "window %lld: no recorded call made it",
                          (long long)dumpi_value(r, arg)),
               NULL;
    return w;
}

void dumpi_windows_clear(struct dumpi_rank *r)
{
    for (size_t i = 0; i < r->nwindows; i++) {
        dumpi_list_free(&r->window[i].posted);
        dumpi_list_free(&r->window[i].started);
    }
    free(r->window);
    r->window = NULL;
    r->nwindows = 0;
}

static void barrier(struct dumpi_rank *r, uint32_t comm)
{
    struct trace_event *e = dumpi_event(r, TRACE_COLLECTIVE);

    e->collective = TRACE_BARRIER;
    e->comm = comm;
    e->blocks = true;
}

static void flush(struct dumpi_rank *r, uint32_t comm, uint32_t peer)
{
    struct trace_event *e = dumpi_event(r, TRACE_FLUSH);

    e->comm = comm;
    e->peer = peer;
}

/* --- creation ------------------------------------------------------------- */

int dumpi_win_create(struct dumpi_rank *r, struct err *err)
{
    uint32_t comm;

    if (dumpi_comm(r, dumpi_value(r, 3), &comm, err) < 0)
        return -1;
    uint32_t own = dumpi_comm_new(r, -1, comm);
    window_slot(r, dumpi_value(r, 4))->comm = own;
    struct trace_event *e = dumpi_event(r, TRACE_COMM);
    e->how = TRACE_DUP;
    e->comm = comm;
    e->new_comm = own;
    return 0;
}

int dumpi_win_free(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 0, err);

    if (!w)
        return -1;
    barrier(r, w->comm);
    w->comm = TRACE_WORLD;
    return 0;
}

/* --- accesses ------------------------------------------------------------- */

/* Translates count, datatype and target; the window is the argument
 * `window`. */
static int accesses(struct dumpi_rank *r, enum trace_call call, int window,
                    struct err *err)
{
    struct dumpi_window *w = window_of(r, window, err);
    int64_t target = dumpi_value(r, 2);

    if (!w)
        return -1;
    uint32_t size = r->comm[w->comm].size;
    struct trace_event *e = dumpi_event(r, call);
    e->comm = w->comm;
    if (size && target >= size)
        return dumpi_fail(r, err, "target %lld: the window has %u ranks",
                          (long long)target, size);
    e->peer = target < 0 ? NO_PEER : (uint32_t)target;
    return dumpi_bytes(r, dumpi_value(r, 0), dumpi_value(r, 1), &e->bytes, err);
}

/* MPI_Accumulate has its operation before the window. */
int dumpi_put(struct dumpi_rank *r, struct err *err)
{
    return accesses(r, TRACE_PUT,
                    r->record.call == DUMPI_MPI_Accumulate ? 7 : 6, err);
}

int dumpi_get(struct dumpi_rank *r, struct err *err)
{
    return accesses(r, TRACE_GET, 6, err);
}

/* --- epochs --------------------------------------------------------------- */

int dumpi_win_fence(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 1, err);

    if (!w)
        return -1;
    flush(r, w->comm, ANY_RANK);
    barrier(r, w->comm);
    return 0;
}

int dumpi_win_unlock(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 1, err);
    int64_t peer = dumpi_value(r, 0);

    if (!w)
        return -1;
    uint32_t size = r->comm[w->comm].size;
    if (peer < 0 || (size && peer >= size))
        return dumpi_fail(r, err, "rank %lld: the window has %u ranks",
                          (long long)peer, size);
    flush(r, w->comm, (uint32_t)peer);
    return 0;
}

/* Adds an empty message with each of these ranks: a blocking receive, or a
 * send. */
static void tell(struct dumpi_rank *r, enum trace_call call, uint32_t comm,
                 const struct dumpi_list *ranks, uint32_t tag)
{
    for (size_t i = 0; i < ranks->n; i++) {
        struct trace_event *e = dumpi_event(r, call);
        e->comm = comm;
        e->peer = ranks->at[i];
        e->tag = tag;
        e->blocks = call == TRACE_RECV;
    }
}

int dumpi_win_post(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 2, err);

    if (!w ||
        dumpi_group_in(r, dumpi_value(r, 0), w->comm, &w->posted, err) < 0)
        return -1;
    tell(r, TRACE_SEND, w->comm, &w->posted, TAG_POST);
    return r->nevents ? 0 : dumpi_other(r, err);
}

int dumpi_win_start(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 2, err);

    if (!w ||
        dumpi_group_in(r, dumpi_value(r, 0), w->comm, &w->started, err) < 0)
        return -1;
    tell(r, TRACE_RECV, w->comm, &w->started, TAG_POST);
    return r->nevents ? 0 : dumpi_other(r, err);
}

int dumpi_win_complete(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 0, err);

    if (!w)
        return -1;
    flush(r, w->comm, ANY_RANK);
    tell(r, TRACE_SEND, w->comm, &w->started, TAG_COMPLETE);
    w->started.n = 0;
    return 0;
}

static int window_waits(struct dumpi_rank *r, struct dumpi_window *w,
                        struct err *err)
{
    tell(r, TRACE_RECV, w->comm, &w->posted, TAG_COMPLETE);
    w->posted.n = 0;
    return r->nevents ? 0 : dumpi_other(r, err);
}

int dumpi_win_wait(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 0, err);

    return w ? window_waits(r, w, err) : -1;
}

int dumpi_win_test(struct dumpi_rank *r, struct err *err)
{
    struct dumpi_window *w = window_of(r, 0, err);

    if (!w)
        return -1;
    if (dumpi_value(r, 1))
        return window_waits(r, w, err);
    dumpi_event(r, TRACE_POLL);
    return 0;
}

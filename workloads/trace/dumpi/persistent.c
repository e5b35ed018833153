/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates persistent requests, and requests that are freed or cancelled. */
#include "workloads/trace/dumpi/p2p.h"

/* Keeps the event for MPI_Start, because the call itself sends no message. */
static int keeps(struct dumpi_rank *r, const struct trace_event *e)
{
    if (!e)
        return -1;
    dumpi_request_keep(r, (uint32_t)dumpi_value(r, 5), e);
    r->nevents--;
    dumpi_event(r, TRACE_OTHER);
    return 0;
}

int dumpi_send_init(struct dumpi_rank *r, struct err *err)
{
    return keeps(r, dumpi_send_event(r, err));
}

/* `how` of a kept event is the state of its request once it is started. */
int dumpi_bsend_init(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_send_event(r, err);

    if (e)
        e->how = DUMPI_SILENT;
    return keeps(r, e);
}

int dumpi_ssend_init(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_send_event(r, err);

    if (e)
        e->synchronous = true;
    return keeps(r, e);
}

int dumpi_recv_init(struct dumpi_rank *r, struct err *err)
{
    return keeps(r, dumpi_recv_event(r, NULL, err));
}

static int starts(struct dumpi_rank *r, uint32_t number, struct err *err)
{
    const struct dumpi_request *q = dumpi_request_find(r, number);

    if (!q || !q->kept)
        return dumpi_fail(r, err, "request %u: no recorded call made it",
                          number);
    bool silent = r->requests.kept[q->kept - 1].how == DUMPI_SILENT;
    const struct trace_event *kept =
        dumpi_request_start(r, number, silent ? DUMPI_SILENT : DUMPI_ACTIVE);
    struct trace_event *e = dumpi_event(r, (enum trace_call)kept->call);
    struct trace_event begun = *kept;
    begun.name = e->name;
    begun.place = e->place;
    begun.begin_s = e->begin_s;
    begun.end_s = e->end_s;
    begun.how = 0;
    *e = begun;
    return 0;
}

int dumpi_start(struct dumpi_rank *r, struct err *err)
{
    return starts(r, (uint32_t)dumpi_value(r, 0), err);
}

int dumpi_startall(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *requests = dumpi_values(r, 1);

    for (int64_t i = 0; i < requests->value; i++)
        if (starts(r, (uint32_t)dumpi_int_of(requests, (size_t)i), err) < 0)
            return -1;
    return 0;
}

int dumpi_request_free(struct dumpi_rank *r, struct err *err)
{
    dumpi_request_drop(r, (uint32_t)dumpi_value(r, 0));
    return dumpi_other(r, err);
}

/* The program itself completes such a request, at a time that is not known. */
int dumpi_grequest(struct dumpi_rank *r, struct err *err)
{
    (void)dumpi_request_begin(r, (uint32_t)dumpi_value(r, 0), DUMPI_SILENT);
    return dumpi_unknown(r, err);
}

int dumpi_cancel(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_request *q =
        dumpi_request_find(r, (uint32_t)dumpi_value(r, 0));

    if (!q || q->state != DUMPI_ACTIVE)
        return dumpi_other(r, err);
    dumpi_waited_add(r, q->id);
    struct trace_event *e = dumpi_event(r, TRACE_CANCEL);
    e->requests = r->waited;
    e->nrequests = 1;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates waits and tests for requests. */
#include "workloads/trace/dumpi/rank.h"

/* Adds the event of a wait for the requests passed to dumpi_request_wait(). */
static int waits(struct dumpi_rank *r)
{
    struct trace_event *e = dumpi_event(r, TRACE_WAIT);

    e->requests = r->waited;
    e->nrequests = r->nwaited;
    return 0;
}

static int polls(struct dumpi_rank *r)
{
    dumpi_event(r, TRACE_POLL);
    return 0;
}

static int waits_one(struct dumpi_rank *r)
{
    dumpi_request_wait(r, (uint32_t)dumpi_value(r, 0), false);
    return waits(r);
}

static int waits_all(struct dumpi_rank *r)
{
    const struct dumpi_arg *requests = dumpi_values(r, 1);

    for (int64_t i = 0; i < requests->value; i++)
        dumpi_request_wait(r, (uint32_t)dumpi_int_of(requests, (size_t)i),
                           false);
    return waits(r);
}

/* Waits for one request of a list. An index below 0 is MPI_UNDEFINED: there was
 * no active request. */
static int waits_index(struct dumpi_rank *r, int64_t index, struct err *err)
{
    const struct dumpi_arg *requests = dumpi_values(r, 1);

    if (index >= requests->value)
        return dumpi_fail(r, err, "completed request %lld of %lld",
                          (long long)index, (long long)requests->value);
    if (index >= 0)
        dumpi_request_wait(r, (uint32_t)dumpi_int_of(requests, (size_t)index),
                           false);
    return 0;
}

static int waits_indices(struct dumpi_rank *r, struct err *err)
{
    const struct dumpi_arg *indices = dumpi_values(r, 3);

    for (int64_t i = 0; i < indices->value; i++)
        if (waits_index(r, dumpi_int_of(indices, (size_t)i), err) < 0)
            return -1;
    return 0;
}

int dumpi_wait(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    return waits_one(r);
}

int dumpi_test(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    return dumpi_value(r, 1) ? waits_one(r) : polls(r);
}

int dumpi_request_get_status(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    if (!dumpi_value(r, 1))
        return polls(r);
    dumpi_request_wait(r, (uint32_t)dumpi_value(r, 0), true);
    return waits(r);
}

int dumpi_waitall(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    return waits_all(r);
}

int dumpi_testall(struct dumpi_rank *r, struct err *err)
{
    (void)err;
    return dumpi_value(r, 2) ? waits_all(r) : polls(r);
}

int dumpi_waitany(struct dumpi_rank *r, struct err *err)
{
    return waits_index(r, dumpi_value(r, 2), err) < 0 ? -1 : waits(r);
}

int dumpi_testany(struct dumpi_rank *r, struct err *err)
{
    return dumpi_value(r, 3) ? dumpi_waitany(r, err) : polls(r);
}

int dumpi_waitsome(struct dumpi_rank *r, struct err *err)
{
    return waits_indices(r, err) < 0 ? -1 : waits(r);
}

int dumpi_testsome(struct dumpi_rank *r, struct err *err)
{
    return dumpi_values(r, 3)->value ? dumpi_waitsome(r, err) : polls(r);
}

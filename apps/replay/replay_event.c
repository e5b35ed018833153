/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does one event of a rank, by its kind. */
#include "apps/replay/replay_state.h"

static int replay_compute(struct replay *r, uint32_t rank, struct err *err)
{
    double work_s;

    if (replay_compute_s(r, rank, &work_s, err) < 0)
        return -1;
    r->ranks[rank].work_s += work_s;
    return 1;
}

int replay_event(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    int in_phase = replay_in_phase(r, rank, err);

    if (in_phase != REPLAY_NO_PHASE)
        return in_phase;
    switch ((enum trace_call)of->e.call) {
    case TRACE_COMPUTE:
        return replay_compute(r, rank, err);
    case TRACE_SEND:
    case TRACE_RECV:
    case TRACE_PROBE:
        return replay_message(r, rank, err);
    case TRACE_WAIT:
        return replay_wait(r, rank, err);
    case TRACE_COLLECTIVE:
    case TRACE_COMM:
        return replay_collective(r, rank, err);
    case TRACE_PUT:
    case TRACE_GET:
    case TRACE_FLUSH:
        return replay_onesided(r, rank, err);
    case TRACE_CANCEL:
        return replay_cancel(r, rank, err);
    case TRACE_INIT:
        of->began = true;
        return 1;
    case TRACE_FINALIZE:
        of->finalized = true;
        return 1;
    case TRACE_UNKNOWN:
        if (!r->unknown++)
            r->unknown_name = of->e.name;
        return 1;
    default:
        return 1;
    }
}

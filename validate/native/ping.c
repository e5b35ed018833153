/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rank's part in a ping-pong, timed and checked. */
#include "validate/native/ping.h"

#include "base/seconds.h"
#include "validate/native/pattern.h"

#include <stdio.h>

static void send_one(const struct ping *p)
{
    if (p->peer) {
        DIE_TRY(
            p->n->gpu->copy(p->peer, p->buffer, (size_t)p->bytes, NULL, DIE));
        DIE_TRY(p->n->gpu->wait(NULL, DIE));
        MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, p->other, 0, MPI_COMM_WORLD));
        return;
    }
    MPI_TRY(
        MPI_Send(p->buffer, p->bytes, MPI_BYTE, p->other, 0, MPI_COMM_WORLD));
}

static void receive_one(const struct ping *p)
{
    MPI_TRY(MPI_Recv(p->buffer, p->peer ? 0 : p->bytes, MPI_BYTE, p->other, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

double ping_time(const struct ping *p, unsigned iterations)
{
    double begin = seconds();

    for (unsigned i = 0; i < iterations; i++) {
        if (p->first)
            send_one(p);
        receive_one(p);
        if (!p->first)
            send_one(p);
    }
    return (seconds() - begin) / (2 * (double)iterations);
}

/* Waits until both ranks are here. */
static void meet(const struct ping *p)
{
    MPI_TRY(MPI_Sendrecv(NULL, 0, MPI_BYTE, p->other, 1, NULL, 0, MPI_BYTE,
                         p->other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

void ping_check(const struct ping *p)
{
    size_t bytes = (size_t)p->bytes;
    char what[48];

    snprintf(what, sizeof what, "the message from rank %d", p->other);
    for (int turn = 0; turn < 2; turn++) {
        bool sends = p->first == (turn == 0);
        if (sends)
            pattern_fill(p->n, p->buffer, bytes, (uint64_t)p->n->rank);
        else
            pattern_wipe(p->n, p->buffer, bytes);
        meet(p); /* because by IPC the sender writes into this buffer at once */
        if (sends) {
            send_one(p);
        } else {
            receive_one(p);
            pattern_check(p->n, p->buffer, bytes, (uint64_t)p->other, what);
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI: two-sided messages, matched in the order in which they were sent; the
 * CPUs of both processes take a share of each. */
#include "sim/transport/transport.h"

static struct progress mpi_progress(const struct segment *s, uint64_t bytes)
{
    double each_s = s->beta_s_per_B;

    return (struct progress){
        s->alpha_s * s->alpha_send_share +
            each_s * s->beta_send_share * (double)bytes,
        s->alpha_s * s->alpha_recv_share +
            each_s * s->beta_recv_share * (double)bytes,
    };
}

const struct transport mpi_transport = {
    .summary = "two-sided messages, matched by source and tag; a CPU at either "
               "end",
    .matching = MATCHING_LIST,
    .ordering = ORDER_PAIR,
    .progress = mpi_progress,
    .post_send = message_send,
    .post_recv = message_recv,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI: two-sided messages, matched in the order in which they were sent; the
 * CPUs of both processes are busy with each message. */
#include "sim/transport/transport.h"

const struct transport mpi_transport = {
    .summary = "two-sided messages, matched by source and tag; a CPU at either "
               "end",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_PAIR,
    .progress = segment_occupancies,
    .post_send = transfer_post,
    .post_recv = message_recv,
};

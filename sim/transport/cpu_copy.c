/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies that a CPU starts on behalf of its GPU: in a node an asynchronous copy
 * between the GPUs by a copy engine; between nodes, or if the machine has no
 * such copies, a message from GPU memory whose receive is posted. */
#include "sim/transport/transport.h"

static void copy_put(struct transfer *t)
{
    if (!transfer_leaves_node(t)) {
        t->kind = TRANSFER_COPY_ASYNC;
        t->dir = D2D;
        copy_prepare(t);
        if (t->row) {
            transfer_post(t);
            return;
        }
    }
    t->kind = TRANSFER_MESSAGE;
    t->runtime = RUNTIME_CPU_COPY;
    t->partner = t;
    transfer_post(t);
}

const struct transport cpu_copy_transport = {
    .summary = "copies between GPUs that a CPU starts; messages between nodes",
    .pairing = PAIRING_NONE,
    .ordering = ORDER_PAIR,
    .progress = segment_occupancies,
    .put = copy_put,
};

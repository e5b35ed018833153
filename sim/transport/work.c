/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work of a process: it keeps the process's CPU, or one of its lanes, busy. */
#include "sim/transport/transport.h"

enum stage { WORK_CPU, WORKED };

void work_go(struct transfer *t)
{
    if (t->stage == WORK_CPU) {
        transfer_began(t);
        transfer_later(t, t->work_s, WORKED);
        return;
    }
    /* Work of no length leaves cpu_free_s as it was, because the process
     * continues to wait. */
    if (t->lane || t->work_s <= 0)
        transfer_release(t, fabric_worker(t->f, t->from, t->lane));
    else
        transfer_release_cpu(t, t->from);
    transfer_ended(t);
    transfer_done(t);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rows of gpu_messages. */
#include "validate/measure/gpu_flows.h"
#include "validate/measure/measured_rows.h"

#include <stdio.h>

/* Checks the GPUs: ranks are on them in turn, or on one GPU that the machine's
 * GPUs represent. */
static int check_gpus(struct row *r, const struct experiment *x, unsigned gpus)
{
    const struct machine *m = r->m;
    unsigned own = m->ngpus < x->ranks ? m->ngpus : x->ranks;

    if (gpus == own || (gpus == 1 && m->copies.gpus_are_one && own == x->ranks))
        return 0;
    return leave_out(r, "%u ranks had %u GPUs, of %s they have %u", x->ranks,
                     gpus, m->name, own);
}

int read_gpu_messages(struct measured_point *out, struct row *r,
                      struct err *err)
{
    struct experiment *x = &out->x;
    unsigned flow, part, gpus;

    x->kind = EXPERIMENT_GPU_MESSAGES;
    x->gpu = true;
    if (cell_name(r->t, r->row, "flow", gpu_flow_names, NGPU_FLOWS, &flow,
                  err) < 0 ||
        cell_name(r->t, r->row, "part", gpu_part_names, NGPU_PARTS, &part,
                  err) < 0 ||
        cell_small(r->t, r->row, "ranks", &x->ranks, err) < 0 ||
        cell_small(r->t, r->row, "gpus", &gpus, err) < 0 ||
        csv_count(r->t, r->row, "bytes", &x->bytes, err) < 0)
        return -1;
    x->flow = (enum gpu_flow)flow;
    if (part != GPU_PART_MESSAGE)
        return leave_out(r, "%s: what a message is made of, no message",
                         gpu_part_names[part]);
    if (x->ranks < 2)
        return leave_out(r, "ranks: expected 2 or more, got %u", x->ranks);
    int got = check_gpus(r, x, gpus);
    if (got)
        return got;
    x->mps_off = !row_mps(r);
    snprintf(out->group, sizeof out->group, "gpu_messages/%s/%s",
             x->mps_off ? "MPS_off" : "MPS_on", gpu_flow_names[flow]);
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B", x->ranks,
             (unsigned long long)x->bytes);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes a plan once with values that are followed or verified. */
#include "validate/native/runner.h"

void runner_check_flow(struct runner *r)
{
    runner_fill(r);
    if (r->halo) {
        r->flow = flow_new(r);
        runner_once(r);
        flow_check(r);
        flow_free(r->flow, r);
        r->flow = NULL;
    } else {
        runner_once(r);
    }
    runner_verify(r);
}

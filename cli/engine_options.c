/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that choose engine, accuracy, event limit and threads, shared by
 * all commands that simulate. */
#include "cli/cli.h"
#include "base/jobs.h"
#include "sim/plan/exec.h"

unsigned jobs_choose(unsigned jobs)
{
    return jobs ? jobs : jobs_cores();
}

int engine_choose(struct exec_options *exec, const struct engine_options *o,
                  struct err *err)
{
    *exec = exec_defaults;
    if (o->max_events)
        exec->max_events = o->max_events;
    return exec_options_read(exec, o->engine, o->accuracy, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that choose engine, accuracy, event limit and threads, shared by
 * all commands that simulate; and the common beginning of commands that take a
 * request. */
#include "cli/cli.h"
#include "base/jobs.h"
#include "sim/plan/exec.h"
#include "study/run/request.h"

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

int request_begin(struct request *r, struct json **doc,
                  struct exec_options *exec, const struct engine_options *o,
                  int noperands, char **argv, struct err *err)
{
    *doc = NULL;
    if (noperands > 1)
        return fail(err, "%s: expected one experiment file, got '%s' too",
                    argv[0], argv[2]);
    if (engine_choose(exec, o, err) < 0)
        return -1;
    r->exec = exec;
    return noperands ? request_read(r, doc, argv[1], err) : 0;
}

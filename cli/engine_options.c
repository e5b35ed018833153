/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"
#include "sim/plan/exec.h"

#include <stdlib.h>
#include <string.h>

static int choose_engine(const char *name, struct err *err)
{
    for (int k = 0; k < NENGINES; k++)
        if (!strcmp(name, engine_kind_names[k])) {
            exec_use_engine((enum engine_kind)k);
            return 0;
        }
    return fail(err, "--engine: expected fluid or simgrid, got '%s'", name);
}

static int choose_accuracy(const char *text, struct err *err)
{
    char *end;

    if (!strcmp(text, "auto") || !strcmp(text, "exact")) {
        exec_use_accuracy(*text == 'a' ? ACCURACY_AUTO : 0);
        return 0;
    }
    double a = strtod(text, &end);
    if (end == text || *end || !(a >= 0 && a <= 0.1))
        return fail(err,
                    "--accuracy: expected exact, auto or 0 to 0.1, got "
                    "'%s'",
                    text);
    exec_use_accuracy(a);
    return 0;
}

int engine_choose(const struct engine_options *o, struct err *err)
{
    if (o->max_events)
        exec_use_max_events(o->max_events);
    if (o->accuracy && choose_accuracy(o->accuracy, err) < 0)
        return -1;
    if (o->engine && choose_engine(o->engine, err) < 0)
        return -1;
    if (o->accuracy && exec_engine() == ENGINE_SIMGRID)
        return fail(err, "--accuracy: only the fluid engine has one");
    return 0;
}

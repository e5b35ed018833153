/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the engine and the accuracy of simulations, as users write them. */
#include "sim/plan/exec.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static int choose_engine(struct exec_options *exec, const char *name,
                         struct err *err)
{
    for (int k = 0; k < NENGINES; k++)
        if (!strcmp(name, engine_kind_names[k])) {
            exec->engine = (enum engine_kind)k;
            return 0;
        }
    return fail(err, "--engine: expected fluid, alone or simgrid, got '%s'",
                name);
}

static int choose_accuracy(struct exec_options *exec, const char *text,
                           struct err *err)
{
    if (!strcmp(text, "auto") || !strcmp(text, "exact")) {
        exec->accuracy = *text == 'a' ? ACCURACY_AUTO : 0;
        return 0;
    }
    double a;
    if (!number_real(text, &a) || !(a >= 0 && a <= 0.1))
        return fail(err,
                    "--accuracy: expected exact, auto or 0 to 0.1, got "
                    "'%s'",
                    text);
    exec->accuracy = a;
    return 0;
}

int exec_options_read(struct exec_options *exec, const char *engine,
                      const char *accuracy, struct err *err)
{
    if (accuracy && choose_accuracy(exec, accuracy, err) < 0)
        return -1;
    if (engine && choose_engine(exec, engine, err) < 0)
        return -1;
    if (accuracy && exec->engine != ENGINE_FLUID)
        return fail(err, "--accuracy: only the fluid engine has one");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the engine and the accuracy of simulations, as users write them, and
 * makes engines accordingly. */
#include "sim/plan/exec.h"

#include "base/number.h"

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

const struct exec_options exec_defaults = {
    .engine = ENGINE_FLUID,
    .accuracy = ACCURACY_AUTO,
    .max_events = 10000000000,
};

static const struct exec_options *or_defaults(const struct exec_options *o)
{
    return o ? o : &exec_defaults;
}

double exec_accuracy(const struct exec_options *o, size_t flows)
{
    o = or_defaults(o);
    if (o->engine != ENGINE_FLUID)
        return 0;
    if (o->accuracy >= 0)
        return o->accuracy;
    return flows > AUTO_EXACT ? AUTO_TOLERANCE : 0;
}

enum engine_kind exec_engine(const struct exec_options *o)
{
    return or_defaults(o)->engine;
}

struct engine *exec_engine_for(const struct machine *m,
                               const struct exec_options *o, unsigned nodes,
                               struct err *err)
{
    o = or_defaults(o);
    return engine_new_with(o->engine, m, o->node_routes, nodes, err);
}

void exec_prepare(struct engine *e, const struct exec_options *o,
                  double accuracy)
{
    engine_set_tolerance(e, accuracy);
    engine_set_max_events(e, or_defaults(o)->max_events);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table of the numbers of a run from fields.def. */
#include "study/run/fields.h"

#include "study/run/totals.h"

#include <math.h>
#include <stddef.h>

/* Returns the mean over all GPUs of the part of their time that one activity
 * took; `offset` is its place in struct traverse_gpu. */
static double part(const struct traverse_result *r, size_t offset)
{
    double sum = 0;

    for (uint32_t i = 0; i < r->ngpus; i++)
        sum += *(const double *)((const char *)&r->gpus[i] + offset);
    return r->time_s > 0 ? sum / r->time_s / r->ngpus : 0;
}

#define PLAN(value) (o->graph ? NAN : (double)(value))
#define GRAPH(member) (!o->graph ? NAN : (double)o->graph->member)
#define GPUS(member)                                                           \
    (!o->graph ? NAN : part(o->graph, offsetof(struct traverse_gpu, member)))
#define FIELD(key, unit, outputs, text, value)                                 \
    static double get_##key(const struct outcome *o)                           \
    {                                                                          \
        (void)o; /* the value of some is not known of any outcome */           \
        return (double)(value);                                                \
    }
#include "study/run/fields.def"

#define FIELD(key, unit, outputs, text, value)                                 \
    [FIELD_##key] = {#key, unit, outputs, text, get_##key},
const struct field run_fields[NFIELDS] = {
#include "study/run/fields.def"
};

enum run_field field_next(unsigned outputs, enum run_field at)
{
    while (at < NFIELDS && !(run_fields[at].outputs & outputs))
        at++;
    return at;
}

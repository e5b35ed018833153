/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of the calls by which a program has a GPU work step by step.
 */
#include "platforms/keys.h"
#include "platforms/read.h"

/* The two cases are the calls of one thread, and those of several that
 * differ. */
enum { OF_ONE = 1, OF_SEVERAL = 2 };

#define AT(field) offsetof(struct gpu_calls, field)
#define OF_CPU(X, x, what)                                                     \
    {#x "_us", KEY_COST, AT(s[GPU_CALL_##X]), .help = what},
#define OF_BOTH(X, x, what)                                                    \
    OF_CPU(X, x, what){#x "_stream_us", KEY_COST, AT(stream_s[GPU_CALL_##X]),  \
                       .help = what ": then of the stream"},
#define CALL_HOST OF_CPU
#define CALL_WAIT OF_CPU
#define CALL_DEVICE OF_CPU
#define CALL_STREAM OF_BOTH
#define CALL_COPY OF_BOTH
#define CALL_ACCESS(X, x, what) /* gpu.access has it */
static const struct key calls_rows[] = {
#define GPU_CALL(X, x, at, what) CALL_##at(X, x, what)
#include "platforms/gpu_calls.def"
#undef GPU_CALL
    {"copy_behind_us", KEY_COST, AT(behind_s),
     .help = "a copy that is called while its stream is at work begins so "
             "long after its call, or twice or four times that, if the work is "
             "over by then; otherwise right behind the work"},
    {"several", KEY_OTHER, .only = OF_ONE,
     .help = "the calls that take another time if several threads of the CPU "
             "have a GPU each"},
    {"source", KEY_SOURCE, AT(source), OF_ONE, OF_ONE,
     .help = "where the times are from"},
};
static const char *const calls_cases[] = {"gpu.calls", "gpu.calls.several"};
const struct key_table calls_keys = {
    "gpu.calls",
    "the time of the CPU, and then of the stream, for each step by which a "
    "program has a GPU work",
    KEY_ROWS(calls_rows), KEY_ROWS(calls_cases), .benchmark = "gpu"};

/* Reads the calls of several threads, each with a GPU; if one is not given
 * there, it is that of one thread. */
static int read_several(struct gpu_model *g, const struct json *calls,
                        struct err *err)
{
    struct gpu_calls own = {.behind_s = 0};
    struct json *o;

    if (!json_member(calls, "several"))
        return 0;
    g->several_given = true;
    if (json_get_object(calls, "several", &o, err) < 0)
        return -1;
    if (keys_read(&calls_keys, &own, o, OF_SEVERAL, err) < 0)
        return fail_at_place(err, "several");
    g->calls_of_several = g->calls;
    g->calls_of_several.source = NULL;
    for (int i = 0; i < NGPU_CALLS; i++) {
        if (own.s[i] > 0)
            g->calls_of_several.s[i] = own.s[i];
        if (own.stream_s[i] > 0)
            g->calls_of_several.stream_s[i] = own.stream_s[i];
    }
    if (own.behind_s > 0)
        g->calls_of_several.behind_s = own.behind_s;
    return 0;
}

/* Completes a launch and a wait from those of the GPU if they are not given,
 * and accesses from gpu.access. */
static void fill_calls(struct gpu_calls *c, const struct gpu_model *g)
{
    if (!(c->s[GPU_CALL_LAUNCH] > 0))
        c->s[GPU_CALL_LAUNCH] = g->launch_s;
    if (!(c->s[GPU_CALL_SYNC] > 0))
        c->s[GPU_CALL_SYNC] = g->sync_s;
    c->s[GPU_CALL_ACCESS_HIT] = g->access.latency_hit_s;
    c->s[GPU_CALL_ACCESS_MISS] = g->access.latency_miss_s;
}

static int read_calls(struct gpu_model *g, const struct json *gpu,
                      struct err *err)
{
    struct json *o = NULL;

    if (json_member(gpu, "calls") &&
        (json_get_object(gpu, "calls", &o, err) < 0 ||
         keys_read(&calls_keys, &g->calls, o, OF_ONE, err) < 0))
        return -1;
    fill_calls(&g->calls, g);
    return o ? read_several(g, o, err) : 0;
}

int read_gpu_calls(struct gpu_model *g, const struct json *gpu, struct err *err)
{
    return read_calls(g, gpu, err) < 0 ? fail_at_place(err, "calls") : 0;
}

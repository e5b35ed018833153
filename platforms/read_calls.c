/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what the calls take by which a program has a GPU work step by step. */
#include "platforms/read.h"

#include <stdlib.h>

enum { CALL_KEYS = 2 * NGPU_CALLS + 2 };

/* x_us and x_stream_us of each call that has them, else "". */
static void make_keys(char **keys)
{
    for (int i = 0; i < NGPU_CALLS; i++) {
        bool access = gpu_call_ats[i] == CALL_AT_ACCESS;
        bool stream = gpu_call_ats[i] == CALL_AT_STREAM ||
                      gpu_call_ats[i] == CALL_AT_COPY;
        keys[i] = access ? xstrdup("") : xasprintf("%s_us", gpu_call_names[i]);
        keys[NGPU_CALLS + i] =
            stream ? xasprintf("%s_stream_us", gpu_call_names[i]) : xstrdup("");
    }
    keys[2 * NGPU_CALLS] = xstrdup("copy_behind_us");
    keys[2 * NGPU_CALLS + 1] = xstrdup("source");
}

static int read_calls(struct gpu_calls *c, const struct json *o,
                      const char *const *keys, struct err *err)
{
    if (json_only_keys(o, keys, CALL_KEYS, err) < 0)
        return -1;
    for (int i = 0; i < NGPU_CALLS; i++) {
        const char *stream = keys[NGPU_CALLS + i];
        if ((*keys[i] && json_member(o, keys[i]) &&
             read_positive(o, keys[i], 1e-6, &c->s[i], err) < 0) ||
            (*stream &&
             read_optional(o, stream, 1e-6, &c->stream_s[i], err) < 0))
            return -1;
    }
    return read_optional(o, "copy_behind_us", 1e-6, &c->behind_s, err) < 0
               ? -1
               : read_text(o, "source", &c->source, err);
}

/* What is not given there. */
static void fill_calls(struct gpu_model *g)
{
    struct gpu_calls *c = &g->calls;

    if (!(c->s[GPU_CALL_LAUNCH] > 0))
        c->s[GPU_CALL_LAUNCH] = g->launch_s;
    if (!(c->s[GPU_CALL_SYNC] > 0))
        c->s[GPU_CALL_SYNC] = g->sync_s;
    c->s[GPU_CALL_ACCESS_HIT] = g->access.latency_hit_s;
    c->s[GPU_CALL_ACCESS_MISS] = g->access.latency_miss_s;
}

int read_gpu_calls(struct gpu_model *g, const struct json *gpu, struct err *err)
{
    char *keys[CALL_KEYS];
    struct json *o;
    int result = 0;

    make_keys(keys);
    if (json_member(gpu, "calls") &&
        (json_get_object(gpu, "calls", &o, err) < 0 ||
         read_calls(&g->calls, o, (const char *const *)keys, err) < 0))
        result = fail_at_place(err, "calls");
    for (int i = 0; i < CALL_KEYS; i++)
        free(keys[i]);
    fill_calls(g);
    return result;
}

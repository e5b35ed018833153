/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of the calls by which a program has a GPU work step by step.
 */
#include "platforms/read.h"

#include <stdlib.h>

enum { CALL_KEYS = 2 * NGPU_CALLS + 3 };

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
    keys[(size_t)2 * NGPU_CALLS] = xstrdup("copy_behind_us");
    keys[(size_t)2 * NGPU_CALLS + 1] = xstrdup("source");
    keys[(size_t)2 * NGPU_CALLS + 2] = xstrdup("several");
}

/* Left alone where it is not there; "": there is no such key. */
static int read_time(const struct json *o, const char *key, double *out,
                     struct err *err)
{
    return *key && json_member(o, key) ? read_cost(o, key, 1e-6, out, err) : 0;
}

static int read_times(struct gpu_calls *c, const struct json *o,
                      const char *const *keys, struct err *err)
{
    for (int i = 0; i < NGPU_CALLS; i++)
        if (read_time(o, keys[i], &c->s[i], err) < 0 ||
            read_time(o, keys[NGPU_CALLS + i], &c->stream_s[i], err) < 0)
            return -1;
    return read_time(o, "copy_behind_us", &c->behind_s, err);
}

static int read_calls(struct gpu_calls *c, const struct json *o,
                      const char *const *keys, struct err *err)
{
    return json_only_keys(o, keys, CALL_KEYS, err) < 0 ||
                   read_times(c, o, keys, err) < 0
               ? -1
               : source_read(&c->source, o, "source", err);
}

/* Reads the calls of several threads, each with a GPU, that differ from those
 * of one. */
static int read_several(struct gpu_model *g, const struct json *calls,
                        const char *const *keys, struct err *err)
{
    enum { OF_SEVERAL = CALL_KEYS - 2 };
    struct json *o;

    if (!json_member(calls, "several"))
        return 0;
    g->several_given = true;
    g->calls_of_several = g->calls;
    g->calls_of_several.source = NULL;
    return json_get_object(calls, "several", &o, err) < 0 ||
                   json_only_keys(o, keys, OF_SEVERAL, err) < 0 ||
                   read_times(&g->calls_of_several, o, keys, err) < 0
               ? fail_at_place(err, "several")
               : 0;
}

/* The calls that are not given there are those of one thread. */
static void fill_calls(struct gpu_calls *c, const struct gpu_model *g)
{
    if (!(c->s[GPU_CALL_LAUNCH] > 0))
        c->s[GPU_CALL_LAUNCH] = g->launch_s;
    if (!(c->s[GPU_CALL_SYNC] > 0))
        c->s[GPU_CALL_SYNC] = g->sync_s;
    c->s[GPU_CALL_ACCESS_HIT] = g->access.latency_hit_s;
    c->s[GPU_CALL_ACCESS_MISS] = g->access.latency_miss_s;
}

static int read_all(struct gpu_model *g, const struct json *gpu,
                    const char *const *keys, struct err *err)
{
    struct json *o = NULL;

    if (json_member(gpu, "calls") &&
        (json_get_object(gpu, "calls", &o, err) < 0 ||
         read_calls(&g->calls, o, keys, err) < 0))
        return -1;
    fill_calls(&g->calls, g);
    return o ? read_several(g, o, keys, err) : 0;
}

int read_gpu_calls(struct gpu_model *g, const struct json *gpu, struct err *err)
{
    char *keys[CALL_KEYS];

    make_keys(keys);
    int result = read_all(g, gpu, (const char *const *)keys, err);
    for (int i = 0; i < CALL_KEYS; i++)
        free(keys[i]);
    return result < 0 ? fail_at_place(err, "calls") : 0;
}

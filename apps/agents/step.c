/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lists of calls of a framework's step, and adds up their times. */
#include "apps/agents/step.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 100, MOST_OF_A_CALL = 1000000 };

#define ALGORITHM(X, x) #x,
static const char *const algorithm_words[] = {
#include "apps/agents/algorithms.def"
};
#undef ALGORITHM
enum {
    NALGORITHM_WORDS = sizeof algorithm_words / sizeof algorithm_words[0],
    STEP_KEYS = NSTEP_PARTS + NALGORITHM_WORDS + 2
};

const char *const step_part_names[NSTEP_PARTS] = {
    "before",       "after",   "raise", "send", "send_peer",
    "receive_peer", "receive", "came",  "turn"};

void step_clear(struct step *s)
{
    for (int i = 0; i < NSTEP_PARTS; i++)
        free(s->parts[i].list);
    free(s->source);
    memset(s, 0, sizeof *s);
}

/* --- reading -------------------------------------------------------------- */

/* Reads a call, as "sync" or "4 copy_to_gpu". */
static int read_call(struct step_call *c, const char *text, struct err *err)
{
    char *end;
    unsigned long count = 1;
    const char *name = text;

    if (*text >= '0' && *text <= '9') {
        count = strtoul(text, &end, 10);
        if (count < 1 || count > MOST_OF_A_CALL || *end != ' ')
            return fail(err, "expected as in \"4 launch\", got \"%.60s\"",
                        text);
        name = end + 1;
    }
    c->count = (uint32_t)count;
    for (c->call = 0; c->call < NGPU_CALLS; c->call++)
        if (!strcmp(name, gpu_call_names[c->call]))
            return 0;
    const char *near = nearest_word(name, gpu_call_names, NGPU_CALLS);
    return fail(err, "unknown call \"%.60s\"%s%s%s", name,
                near ? ": did you mean " : "", near ? near : "",
                near ? "?" : "");
}

static int read_list(struct step_calls *l, const struct json *o,
                     const char *key, struct err *err)
{
    struct json *array;

    if (json_get_array(o, key, &array, err) < 0)
        return -1;
    if (json_size(array) > MOST_CALLS)
        return fail(err, "%s: expected at most %d lines, got %zu", key,
                    MOST_CALLS, json_size(array));
    l->list = xcalloc(json_size(array), sizeof *l->list);
    for (const struct json *e = json_at(array, 0); e; e = json_next(e)) {
        struct step_call *c = &l->list[l->length];
        if (!json_is_string(e))
            return fail(err, "%s[%zu]: expected a call, got %s", key, l->length,
                        json_type_name(e));
        if (read_call(c, json_string(e), err) < 0)
            return fail_in(err, "%s[%zu]", key, l->length);
        l->n[c->call] += c->count;
        l->length++;
    }
    return 0;
}

/* Fails if the turn of a kernel's worker has calls of the CPU, because a worker
 * makes none. */
static int check_turn(const struct step *s, struct err *err)
{
    for (int i = 0; i < NGPU_CALLS; i++)
        if (s->parts[STEP_TURN].n[i] && gpu_call_ats[i] != CALL_AT_DEVICE &&
            gpu_call_ats[i] != CALL_AT_ACCESS)
            return fail(err, "turn: %s is the CPU's", gpu_call_names[i]);
    return 0;
}

static int read_lists(struct step *s, const struct json *o, struct err *err)
{
    for (int i = 0; i < NSTEP_PARTS; i++) {
        if (!json_member(o, step_part_names[i]))
            continue;
        free(s->parts[i].list);
        s->parts[i] = (struct step_calls){0};
        if (read_list(&s->parts[i], o, step_part_names[i], err) < 0)
            return -1;
    }
    return check_turn(s, err);
}

/* Reads the member `key` of the object, whose lists replace those read so
 * far. */
static int read_instead(struct step *s, const struct json *o, const char *key,
                        struct err *err)
{
    struct json *own;

    if (!json_member(o, key))
        return 0;
    if (json_get_object(o, key, &own, err) < 0)
        return -1;
    return json_only_keys(own, step_part_names, NSTEP_PARTS, err) < 0 ||
                   read_lists(s, own, err) < 0
               ? fail_in(err, "%s", key)
               : 0;
}

/* Reads the common lists, then those for several GPUs, then the algorithm's. */
static int read_step(struct step *s, const struct json *o,
                     const char *algorithm, bool several, struct err *err)
{
    const char *known[STEP_KEYS] = {[STEP_KEYS - 2] = "several",
                                    [STEP_KEYS - 1] = "source"};
    const char *source;

    memcpy(known, step_part_names, sizeof step_part_names);
    memcpy(known + NSTEP_PARTS, algorithm_words, sizeof algorithm_words);
    if (json_only_keys(o, known, STEP_KEYS, err) < 0 ||
        json_get_string(o, "source", &source, err) < 0)
        return -1;
    s->given = true;
    s->source = xstrdup(source);
    if (read_lists(s, o, err) < 0 ||
        (several && read_instead(s, o, "several", err) < 0))
        return -1;
    return read_instead(s, o, algorithm, err);
}

int step_read(struct step *s, const struct json *preset, const char *algorithm,
              bool several, struct err *err)
{
    struct json *o;

    if (!json_member(preset, "step"))
        return 0;
    if (json_get_object(preset, "step", &o, err) < 0)
        return -1;
    return read_step(s, o, algorithm, several, err) < 0 ? fail_in(err, "step")
                                                        : 0;
}

static void add_call(struct step *s, enum step_part part, enum gpu_call call)
{
    struct step_calls *l = &s->parts[part];

    l->list = xrealloc(l->list, l->length + 1, sizeof *l->list);
    l->list[l->length++] = (struct step_call){call, 1};
    l->n[call]++;
}

void step_plain(struct step *s, bool cpu_sends)
{
    add_call(s, STEP_BEFORE, GPU_CALL_LAUNCH);
    add_call(s, STEP_AFTER, GPU_CALL_SYNC);
    if (!cpu_sends)
        return;
    add_call(s, STEP_SEND, GPU_CALL_COPY_TO_HOST);
    add_call(s, STEP_SEND, GPU_CALL_SYNC);
}

bool step_copies(const struct step *s)
{
    return s->parts[STEP_SEND_PEER].n[GPU_CALL_PEER_COPY] > 0;
}

/* --- times ---------------------------------------------------------------- */

static bool is_of_several(enum step_part part)
{
    return part >= STEP_SEND && part <= STEP_CAME;
}

static int fail_call(const struct machine *m, int call, const char *list,
                     struct err *err)
{
    if (gpu_call_ats[call] == CALL_AT_ACCESS)
        return fail(err, "%s has no gpu.access, which step.%s takes", m->name,
                    list);
    return fail(err, "%s has no gpu.calls.%s_us, which step.%s calls", m->name,
                gpu_call_names[call], list);
}

int step_check(const struct step *s, const struct machine *m, bool several,
               struct err *err)
{
    const struct gpu_calls *c = machine_gpu_calls(m, several ? 2 : 1);

    for (int p = 0; p < NSTEP_PARTS; p++)
        for (int i = 0; i < NGPU_CALLS; i++)
            if (s->parts[p].n[i] && !(c->s[i] > 0) &&
                (several || !is_of_several((enum step_part)p)))
                return fail_call(m, i, step_part_names[p], err);
    return 0;
}

void step_work(struct step_clock *k, double work_s)
{
    k->stream_s = fmax(k->stream_s, k->host_s) + work_s;
    k->copying = false;
}

/* Returns the time at which a copy's engine sees that the stream has reached
 * it: the engine polls three times, each twice as late, and after that is
 * notified. */
static double copy_begins_s(const struct step_clock *k, double behind_s)
{
    if (k->copying)
        return k->stream_s;
    for (int look = 1; look <= 4 && k->stream_s > k->host_s; look *= 2)
        if (k->stream_s <= k->host_s + look * behind_s)
            return k->host_s + look * behind_s;
    return k->stream_s;
}

static void step_call(struct step_clock *k, const struct gpu_calls *c,
                      uint32_t call)
{
    switch (gpu_call_ats[call]) {
    case CALL_AT_HOST:
        k->host_s += c->s[call];
        break;
    case CALL_AT_STREAM:
        k->host_s += c->s[call];
        step_work(k, c->stream_s[call]);
        break;
    case CALL_AT_COPY:
        k->host_s += c->s[call];
        k->stream_s = copy_begins_s(k, c->behind_s);
        step_work(k, c->stream_s[call]);
        k->copying = true;
        break;
    case CALL_AT_WAIT:
        k->host_s = fmax(k->host_s, k->stream_s) + c->s[call];
        break;
    case CALL_AT_DEVICE:
    case CALL_AT_ACCESS:
        step_work(k, c->s[call]);
        break;
    }
}

void step_do(struct step_clock *k, const struct step *s, enum step_part part,
             const struct gpu_calls *c)
{
    const struct step_calls *l = &s->parts[part];

    for (size_t i = 0; i < l->length; i++)
        for (uint32_t n = 0; n < l->list[i].count; n++)
            step_call(k, c, l->list[i].call);
}

double step_clock_s(const struct step_clock *k)
{
    return fmax(k->host_s, k->stream_s);
}

double step_part_s(const struct step *s, enum step_part part,
                   const struct gpu_calls *c)
{
    struct step_clock k = {.host_s = 0};

    step_do(&k, s, part, c);
    return step_clock_s(&k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads profiles of PyTorch, which are JSON in the format of Chrome's
 * traces. */
#include "base/digest.h"
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/kineto_events.h"
#include "workloads/trace/foreign/sax.h"

#include <stdlib.h>
#include <string.h>

/* The place in the document; values in other places are skipped. */
enum kineto_where {
    IN_DOCUMENT,
    IN_EVENTS,
    IN_EVENT,
    IN_ARGS,
    IN_DIMS,  /* "Input Dims": [[384], []] */
    IN_DIM,   /* the first one */
    IN_TYPES, /* "Input type": ["long"] */
    IN_INFO,  /* distributedInfo */
    IN_GROUPS,
    IN_GROUP,
    IN_RANKS
};

struct kineto_parse {
    struct kineto_profile *p; /* NULL if only the head is read */
    struct kineto_world *w;
    struct sax_place place;
    enum kineto_where stack[8];
    unsigned depth, beyond; /* beyond: levels that are skipped */
    char key[48];
    struct kineto_event e;
    char group[128]; /* group of pg_config, with its ranks */
    uint32_t *ranks;
    size_t nranks, ranks_room;
    char *rank_text; /* the text of words.ranks */
    size_t rank_room;
};

static uint64_t kineto_hash(const char *at, size_t n)
{
    uint64_t hash = digest_add(DIGEST_OF_NOTHING, at, n);

    return hash ^ hash >> 29;
}

/* --- values --------------------------------------------------------------- */

static void set_name(struct kineto_event *e, struct sax_text value)
{
    if (value.n + 1 > e->name_room) {
        e->name_room = 2 * (value.n + 1);
        e->name = xrealloc(e->name, e->name_room, 1);
    }
    sax_copy(value, e->name, value.n + 1);
    plain_name(e->name);
    e->name_n = strlen(e->name);
}

static void set_ranks(struct kineto_parse *k, struct sax_text value)
{
    if (value.n + 1 > k->rank_room) {
        k->rank_room = 2 * (value.n + 1);
        k->rank_text = xrealloc(k->rank_text, k->rank_room, 1);
    }
    sax_copy(value, k->rank_text, value.n + 1);
    k->e.words.ranks = k->rank_text;
}

static enum kineto_where where(const struct kineto_parse *k)
{
    return k->stack[k->depth - 1];
}

/* --- keys ----------------------------------------------------------------- */

/* The kind of a value, which is where it is stored. */
enum kineto_field {
    TO_TEXT,
    TO_NAME,
    TO_RANKS,
    TO_DOUBLE,
    TO_WHOLE,
    TO_THREAD
};

struct kineto_key {
    const char *key;
    enum kineto_field to;
    size_t at, room; /* place in struct kineto_event */
};

#define KEY(key, to, member)                                                   \
    {                                                                          \
        key, to, offsetof(struct kineto_event, member),                        \
            sizeof(((struct kineto_event *)0)->member)                         \
    }

static const struct kineto_key event_keys[] = {
    KEY("ph", TO_TEXT, phase),  KEY("cat", TO_TEXT, category),
    KEY("name", TO_NAME, name), KEY("ts", TO_DOUBLE, begin_us),
    KEY("dur", TO_DOUBLE, us),  KEY("tid", TO_THREAD, thread),
};

static const struct kineto_key args_keys[] = {
    KEY("correlation", TO_WHOLE, correlation),
    KEY("stream", TO_WHOLE, stream),
    KEY("Collective name", TO_TEXT, words.collective),
    KEY("dtype", TO_TEXT, words.dtype),
    KEY("In msg nelems", TO_WHOLE, words.in_nelems),
    KEY("Out msg nelems", TO_WHOLE, words.out_nelems),
    KEY("In split size", TO_TEXT, words.splits),
    KEY("Group size", TO_WHOLE, words.group_size),
    KEY("Process Group Name", TO_TEXT, words.group),
    KEY("Process Group Ranks", TO_RANKS, words.ranks),
    KEY("Src Rank", TO_WHOLE, words.src),
    KEY("Dst Rank", TO_WHOLE, words.dst),
};

static void key_set(struct kineto_parse *k, const struct kineto_key *key,
                    struct sax_text v, bool number)
{
    char *to = (char *)&k->e + key->at;
    int64_t whole;
    double real;

    switch (key->to) {
    case TO_TEXT:
        sax_copy(v, to, key->room);
        return;
    case TO_NAME:
        set_name(&k->e, v);
        return;
    case TO_RANKS:
        set_ranks(k, v);
        return;
    case TO_DOUBLE:
        real = sax_double(v);
        memcpy(to, &real, sizeof real);
        return;
    case TO_WHOLE:
    case TO_THREAD:
        whole = number || key->to == TO_WHOLE
                    ? sax_whole(v, KINETO_NOT_SAID)
                    /* A text such as "stream 7". */
                    : (int64_t)(kineto_hash(v.at, v.n) >> 2);
        memcpy(to, &whole, sizeof whole);
        return;
    }
}

static void keys_set(struct kineto_parse *k, const struct kineto_key *keys,
                     size_t n, struct sax_text v, bool number)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(k->key, keys[i].key)) {
            key_set(k, &keys[i], v, number);
            return;
        }
}

/* Stores a text or number of an event or its arguments. */
static void event_value(struct kineto_parse *k, struct sax_text v, bool number)
{
    if (where(k) == IN_EVENT)
        keys_set(k, event_keys, sizeof event_keys / sizeof event_keys[0], v,
                 number);
    else
        keys_set(k, args_keys, sizeof args_keys / sizeof args_keys[0], v,
                 number);
}

static void ranks_add(struct kineto_parse *k, struct sax_text v)
{
    int64_t rank = sax_whole(v, -1);

    KINETO_GROW(k->ranks, k->nranks, k->ranks_room);
    k->ranks[k->nranks++] =
        rank < 0 || rank >= KINETO_NONE ? KINETO_NONE - 1 : (uint32_t)rank;
}

static void dims_number(struct kineto_event *e, struct sax_text v)
{
    int64_t n = sax_whole(v, -1);

    e->has_dims = n >= 0 && (e->dims == 0 || n <= INT64_MAX / 16 / e->dims);
    e->dims = e->has_dims ? e->dims * n : 0;
}

static void info_number(struct kineto_parse *k, struct sax_text v)
{
    int64_t value = sax_whole(v, KINETO_NOT_SAID);

    if (!strcmp(k->key, "rank"))
        k->w->rank = value;
    else if (!strcmp(k->key, "world_size"))
        k->w->size = value;
}

/* --- the document --------------------------------------------------------- */

/* Finds the place that opens under the last key. Returns false if it is
 * skipped. */
static bool opens(struct kineto_parse *k, bool array, enum kineto_where *to)
{
    static const struct {
        enum kineto_where in;
        bool array;
        const char *key;
        enum kineto_where to;
    } places[] = {
        {IN_DOCUMENT, true, "traceEvents", IN_EVENTS},
        {IN_DOCUMENT, false, "distributedInfo", IN_INFO},
        {IN_EVENTS, false, NULL, IN_EVENT},
        {IN_EVENT, false, "args", IN_ARGS},
        {IN_ARGS, true, "Input Dims", IN_DIMS},
        {IN_ARGS, true, "Input type", IN_TYPES},
        {IN_DIMS, true, NULL, IN_DIM},
        {IN_INFO, true, "pg_config", IN_GROUPS},
        {IN_GROUPS, false, NULL, IN_GROUP},
        {IN_GROUP, true, "ranks", IN_RANKS},
    };

    if (k->depth == 0) {
        *to = array ? IN_EVENTS : IN_DOCUMENT;
        return true;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].in == where(k) && places[i].array == array &&
            (!places[i].key || !strcmp(places[i].key, k->key))) {
            *to = places[i].to;
            return true;
        }
    return false;
}

static bool on_open(void *arg, bool array)
{
    struct kineto_parse *k = arg;
    enum kineto_where to;

    if (k->beyond || !opens(k, array, &to)) {
        k->beyond++;
        return true;
    }
    /* Only the first input's dimensions are read. */
    bool skip = (to == IN_DIM && k->e.inputs++) ||
                (to == IN_ARGS && !kineto_event_wants_arguments(&k->e));
    if (skip) {
        k->beyond++;
        return true;
    }
    k->stack[k->depth++] = to;
    k->key[0] = '\0';
    if (to == IN_EVENTS)
        return k->p != NULL;
    if (to == IN_EVENT)
        kineto_event_begin(&k->e, k->place.bytes);
    if (to == IN_DIM) {
        k->e.dims = 1;
        k->e.has_dims = true;
    }
    if (to == IN_GROUP) {
        k->group[0] = '\0';
        k->nranks = 0;
    }
    return true;
}

static bool on_close(void *arg, bool array)
{
    struct kineto_parse *k = arg;

    (void)array;
    if (k->beyond) {
        k->beyond--;
        return true;
    }
    enum kineto_where from = where(k);
    if (from == IN_EVENT)
        kineto_event_end(&k->e, k->w, k->p);
    if (from == IN_GROUP && k->nranks < KINETO_NONE)
        (void)kineto_group_of(k->w, k->group, k->ranks, (uint32_t)k->nranks);
    k->depth--;
    return true;
}

static bool on_key(void *arg, struct sax_text key)
{
    struct kineto_parse *k = arg;

    if (!k->beyond)
        sax_copy(key, k->key, sizeof k->key);
    return true;
}

static bool on_text(void *arg, struct sax_text v)
{
    struct kineto_parse *k = arg;

    if (k->beyond || !k->depth)
        return true;
    switch (where(k)) {
    case IN_EVENT:
    case IN_ARGS:
        event_value(k, v, false);
        break;
    case IN_TYPES:
        if (!k->e.types++)
            sax_copy(v, k->e.type, sizeof k->e.type);
        break;
    case IN_GROUP:
        if (!strcmp(k->key, "pg_name"))
            sax_copy(v, k->group, sizeof k->group);
        break;
    default:
        break;
    }
    return true;
}

static bool on_number(void *arg, struct sax_text v)
{
    struct kineto_parse *k = arg;

    if (k->beyond || !k->depth)
        return true;
    switch (where(k)) {
    case IN_EVENT:
    case IN_ARGS:
        event_value(k, v, true);
        break;
    case IN_DIM:
        dims_number(&k->e, v);
        break;
    case IN_INFO:
        info_number(k, v);
        break;
    case IN_RANKS:
        ranks_add(k, v);
        break;
    default:
        break;
    }
    return true;
}

static bool on_flag(void *arg, bool value)
{
    (void)arg, (void)value;
    return true;
}

static int kineto_parse(const char *path, struct kineto_world *w,
                        struct kineto_profile *p, struct err *err)
{
    static const struct sax_calls calls = {on_open, on_close,  on_key,
                                           on_text, on_number, on_flag};
    struct kineto_parse k = {.p = p, .w = w};

    w->rank = w->size = KINETO_NOT_SAID;
    int result = sax_read(path, p == NULL, &calls, &k, &k.place, err);
    free(k.e.name);
    free(k.ranks);
    free(k.rank_text);
    return result < 0 ? -1 : 0;
}

int kineto_read_head(const char *path, struct kineto_world *w, struct err *err)
{
    return kineto_parse(path, w, NULL, err);
}

int kineto_read(const char *path, struct kineto_world *w,
                struct kineto_profile *p, struct err *err)
{
    *p = (struct kineto_profile){.names = &w->names};
    return kineto_parse(path, w, p, err);
}

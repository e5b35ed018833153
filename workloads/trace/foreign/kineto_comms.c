/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interprets the words of PyTorch's profiles for communication: names of
 * collectives and types, lists of ranks. */
#include "workloads/trace/foreign/kineto.h"

#include "workloads/trace/trace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- words ---------------------------------------------------------------- */

/* Removes differences between versions: case, _ and -. */
static void plain_word(const char *word, char *out, size_t room)
{
    size_t n = 0;

    for (; *word && n + 1 < room; word++)
        if (isalnum((unsigned char)*word))
            out[n++] = (char)tolower((unsigned char)*word);
    out[n] = '\0';
}

static bool kineto_collective(const char *name, struct kineto_comm *c)
{
    static const struct {
        const char *begins;
        uint8_t op, collective;
    } words[] = {
        {"allreduce", KINETO_COLLECTIVE, TRACE_ALLREDUCE},
        {"reducescatter", KINETO_COLLECTIVE, TRACE_REDUCE_SCATTER},
        {"reduce", KINETO_COLLECTIVE, TRACE_REDUCE},
        {"allgather", KINETO_COLLECTIVE, TRACE_ALLGATHER},
        {"gather", KINETO_COLLECTIVE, TRACE_GATHER},
        {"scatter", KINETO_COLLECTIVE, TRACE_SCATTER},
        {"broadcast", KINETO_COLLECTIVE, TRACE_BROADCAST},
        {"alltoall", KINETO_COLLECTIVE, TRACE_ALLTOALL},
        {"barrier", KINETO_COLLECTIVE, TRACE_BARRIER},
        {"send", KINETO_SEND, 0},
        {"recv", KINETO_RECV, 0},
    };
    char plain[64];

    plain_word(name, plain, sizeof plain);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strncmp(plain, words[i].begins, strlen(words[i].begins))) {
            c->op = words[i].op;
            c->collective = words[i].collective;
            return true;
        }
    return false;
}

unsigned kineto_type_B(const char *dtype)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {
        {"float", 4},          {"double", 8},
        {"half", 2},           {"bfloat16", 2},
        {"byte", 1},           {"char", 1},
        {"unsignedchar", 1},   {"signedchar", 1},
        {"short", 2},          {"int", 4},
        {"long", 8},           {"longint", 8},
        {"bool", 1},           {"c10half", 2},
        {"c10bfloat16", 2},    {"complexfloat", 8},
        {"float8e5m2", 1},     {"float8e4m3fn", 1},
        {"float8e5m2fnuz", 1}, {"float8e4m3fnuz", 1},
        {"complexdouble", 16}, {"c10float8e4m3fn", 1},
        {"c10float8e5m2", 1},  {"float32", 4},
        {"float16", 2},        {"float64", 8},
        {"int32", 4},          {"int64", 8},
        {"uint8", 1},          {"int8", 1},
        {"qint8", 1},          {"quint8", 1},
        {"uint16", 2},         {"uint32", 4},
        {"uint64", 8},         {"int16", 2},
    };
    char plain[32];

    plain_word(dtype, plain, sizeof plain);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(plain, types[i].name))
            return types[i].bytes;
    return 0;
}

/* --- groups --------------------------------------------------------------- */

uint32_t kineto_group_of(struct kineto_world *w, const char *name,
                         const uint32_t *members, uint32_t n)
{
    if (n == 0)
        return KINETO_NONE;
    for (size_t i = 0; i < w->ngroups; i++)
        if (w->groups[i].n == n && !strcmp(w->groups[i].name, name) &&
            !memcmp(w->groups[i].members, members, n * sizeof *members))
            return (uint32_t)i;
    if (w->ngroups == w->room) {
        w->room = w->room ? 2 * w->room : 8;
        w->groups = xrealloc(w->groups, w->room, sizeof *w->groups);
    }
    struct kineto_group *g = &w->groups[w->ngroups];
    *g = (struct kineto_group){.name = xstrdup(name), .n = n};
    g->members = xcalloc(n, sizeof *members);
    memcpy(g->members, members, n * sizeof *members);
    return (uint32_t)w->ngroups++;
}

uint32_t kineto_group_named(const struct kineto_world *w, const char *name)
{
    uint32_t found = KINETO_NONE;

    for (size_t i = 0; *name && i < w->ngroups; i++) {
        if (strcmp(w->groups[i].name, name))
            continue;
        if (found != KINETO_NONE)
            return KINETO_NONE;
        found = (uint32_t)i;
    }
    return found;
}

/* Reads the ranks of "[0, 1, 2]". For "[0, 1, ..., 7]" it reads those before
 * the dots and the last, and sets *rest. */
static uint32_t ranks_of(const char *text, uint32_t **list, bool *rest)
{
    uint32_t n = 0;

    *list = xcalloc(strlen(text) / 2 + 1, sizeof **list);
    *rest = false;
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            char *end;
            unsigned long long value = strtoull(text, &end, 10);
            (*list)[n++] =
                value < KINETO_NONE ? (uint32_t)value : KINETO_NONE - 1;
            text = end;
            continue;
        }
        *rest |= !strncmp(text, "...", 3);
        text++;
    }
    return n;
}

/* Completes a list that was cut after 29 ranks. The others are known only if
 * all that are listed form an arithmetic progression that ends at the last;
 * returns false if not. */
static bool ranks_go_on(uint32_t **list, uint32_t *n, int64_t size)
{
    uint32_t *l = *list, listed = *n;

    if (listed < 3 || size <= listed || size > (1 << 24))
        return false;
    int64_t step = (int64_t)l[1] - l[0];
    for (uint32_t i = 1; i + 1 < listed; i++)
        if ((int64_t)l[i] - l[i - 1] != step)
            return false;
    if (step < 1 || l[0] + step * (size - 1) != l[listed - 1])
        return false;
    *list = xrealloc(*list, (size_t)size, sizeof **list);
    for (int64_t i = 0; i < size; i++)
        (*list)[i] = (uint32_t)((*list)[0] + step * i);
    *n = (uint32_t)size;
    return true;
}

static uint32_t group_of_words(const struct kineto_words *w,
                               struct kineto_world *world)
{
    uint32_t *list, group = KINETO_NONE;
    bool rest;

    if (w->ranks) {
        uint32_t n = ranks_of(w->ranks, &list, &rest);
        if (!rest || ranks_go_on(&list, &n, w->group_size))
            group = kineto_group_of(world, w->group, list, n);
        free(list);
    }
    return group != KINETO_NONE ? group : kineto_group_named(world, w->group);
}

/* --- calls ---------------------------------------------------------------- */

static int64_t kineto_bytes(int64_t nelems, unsigned each_B)
{
    return nelems < 0 || !each_B || nelems > INT64_MAX / 64
               ? KINETO_NOT_SAID
               : nelems * (int64_t)each_B;
}

/* Converts a rank of the world to one of the group, if it is a member. */
static int64_t kineto_peer(const struct kineto_world *w, uint32_t group,
                           int64_t rank)
{
    if (group == KINETO_NONE || rank < 0)
        return rank;
    const struct kineto_group *g = &w->groups[group];
    for (uint32_t i = 0; i < g->n; i++)
        if (g->members[i] == rank)
            return i;
    return rank < g->n ? rank : KINETO_NOT_SAID;
}

struct kineto_comm kineto_comm_of(const struct kineto_words *w,
                                  struct kineto_world *world)
{
    struct kineto_comm c = {.op = KINETO_UNKNOWN,
                            .group = group_of_words(w, world),
                            .group_size = w->group_size,
                            .peer = KINETO_NOT_SAID};
    unsigned each_B = kineto_type_B(w->dtype);

    (void)kineto_collective(w->collective, &c);
    c.in_B = kineto_bytes(w->in_nelems, each_B);
    c.out_B = kineto_bytes(w->out_nelems, each_B);
    c.uneven = strpbrk(w->splits, "0123456789") != NULL;
    if (c.op == KINETO_SEND)
        c.peer = kineto_peer(world, c.group, w->dst);
    else if (c.op == KINETO_RECV)
        c.peer = kineto_peer(world, c.group, w->src);
    return c;
}

void kineto_world_clear(struct kineto_world *w)
{
    for (size_t i = 0; i < w->ngroups; i++) {
        free(w->groups[i].name);
        free(w->groups[i].members);
    }
    free(w->groups);
    names_clear(&w->names);
    *w = (struct kineto_world){0};
}

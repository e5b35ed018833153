/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the origin of a plan's operations. */
#include "sim/plan/origin.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan_origin *plan_origin_new(uint32_t ranks)
{
    struct plan_origin *o = xcalloc(1, sizeof *o);

    o->ranks = ranks;
    o->file = xcalloc(ranks, sizeof *o->file);
    return o;
}

void plan_origin_free(struct plan_origin *o)
{
    if (!o)
        return;
    for (uint32_t r = 0; r < o->ranks; r++)
        free(o->file[r]);
    for (size_t i = 0; i < o->nremarks; i++)
        free(o->remarks[i]);
    free(o->file);
    free(o->rank_at);
    free(o->place);
    free(o->together);
    free(o->remarks);
    free(o);
}

void plan_origin_place(struct plan_origin *o, size_t n, uint64_t place)
{
    uint32_t at = place < NO_PLACE ? (uint32_t)place : NO_PLACE;

    if (n > o->room) {
        o->room = n > 2 * o->room ? n : 2 * o->room;
        o->place = xrealloc(o->place, o->room, sizeof *o->place);
    }
    while (o->nplaces < n)
        o->place[o->nplaces++] = at;
}

void plan_origin_together(struct plan_origin *o, uint32_t begin, uint32_t end)
{
    if (o->ntogether == o->together_room) {
        o->together_room = o->together_room ? 2 * o->together_room : 64;
        o->together =
            xrealloc(o->together, o->together_room, sizeof *o->together);
    }
    o->together[o->ntogether++] = (struct plan_together){begin, end};
}

void plan_origin_remark(struct plan_origin *o, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    o->remarks = xrealloc(o->remarks, o->nremarks + 1, sizeof *o->remarks);
    o->remarks[o->nremarks++] = xstrdup(text);
}

uint32_t plan_origin_rank(const struct plan_origin *o, uint32_t rank)
{
    return o && o->rank_at ? o->rank_at[rank] : rank;
}

void plan_origin_say(char *text, size_t room, const struct plan_origin *o,
                     size_t op, uint32_t rank)
{
    uint32_t own = plan_origin_rank(o, rank);

    *text = '\0';
    if (!o || op >= o->nplaces || o->place[op] == NO_PLACE || own >= o->ranks ||
        !o->file[own])
        return;
    const char *slash = strrchr(o->file[own], '/');
    snprintf(text, room, o->lines ? "%s:%u" : "%s: byte %u",
             slash ? slash + 1 : o->file[own], o->place[op]);
}

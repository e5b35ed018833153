/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of a rank's requests. */
#include "apps/replay/requests.h"

#include "base/err.h"
#include "workloads/trace/trace.h"

#include <stdlib.h>
#include <string.h>

void requests_clear(struct requests *r)
{
    free(r->slots);
    *r = (struct requests){0};
}

static size_t requests_home(const struct requests *r, uint64_t number)
{
    uint64_t h = number * 0x9e3779b97f4a7c15u;

    return (size_t)(h >> 32) & (r->size - 1);
}

/* Returns its slot, or the free one where it belongs; the table must not be
 * full. */
static struct request_of *requests_seek(const struct requests *r,
                                        uint64_t number)
{
    size_t i = requests_home(r, number);

    while (r->slots[i].number != NO_REQUEST && r->slots[i].number != number)
        i = (i + 1) & (r->size - 1);
    return &r->slots[i];
}

static void requests_grow(struct requests *r)
{
    struct requests old = *r;

    r->size = old.size ? 2 * old.size : 16;
    r->slots = xmalloc(r->size * sizeof *r->slots);
    /* NO_REQUEST everywhere. */
    memset(r->slots, 0xff, r->size * sizeof *r->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].number != NO_REQUEST)
            *requests_seek(r, old.slots[i].number) = old.slots[i];
    free(old.slots);
}

struct request_of *requests_put(struct requests *r, uint64_t number)
{
    if (2 * (r->used + 1) > r->size)
        requests_grow(r);
    struct request_of *of = requests_seek(r, number);
    if (of->number == NO_REQUEST)
        r->used++;
    *of = (struct request_of){.number = number};
    return of;
}

struct request_of *requests_find(const struct requests *r, uint64_t number)
{
    if (!r->used)
        return NULL;
    struct request_of *of = requests_seek(r, number);
    return of->number == NO_REQUEST ? NULL : of;
}

/* Removes a request. Later ones that it kept from their places move up. */
void requests_drop(struct requests *r, struct request_of *of)
{
    size_t hole = (size_t)(of - r->slots), mask = r->size - 1;

    r->used--;
    for (size_t i = (hole + 1) & mask; r->slots[i].number != NO_REQUEST;
         i = (i + 1) & mask) {
        size_t home = requests_home(r, r->slots[i].number);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        r->slots[hole] = r->slots[i];
        hole = i;
    }
    r->slots[hole].number = NO_REQUEST;
}

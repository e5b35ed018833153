/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message buffers that are used in turn, and written before they are sent. */
#include "validate/native/slots.h"

#include "validate/native/bench.h"

#include "base/seconds.h"
#include "validate/native/host.h"

#include <string.h>

enum { LINE = 64, CLOCKS = 1000 };

/* Returns the bytes of memory that are used in turn. */
static uint64_t slots_span(enum buffers kind)
{
    uint64_t written = 2 * host_cache(2), cold = host_cache(3) / 2;

    if (kind == BUFFERS_SAME)
        return 0;
    return kind == BUFFERS_COLD && cold > written ? cold : written;
}

/* Returns the distance between two buffers, which share no cache line. */
static uint64_t slots_stride(uint64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

int slots_option(bool wanted[NBUFFERS], const char *list, struct err *err)
{
    for (int k = 0; k < NBUFFERS; k++)
        wanted[k] = true;
    return bench_list(wanted, buffer_names, NBUFFERS, "buffers", list, err);
}

uint64_t slots_room(const bool wanted[NBUFFERS], uint64_t bytes, uint64_t count)
{
    uint64_t room = slots_stride(bytes) * count;

    for (int k = 0; k < NBUFFERS; k++)
        if (wanted[k] && slots_span((enum buffers)k) > room)
            room = slots_span((enum buffers)k);
    return room;
}

void slots_begin(struct slots *s, const struct native *n, void *memory,
                 bool device, enum buffers kind, uint64_t bytes,
                 uint64_t at_once)
{
    *s = (struct slots){.n = n,
                        .memory = memory,
                        .device = device,
                        .clock_s = slots_clock_s(),
                        .kind = kind,
                        .bytes = bytes,
                        .stride = slots_stride(bytes ? bytes : 1)};
    s->count = slots_span(kind) / s->stride;
    if (s->count < at_once)
        s->count = at_once;
}

void *slots_take(struct slots *s)
{
    char *at = s->memory + s->next * s->stride;

    s->next = s->next + 1 < s->count ? s->next + 1 : 0;
    return at;
}

void *slots_write(struct slots *s)
{
    int value = (int)(s->next & 0x7f);
    void *at = slots_take(s);

    if (s->kind != BUFFERS_WRITTEN)
        return at;
    double begin = seconds();
    if (s->device) {
        DIE_TRY(s->n->gpu->set(at, value, s->bytes, NULL, DIE));
        DIE_TRY(s->n->gpu->wait(NULL, DIE));
    } else {
        memset(at, value, s->bytes);
    }
    s->writing_s += seconds() - begin + s->clock_s;
    return at;
}

double slots_writing_s(struct slots *s)
{
    double spent = s->writing_s;

    s->writing_s = 0;
    return spent;
}

double slots_clock_s(void)
{
    double least = 1;

    for (int i = 0; i < CLOCKS; i++) {
        double begin = seconds(), took = seconds() - begin;
        if (took < least)
            least = took;
    }
    return least;
}

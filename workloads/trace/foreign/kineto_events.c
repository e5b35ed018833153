/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the events of a profile of PyTorch by their words, and adds those
 * that a trace needs to the profile. */
#include "workloads/trace/foreign/kineto_events.h"

#include "workloads/trace/foreign/sax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void kineto_event_begin(struct kineto_event *e, uint64_t place)
{
    e->phase[0] = '\0';
    e->category[0] = '\0';
    e->name_n = 0;
    e->begin_us = e->us = 0;
    e->thread = e->stream = KINETO_NOT_SAID;
    e->correlation = KINETO_NOT_SAID;
    e->has_dims = false;
    e->place = place;
    e->words.collective[0] = e->words.dtype[0] = '\0';
    e->words.group[0] = e->words.splits[0] = '\0';
    e->words.ranks = NULL;
    e->words.in_nelems = e->words.out_nelems = KINETO_NOT_SAID;
    e->words.group_size = e->words.src = e->words.dst = KINETO_NOT_SAID;
    e->type[0] = '\0';
    e->inputs = e->types = 0;
}

/* --- kinds ---------------------------------------------------------------- */

/* The kinds of events. A profile has no key for the kind: it is known only by
 * words of PyTorch, of the runtime and of the library, so this table lists all
 * words that are known. */
enum event_kind {
    EVENT_OTHER,
    EVENT_ON_GPU,  /* a kernel or a copy on a stream */
    EVENT_RUNTIME, /* a call of the GPU's runtime or driver */
    EVENT_LAUNCH,  /* such a call that starts an activity on a stream */
    EVENT_COMM,    /* communication */
    EVENT_NOTE,    /* "nccl:send 0->1": the operation comes after the colon */
};

enum event_part { OF_CATEGORY, OF_KERNEL, OF_RUNTIME, OF_OTHERS };

static const struct event_word {
    enum event_part of; /* the category, or the name of an event of this kind */
    enum { IS, BEGINS, HAS } how;
    const char *word; /* case is ignored */
    enum event_kind kind;
} event_words[] = {
    {OF_CATEGORY, IS, "kernel", EVENT_ON_GPU},
    {OF_CATEGORY, HAS, "memcpy", EVENT_ON_GPU},
    {OF_CATEGORY, HAS, "memset", EVENT_ON_GPU},
    {OF_CATEGORY, HAS, "runtime", EVENT_RUNTIME},
    {OF_CATEGORY, HAS, "driver", EVENT_RUNTIME},
    {OF_KERNEL, BEGINS, "nccl", EVENT_COMM},
    {OF_KERNEL, BEGINS, "rccl", EVENT_COMM},
    {OF_KERNEL, HAS, "ncclKernel", EVENT_COMM},
    {OF_KERNEL, HAS, "ncclDevKernel", EVENT_COMM},
    {OF_KERNEL, HAS, "ncclDev_", EVENT_COMM},
    {OF_RUNTIME, HAS, "launch", EVENT_LAUNCH},
    {OF_OTHERS, IS, "record_param_comms", EVENT_COMM},
    {OF_OTHERS, BEGINS, "nccl:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "gloo:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "rccl:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "mpi:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "ucc:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "xccl:", EVENT_NOTE},
    {OF_OTHERS, BEGINS, "hccl:", EVENT_NOTE},
};

static enum event_kind event_told(enum event_part of, const char *text)
{
    for (size_t i = 0; i < sizeof event_words / sizeof event_words[0]; i++) {
        const struct event_word *w = &event_words[i];
        if (w->of == of &&
            (w->how == IS       ? !strcasecmp(text, w->word)
             : w->how == BEGINS ? !strncasecmp(text, w->word, strlen(w->word))
                                : strcasestr(text, w->word) != NULL))
            return w->kind;
    }
    return EVENT_OTHER;
}

static enum event_kind event_kind(const struct kineto_event *e)
{
    enum event_kind kind = event_told(OF_CATEGORY, e->category);

    return kind == EVENT_OTHER ? event_told(OF_OTHERS, e->name) : kind;
}

/* Reads the other's rank in the group from "send 0->1" or "recv 1<-0". */
static void note_peer(const char *note, struct kineto_words *w)
{
    const char *arrow = strpbrk(note, "<>");

    if (!arrow || !arrow[1])
        return;
    char *end;
    long other = strtol(arrow + 1 + (arrow[1] == '-'), &end, 10);
    if (*end || other < 0)
        return;
    w->dst = w->src = other;
}

/* --- the profile ---------------------------------------------------------- */

/* An event, and the world and the profile to which it is added. */
struct kineto_into {
    struct kineto_event *e;
    struct kineto_world *w;
    struct kineto_profile *p;
};

static uint32_t event_name(const struct kineto_into *in)
{
    return (uint32_t)names_number(&in->w->names, in->e->name);
}

static uint32_t event_comm(const struct kineto_into *in, const char *note)
{
    struct kineto_profile *p = in->p;
    struct kineto_event *e = in->e;
    struct kineto_words *w = &e->words;

    if (note && !w->collective[0]) {
        sax_copy((struct sax_text){note, strcspn(note, " ")}, w->collective,
                 sizeof w->collective);
        note_peer(note, w);
    }
    if (w->in_nelems == KINETO_NOT_SAID && e->has_dims &&
        kineto_type_B(e->type)) {
        w->in_nelems = e->dims;
        snprintf(w->dtype, sizeof w->dtype, "%s", e->type);
    }
    KINETO_GROW(p->comms, p->ncomms, p->comm_room);
    p->comms[p->ncomms] = kineto_comm_of(w, in->w);
    return (uint32_t)p->ncomms++;
}

static void event_activity(const struct kineto_into *in, uint32_t comm)
{
    struct kineto_profile *p = in->p;
    const struct kineto_event *e = in->e;

    KINETO_GROW(p->activities, p->nactivities, p->activity_room);
    p->activities[p->nactivities++] = (struct kineto_activity){
        .begin_us = e->begin_us,
        .us = e->us,
        .correlation = e->correlation,
        .place = e->place,
        .stream = e->stream == KINETO_NOT_SAID ? e->thread : e->stream,
        .name = event_name(in),
        .comm = comm,
        .is_comm =
            comm != KINETO_NONE || event_told(OF_KERNEL, e->name) == EVENT_COMM,
    };
}

static void event_launch(const struct kineto_into *in)
{
    struct kineto_profile *p = in->p;
    const struct kineto_event *e = in->e;

    KINETO_GROW(p->launches, p->nlaunches, p->launch_room);
    p->launches[p->nlaunches++] =
        (struct kineto_call){.begin_us = e->begin_us,
                             .us = e->us,
                             .correlation = e->correlation,
                             .thread = e->thread,
                             .comm = KINETO_NONE};
}

static void event_call(const struct kineto_into *in, const char *note)
{
    struct kineto_profile *p = in->p;
    const struct kineto_event *e = in->e;

    KINETO_GROW(p->calls, p->ncalls, p->call_room);
    p->calls[p->ncalls++] = (struct kineto_call){.begin_us = e->begin_us,
                                                 .us = e->us,
                                                 .thread = e->thread,
                                                 .comm = event_comm(in, note),
                                                 .name = event_name(in),
                                                 .place = e->place};
}

bool kineto_event_wants_arguments(const struct kineto_event *e)
{
    return !*e->category || !e->name_n || event_kind(e) != EVENT_OTHER;
}

void kineto_event_end(struct kineto_event *e, struct kineto_world *w,
                      struct kineto_profile *p)
{
    const struct kineto_into in = {e, w, p};
    bool words = e->words.collective[0] != '\0';

    if (e->phase[0] != 'X' || !e->name_n || e->us < 0)
        return;
    switch (event_kind(e)) {
    case EVENT_ON_GPU:
        event_activity(&in, words ? event_comm(&in, NULL) : KINETO_NONE);
        return;
    case EVENT_RUNTIME:
        if (e->correlation >= 0 &&
            event_told(OF_RUNTIME, e->name) == EVENT_LAUNCH)
            event_launch(&in);
        return;
    case EVENT_NOTE:
        event_call(&in, strchr(e->name, ':') + 1);
        return;
    case EVENT_COMM:
        if (words)
            event_call(&in, NULL);
        return;
    default:
        return;
    }
}

void kineto_profile_clear(struct kineto_profile *p)
{
    free(p->activities);
    free(p->launches);
    free(p->calls);
    free(p->comms);
    *p = (struct kineto_profile){0};
}

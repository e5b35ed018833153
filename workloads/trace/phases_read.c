/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the events of a trace's ranks into steps: it finds the message of each
 * send, the calls that begin and complete together, and the places at which
 * ranks meet. */
#include "workloads/trace/comms.h"
#include "workloads/trace/phases_parts.h"

#include <stdlib.h>
#include <string.h>

/* The value of a request is the number of a half of its rank, or one of
 * these. */
#define REQUEST_DONE (NOT_ANY - 1)  /* no peer: complete at once */
#define REQUEST_STRAY (NOT_ANY - 2) /* it is not followed */
#define MAX_HALVES (NOT_ANY - 3)

/* The most distinct wildcards of a rank; if it has more, one that covers all
 * its messages replaces the others. */
#define MAX_WILDCARDS 64

/* A probe, or a receive that may get messages of several channels. */
struct wildcard {
    uint32_t comm, src, tag; /* may be ANY_RANK and ANY_TAG */
};

enum open_state { NOT_OPEN, BEGINS, WAITS };

/* The state of reading one rank. */
struct reader {
    uint64_t event; /* number of the next event */
    struct trace_event held;
    bool holds, ended;
    enum open_state state;
    struct batch open;
    uint32_t left; /* halves of the open batch that are not waited for yet */
    struct wildcard *wildcards;
    size_t nwildcards;
};

struct reading {
    struct trace_steps *s;
    struct trace *t;
    struct trace_comms *comms;
    struct reader *readers;
    /* Tables: the channel of (src and dst, comm and tag), the half of (rank,
     * request), the meeting of (communicator, turn), and the number of meetings
     * of (rank, communicator). */
    struct pairs channels, requests, meets, made;
};

static void *read_room(void *array, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return array;
    *room = *room ? *room * 2 : 16;
    return xrealloc(array, *room, size);
}

/* --- steps ---------------------------------------------------------------- */

static void add_step(struct rank_steps *r, enum step_kind kind, uint32_t of)
{
    r->steps = read_room(r->steps, r->nsteps, &r->steps_room, sizeof *r->steps);
    r->steps[r->nsteps++] = (struct step){kind, of};
}

static uint32_t channel_of(struct reading *x, uint32_t src, uint32_t dst,
                           uint32_t comm, uint32_t tag)
{
    uint64_t a = (uint64_t)src << 32 | dst, b = (uint64_t)comm << 32 | tag;
    struct trace_steps *s = x->s;
    uint32_t found = pairs_get(&x->channels, a, b);

    if (found != NOT_ANY)
        return found;
    s->channels = read_room(s->channels, s->nchannels, &s->channels_room,
                            sizeof *s->channels);
    s->channels[s->nchannels] = (struct channel){.src = src,
                                                 .dst = dst,
                                                 .comm = comm,
                                                 .tag = tag,
                                                 .head = NOT_ANY,
                                                 .tail = NOT_ANY};
    pairs_set(&x->channels, a, b, (uint32_t)s->nchannels);
    return (uint32_t)s->nchannels++;
}

/* Matches a half with the oldest half of the other kind, because messages of a
 * channel are received in the order in which they are sent. If there is none,
 * the half waits in the channel. */
static void half_match(struct trace_steps *s, uint32_t rank, uint32_t number)
{
    struct half *h = &s->rank[rank].halves[number];
    struct channel *c = &s->channels[h->channel];

    if (c->head != NOT_ANY && c->sends != h->sends) {
        struct half *first = &s->rank[h->peer].halves[c->head];
        h->partner = c->head;
        c->head = first->partner;
        first->partner = number;
        first->matched = h->matched = true;
        return;
    }
    if (c->head == NOT_ANY)
        c->head = number;
    else
        s->rank[rank].halves[c->tail].partner = number;
    c->sends = h->sends;
    c->tail = number;
}

static int half_add(struct reading *x, uint32_t rank,
                    const struct trace_event *e, struct half h, uint32_t *out,
                    struct err *err)
{
    struct rank_steps *r = &x->s->rank[rank];

    if (r->nhalves >= MAX_HALVES)
        return trace_fail(x->t, rank, e, err,
                          "more messages than can be "
                          "followed");
    r->halves =
        read_room(r->halves, r->nhalves, &r->halves_room, sizeof *r->halves);
    *out = (uint32_t)r->nhalves++;
    r->halves[*out] = h;
    half_match(x->s, rank, *out);
    add_step(r, STEP_BEGIN, *out);
    return 0;
}

/* Returns the number of members that have events. */
static uint32_t members_there(const struct trace *t,
                              const struct trace_comm *comm)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < comm->n; i++)
        n += !t->rank[comm->members[i]].missing;
    return n;
}

static void add_meeting(struct reading *x, uint32_t rank,
                        const struct trace_comm *comm)
{
    struct trace_steps *s = x->s;
    uint32_t nth = pairs_get(&x->made, rank, comm->number);

    nth = nth == NOT_ANY ? 0 : nth;
    pairs_set(&x->made, rank, comm->number, nth + 1);
    if (comm->n < 2)
        return;
    uint32_t meeting = pairs_get(&x->meets, comm->number, nth);
    if (meeting == NOT_ANY) {
        s->meetings = read_room(s->meetings, s->nmeetings, &s->meetings_room,
                                sizeof *s->meetings);
        meeting = (uint32_t)s->nmeetings;
        s->meetings[s->nmeetings++] =
            (struct meeting){members_there(x->t, comm), 0, NOT_ANY};
        pairs_set(&x->meets, comm->number, nth, meeting);
    }
    add_step(&s->rank[rank], STEP_MEET, meeting);
}

/* --- batches -------------------------------------------------------------- */

static void batch_give_up(struct reader *r)
{
    r->state = NOT_OPEN;
}

static void batch_begin(struct reading *x, uint32_t rank, uint64_t event)
{
    struct reader *r = &x->readers[rank];
    const struct rank_steps *steps = &x->s->rank[rank];

    if (r->state == BEGINS)
        return;
    r->state = BEGINS; /* a batch that was waited for in part is dropped */
    r->left = 0;
    r->open = (struct batch){.is.first = event,
                             .first_half = (uint32_t)steps->nhalves,
                             .first_step = steps->nsteps};
}

static void batch_end(struct reading *x, uint32_t rank)
{
    struct reader *r = &x->readers[rank];
    struct rank_steps *steps = &x->s->rank[rank];
    size_t room = steps->batches_room;

    r->state = NOT_OPEN;
    r->open.end_half = (uint32_t)steps->nhalves;
    r->open.end_step = steps->nsteps;
    if (r->open.first_half == r->open.end_half)
        return;
    steps->batches = read_room(steps->batches, steps->nbatches, &room,
                               sizeof *steps->batches);
    steps->batches_room = (uint32_t)room;
    for (uint32_t h = r->open.first_half; h < r->open.end_half; h++)
        steps->halves[h].batch = steps->nbatches;
    steps->batches[steps->nbatches++] = r->open;
}

/* --- events --------------------------------------------------------------- */

static void wildcard_add(struct reader *r, struct wildcard w)
{
    for (size_t i = 0; i < r->nwildcards; i++) {
        const struct wildcard *o = &r->wildcards[i];
        if (o->comm == w.comm && o->src == w.src && o->tag == w.tag)
            return;
    }
    if (r->nwildcards > MAX_WILDCARDS)
        return; /* the last one covers all messages */
    r->wildcards =
        xrealloc(r->wildcards, r->nwildcards + 1, sizeof *r->wildcards);
    if (r->nwildcards == MAX_WILDCARDS)
        w = (struct wildcard){NOT_ANY, ANY_RANK, ANY_TAG};
    r->wildcards[r->nwildcards++] = w;
}

/* Returns 1 and *h if a send or receive is a half. Returns 0 and *request if it
 * is not, or if its peer or tag is unknown. */
static int half_of(struct reading *x, uint32_t rank,
                   const struct trace_event *e,
                   const struct trace_membership *in, struct half *h,
                   uint32_t *request, struct err *err)
{
    bool sends = e->call == TRACE_SEND;
    uint32_t peer = e->peer, tag = e->tag, world;

    *request = e->peer == NO_PEER ? REQUEST_DONE : REQUEST_STRAY;
    if (e->peer == NO_PEER || !in->comm->n)
        return 0;
    if (!sends && peer == ANY_RANK)
        peer = e->got_peer;
    if (!sends && tag == ANY_TAG)
        tag = e->got_tag;
    if (trace_comms_peer(x->comms, rank, e, in, peer, &world, err) < 0)
        return -1;
    if (world == NO_PEER)
        return 0;
    if (!sends && (world == ANY_RANK || tag == ANY_TAG)) {
        wildcard_add(&x->readers[rank],
                     (struct wildcard){in->comm->number, world, tag});
        return 0;
    }
    if (world >= x->s->ranks)
        return 0;
    *h = (struct half){.peer = world,
                       .partner = NOT_ANY,
                       .batch = NOT_ANY,
                       .sends = sends,
                       .in_gpu = e->in_gpu,
                       .bytes = e->bytes};
    h->channel = sends ? channel_of(x, rank, world, in->comm->number, tag)
                       : channel_of(x, world, rank, in->comm->number, tag);
    return 1;
}

static int read_begin(struct reading *x, uint32_t rank,
                      const struct trace_event *e,
                      const struct trace_membership *in, struct err *err)
{
    struct reader *r = &x->readers[rank];
    bool wild =
        e->call == TRACE_RECV && (e->peer == ANY_RANK || e->tag == ANY_TAG);
    /* A send that blocks joins an open batch: MPI_Irecv, MPI_Send, MPI_Waitall.
     * Alone it opens none, because no wait completes it. */
    bool joins = !e->synchronous && !wild &&
                 (e->blocks ? e->call == TRACE_SEND && r->state == BEGINS
                            : e->request != NO_REQUEST);
    uint32_t number = NOT_ANY, request;
    struct half h;

    if (e->call == TRACE_SEND && e->peer != NO_PEER) {
        x->s->messages++;
        x->s->bytes += e->bytes;
    }
    if (joins)
        batch_begin(x, rank, r->event);
    else
        batch_give_up(r);
    int is = half_of(x, rank, e, in, &h, &request, err);
    if (is < 0 || (is && half_add(x, rank, e, h, &number, err) < 0))
        return -1;
    if (is && e->blocks)
        add_step(&x->s->rank[rank], STEP_WAIT, number);
    if (!is && request == REQUEST_STRAY)
        batch_give_up(r);
    if (joins && is) {
        r->open.is.begin = r->event;
        r->left += !e->blocks;
    }
    if (e->request != NO_REQUEST && !e->blocks)
        pairs_set(&x->requests, rank, e->request, is ? number : request);
    return 0;
}

/* Completes the requests of a wait. Returns whether one of them is not in the
 * open batch. */
static bool wait_for(struct reading *x, uint32_t rank,
                     const struct trace_event *e)
{
    struct reader *r = &x->readers[rank];
    bool stray = false;

    for (size_t i = 0; i < e->nrequests; i++) {
        uint32_t of = pairs_get(&x->requests, rank, e->requests[i]);
        if (of == NOT_ANY || of == REQUEST_DONE)
            continue;
        pairs_set(&x->requests, rank, e->requests[i], NOT_ANY);
        if (of == REQUEST_STRAY) {
            stray = true;
            continue;
        }
        add_step(&x->s->rank[rank], STEP_WAIT, of);
        if (r->state != NOT_OPEN && of >= r->open.first_half)
            r->left--;
        else
            stray = true;
    }
    return stray;
}

static void read_wait(struct reading *x, uint32_t rank,
                      const struct trace_event *e)
{
    struct reader *r = &x->readers[rank];
    uint32_t before = r->left;

    if (wait_for(x, rank, e))
        batch_give_up(r);
    /* The batch still begins if the wait is for none of its halves. */
    if (r->state == NOT_OPEN || (r->left && r->left == before))
        return;
    if (r->state == BEGINS)
        r->open.is.wait = r->event;
    r->state = WAITS;
    r->open.is.end = r->event;
    if (!r->left)
        batch_end(x, rank);
}

/* A probe adds a wildcard, so that messages that are probed before they are
 * received are in no phase. */
static int read_probe(struct reading *x, uint32_t rank,
                      const struct trace_event *e,
                      const struct trace_membership *in, struct err *err)
{
    struct reader *r = &x->readers[rank];
    uint32_t world;

    batch_give_up(r);
    if (e->peer == NO_PEER || !in->comm->n)
        return 0;
    if (trace_comms_peer(x->comms, rank, e, in, e->peer, &world, err) < 0)
        return -1;
    wildcard_add(r, (struct wildcard){in->comm->number, world, e->tag});
    return 0;
}

/* Leaves a cancelled request to no half, because the message that it would get
 * is not known. */
static void read_cancel(struct reading *x, uint32_t rank,
                        const struct trace_event *e)
{
    struct reader *r = &x->readers[rank];

    batch_give_up(r);
    for (size_t i = 0; i < e->nrequests; i++) {
        uint32_t of = pairs_get(&x->requests, rank, e->requests[i]);
        if (of >= MAX_HALVES)
            continue;
        const struct half *h = &x->s->rank[rank].halves[of];
        x->s->channels[h->channel].unsure = true;
        pairs_set(&x->requests, rank, e->requests[i], REQUEST_STRAY);
    }
}

/* Returns 1 if the event is read, 0 if its communicator is not known until
 * others come, -1 after an error. */
static int read_event(struct reading *x, uint32_t rank,
                      const struct trace_event *e, struct err *err)
{
    struct reader *r = &x->readers[rank];
    struct trace_membership in;
    int found = 1;

    if (e->free) {
        x->s->graph = true;
        return 1;
    }
    switch ((enum trace_call)e->call) {
    case TRACE_COMPUTE:
    case TRACE_OTHER:
    case TRACE_POLL:
        return 1;
    case TRACE_WAIT:
        read_wait(x, rank, e);
        return 1;
    case TRACE_CANCEL:
        read_cancel(x, rank, e);
        return 1;
    case TRACE_SEND:
    case TRACE_RECV:
        if (e->peer == NO_PEER) {
            in = (struct trace_membership){0};
            return read_begin(x, rank, e, &in, err) < 0 ? -1 : 1;
        }
        found = trace_comms_find(x->comms, rank, e, &in, err);
        if (found > 0 && read_begin(x, rank, e, &in, err) < 0)
            return -1;
        return found;
    case TRACE_PROBE:
        found = trace_comms_find(x->comms, rank, e, &in, err);
        if (found > 0 && read_probe(x, rank, e, &in, err) < 0)
            return -1;
        return found;
    case TRACE_COLLECTIVE:
    case TRACE_COMM:
        found = trace_comms_find(x->comms, rank, e, &in, err);
        if (found <= 0)
            return found;
        batch_give_up(r);
        if (e->call == TRACE_COLLECTIVE || e->how != TRACE_KNOWN)
            add_meeting(x, rank, in.comm);
        if (e->call == TRACE_COMM &&
            trace_comms_add(x->comms, rank, e, err) < 0)
            return -1;
        return 1;
    default:
        batch_give_up(r);
        return 1;
    }
}

/* Reads as many events as possible. Returns 1 if it read some. */
static int read_rank(struct reading *x, uint32_t rank, struct err *err)
{
    struct reader *r = &x->readers[rank];
    int moved = 0;

    while (!r->ended) {
        int result = r->holds ? 1 : trace_next(x->t, rank, &r->held, err);
        if (result < 0)
            return -1;
        r->ended = !result;
        if (r->ended)
            break;
        int is = read_event(x, rank, &r->held, err);
        if (is < 0)
            return -1;
        r->holds = !is;
        if (r->holds)
            break;
        r->event++;
        moved = 1;
    }
    return moved;
}

static int read_all(struct reading *x, struct err *err)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t r = 0; r < x->s->ranks; r++) {
            int result = x->t->rank[r].missing ? 0 : read_rank(x, r, err);
            if (result < 0)
                return -1;
            moved |= result > 0;
        }
    }
    return 0;
}

/* --- the whole trace ------------------------------------------------------ */

static bool wildcard_takes(const struct reader *r, const struct channel *c)
{
    for (size_t i = 0; i < r->nwildcards; i++) {
        const struct wildcard *w = &r->wildcards[i];
        if ((w->comm == NOT_ANY || w->comm == c->comm) &&
            (w->src == ANY_RANK || w->src == c->src) &&
            (w->tag == ANY_TAG || w->tag == c->tag))
            return true;
    }
    return false;
}

static void read_finish(struct reading *x)
{
    struct trace_steps *s = x->s;

    for (size_t i = 0; i < s->nchannels; i++)
        s->channels[i].unsure |=
            wildcard_takes(&x->readers[s->channels[i].dst], &s->channels[i]);
    for (uint32_t r = 0; r < s->ranks; r++)
        for (size_t h = 0; h < s->rank[r].nhalves; h++)
            if (!s->rank[r].halves[h].matched)
                s->rank[r].halves[h].partner = NOT_ANY;
}

static int rewind_all(struct trace *t, struct err *err)
{
    for (uint32_t r = 0; r < t->ranks; r++)
        if (!t->rank[r].missing && trace_rewind(t, r, err) < 0)
            return -1;
    return 0;
}

int trace_steps_read(struct trace_steps *s, struct trace *t, struct err *err)
{
    struct reading x = {.s = s, .t = t};

    *s = (struct trace_steps){.ranks = t->ranks};
    s->rank = xcalloc(t->ranks, sizeof *s->rank);
    x.readers = xcalloc(t->ranks, sizeof *x.readers);
    x.comms = trace_comms_new(t);
    int result = rewind_all(t, err) < 0 || read_all(&x, err) < 0 ||
                         rewind_all(t, err) < 0
                     ? -1
                     : 0;
    if (result == 0)
        read_finish(&x);
    else
        trace_steps_clear(s);
    for (uint32_t r = 0; r < t->ranks; r++)
        free(x.readers[r].wildcards);
    free(x.readers);
    trace_comms_free(x.comms);
    pairs_clear(&x.channels);
    pairs_clear(&x.requests);
    pairs_clear(&x.meets);
    pairs_clear(&x.made);
    return result;
}

void trace_steps_clear(struct trace_steps *s)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        free(s->rank[r].halves);
        free(s->rank[r].steps);
        free(s->rank[r].batches);
    }
    free(s->rank);
    free(s->channels);
    free(s->meetings);
    *s = (struct trace_steps){0};
}

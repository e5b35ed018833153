/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of packets like LCI's queue, over MPI: any thread sends a message that
 * fits into a packet, or asks to send; one thread makes progress. Matching is
 * only by packet, and there is no order. */
#include "validate/native/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum packet_type { EAGER, READY_TO_SEND, READY_TO_RECEIVE };
enum { PACKET_TAG, PUT_TAG, PUT_TAGS = 30000, LISTENING = 16 };

struct packet_head {
    int type;
    int put;          /* the tag of the data of a rendezvous */
    size_t bytes;     /* size of the message */
    const void *from; /* the sender's message, which the receiver returns */
};

struct packet {
    struct packet_head head;
    char data[]; /* packet_B */
};

/* An operation under way, apart from the posted receives of packets. */
enum flying { SENDS_PACKET, PUTS, GETS };
struct flight {
    MPI_Request request;
    enum flying what;
    struct packet *packet; /* for SENDS_PACKET */
    struct queued message; /* for GETS: into its data */
};

struct layer {
    struct layer_options o;
    size_t packet_B; /* including its head */
    pthread_mutex_t lock;
    struct packet **pool; /* free packets */
    size_t npool;
    struct flight *flights;
    size_t nflights, room;
    MPI_Request listening[LISTENING];
    struct packet *heard[LISTENING];
    struct queue *arrived;
    int put; /* the next tag */
    /* Messages that others asked to send and that have not been put yet. */
    size_t promised;
};

/* --- packets -------------------------------------------------------------- */

static struct packet *packet_new(const struct layer *l)
{
    return xmalloc(l->packet_B);
}

static void listen_again(struct layer *l, int i)
{
    MPI_TRY(MPI_Irecv(l->heard[i], (int)l->packet_B, MPI_BYTE, MPI_ANY_SOURCE,
                      PACKET_TAG, l->o.comm, &l->listening[i]));
}

static struct layer *lci_open(const struct layer_options *o)
{
    struct layer *l = xcalloc(1, sizeof *l);
    int hosts;

    l->o = *o;
    l->packet_B = sizeof(struct packet) + o->packet_B;
    l->arrived = queue_new();
    pthread_mutex_init(&l->lock, NULL);
    MPI_TRY(MPI_Comm_size(o->comm, &hosts));
    l->npool = o->packets_per_host * (size_t)hosts;
    l->pool = xcalloc(l->npool, sizeof(void *));
    for (size_t i = 0; i < l->npool; i++)
        l->pool[i] = packet_new(l);
    for (int i = 0; i < LISTENING; i++) {
        l->heard[i] = packet_new(l);
        listen_again(l, i);
    }
    return l;
}

static void lci_close(struct layer *l)
{
    for (int i = 0; i < LISTENING; i++) {
        MPI_TRY(MPI_Cancel(&l->listening[i]));
        MPI_TRY(MPI_Wait(&l->listening[i], MPI_STATUS_IGNORE));
        free(l->heard[i]);
    }
    for (size_t i = 0; i < l->npool; i++)
        free(l->pool[i]);
    free(l->pool);
    free(l->flights);
    queue_free(l->arrived);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static struct packet *packet_take(struct layer *l)
{
    pthread_mutex_lock(&l->lock);
    struct packet *p = l->npool ? l->pool[--l->npool] : NULL;
    pthread_mutex_unlock(&l->lock);
    return p;
}

/* --- flights -------------------------------------------------------------- */

static void fly(struct layer *l, const struct flight *f)
{
    pthread_mutex_lock(&l->lock);
    if (l->nflights == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->flights = xrealloc(l->flights, l->room, sizeof *l->flights);
    }
    l->flights[l->nflights++] = *f;
    pthread_mutex_unlock(&l->lock);
}

static void packet_send(struct layer *l, int to, struct packet *p,
                        size_t payload_B)
{
    struct flight f = {.what = SENDS_PACKET, .packet = p};

    MPI_TRY(MPI_Isend(p, (int)(sizeof *p + payload_B), MPI_BYTE, to, PACKET_TAG,
                      l->o.comm, &f.request));
    fly(l, &f);
}

static bool lci_post(struct layer *l, int to, const void *from, size_t bytes)
{
    struct packet *p = packet_take(l);

    if (!p)
        return false;
    p->head = (struct packet_head){.bytes = bytes, .from = from};
    if (bytes <= l->o.packet_B) {
        p->head.type = EAGER;
        memcpy(p->data, from, bytes);
        packet_send(l, to, p, bytes);
        return true;
    }
    p->head.type = READY_TO_SEND;
    pthread_mutex_lock(&l->lock);
    p->head.put = PUT_TAG + l->put++ % PUT_TAGS;
    l->promised++;
    pthread_mutex_unlock(&l->lock);
    packet_send(l, to, p, 0);
    return true;
}

/* --- progress ------------------------------------------------------------- */

static void hear_eager(struct layer *l, const struct packet *p, int from)
{
    struct queued m = {from, xmalloc(p->head.bytes), p->head.bytes};

    memcpy(m.data, p->data, m.bytes);
    queue_put(l->arrived, m);
}

/* Allocates memory for a message and permits its sender to send it. The answer
 * has a packet of its own, because messages of others must arrive even if the
 * pool is empty. */
static void hear_ask(struct layer *l, const struct packet *p, int from)
{
    struct flight f = {
        .what = GETS, .message = {from, xmalloc(p->head.bytes), p->head.bytes}};
    struct packet *answer = packet_new(l);

    MPI_TRY(MPI_Irecv(f.message.data, (int)p->head.bytes, MPI_BYTE, from,
                      p->head.put, l->o.comm, &f.request));
    fly(l, &f);
    answer->head = p->head;
    answer->head.type = READY_TO_RECEIVE;
    packet_send(l, from, answer, 0);
}

static void hear_answer(struct layer *l, const struct packet *p, int from)
{
    struct flight f = {.what = PUTS};

    MPI_TRY(MPI_Isend(p->head.from, (int)p->head.bytes, MPI_BYTE, from,
                      p->head.put, l->o.comm, &f.request));
    fly(l, &f);
}

static bool hear(struct layer *l)
{
    MPI_Status status;
    int i, any;

    MPI_TRY(MPI_Testany(LISTENING, l->listening, &i, &any, &status));
    if (!any || i == MPI_UNDEFINED)
        return false;
    const struct packet *p = l->heard[i];
    if (p->head.type == EAGER)
        hear_eager(l, p, status.MPI_SOURCE);
    else if (p->head.type == READY_TO_SEND)
        hear_ask(l, p, status.MPI_SOURCE);
    else
        hear_answer(l, p, status.MPI_SOURCE);
    listen_again(l, i);
    return true;
}

static void landed(struct layer *l, const struct flight *f)
{
    if (f->what == GETS)
        queue_put(l->arrived, f->message);
    pthread_mutex_lock(&l->lock);
    if (f->what == PUTS)
        l->promised--;
    bool pooled =
        f->what == SENDS_PACKET && f->packet->head.type != READY_TO_RECEIVE;
    if (pooled)
        l->pool[l->npool++] = f->packet;
    pthread_mutex_unlock(&l->lock);
    if (f->what == SENDS_PACKET && !pooled)
        free(f->packet);
}

/* Tests the flights. Other threads add flights meanwhile, which may move the
 * array; only this thread removes them. */
static bool look_at_flights(struct layer *l)
{
    bool any = false;

    for (size_t i = 0;; i++) {
        int done = 0;
        pthread_mutex_lock(&l->lock);
        bool there = i < l->nflights;
        struct flight f = there ? l->flights[i] : (struct flight){0};
        pthread_mutex_unlock(&l->lock);
        if (!there)
            return any;
        MPI_TRY(MPI_Test(&f.request, &done, MPI_STATUS_IGNORE));
        if (!done)
            continue;
        any = true;
        pthread_mutex_lock(&l->lock);
        l->flights[i--] = l->flights[--l->nflights];
        pthread_mutex_unlock(&l->lock);
        landed(l, &f);
    }
}

static bool lci_turn(struct layer *l)
{
    bool heard = hear(l);

    return look_at_flights(l) || heard;
}

static size_t lci_pending(const struct layer *l)
{
    return l->nflights + l->promised;
}

static void lci_round(struct layer *l, const struct host_round *r)
{
    layer_exchange(l, &layer_lci, r, l->arrived, lci_pending);
}

const struct layer_kind layer_lci = {.name = "lci",
                                     .multiple = true,
                                     .open = lci_open,
                                     .close = lci_close,
                                     .round = lci_round,
                                     .post = lci_post,
                                     .turn = lci_turn};

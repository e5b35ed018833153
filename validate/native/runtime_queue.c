/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues between compute and communication threads, and a round of messages
 * that are posted and dequeued. */
#include "validate/native/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- queues --------------------------------------------------------------- */

struct queue {
    pthread_mutex_t lock;
    struct queued *items; /* a ring */
    size_t room, first, n;
};

struct queue *queue_new(void)
{
    struct queue *q = xcalloc(1, sizeof *q);

    pthread_mutex_init(&q->lock, NULL);
    q->room = 64;
    q->items = xcalloc(q->room, sizeof *q->items);
    return q;
}

void queue_free(struct queue *q)
{
    if (!q)
        return;
    pthread_mutex_destroy(&q->lock);
    free(q->items);
    free(q);
}

static void queue_grow(struct queue *q)
{
    struct queued *more = xcalloc(2 * q->room, sizeof *more);

    for (size_t i = 0; i < q->n; i++)
        more[i] = q->items[(q->first + i) % q->room];
    free(q->items);
    q->items = more;
    q->room *= 2;
    q->first = 0;
}

void queue_put(struct queue *q, struct queued what)
{
    pthread_mutex_lock(&q->lock);
    if (q->n == q->room)
        queue_grow(q);
    q->items[(q->first + q->n++) % q->room] = what;
    pthread_mutex_unlock(&q->lock);
}

bool queue_take(struct queue *q, struct queued *out)
{
    pthread_mutex_lock(&q->lock);
    bool any = q->n > 0;
    if (any) {
        *out = q->items[q->first];
        q->first = (q->first + 1) % q->room;
        q->n--;
    }
    pthread_mutex_unlock(&q->lock);
    return any;
}

/* --- a round -------------------------------------------------------------- */

/* Copies messages that have arrived to the buffers of the round. */
static int take_arrived(const struct host_round *r, struct queue *arrived,
                        int got)
{
    struct queued m;

    while (got < r->nfrom && queue_take(arrived, &m)) {
        if (m.bytes != r->bytes)
            native_die("a message of %zu bytes from rank %d: expected %zu",
                       m.bytes, m.host, r->bytes);
        memcpy(r->in + (size_t)got * r->bytes, m.data, m.bytes);
        r->in_from[got++] = m.host;
        free(m.data);
    }
    return got;
}

void layer_exchange(struct layer *l, const struct layer_kind *kind,
                    const struct host_round *r, struct queue *arrived,
                    size_t (*pending)(const struct layer *))
{
    const struct timespec nap = {.tv_nsec = 200000};
    int sent = 0, got = 0;

    /* There is at least one turn, because threads may have posted before. */
    do {
        bool moved = false;
        while (sent < r->nto &&
               kind->post(l, r->to[sent], r->out + (size_t)sent * r->bytes,
                          r->bytes)) {
            sent++;
            moved = true;
        }
        moved |= kind->turn(l);
        got = take_arrived(r, arrived, got);
        if (!moved && r->rests)
            nanosleep(&nap, NULL);
    } while (sent < r->nto || got < r->nfrom || pending(l) > 0);
}

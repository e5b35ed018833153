/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting vertices: a GPU's own queue, one for each GPU that sends to it, and
 * the vertices that the order by priority puts off. */
#include "apps/agents/queues.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

static size_t fifo_length(const struct fifo *q)
{
    return q->n - q->first;
}

static void fifo_append(struct fifo *q, uint32_t v)
{
    /* The room of dequeued vertices at the front is reused before more is
     * allocated. */
    if (q->n == q->room && q->first > q->n / 2) {
        memmove(q->list, &q->list[q->first], fifo_length(q) * sizeof *q->list);
        q->n -= q->first;
        q->first = 0;
    }
    if (q->n == q->room) {
        q->room = q->room ? 2 * q->room : 16;
        q->list = xrealloc(q->list, q->room, sizeof *q->list);
    }
    q->list[q->n++] = v;
}

static size_t fifo_take(struct fifo *q, uint64_t most, const uint32_t **list)
{
    size_t n = fifo_length(q) < most ? fifo_length(q) : (size_t)most;

    *list = &q->list[q->first];
    q->first += n;
    return n;
}

void queues_init(struct queues *q)
{
    q->near = xcalloc(q->nnear, sizeof *q->near);
    if (!q->threshold)
        q->threshold = q->delta;
    queues_found_by(q, q->gpu);
}

void queues_clear(struct queues *q)
{
    for (uint32_t i = 0; q->near && i < q->nnear; i++)
        free(q->near[i].list);
    free(q->near);
    free(q->far.list);
    free(q->unseen.list);
    free(q->kernel.list);
    memset(q, 0, sizeof *q);
}

/* --- pushing -------------------------------------------------------------- */

static void queues_push_to(struct queues *q, struct fifo *to, uint32_t v)
{
    fifo_append(to, v);
    if (++q->waiting > q->most)
        q->most = q->waiting;
}

void queues_push(struct queues *q, uint32_t v, uint32_t key)
{
    bool ordered = !q->by_other || q->received == RECEIVED_IN_ORDER;
    bool far = q->delta && ordered && key >= q->threshold;
    struct fifo *near =
        q->hides && !q->by_other ? &q->unseen : &q->near[q->into];

    queues_push_to(q, far ? &q->far : near, v);
}

void queues_put_off(struct queues *q, uint32_t v)
{
    queues_push_to(q, &q->far, v);
}

void queues_found_by(struct queues *q, uint32_t gpu)
{
    q->into = q->nnear > 1 ? gpu : 0;
    q->by_other = gpu != q->gpu;
}

void queues_show(struct queues *q)
{
    struct fifo *unseen = &q->unseen;
    struct fifo *near = &q->near[q->nnear > 1 ? q->gpu : 0];

    while (fifo_length(unseen))
        fifo_append(near, unseen->list[unseen->first++]);
    unseen->first = unseen->n = 0;
}

bool queues_unseen_waits(const struct queues *q)
{
    return fifo_length(&q->unseen) > 0;
}

bool queues_overflowed(const struct queues *q)
{
    return q->capacity && q->most > q->capacity;
}

bool queues_near_is_empty(const struct queues *q)
{
    return q->waiting == fifo_length(&q->far) + fifo_length(&q->unseen);
}

bool queues_far_waits(const struct queues *q)
{
    return fifo_length(&q->far) > 0;
}

/* --- the threshold -------------------------------------------------------- */

static uint32_t queues_key(const struct queues *q, uint32_t v)
{
    return q->key(q->state, q->gpu, v);
}

void queues_raise(struct queues *q)
{
    struct fifo *far = &q->far;
    uint32_t least = UINT32_MAX;
    size_t kept = 0;

    for (size_t i = far->first; q->key && i < far->n; i++)
        if (queues_key(q, far->list[i]) < least)
            least = queues_key(q, far->list[i]);
    if (q->key)
        q->threshold = least + q->delta;
    for (size_t i = far->first; i < far->n; i++) {
        uint32_t v = far->list[i];
        if (q->key && queues_key(q, v) >= q->threshold)
            far->list[kept++] = v;
        else
            fifo_append(&q->near[q->into], v);
    }
    far->first = 0;
    far->n = kept;
}

void queues_advance(struct queues *q)
{
    struct fifo *far = &q->far;

    q->threshold += q->delta;
    while (fifo_length(far))
        fifo_append(&q->near[q->into], far->list[far->first++]);
    far->first = far->n = 0;
}

bool queues_refill(struct queues *q)
{
    bool none = q->received == RECEIVED_CHECKED
                    ? !fifo_length(&q->near[q->into])
                    : queues_near_is_empty(q);

    if (!none || !queues_far_waits(q))
        return false;
    queues_raise(q);
    return !q->key;
}

/* --- dequeuing ------------------------------------------------------------ */

size_t queues_take(struct queues *q, uint64_t most, const uint32_t **list)
{
    if (queues_near_is_empty(q))
        return 0;
    while (!fifo_length(&q->near[q->turn]))
        q->turn = (q->turn + 1) % q->nnear;
    size_t n =
        fifo_take(&q->near[q->turn], most < q->fetch ? most : q->fetch, list);
    q->turn = (q->turn + 1) % q->nnear;
    q->waiting -= n;
    return n;
}

/* Moves n of the nnear queues, in turn from `first` on, to the staged vertices;
 * returns whether there are any. */
static bool queues_stage(struct queues *q, uint32_t first, uint32_t n)
{
    struct fifo *kernel = &q->kernel;
    size_t had = fifo_length(kernel);

    if (!had)
        kernel->first = kernel->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct fifo *near = &q->near[(first + i) % q->nnear];
        q->waiting -= fifo_length(near);
        while (fifo_length(near))
            fifo_append(kernel, near->list[near->first++]);
    }
    q->staged = fifo_length(kernel) - had;
    return q->staged > 0;
}

bool queues_fill_kernel(struct queues *q, bool *looked)
{
    *looked = queues_refill(q);
    return queues_stage(q, q->into, q->nnear);
}

bool queues_fill_kernel_by_others(struct queues *q)
{
    return queues_stage(q, q->into + 1, q->nnear - 1);
}

bool queues_by_others_wait(const struct queues *q)
{
    return q->waiting > fifo_length(&q->far) + fifo_length(&q->near[q->into]);
}

void queues_launch_kernel(struct queues *q)
{
    q->staged = 0;
}

size_t queues_take_of_kernel(struct queues *q, uint64_t most,
                             const uint32_t **list)
{
    size_t launched = fifo_length(&q->kernel) - q->staged;

    return fifo_take(&q->kernel, most < launched ? most : launched, list);
}

bool queues_kernel_is_empty(const struct queues *q)
{
    return !fifo_length(&q->kernel);
}

bool queues_puts_back(struct queues *q, uint32_t v)
{
    if (q->received != RECEIVED_CHECKED || !q->delta || !q->key ||
        queues_key(q, v) < q->threshold)
        return false;
    queues_put_off(q, v);
    return true;
}

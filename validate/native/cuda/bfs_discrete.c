/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' search with priority: one kernel after the other for the present
 * contents of the queues; the threshold rises if no vertex is below it. */
#include "validate/native/cuda/bfs_search.h"

#include "base/seconds.h"

/* Words of pinned memory that the host reads after a kernel; the last two have
 * one per peer. */
enum {
    READ_NEAR,
    READ_FAR,
    READ_SENT,
    READ_INBOX,
    READ_OUTBOX = READ_INBOX + TRAVERSE_PEERS
};
/* Words that the threads publish for each other: the updates that were sent to
 * all peers, and copied to each. */
enum { WORD_SENT, WORD_TAKEN, WORD_IDLE, WORD_COPIES, WORD_BROUGHT };

/* The progress of a run with a peer. */
struct peer_progress {
    uint32_t inbox, inbox_end; /* places dequeued; known */
    uint64_t brought, taken;   /* updates by the CPU's copies */
    uint32_t seen_end; /* end of the inbox, with a latency: not due yet */
    double seen_s;
};
/* The progress of a run on this GPU. */
struct progress {
    uint32_t near, far; /* places dequeued */
    uint32_t near_end, far_end;
    struct peer_progress peer[TRAVERSE_PEERS];
};

struct discrete {
    struct search_side search; /* the first, as in search_begin() */
    const struct search_kernels *kernels;
    struct sender sender; /* for a ring */
    unsigned copies;      /* copies by the sender, which continues to count */
    struct progress now;
};

int discrete_begin(struct traverse_side *side, struct search_room room,
                   const struct search_kernels *kernels, struct err *err)
{
    struct discrete *d;

    if (search_begin(side, sizeof *d, true, room, err) < 0)
        return -1;
    d = side->state;
    d->kernels = kernels;
    return side->group->how.transfer == TRANSFER_RING
               ? sender_begin(&d->sender, side, err)
               : 0;
}

void discrete_end(struct traverse_side *side)
{
    sender_end(&((struct discrete *)side->state)->sender);
}

void discrete_start(struct traverse_side *side, uint32_t near_end)
{
    struct discrete *d = side->state;

    d->now = (struct progress){.near_end = near_end};
    for (unsigned w = 0; w < SIDE_WORDS; w++) {
        side->words[w] = 0;
        group_publish(side, w, 0);
    }
    group_publish(side, WORD_COPIES, d->copies);
}

static bool carried(const struct traverse_side *side)
{
    return side_peers(side) && side->group->how.transfer != TRANSFER_STORE;
}

/* Notes the end of an inbox that the host has read; it counts once the latency
 * is over. */
static void look_at_inbox(struct traverse_side *side, struct peer_progress *p,
                          uint32_t end)
{
    double now = seconds();

    if (now >= p->seen_s + side->group->how.latency_s)
        p->inbox_end = p->seen_end;
    if (p->inbox_end == p->seen_end && end != p->seen_end) {
        p->seen_end = end;
        p->seen_s = now;
    }
    if (!(side->group->how.latency_s > 0))
        p->inbox_end = end;
}

static void look_at_inboxes(struct traverse_side *side, struct discrete *d)
{
    for (unsigned i = 0; i < side_peers(side); i++)
        look_at_inbox(side, &d->now.peer[i],
                      (uint32_t)side->words[READ_INBOX + i]);
}

static void read_ends(struct traverse_side *side, unsigned word,
                      const struct queue_counters *at, unsigned n)
{
    search_read_ends(side, word, at, n, side->stream);
}

/* Reads the ends of the queues after a kernel. */
static void look_at_queues(struct traverse_side *side, struct discrete *d)
{
    const struct search_side *v = &d->search;

    read_ends(side, READ_NEAR, v->s.local.at, 1);
    read_ends(side, READ_FAR, v->s.far.at, 1);
    if (carried(side))
        read_ends(side, READ_OUTBOX, v->out, side_peers(side));
    else if (side_peers(side))
        read_ends(side, READ_INBOX, v->in, side_peers(side));
    side_sync(side);
    d->now.near_end = (uint32_t)side->words[READ_NEAR];
    d->now.far_end = (uint32_t)side->words[READ_FAR];
    look_at_inboxes(side, d);
}

/* Returns the updates that a peer has brought. */
static uint64_t brought_by(const struct traverse_side *side, unsigned peer)
{
    return group_word(side->group, side_peer(side, peer)->gpu,
                      WORD_BROUGHT + side_as_peer(side, peer));
}

/* Returns whether anything has arrived; called if there is nothing to do. */
static bool has_come(struct traverse_side *side, struct discrete *d)
{
    if (!carried(side)) {
        read_ends(side, READ_INBOX, d->search.in, side_peers(side));
        side_sync(side);
        look_at_inboxes(side, d);
    }
    for (unsigned i = 0; i < side_peers(side); i++) {
        const struct peer_progress *from = &d->now.peer[i];
        if (carried(side) ? brought_by(side, i) != from->taken
                          : from->inbox_end != from->inbox)
            return true;
    }
    return false;
}

/* --- the CPU's copies ----------------------------------------------------- */

/* Copies the updates that the kernel has added to the outbox for a peer behind
 * those that were brought before; returns whether there were any. */
static bool copy_updates(struct traverse_side *side, struct discrete *d,
                         unsigned peer)
{
    bool rings = side->group->how.transfer == TRANSFER_RING;
    uint64_t *brought = &d->now.peer[peer].brought;
    uint64_t end = (uint32_t)side->words[READ_OUTBOX + peer];

    if (end == *brought)
        return false;
    search_carry(side, peer, *brought, end, rings ? &d->sender : NULL,
                 side->stream);
    if (rings)
        group_publish(side, WORD_COPIES, ++d->copies);
    *brought = end;
    return true;
}

/* Copies all updates to the other GPUs, then publishes their numbers. */
static void bring(struct traverse_side *side, struct discrete *d)
{
    bool any = false;

    for (unsigned i = 0; i < side_peers(side); i++)
        any |= copy_updates(side, d, i);
    if (any && side->group->how.transfer != TRANSFER_RING)
        side_sync(side);
    for (unsigned i = 0; any && i < side_peers(side); i++)
        group_publish(side, WORD_BROUGHT + i, d->now.peer[i].brought);
}

/* Puts the updates that a peer has brought into the near queue; returns whether
 * there were any. */
static bool take_from(struct traverse_side *side, struct discrete *d,
                      unsigned peer)
{
    const struct search_side *v = &d->search;
    uint64_t *taken = &d->now.peer[peer].taken;
    uint64_t there = brought_by(side, peer);

    if (there == *taken)
        return false;
    if (side->group->how.transfer == TRANSFER_RING) {
        struct traverse_side *other = side_peer(side, peer);
        unsigned copies =
            (unsigned)group_word(side->group, other->gpu, WORD_COPIES);
        sender_await(&((struct discrete *)other->state)->sender, copies,
                     side->stream);
    }
    if (!(side->begin_s > 0))
        side_begin_work(side);
    CUDA_DIE(d->kernels->received(v, &v->received[peer][*taken],
                                  (uint32_t)(there - *taken), side->stream));
    side->counts.received += there - *taken;
    *taken = there;
    return true;
}

static bool take_brought(struct traverse_side *side, struct discrete *d)
{
    bool any = false;

    for (unsigned i = 0; i < side_peers(side); i++)
        any |= take_from(side, d, i);
    if (any)
        look_at_queues(side, d);
    return any;
}

/* --- steps ---------------------------------------------------------------- */

static bool take_near(struct traverse_side *side, struct discrete *d)
{
    struct progress *p = &d->now;
    struct search_range r = {.near = {p->near, p->near_end - p->near}};
    uint32_t visits = r.near.n;

    for (unsigned i = 0; i < side_peers(side); i++) {
        struct peer_progress *from = &p->peer[i];
        r.inbox[i] =
            (struct search_places){from->inbox, from->inbox_end - from->inbox};
        visits += r.inbox[i].n;
        from->inbox = from->inbox_end;
    }
    if (!visits)
        return false;
    side_begin_work(side);
    CUDA_DIE(d->kernels->discrete(&d->search, &r, side->stream));
    p->near = p->near_end;
    side->counts.visits += visits;
    look_at_queues(side, d);
    if (carried(side))
        bring(side, d);
    return true;
}

static bool raise_threshold(struct traverse_side *side, struct discrete *d)
{
    struct search *s = &d->search.s;
    uint32_t n = d->now.far_end - d->now.far;

    if (!n)
        return false;
    s->threshold += side->group->how.delta;
    side_begin_work(side);
    CUDA_DIE(search_raise_start(s, d->now.far, n, side->stream));
    d->now.far += n;
    look_at_queues(side, d);
    return true;
}

/* --- the end -------------------------------------------------------------- */

static uint64_t sent_by(struct traverse_side *side, const struct discrete *d)
{
    uint64_t sent = 0;

    for (unsigned i = 0; i < side_peers(side); i++)
        sent += d->now.peer[i].brought;
    if (carried(side))
        return sent;
    side_read(side, READ_SENT, &d->search.s.status->sent,
              sizeof d->search.s.status->sent);
    side_sync(side);
    return side->words[READ_SENT];
}

static uint64_t taken_by(const struct traverse_side *side,
                         const struct discrete *d)
{
    uint64_t taken = 0;

    for (unsigned i = 0; i < side_peers(side); i++)
        taken += carried(side) ? d->now.peer[i].taken : d->now.peer[i].inbox;
    return taken;
}

/* Sums a word over all GPUs; returns false if one of them is not idle. */
static bool idle_sum(const struct traverse_group *t, unsigned word,
                     uint64_t *sum)
{
    *sum = 0;
    for (unsigned g = 0; g < t->how.gpus; g++) {
        if (!group_word(t, g, WORD_IDLE))
            return false;
        *sum += group_word(t, g, word);
    }
    return true;
}

/* Returns whether the search is over, if this GPU has nothing to do: no other
 * has, and nothing is under way. (Mattern 1987: the sum of received updates is
 * read first; if the sum of those sent, read later, is not larger, no GPU had
 * anything to receive in between, and therefore none sent anything.) */
static bool is_over(const struct traverse_side *side)
{
    uint64_t taken, sent;

    return idle_sum(side->group, WORD_TAKEN, &taken) &&
           idle_sum(side->group, WORD_SENT, &sent) && taken == sent;
}

/* Waits for updates; returns false if the search is over. */
static bool wait_for_more(struct traverse_side *side, struct discrete *d)
{
    if (!side_peers(side))
        return false;
    group_publish(side, WORD_SENT, sent_by(side, d));
    group_publish(side, WORD_TAKEN, taken_by(side, d));
    group_publish(side, WORD_IDLE, 1);
    while (!has_come(side, d))
        if (is_over(side))
            return false;
    group_publish(side, WORD_IDLE, 0);
    return true;
}

void discrete_run(struct traverse_side *side)
{
    struct discrete *d = side->state;

    do
        while ((carried(side) && take_brought(side, d)) || take_near(side, d) ||
               raise_threshold(side, d))
            ;
    while (wait_for_more(side, d));
}

/* --- breadth-first search ------------------------------------------------- */

static int depths_range(const struct search_side *v,
                        const struct search_range *r, void *stream)
{
    return search_discrete_start(&v->s, r, stream);
}

static int depths_received(const struct search_side *v,
                           const struct search_update *list, uint32_t n,
                           void *stream)
{
    return search_received_start(&v->s, list, n, stream);
}

static int depths_begin(struct traverse_side *side, struct err *err)
{
    static const struct search_kernels depths = {depths_range, depths_received};

    return discrete_begin(side, search_room, &depths, err);
}

static void depths_reset(struct traverse_side *side)
{
    struct search_side *v = side->state;

    search_reset(side);
    v->s.threshold = side->group->how.delta;
    discrete_start(side, side->gpu == side->group->source_gpu);
}

const struct traverse_execution bfs_discrete_execution = {
    .name = "discrete-priority",
    .algorithm = "bfs",
    .deltas = true,
    .transfers =
        1u << TRANSFER_STORE | 1u << TRANSFER_COPY | 1u << TRANSFER_RING,
    .bytes = search_bytes,
    .begin = depths_begin,
    .reset = depths_reset,
    .connect = search_connect,
    .run = discrete_run,
    .collect = search_collect,
    .end = discrete_end,
};

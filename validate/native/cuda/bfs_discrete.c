/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' search with priority: one kernel after the other for the present
 * contents of the queues; the threshold rises if no vertex is below it. */
#include "validate/native/cuda/bfs_search.h"
#include "validate/native/cuda/traverse_sender.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

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
enum { TOLD_SENT, TOLD_TAKEN, TOLD_IDLE, TOLD_COPIES, TOLD_BROUGHT };

/* The progress of a run with a peer. */
struct peer_progress {
    uint32_t inbox, inbox_end; /* places dequeued; known */
    uint64_t brought, taken;   /* updates by the CPU's copies */
    uint32_t seen_end; /* end of the inbox, with a latency: not due yet */
    double seen_s;
};
/* The progress of a run on this GPU. */
struct progress {
    struct sender sender; /* for a ring */
    uint32_t near, far;   /* places dequeued */
    uint32_t near_end, far_end;
    struct peer_progress peer[TRAVERSE_PEERS];
    unsigned copies; /* number of copies by the sender */
};

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

static const struct search_kernels depths = {depths_range, depths_received};

void discrete_room(struct traverse_side *side)
{
    struct search_side *v = side->state;

    v->room = xcalloc(1, sizeof(struct progress));
}

static int discrete_begin(struct traverse_side *side, struct err *err)
{
    if (search_begin(side, true, search_room, err) < 0)
        return -1;
    ((struct search_side *)side->state)->kernels = &depths;
    discrete_room(side);
    struct progress *p = ((struct search_side *)side->state)->room;
    return side->team->how.transfer == TRANSFER_RING
               ? sender_begin(&p->sender, side, err)
               : 0;
}

static void discrete_end(struct traverse_side *side)
{
    struct progress *p = ((struct search_side *)side->state)->room;

    if (p)
        sender_end(&p->sender);
    search_end_side(side);
}

void discrete_start(struct traverse_side *side, uint32_t near_end)
{
    struct search_side *v = side->state;

    struct progress *p = v->room;
    unsigned copies = p->copies; /* because its sender continues to count */

    memset((char *)p + sizeof p->sender, 0, sizeof *p - sizeof p->sender);
    p->near_end = near_end;
    p->copies = copies;
    for (unsigned w = 0; w < SIDE_WORDS; w++) {
        side->words[w] = 0;
        team_tell(side, w, 0);
    }
    team_tell(side, TOLD_COPIES, copies);
}

static void discrete_reset(struct traverse_side *side)
{
    struct search_side *v = side->state;

    search_reset(side);
    v->s.threshold = side->team->how.delta;
    discrete_start(side, side->gpu == side->team->source_gpu);
}

static bool carried(const struct traverse_side *side)
{
    return side_peers(side) && side->team->how.transfer != TRANSFER_STORE;
}

/* Notes the end of an inbox that the host has read; it counts once the latency
 * is over. */
static void look_at_inbox(struct traverse_side *side, struct peer_progress *p,
                          uint32_t end)
{
    double now = seconds();

    if (now >= p->seen_s + side->team->how.latency_s)
        p->inbox_end = p->seen_end;
    if (p->inbox_end == p->seen_end && end != p->seen_end) {
        p->seen_end = end;
        p->seen_s = now;
    }
    if (!(side->team->how.latency_s > 0))
        p->inbox_end = end;
}

static void look_at_inboxes(struct traverse_side *side, struct progress *p)
{
    for (unsigned i = 0; i < side_peers(side); i++)
        look_at_inbox(side, &p->peer[i], (uint32_t)side->words[READ_INBOX + i]);
}

static void read_ends(struct traverse_side *side, unsigned word,
                      const struct queue_counters *at, unsigned n)
{
    search_read_ends(side, word, at, n, side->stream);
}

/* Reads the ends of the queues after a kernel. */
static void look_at_queues(struct traverse_side *side, struct search_side *v,
                           struct progress *p)
{
    read_ends(side, READ_NEAR, v->s.local.at, 1);
    read_ends(side, READ_FAR, v->s.far.at, 1);
    if (carried(side))
        read_ends(side, READ_OUTBOX, v->out, side_peers(side));
    else if (side_peers(side))
        read_ends(side, READ_INBOX, v->in, side_peers(side));
    side_sync(side);
    p->near_end = (uint32_t)side->words[READ_NEAR];
    p->far_end = (uint32_t)side->words[READ_FAR];
    look_at_inboxes(side, p);
}

/* Returns the updates that a peer has brought. */
static uint64_t brought_by(const struct traverse_side *side, unsigned peer)
{
    return team_told(side->team, side_peer(side, peer)->gpu,
                     TOLD_BROUGHT + side_as_peer(side, peer));
}

/* Returns whether anything has arrived; called if there is nothing to do. */
static bool has_come(struct traverse_side *side, struct search_side *v,
                     struct progress *p)
{
    if (!carried(side)) {
        read_ends(side, READ_INBOX, v->in, side_peers(side));
        side_sync(side);
        look_at_inboxes(side, p);
    }
    for (unsigned i = 0; i < side_peers(side); i++) {
        const struct peer_progress *from = &p->peer[i];
        if (carried(side) ? brought_by(side, i) != from->taken
                          : from->inbox_end != from->inbox)
            return true;
    }
    return false;
}

/* --- the CPU's copies ----------------------------------------------------- */

/* Copies the updates that the kernel has added to the outbox for a peer behind
 * those that were brought before, in this thread or in the one that sends.
 * Returns whether there were any. */
static bool copy_updates(struct traverse_side *side, struct search_side *v,
                         struct progress *p, unsigned peer)
{
    struct traverse_side *other = side_peer(side, peer);
    struct search_side *to = other->state;
    uint64_t at = p->peer[peer].brought;
    uint64_t n = (uint32_t)side->words[READ_OUTBOX + peer] - at;
    const struct search_update *from = &v->s.peer[peer].outbox.items[at];
    struct search_update *there = &to->received[side_as_peer(side, peer)][at];

    if (!n)
        return false;
    if (at + n > to->received_room)
        native_die("%s: GPU %u receives more than %llu updates",
                   side->team->how.x->name, other->gpu,
                   (unsigned long long)to->received_room);
    if (side->team->how.transfer == TRANSFER_RING) {
        sender_send(&p->sender, there, from, n * sizeof *from);
        team_tell(side, TOLD_COPIES, ++p->copies);
    } else {
        spin_for(side->team->how.latency_s);
        CUDA_DIE(cudaMemcpyPeerAsync(there, other->device, from, side->device,
                                     n * sizeof *from, side->stream));
    }
    p->peer[peer].brought += n;
    side->counts.bytes += n * sizeof *from;
    return true;
}

/* Copies all updates to the other GPUs, then tells their threads. */
static void bring(struct traverse_side *side, struct search_side *v,
                  struct progress *p)
{
    bool any = false;

    for (unsigned i = 0; i < side_peers(side); i++)
        any |= copy_updates(side, v, p, i);
    if (any && side->team->how.transfer != TRANSFER_RING)
        side_sync(side);
    for (unsigned i = 0; any && i < side_peers(side); i++)
        team_tell(side, TOLD_BROUGHT + i, p->peer[i].brought);
}

/* Puts the updates that a peer has brought into the near queue; returns whether
 * there were any. */
static bool take_from(struct traverse_side *side, struct search_side *v,
                      struct peer_progress *p, unsigned peer)
{
    uint64_t there = brought_by(side, peer);

    if (there == p->taken)
        return false;
    if (side->team->how.transfer == TRANSFER_RING) {
        struct traverse_side *other = side_peer(side, peer);
        struct search_side *from = other->state;
        unsigned copies =
            (unsigned)team_told(side->team, other->gpu, TOLD_COPIES);
        sender_await(&((struct progress *)from->room)->sender, copies,
                     side->stream);
    }
    if (!(side->begin_s > 0))
        side_begin_work(side);
    CUDA_DIE(v->kernels->received(v, &v->received[peer][p->taken],
                                  (uint32_t)(there - p->taken), side->stream));
    side->counts.received += there - p->taken;
    p->taken = there;
    return true;
}

static bool take_brought(struct traverse_side *side, struct search_side *v,
                         struct progress *p)
{
    bool any = false;

    for (unsigned i = 0; i < side_peers(side); i++)
        any |= take_from(side, v, &p->peer[i], i);
    if (any)
        look_at_queues(side, v, p);
    return any;
}

/* --- steps ---------------------------------------------------------------- */

static bool take_near(struct traverse_side *side, struct search_side *v,
                      struct progress *p)
{
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
    CUDA_DIE(v->kernels->discrete(v, &r, side->stream));
    p->near = p->near_end;
    side->counts.visits += visits;
    look_at_queues(side, v, p);
    if (carried(side))
        bring(side, v, p);
    return true;
}

static bool raise_threshold(struct traverse_side *side, struct search_side *v,
                            struct progress *p)
{
    uint32_t n = p->far_end - p->far;

    if (!n)
        return false;
    v->s.threshold += side->team->how.delta;
    side_begin_work(side);
    CUDA_DIE(search_raise_start(&v->s, p->far, n, side->stream));
    p->far += n;
    look_at_queues(side, v, p);
    return true;
}

/* --- the end -------------------------------------------------------------- */

static uint64_t sent_by(struct traverse_side *side, struct search_side *v,
                        const struct progress *p)
{
    uint64_t sent = 0;

    for (unsigned i = 0; i < side_peers(side); i++)
        sent += p->peer[i].brought;
    if (carried(side))
        return sent;
    CUDA_DIE(cudaMemcpyAsync(&side->words[READ_SENT], &v->s.status->sent, 8,
                             cudaMemcpyDeviceToHost, side->stream));
    side_sync(side);
    return side->words[READ_SENT];
}

static uint64_t taken_by(const struct traverse_side *side,
                         const struct progress *p)
{
    uint64_t taken = 0;

    for (unsigned i = 0; i < side_peers(side); i++)
        taken += carried(side) ? p->peer[i].taken : p->peer[i].inbox;
    return taken;
}

/* Sums a word over all GPUs; returns false if one of them is not idle. */
static bool idle_sum(const struct traverse_team *t, unsigned word,
                     uint64_t *sum)
{
    *sum = 0;
    for (unsigned g = 0; g < t->how.gpus; g++) {
        if (!team_told(t, g, TOLD_IDLE))
            return false;
        *sum += team_told(t, g, word);
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

    return idle_sum(side->team, TOLD_TAKEN, &taken) &&
           idle_sum(side->team, TOLD_SENT, &sent) && taken == sent;
}

/* Waits for updates; returns false if the search is over. */
static bool wait_for_more(struct traverse_side *side, struct search_side *v,
                          struct progress *p)
{
    if (!side_peers(side))
        return false;
    team_tell(side, TOLD_SENT, sent_by(side, v, p));
    team_tell(side, TOLD_TAKEN, taken_by(side, p));
    team_tell(side, TOLD_IDLE, 1);
    while (!has_come(side, v, p))
        if (is_over(side))
            return false;
    team_tell(side, TOLD_IDLE, 0);
    return true;
}

void discrete_run(struct traverse_side *side)
{
    struct search_side *v = side->state;
    struct progress *p = v->room;

    do
        while ((carried(side) && take_brought(side, v, p)) ||
               take_near(side, v, p) || raise_threshold(side, v, p))
            ;
    while (wait_for_more(side, v, p));
}

const struct traverse_execution bfs_discrete_execution = {
    .name = "discrete-priority",
    .algorithm = "bfs",
    .deltas = true,
    .transfers =
        1u << TRANSFER_STORE | 1u << TRANSFER_COPY | 1u << TRANSFER_RING,
    .bytes = search_bytes,
    .begin = discrete_begin,
    .reset = discrete_reset,
    .connect = search_connect,
    .run = discrete_run,
    .collect = search_collect,
    .end = discrete_end,
    .values = search_values,
};

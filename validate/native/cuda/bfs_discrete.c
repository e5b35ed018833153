/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atos' search with priority: a kernel for what is there, again and again; the
 * threshold rises when nothing is below it. */
#include "validate/native/cuda/bfs_search.h"
#include "validate/native/cuda/traverse_sender.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

/* Words of pinned memory: what the host reads after a kernel. */
enum { READ_NEAR, READ_FAR, READ_INBOX, READ_OUTBOX };
/* What the threads tell each other. */
enum { TOLD_SENT, TOLD_TAKEN, TOLD_IDLE, TOLD_COPIES };

/* How far a run has come on this GPU. */
struct progress {
    struct sender sender;      /* of a ring */
    uint32_t near, far, inbox; /* places taken */
    uint32_t near_end, far_end, inbox_end;
    uint64_t sent;           /* to the other GPU */
    uint64_t brought, taken; /* updates by the CPU's copies */
    uint32_t seen_end;       /* of the inbox, with a latency: not due yet */
    double seen_s;
    unsigned copies; /* by the sender */
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
    unsigned copies = p->copies; /* its sender counts on */

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

static bool several(const struct traverse_side *side)
{
    return side->team->how.gpus > 1;
}

static bool carried(const struct traverse_side *side)
{
    return several(side) && side->team->how.transfer != TRANSFER_STORE;
}

static void read_end(struct traverse_side *side, unsigned word,
                     const struct queue_counters *at)
{
    CUDA_DIE(cudaMemcpyAsync(&side->words[word], &at->end.value,
                             sizeof at->end.value, cudaMemcpyDeviceToHost,
                             side->stream));
}

/* What the host has read of the inbox counts when the latency is over. */
static void look_at_inbox(struct traverse_side *side, struct progress *p)
{
    uint32_t end = (uint32_t)side->words[READ_INBOX];
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

/* After a kernel: what is in the queues now. */
static void look_at_queues(struct traverse_side *side, struct search_side *v,
                           struct progress *p)
{
    read_end(side, READ_NEAR, v->s.local.at);
    read_end(side, READ_FAR, v->s.far.at);
    if (several(side) && !carried(side))
        read_end(side, READ_INBOX, v->s.inbox.at);
    if (carried(side))
        read_end(side, READ_OUTBOX, v->s.outbox.at);
    side_sync(side);
    p->near_end = (uint32_t)side->words[READ_NEAR];
    p->far_end = (uint32_t)side->words[READ_FAR];
    look_at_inbox(side, p);
}

/* When nothing is to be done: what has come. */
static bool has_come(struct traverse_side *side, struct search_side *v,
                     struct progress *p)
{
    if (carried(side))
        return team_told(side->team, !side->gpu, TOLD_SENT) != p->taken;
    read_end(side, READ_INBOX, v->s.inbox.at);
    side_sync(side);
    look_at_inbox(side, p);
    return p->inbox_end != p->inbox;
}

/* --- the CPU's copies -----------------------------------------------------
 */

static void copy_updates(struct traverse_side *side, struct search_update *to,
                         const struct search_update *from, uint64_t n)
{
    spin_for(side->team->how.latency_s);
    CUDA_DIE(cudaMemcpyPeerAsync(to, (int)side_other(side)->gpu, from,
                                 (int)side->gpu, n * sizeof *from,
                                 side->stream));
    side_sync(side);
}

/* What the kernel has added to the outbox goes behind what was brought before,
 * by this thread or by the one that sends; then the other GPU's is told. */
static void bring(struct traverse_side *side, struct search_side *v,
                  struct progress *p)
{
    struct traverse_side *other = side_other(side);
    struct search_side *to = other->state;
    const struct search_update *from = &v->s.outbox.items[p->brought];
    uint64_t n = (uint32_t)side->words[READ_OUTBOX] - p->brought;

    if (!n)
        return;
    if (p->brought + n > to->received_room)
        native_die("%s: GPU %u receives more than %llu updates",
                   side->team->how.x->name, other->gpu,
                   (unsigned long long)to->received_room);
    if (side->team->how.transfer == TRANSFER_RING) {
        sender_send(&p->sender, &to->received[p->brought], from,
                    n * sizeof *from);
        team_tell(side, TOLD_COPIES, ++p->copies);
    } else {
        copy_updates(side, &to->received[p->brought], from, n);
    }
    p->brought += n;
    side->counts.bytes += n * sizeof *from;
    team_tell(side, TOLD_SENT, p->brought);
}

/* What has come by then is put into the near queue: in a ring, split. */
static bool take_brought(struct traverse_side *side, struct search_side *v,
                         struct progress *p)
{
    uint64_t there = team_told(side->team, !side->gpu, TOLD_SENT);

    if (there == p->taken)
        return false;
    if (side->team->how.transfer == TRANSFER_RING) {
        struct search_side *from = side_other(side)->state;
        unsigned copies =
            (unsigned)team_told(side->team, !side->gpu, TOLD_COPIES);
        sender_await(&((struct progress *)from->room)->sender, copies,
                     side->stream);
    }
    side_begin_work(side);
    CUDA_DIE(v->kernels->received(v, &v->received[p->taken],
                                  (uint32_t)(there - p->taken), side->stream));
    look_at_queues(side, v, p);
    side->counts.received += there - p->taken;
    p->taken = there;
    return true;
}

/* --- steps ----------------------------------------------------------------
 */

static bool take_near(struct traverse_side *side, struct search_side *v,
                      struct progress *p)
{
    struct search_range r = {p->near, p->near_end - p->near, p->inbox,
                             p->inbox_end - p->inbox};

    if (!r.n && !r.inbox_n)
        return false;
    side_begin_work(side);
    CUDA_DIE(v->kernels->discrete(v, &r, side->stream));
    p->near += r.n;
    p->inbox += r.inbox_n;
    side->counts.visits += r.n + r.inbox_n;
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

/* --- the end --------------------------------------------------------------
 */

static uint64_t sent_by(struct traverse_side *side, struct search_side *v,
                        const struct progress *p)
{
    if (carried(side))
        return p->brought;
    CUDA_DIE(cudaMemcpyAsync(&side->words[READ_OUTBOX], &v->s.status->sent, 8,
                             cudaMemcpyDeviceToHost, side->stream));
    side_sync(side);
    return side->words[READ_OUTBOX];
}

/* Nothing to do here: nor there, and nothing under way? What the other has told
 * before it became idle holds until something of this GPU reaches it. */
static bool is_over(struct traverse_side *side, uint64_t sent, uint64_t taken)
{
    const struct traverse_team *t = side->team;
    unsigned other = !side->gpu;

    return team_told(t, other, TOLD_IDLE) &&
           team_told(t, other, TOLD_SENT) == taken &&
           team_told(t, other, TOLD_TAKEN) == sent;
}

/* False: it is over; true: something came. */
static bool wait_for_more(struct traverse_side *side, struct search_side *v,
                          struct progress *p)
{
    if (!several(side))
        return false;
    uint64_t sent = sent_by(side, v, p);
    uint64_t taken = carried(side) ? p->taken : p->inbox;

    team_tell(side, TOLD_SENT, sent);
    team_tell(side, TOLD_TAKEN, taken);
    team_tell(side, TOLD_IDLE, 1);
    while (!has_come(side, v, p))
        if (is_over(side, sent, taken))
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

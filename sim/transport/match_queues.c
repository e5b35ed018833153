/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the queues of messages and receives, and simulates the engines that
 * search them for pairs. */
#include "sim/transport/match_queues.h"

#include "base/err.h"
#include "sim/transport/matcher.h"
#include "sim/transport/envelopes.h"
#include "sim/transport/walk.h"

#include <stdlib.h>

/* The operations in an engine's memory, which no pass has removed. */
struct match_queue {
    struct walk messages, receives;
};

struct match_pair {
    uint32_t send, recv;
    struct envelope e; /* without wildcards, if equal ones are counted */
    uint32_t queue;
    uint32_t place; /* index of the message in its queue when the pass begins */
};

struct match_pairs {
    struct match_pair *list;
    uint32_t n, room;
};

/* of[n] is the number of pairs of source and tag that have n receives each. */
struct match_likes {
    uint32_t *of;
    uint32_t most, room;
};

/* The state of a rank in one communicator, linked to those of its others. */
struct match_server {
    struct match_server *next;
    struct match_queues *all;
    struct match_counts counts;
    struct match_queue *queues; /* NULL if it has no engine of its own */
    struct match_pairs found;   /* for the next pass */
    struct match_pairs taken;   /* by the current pass */
    struct match_likes likes;
    bool busy;
    bool changed; /* since the last pass began */
};

struct match_queues {
    const struct matching *l;
    const struct match_engine *by; /* NULL if there is none */
    struct engine *engine;
    struct match_listener listener;
    struct match_server **servers; /* one list per rank */
    uint32_t ranks;
    unsigned nqueues; /* queues per engine */
    /* Indexed by operation: its ticket in its queue; NULL if there are no
     * engines. */
    uint32_t *ticket;
    struct match_search *searches; /* scratch, one per queue */
    bool counts_equal;
    struct envelopes equal; /* sent or posted, and not removed by a pass */
    struct match_broken broken;
};

struct match_queues *match_queues_new(const struct matching *l,
                                      struct engine *engine, uint32_t ranks,
                                      size_t nops,
                                      struct match_listener listener)
{
    struct match_queues *q = xcalloc(1, sizeof *q);

    q->l = l;
    q->by = matchers[l->engine];
    q->engine = engine;
    q->listener = listener;
    q->ranks = ranks;
    q->servers = xcalloc(ranks, sizeof *q->servers);
    q->nqueues = q->by && q->by->partitions ? l->queues : 1;
    q->counts_equal =
        l->engine == MATCHER_HASH || l->forbids >> FORBID_EQUAL & 1;
    if (q->by && q->by->on_gpu) {
        q->ticket = xcalloc(nops, sizeof *q->ticket);
        q->searches = xcalloc(q->nqueues, sizeof *q->searches);
    }
    return q;
}

static void server_free(struct match_server *s)
{
    for (unsigned i = 0; s->queues && i < s->all->nqueues; i++) {
        walk_clear(&s->queues[i].messages);
        walk_clear(&s->queues[i].receives);
    }
    free(s->queues);
    free(s->found.list);
    free(s->taken.list);
    free(s->likes.of);
    free(s);
}

void match_queues_free(struct match_queues *q)
{
    if (!q)
        return;
    for (uint32_t r = 0; r < q->ranks; r++)
        for (struct match_server *s = q->servers[r], *next; s; s = next) {
            next = s->next;
            server_free(s);
        }
    free(q->servers);
    free(q->ticket);
    free(q->searches);
    envelopes_clear(&q->equal);
    free(q);
}

static struct match_server *server_of(struct match_queues *q, struct envelope e)
{
    struct match_server **at = &q->servers[e.dst];

    while (*at && (*at)->counts.context != e.context)
        at = &(*at)->next;
    if (*at)
        return *at;
    *at = xcalloc(1, sizeof **at);
    (*at)->all = q;
    (*at)->counts = (struct match_counts){.rank = e.dst, .context = e.context};
    if (q->ticket)
        (*at)->queues = xcalloc(q->nqueues, sizeof *(*at)->queues);
    return *at;
}

/* --- equal operations ----------------------------------------------------- */

static void break_rule(struct match_queues *q, enum forbidden rule, uint32_t op,
                       uint32_t other)
{
    if (!q->broken.is_broken && q->l->forbids >> rule & 1)
        q->broken = (struct match_broken){true, rule, op, other};
}

/* Counts a source and tag that had `before` receives and now has `now`, one
 * more or one less. */
static void likes_change(struct match_likes *l, uint32_t before, uint32_t now)
{
    if (now >= l->room) {
        uint32_t room = 2 * now + 4;
        l->of = xrealloc(l->of, room, sizeof *l->of);
        for (uint32_t i = l->room; i < room; i++)
            l->of[i] = 0;
        l->room = room;
    }
    l->of[before] -= before > 0;
    l->of[now] += now > 0;
    if (now > l->most)
        l->most = now;
    while (l->most && !l->of[l->most])
        l->most--;
}

static void equal_add(struct match_queues *q, struct match_server *s,
                      struct envelope e, bool receives, uint32_t op)
{
    if (!q->counts_equal)
        return;
    struct envelope_entry *all = envelopes_want(&q->equal, e, receives);
    uint32_t before = all->last, n = ++all->n;
    all->last = op;
    if (receives)
        likes_change(&s->likes, n - 1, n);
    if (n > 1)
        break_rule(q, FORBID_EQUAL, op, before);
}

/* Removes one of the operations with this envelope, and returns how many there
 * were. */
static uint32_t equal_less(struct match_queues *q, struct envelope e,
                           bool receives)
{
    struct envelope_entry *all = envelopes_find(&q->equal, e, receives);
    uint32_t n = all->n--;

    if (n == 1)
        envelopes_drop(&q->equal, all);
    return n;
}

/* Removes both operations of a pair. */
static void equal_drop(struct match_queues *q, struct match_server *s,
                       struct envelope e)
{
    if (!q->counts_equal)
        return;
    equal_less(q, e, false);
    uint32_t n = equal_less(q, e, true);
    likes_change(&s->likes, n, n - 1);
}

/* --- a pass --------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct match_pair *x = a, *y = b;

    if (x->queue != y->queue)
        return x->queue < y->queue ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Gives the known pairs to the pass, sorted by queue and by the order of their
 * messages. */
static void pass_take(struct match_server *s)
{
    struct match_pairs empty = s->taken;

    s->taken = s->found;
    s->found = empty;
    s->found.n = 0;
    for (uint32_t i = 0; i < s->taken.n; i++) {
        struct match_pair *p = &s->taken.list[i];
        p->place =
            walk_before(&s->queues[p->queue].messages, s->all->ticket[p->send]);
    }
    if (s->taken.n > 1)
        qsort(s->taken.list, s->taken.n, sizeof *s->taken.list, by_place);
}

/* Returns how many of the remaining receives are looked at for a group of
 * messages, n of which have pairs, from *p on. Removes the receives of these
 * pairs. */
static uint32_t pass_group(struct match_server *s, struct match_queue *queue,
                           const struct match_pair *p, uint32_t n, bool all_fit)
{
    uint32_t last = 0, left = queue->receives.length;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = walk_before(&queue->receives, s->all->ticket[p[i].recv]);
        last = at >= last ? at + 1 : last;
    }
    for (uint32_t i = 0; i < n; i++)
        walk_leave(&queue->receives, s->all->ticket[p[i].recv]);
    return all_fit ? last : left;
}

/* Searches a queue for pairs p[0] to p[n - 1] with `rows` messages at a time.
 * It does the same as match_search() in matching_matrix.c, but with the true
 * places. */
static struct match_search pass_search(struct match_server *s,
                                       struct match_queue *queue,
                                       const struct match_pair *p, uint32_t n,
                                       unsigned rows)
{
    uint32_t messages = queue->messages.length, i = 0;
    uint32_t groups = (messages + rows - 1) / rows, group = 0;
    struct match_search r = {.messages = messages};

    while (group < groups && queue->receives.length) {
        uint32_t next = i < n ? p[i].place / rows : groups, hits = 0;
        uint32_t size =
            (group + 1) * rows > messages ? messages - group * rows : rows;
        if (next > group) { /* no message of these groups has a receive */
            r.passes += next - group;
            r.columns += (double)(next - group) * queue->receives.length;
            group = next;
            continue;
        }
        while (i + hits < n && p[i + hits].place / rows == group)
            hits++;
        r.passes++;
        r.columns += pass_group(s, queue, &p[i], hits, hits == size);
        r.hits += hits;
        i += hits;
        group++;
    }
    for (i = 0; i < n; i++)
        walk_leave(&queue->messages, s->all->ticket[p[i].send]);
    return r;
}

static double pass_matrix_s(struct match_server *s)
{
    struct match_queues *q = s->all;
    unsigned active = 0;
    uint32_t longest = 0, at = 0;

    for (unsigned i = 0; i < q->nqueues; i++) {
        const struct match_queue *queue = &s->queues[i];
        if (!queue->messages.length || !queue->receives.length)
            continue;
        active++;
        if (queue->messages.length > longest)
            longest = queue->messages.length;
    }
    struct match_layout how = match_layout(q->l, active, longest);
    unsigned n = 0;
    for (unsigned i = 0; i < q->nqueues; i++) {
        struct match_queue *queue = &s->queues[i];
        uint32_t first = at;
        if (!queue->messages.length || !queue->receives.length)
            continue;
        while (at < s->taken.n && s->taken.list[at].queue == i)
            at++;
        q->searches[n++] =
            pass_search(s, queue, &s->taken.list[first], at - first, how.rows);
    }
    return match_matrix_s(q->l, how, q->searches, n,
                          !(q->l->forbids >> FORBID_UNEXPECTED & 1));
}

static double pass_hash_s(struct match_server *s)
{
    struct match_queue *queue = &s->queues[0];
    double messages = queue->messages.length;
    double receives = queue->receives.length;
    uint32_t equal = s->likes.most;

    for (uint32_t i = 0; i < s->taken.n; i++) {
        const struct match_pair *p = &s->taken.list[i];
        walk_leave(&queue->messages, s->all->ticket[p->send]);
        walk_leave(&queue->receives, s->all->ticket[p->recv]);
    }
    return match_hash_s(s->all->l, messages, receives, equal);
}

static bool pass_wanted(const struct match_server *s)
{
    if (s->busy || !s->changed)
        return false;
    for (unsigned i = 0; i < s->all->nqueues; i++)
        if (s->queues[i].messages.length && s->queues[i].receives.length)
            return true;
    return false;
}

static void pass_over(void *arg);

/* Begins a pass, unless there are only messages, or only receives. */
static void pass_begin(struct match_server *s)
{
    struct match_queues *q = s->all;

    if (!pass_wanted(s))
        return;
    s->busy = true;
    s->changed = false;
    pass_take(s);
    double pass_s =
        q->l->engine == MATCHER_HASH ? pass_hash_s(s) : pass_matrix_s(s);
    for (uint32_t i = 0; i < s->taken.n; i++)
        equal_drop(q, s, s->taken.list[i].e);
    s->counts.passes++;
    s->counts.busy_s += pass_s;
    if (s->taken.n > s->counts.most_waiting)
        s->counts.most_waiting = s->taken.n;
    engine_after(q->engine, pass_s, pass_over, s);
}

/* Ends a pass. Its matches may change the queues at once, which is left to the
 * next pass. */
static void pass_over(void *arg)
{
    struct match_server *s = arg;
    const struct match_listener *to = &s->all->listener;

    for (uint32_t i = 0; i < s->taken.n; i++)
        to->matched(to->user, s->taken.list[i].send, s->taken.list[i].recv);
    s->busy = false;
    pass_begin(s);
}

/* --- arrivals and postings ------------------------------------------------ */

static void length_in(struct match_length *l)
{
    if (++l->now > l->most)
        l->most = l->now;
}

/* Counts a search through `in`, which found an entry there; if not, the
 * operation that searched goes into `own`. */
static void lengths_add(struct match_length *in, struct match_length *own,
                        bool found)
{
    in->searches++;
    in->sum += in->now;
    if (found)
        in->now--;
    else
        length_in(own);
}

static void pairs_add(struct match_pairs *p, struct match_pair pair)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 16;
        p->list = xrealloc(p->list, p->room, sizeof *p->list);
    }
    p->list[p->n++] = pair;
}

/* Adds a message or a receive to an engine's queue, and the pair of a found
 * match. The envelope has the true sender, even if the receive has a
 * wildcard. */
static bool server_add(struct match_server *s, struct walk *to, uint32_t op,
                       struct match_pair pair)
{
    s->all->ticket[op] = walk_enter(to);
    s->changed = true;
    if (pair.send != MATCH_NONE && pair.recv != MATCH_NONE)
        pairs_add(&s->found, pair);
    pass_begin(s);
    return true;
}

void match_queues_sent(struct match_queues *q, uint32_t send, struct envelope e)
{
    equal_add(q, NULL, e, false, send);
}

bool match_queues_arrival(struct match_queues *q, uint32_t send, uint32_t recv,
                          struct envelope e)
{
    struct match_server *s = server_of(q, e);
    uint32_t i = e.src % q->nqueues;

    lengths_add(&s->counts.prq, &s->counts.umq, recv != MATCH_NONE);
    if (recv == MATCH_NONE)
        break_rule(q, FORBID_UNEXPECTED, send, MATCH_NONE);
    if (s->queues)
        return server_add(s, &s->queues[i].messages, send,
                          (struct match_pair){send, recv, e, i, 0});
    if (recv != MATCH_NONE)
        equal_drop(q, s, e);
    return false;
}

bool match_queues_posting(struct match_queues *q, uint32_t recv, uint32_t send,
                          struct envelope e)
{
    struct match_server *s = server_of(q, e);
    uint32_t i = q->nqueues > 1 ? e.src % q->nqueues : 0;

    lengths_add(&s->counts.umq, &s->counts.prq, send != MATCH_NONE);
    equal_add(q, s, e, true, recv);
    if (s->queues)
        return server_add(s, &s->queues[i].receives, recv,
                          (struct match_pair){send, recv, e, i, 0});
    if (send != MATCH_NONE)
        equal_drop(q, s, e);
    return false;
}

/* --- results -------------------------------------------------------------- */

struct match_broken match_queues_broken(const struct match_queues *q)
{
    return q->broken;
}

static int by_context(const void *a, const void *b)
{
    const struct match_counts *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->context < y->context ? -1 : x->context > y->context;
}

struct match_counts *match_queues_counts(const struct match_queues *q,
                                         size_t *n)
{
    struct match_counts *list;
    size_t all = 0;

    for (uint32_t r = 0; r < q->ranks; r++)
        for (const struct match_server *s = q->servers[r]; s; s = s->next)
            all++;
    list = xcalloc(all, sizeof *list);
    *n = 0;
    for (uint32_t r = 0; r < q->ranks; r++)
        for (const struct match_server *s = q->servers[r]; s; s = s->next)
            list[(*n)++] = s->counts;
    if (*n)
        qsort(list, *n, sizeof *list, by_context);
    return list;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the time of the ranks of a replay into parts, and attributes waits to
 * the ranks that caused them. */
#include "apps/replay/report.h"

#include "apps/replay/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const replay_late_names[NREPLAY_WAITS] = {
    [REPLAY_RECEIVE] = "late senders",
    [REPLAY_SEND] = "late receivers",
    [REPLAY_COLLECTIVE] = "late to collectives, phases",
    [REPLAY_OTHER] = "others",
};

const char *const replay_transfer_names[NREPLAY_WAITS] = {
    [REPLAY_RECEIVE] = "messages on their way",
    [REPLAY_SEND] = "sends on their way",
    [REPLAY_COLLECTIVE] = "collectives, phases under way",
    [REPLAY_OTHER] = "others under way",
};

/* A stretch of time in which a rank could not continue. */
struct wait {
    double from_s, late_s, to_s; /* `whom` is late until late_s */
    uint32_t rank, whom;
    /* Seconds of it in which its CPU was busy. */
    float busy_late_s, busy_rest_s;
    uint8_t kind; /* enum replay_wait */
};

struct walk {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    struct replay_times *t;
    uint32_t slots; /* ranks of the plan, some perhaps unused */
    struct wait *waits;
    size_t nwaits, room;
    size_t *first;     /* for each rank its first wait, once they are sorted */
    double *free_at_s; /* for each rank the time when it continues */
    /* For each rank the operation that ends last; NO_OP if none. */
    uint32_t *last;
    /* For each operation that ranks do together: the last of the ranks that it
     * needs to come, and the time of that. NULL if there are none. */
    double *came_s;
    uint32_t *came;
};

/* --- dependencies --------------------------------------------------------- */

/* Returns the time at which a dependency let its waiter continue, at `ready_s`
 * or before. It is bounded by ready_s, because the time when a message's buffer
 * was free is not known. */
static double dep_end(const struct walk *w, uint32_t dep, double ready_s)
{
    double end_s = w->x->ops[dep & DEP_OP].end_s;

    return dep & AFTER_SENT ? fmin(end_s, ready_s) : end_s;
}

/* Returns the dependency that ended last. One whose end is unknown is returned
 * only if the known ones do not explain the waiter's start. */
static uint32_t last_dep(const struct walk *w, size_t op)
{
    const struct plan *p = w->p;
    double ready_s = w->x->ops[op].ready_s, last_s = -1;
    uint32_t last = NO_OP, unknown = NO_OP;

    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        uint32_t dep = p->deps[d];
        if (dep & FOR_RECEIVE)
            continue;
        if (dep & AFTER_SENT && p->ops[dep & DEP_OP].kind == OP_MSG) {
            unknown = dep & DEP_OP;
            continue;
        }
        double end_s = dep_end(w, dep, ready_s);
        if (end_s <= last_s)
            continue;
        last_s = end_s;
        last = dep & DEP_OP;
    }
    return unknown != NO_OP && last_s < ready_s * (1 - 1e-12) ? unknown : last;
}

/* Returns whether the operation is a wait for several, which is one of 0 s. */
static bool is_join(const struct op *o)
{
    return o->kind == OP_WORK && o->work_s <= 0;
}

static uint32_t behind_joins(const struct walk *w, uint32_t op)
{
    while (op != NO_OP && is_join(&w->p->ops[op]))
        op = last_dep(w, op);
    return op;
}

/* --- waits ---------------------------------------------------------------- */

/* Returns whether the message had to wait for its receive. */
static bool waited_for_receive(const struct walk *w, uint32_t send)
{
    if (!w->x->waits.last)
        return false;
    for (uint32_t i = w->x->waits.last[send]; i;
         i = w->x->waits.list[i - 1].before)
        if (w->x->waits.list[i - 1].cause == CAUSE_MATCH)
            return true;
    return false;
}

/* Finds the rank that was late, and the time at which it reached its end of the
 * operation. */
static void wait_blame(const struct walk *w, struct wait *wait, uint32_t dep)
{
    const struct op *o = &w->p->ops[dep];
    uint32_t other = NO_OP;

    wait->kind = REPLAY_OTHER;
    wait->whom = NO_RANK;
    if (w->came && w->came[dep] != NO_RANK) {
        wait->kind = REPLAY_COLLECTIVE;
        wait->whom = w->came[dep];
        wait->late_s = w->came_s[dep];
    } else if (o->kind == OP_RECV) {
        wait->kind = REPLAY_RECEIVE;
        other = w->x->partner[dep];
    } else if (o->kind == OP_SEND) {
        wait->kind = REPLAY_SEND;
        if (waited_for_receive(w, dep))
            other = w->x->partner[dep];
    }
    if (other != NO_OP) {
        wait->whom = w->p->ops[other].src;
        wait->late_s = w->x->ops[other].ready_s;
    }
    wait->late_s = fmin(fmax(wait->late_s, wait->from_s), wait->to_s);
    if (wait->whom == wait->rank)
        wait->late_s = wait->from_s;
}

/* Moves a rank to the time at which it reached an operation; before, since it
 * last continued, it waited for dep. */
static void walk_to(struct walk *w, uint32_t rank, double ready_s, uint32_t dep)
{
    double from_s = w->free_at_s[rank];

    if (ready_s <= from_s)
        return;
    w->free_at_s[rank] = ready_s;
    dep = behind_joins(w, dep);
    /* Without a dependency there is no wait, because the rank comes from its
     * own computation. */
    if (dep == NO_OP || w->t->graph)
        return;
    if (w->nwaits == w->room) {
        w->room = w->room ? 2 * w->room : 1024;
        w->waits = xrealloc(w->waits, w->room, sizeof *w->waits);
    }
    struct wait *wait = &w->waits[w->nwaits++];
    *wait = (struct wait){.from_s = from_s, .to_s = ready_s, .rank = rank};
    wait_blame(w, wait, dep);
}

/* --- operations that ranks do together ------------------------------------ */

static void came_later(struct walk *w, uint32_t op, double s, uint32_t who)
{
    if (w->came[op] != NO_RANK && s <= w->came_s[op])
        return;
    w->came_s[op] = s;
    w->came[op] = who;
}

/* Finds for each operation the member that came last: a member that it needs
 * directly, or through another operation of the range. */
static void walk_together(struct walk *w, const struct plan_together *range)
{
    const struct plan *p = w->p;

    for (uint32_t op = range->begin; op < range->end; op++) {
        const struct op *o = &p->ops[op];
        double ready_s = w->x->ops[op].ready_s;
        came_later(w, op, 0, o->src);
        for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
            uint32_t dep = p->deps[d], on = plan_waits_on(o, dep);
            uint32_t before = dep & DEP_OP;
            if (before >= range->begin) {
                came_later(w, op, w->came_s[before], w->came[before]);
                continue;
            }
            double came_s = dep & FOR_RECEIVE ? w->x->ops[before].end_s
                                              : dep_end(w, dep, ready_s);
            came_later(w, op, came_s, on);
            walk_to(w, on, came_s, before);
        }
    }
}

/* --- the walk ------------------------------------------------------------- */

static void ended(struct walk *w, uint32_t rank, uint32_t op)
{
    if (w->last[rank] == NO_OP ||
        w->x->ops[op].end_s >= w->x->ops[w->last[rank]].end_s)
        w->last[rank] = op;
}

static void walk_op(struct walk *w, uint32_t op, bool together)
{
    const struct op *o = &w->p->ops[op];
    const struct op_times *at = &w->x->ops[op];

    ended(w, o->kind == OP_MSG ? o->dst : o->src, op);
    if (together || is_join(o) || o->kind == OP_MSG)
        return;
    walk_to(w, o->src, at->ready_s, last_dep(w, op));
    if (o->kind != OP_WORK)
        return;
    w->t->rank[plan_origin_rank(w->p->origin, o->src)].computing_s +=
        at->end_s - at->start_s;
    w->free_at_s[o->src] = fmax(w->free_at_s[o->src], at->end_s);
}

static void walk_all(struct walk *w)
{
    const struct plan_origin *from = w->p->origin;
    size_t next = 0;

    for (uint32_t op = 0; op < w->p->nops; op++) {
        while (next < from->ntogether && from->together[next].end <= op)
            next++;
        bool together =
            next < from->ntogether && op >= from->together[next].begin;
        if (together && op == from->together[next].begin)
            walk_together(w, &from->together[next]);
        walk_op(w, op, together);
    }
    for (uint32_t rank = 0; rank < w->slots; rank++)
        if (w->last[rank] != NO_OP)
            walk_to(w, rank, w->x->ops[w->last[rank]].end_s, w->last[rank]);
}

/* --- CPUs ----------------------------------------------------------------- */

/* Returns the first wait of a rank that ends after this time; or the end of its
 * waits. */
static size_t first_wait(const struct walk *w, uint32_t rank, double from_s)
{
    size_t low = w->first[rank], high = w->first[rank + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->waits[middle].to_s > from_s)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Adds a time in which the CPU of a rank was busy to the waits that it falls
 * into. */
static void busy_in_waits(struct walk *w, uint32_t rank, double from_s,
                          double to_s)
{
    size_t end = w->first[rank + 1];

    for (size_t i = first_wait(w, rank, from_s);
         i < end && w->waits[i].from_s < to_s; i++) {
        struct wait *wait = &w->waits[i];
        double late_s = fmin(wait->late_s, to_s) - fmax(wait->from_s, from_s);
        double rest_s = fmin(wait->to_s, to_s) - fmax(wait->late_s, from_s);
        wait->busy_late_s += (float)fmax(late_s, 0);
        wait->busy_rest_s += (float)fmax(rest_s, 0);
    }
}

static void busy_op(struct walk *w, uint32_t op)
{
    struct replay_busy of[2];
    int n = replay_busy_of(of, w->m, w->p, w->x, op);

    for (int i = 0; i < n; i++)
        busy_in_waits(w, of[i].rank, of[i].from_s, of[i].to_s);
}

/* --- sums ----------------------------------------------------------------- */

/* Sorts the waits by rank; those of a rank keep their order. */
static void sort_waits(struct walk *w)
{
    uint32_t ranks = w->slots;
    struct wait *sorted = xmalloc(w->nwaits * sizeof *sorted + 1);

    w->first = xcalloc(ranks + 2, sizeof *w->first);
    for (size_t i = 0; i < w->nwaits; i++)
        w->first[w->waits[i].rank + 2]++;
    for (uint32_t r = 2; r < ranks + 2; r++)
        w->first[r] += w->first[r - 1];
    for (size_t i = 0; i < w->nwaits; i++)
        sorted[w->first[w->waits[i].rank + 1]++] = w->waits[i];
    free(w->waits);
    w->waits = sorted;
}

/* Attributes a delay to a rank. The part in which the rank waited itself, for
 * one that was late, is attributed to that one, and so on. Longer chains are
 * cut. */
enum { LONGEST_CHAIN = 256 };

static void lay_to(struct walk *w, uint32_t rank, double from_s, double to_s,
                   double share, int depth)
{
    size_t end = w->first[rank + 1];
    double own_s = to_s - from_s;

    for (size_t i = first_wait(w, rank, from_s);
         depth < LONGEST_CHAIN && i < end && w->waits[i].from_s < to_s; i++) {
        const struct wait *wait = &w->waits[i];
        double a_s = fmax(wait->from_s, from_s);
        double b_s = fmin(wait->late_s, to_s);
        if (wait->whom == NO_RANK || b_s <= a_s)
            continue;
        lay_to(w, wait->whom, a_s, b_s, share, depth + 1);
        own_s -= b_s - a_s;
    }
    w->t->rank[plan_origin_rank(w->p->origin, rank)].caused_s += own_s * share;
}

static void sum_wait(struct walk *w, const struct wait *wait)
{
    const struct plan_origin *from = w->p->origin;
    struct replay_rank_times *k =
        &w->t->rank[plan_origin_rank(from, wait->rank)];
    double late_s =
        fmax(0, wait->late_s - wait->from_s - (double)wait->busy_late_s);
    double rest_s =
        fmax(0, wait->to_s - wait->late_s - (double)wait->busy_rest_s);

    k->waiting_s += late_s + rest_s;
    k->transfer_s[wait->kind] += rest_s;
    if (late_s <= 0)
        return;
    k->late_s[wait->kind] += late_s;
    k->late[wait->kind]++;
    if (wait->whom != NO_RANK)
        lay_to(w, wait->whom, wait->from_s, wait->late_s,
               late_s / (wait->late_s - wait->from_s), 0);
}

static int by_whom(const void *a, const void *b)
{
    const struct wait *x = a, *y = b;

    return x->whom < y->whom ? -1 : x->whom > y->whom;
}

/* Completes the times of a rank; it sorts the rank's waits, because they are
 * summed up already. */
static void report_rank_end(struct walk *w, uint32_t rank)
{
    struct replay_rank_times *k =
        &w->t->rank[plan_origin_rank(w->p->origin, rank)];
    struct wait *of = w->waits + w->first[rank];
    size_t n = w->first[rank + 1] - w->first[rank];
    double sum_s = 0;

    k->end_s = w->x->ops[w->last[rank]].end_s;
    if (n)
        qsort(of, n, sizeof *of, by_whom);
    for (size_t i = 0; i < n && of[i].whom != NO_RANK; i++) {
        if (i == 0 || of[i].whom != of[i - 1].whom)
            sum_s = 0;
        sum_s +=
            fmax(0, of[i].late_s - of[i].from_s - (double)of[i].busy_late_s);
        if (sum_s > k->most_for_s) {
            k->most_for_s = sum_s;
            k->most_for = plan_origin_rank(w->p->origin, of[i].whom);
        }
    }
}

static void sum_ranks(struct replay_times *t)
{
    double most_s = 0;

    for (uint32_t r = 0; r < t->ranks; r++) {
        struct replay_rank_times *k = &t->rank[r];
        if (!t->graph)
            k->messages_s = fmax(0, k->end_s - k->computing_s - k->waiting_s);
        most_s = fmax(most_s, k->computing_s);
        t->sum.end_s += k->end_s;
        t->sum.computing_s += k->computing_s;
        t->sum.messages_s += k->messages_s;
        t->sum.waiting_s += k->waiting_s;
        t->sum.caused_s += k->caused_s;
        for (int kind = 0; kind < NREPLAY_WAITS; kind++) {
            t->sum.late_s[kind] += k->late_s[kind];
            t->sum.transfer_s[kind] += k->transfer_s[kind];
            t->sum.late[kind] += k->late[kind];
        }
    }
    t->load_balance = most_s > 0 ? t->sum.computing_s / t->ranks / most_s : 1;
    t->communication_efficiency = t->time_s > 0 ? most_s / t->time_s : 1;
    t->parallel_efficiency = t->load_balance * t->communication_efficiency;
}

/* --- all ------------------------------------------------------------------ */

static void walk_init(struct walk *w)
{
    w->slots = w->p->nodes * w->p->ranks_per_node;
    w->free_at_s = xcalloc(w->slots, sizeof *w->free_at_s);
    w->last = xmalloc(w->slots * sizeof *w->last);
    memset(w->last, 0xff, w->slots * sizeof *w->last); /* NO_OP everywhere */
    if (!w->p->origin->ntogether)
        return;
    w->came_s = xmalloc(w->p->nops * sizeof *w->came_s);
    w->came = xmalloc(w->p->nops * sizeof *w->came);
    /* NO_RANK everywhere. */
    memset(w->came, 0xff, w->p->nops * sizeof *w->came);
}

static void walk_clear(struct walk *w)
{
    free(w->waits);
    free(w->first);
    free(w->free_at_s);
    free(w->last);
    free(w->came_s);
    free(w->came);
}

void replay_times_make(struct replay_times *t, const struct machine *m,
                       const struct plan *p, const struct exec_result *x)
{
    struct walk w = {.m = m, .p = p, .x = x, .t = t};

    *t = (struct replay_times){.ranks = p->origin->ranks,
                               .time_s = x->time_s,
                               .graph = p->origin->graph};
    t->rank = xcalloc(t->ranks, sizeof *t->rank);
    walk_init(&w);
    walk_all(&w);
    sort_waits(&w);
    for (uint32_t op = 0; op < p->nops && !t->graph; op++)
        busy_op(&w, op);
    for (size_t i = 0; i < w.nwaits; i++)
        sum_wait(&w, &w.waits[i]);
    for (uint32_t r = 0; r < t->ranks; r++)
        t->rank[r].most_for = NO_RANK;
    for (uint32_t rank = 0; rank < w.slots; rank++)
        if (w.last[rank] != NO_OP)
            report_rank_end(&w, rank);
    if (t->graph)
        replay_graph_times(t, m, p, x);
    sum_ranks(t);
    walk_clear(&w);
}

void replay_times_clear(struct replay_times *t)
{
    free(t->rank);
    *t = (struct replay_times){0};
}

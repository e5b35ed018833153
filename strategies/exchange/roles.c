/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders the ranks of nodes by place, and assigns the messages between nodes to
 * them. */
#include "strategies/exchange/roles.h"

#include <assert.h>
#include <stdlib.h>

/* --- the order of ranks --------------------------------------------------- */

/* Numbers of values that arrive from other nodes, and that leave for them. */
struct flow {
    uint64_t in, out;
};

/* A socket or a GPU of a node. */
struct spot {
    /* off_centre is twice the distance of its number from the middle. */
    unsigned number, off_centre;
    struct flow own;
    /* The flows of all spots, each times the distance to its number. */
    struct flow pull;
};

struct candidate {
    uint32_t rank; /* local number */
    const struct spot *socket, *gpu;
};

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares two flows: the larger surplus of received values comes first. */
static int by_flow(const struct flow *a, const struct flow *b)
{
    int c = order(b->in + a->out, a->in + b->out);

    return c ? c : order(b->in, a->in);
}

/* Compares two spots. If their flows are equal, the one nearer to the receiving
 * spots comes first, then the one nearer to the middle, so that the order of a
 * mirrored node is the mirror image of its order. */
static int by_spot(const struct spot *a, const struct spot *b)
{
    int c = by_flow(&a->own, &b->own);

    c = c ? c : by_flow(&b->pull, &a->pull);
    c = c ? c : order(a->off_centre, b->off_centre);
    return c ? c : order(a->number, b->number);
}

/* Compares two ranks such that the ranks of one socket, and of one GPU, stay
 * together. */
static int by_place(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int c = by_spot(a->socket, b->socket);

    c = c ? c : by_spot(a->gpu, b->gpu);
    return c ? c : order(a->rank, b->rank);
}

static void flow_add(struct flow *to, const struct flow *more)
{
    to->in += more->in;
    to->out += more->out;
}

/* Sets all fields but the spots' own flows. */
static void spots_number(struct spot *s, unsigned n)
{
    struct flow passed[2] = {{0, 0}, {0, 0}}, pull[2] = {{0, 0}, {0, 0}};

    for (unsigned i = 0; i < n; i++) {
        s[i].number = i;
        s[i].off_centre = 2 * i > n - 1 ? 2 * i - (n - 1) : n - 1 - 2 * i;
    }
    for (unsigned i = 0; i < 2 * n; i++) { /* upwards, then downwards */
        bool down = i >= n;
        struct spot *at = &s[down ? 2 * n - 1 - i : i];
        flow_add(&at->pull, &pull[down]);
        flow_add(&passed[down], &at->own);
        flow_add(&pull[down], &passed[down]);
    }
}

/* Returns the flow of each GPU of the job; the caller frees it. */
static struct flow *flows_of(const struct exchange *x)
{
    uint32_t gpn = x->halo->gpus_per_node;
    struct flow *flows =
        xcalloc((size_t)halo_nodes(x->halo) * gpn, sizeof *flows);

    for (size_t i = 0; i < x->parcels.n; i++) {
        const struct parcel *p = &x->parcels.items[i];
        if (!parcel_leaves(p))
            continue;
        flows[p->src].out += p->piece.count;
        struct flow *to = &flows[p->dst_node * gpn + p->dst_first];
        for (gpu_set rest = p->dst_mask; rest; rest &= rest - 1)
            to[gpu_set_first(rest)].in += p->piece.count;
    }
    return flows;
}

/* The GPU of its node that a rank serves, if any, and whether it is the GPU's
 * host process. */
struct serving {
    unsigned gpu, socket;
    bool any, host;
};

static struct serving *serving_of(const struct exchange *x)
{
    const struct plan *plan = x->plan;
    struct serving *all = xcalloc(plan->ranks_per_node, sizeof *all);

    for (uint32_t r = 0; r < plan->ranks_per_node; r++) {
        if (plan->core[r] < x->m->ncores)
            all[r].socket = machine_core_socket(x->m, plan->core[r]);
        all[r].gpu = x->alone ? r : 0;
        all[r].any = all[r].host = x->alone;
    }
    for (unsigned g = 0; !x->alone && g < x->m->ngpus; g++)
        for (unsigned i = 0; i < x->share[g]; i++) {
            struct serving *s = &all[x->first[g] + i];
            s->gpu = g;
            s->any = true;
            s->host = i == 0;
        }
    return all;
}

static void order_node(struct roles *r, const struct exchange *x, uint32_t node,
                       const struct serving *serving, const struct flow *flows,
                       bool hosts_only)
{
    static const struct spot none;
    uint32_t first = node * x->plan->ranks_per_node, n = 0;
    uint32_t gpus = x->halo->gpus_per_node, ranks = exchange_ranks(x, node);
    struct spot *gpu = xcalloc(gpus, sizeof *gpu);
    struct spot *socket = xcalloc(x->m->nsockets, sizeof *socket);
    struct candidate *c = xcalloc(ranks, sizeof *c);

    for (uint32_t i = 0; i < ranks; i++) {
        const struct serving *s = &serving[i];
        bool host = s->host && s->gpu < exchange_gpus(x, node);
        if (host) {
            gpu[s->gpu].own = flows[node * gpus + s->gpu];
            flow_add(&socket[s->socket].own, &gpu[s->gpu].own);
        }
        if (host || !hosts_only)
            c[n++] = (struct candidate){i, &socket[s->socket],
                                        s->any ? &gpu[s->gpu] : &none};
    }
    spots_number(gpu, gpus);
    spots_number(socket, x->m->nsockets);
    qsort(c, n, sizeof *c, by_place);
    for (uint32_t i = 0; i < n; i++) {
        r->order[first + i] = first + c[i].rank;
        r->place[first + c[i].rank] = i;
    }
    r->n[node] = n;
    free(c);
    free(socket);
    free(gpu);
}

static uint32_t gpu_place(const struct roles *r, const struct exchange *x,
                          uint32_t node, unsigned gpu)
{
    return r->place[exchange_rank(x, node, gpu, 0)];
}

/* Returns the place of the first GPU that needs it. */
static uint32_t first_place(const struct roles *r, const struct exchange *x,
                            const struct parcel *p)
{
    uint32_t first = UINT32_MAX;

    for (gpu_set rest = p->dst_mask; rest; rest &= rest - 1) {
        unsigned gpu = p->dst_first + gpu_set_first(rest);
        uint32_t place = gpu_place(r, x, p->dst_node, gpu);
        first = place < first ? place : first;
    }
    return first;
}

void roles_order(struct roles *r, struct exchange *x, bool hosts_only)
{
    uint32_t nodes = halo_nodes(x->halo);
    size_t ranks = (size_t)nodes * x->plan->ranks_per_node;
    struct flow *flows = flows_of(x);
    struct serving *serving = serving_of(x);

    r->order = xcalloc(ranks, sizeof *r->order);
    r->place = xcalloc(ranks, sizeof *r->place);
    r->n = xcalloc(nodes, sizeof *r->n);
    for (uint32_t node = 0; node < nodes; node++)
        order_node(r, x, node, serving, flows, hosts_only);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        unsigned gpu = p->src % x->halo->gpus_per_node;
        p->src_place = (uint16_t)gpu_place(r, x, p->src_node, gpu);
        p->dst_place = (uint16_t)first_place(r, x, p);
    }
    free(serving);
    free(flows);
}

void roles_clear(struct roles *r)
{
    free(r->order);
    free(r->place);
    free(r->n);
    *r = (struct roles){0};
}

/* --- messages ------------------------------------------------------------- */

struct message {
    uint32_t part;     /* the part of its parcels */
    uint32_t from, to; /* nodes */
    uint64_t values;
    /* Place of the GPU that owns most of its values. */
    uint32_t owner;
    /* Place of the GPU that needs most of its values. */
    uint32_t needer;
    uint32_t sender, receiver; /* ranks */
};

/* Returns the place of the node's GPU that has most of the values. */
static uint32_t place_of_most(const struct roles *r, const struct exchange *x,
                              uint32_t node, const uint64_t *values)
{
    uint32_t best = UINT32_MAX;
    uint64_t most = 0;

    for (unsigned g = 0; g < exchange_gpus(x, node); g++) {
        uint32_t place = gpu_place(r, x, node, g);
        if (values[g] < most || (values[g] == most && place > best))
            continue;
        best = place;
        most = values[g];
    }
    return best;
}

static struct message message_of_run(const struct roles *r,
                                     const struct exchange *x,
                                     const struct parcel *run, size_t n)
{
    uint32_t gpn = x->halo->gpus_per_node;
    uint64_t *owned = xcalloc(gpn, sizeof *owned);
    uint64_t *needed = xcalloc(gpn, sizeof *needed);
    struct message m = {.part = run[0].part,
                        .from = run[0].src_node,
                        .to = run[0].dst_node,
                        .values = parcels_values(run, n)};

    for (size_t i = 0; i < n; i++) {
        owned[run[i].src % gpn] += run[i].piece.count;
        for (gpu_set rest = run[i].dst_mask; rest; rest &= rest - 1)
            needed[run[i].dst_first + gpu_set_first(rest)] +=
                run[i].piece.count;
    }
    m.owner = place_of_most(r, x, m.from, owned);
    m.needer = place_of_most(r, x, m.to, needed);
    free(owned);
    free(needed);
    return m;
}

/* Returns the messages, which the caller frees, in the order of their parts. */
static struct message *messages_of(const struct roles *r,
                                   const struct exchange *x, size_t *n)
{
    const struct parcel *p = x->parcels.items;
    struct message *ms = xcalloc(x->parcels.n, sizeof *ms);
    size_t end;

    *n = 0;
    for (size_t i = 0; i < x->parcels.n; i = end) {
        for (end = i + 1; end < x->parcels.n && p[end].part == p[i].part &&
                          parcel_leaves(&p[end]) == parcel_leaves(&p[i]);
             end++)
            ;
        if (!parcel_leaves(&p[i]))
            continue;
        assert(p[i].part == *n);
        ms[(*n)++] = message_of_run(r, x, &p[i], end - i);
    }
    return ms;
}

/* Orders the messages by receiving node and in descending order of size. Equal
 * sizes are in ascending order of the place that needs most, then of the
 * distance of the sending node, then in the order of parts. */
static int receive_order(const void *left, const void *right)
{
    const struct message *a = left, *b = right;
    int c = order(a->to, b->to);

    c = c ? c : order(b->values, a->values);
    c = c ? c : order(a->needer, b->needer);
    c = c ? c : order(a->from - a->to, b->from - b->to);
    return c ? c : order(a->part, b->part);
}

/* Orders them by sending node in the same way, but with places in descending
 * order. */
static int send_order(const void *left, const void *right)
{
    const struct message *a = left, *b = right;
    int c = order(a->from, b->from);

    c = c ? c : order(b->values, a->values);
    c = c ? c : order(b->owner, a->owner);
    c = c ? c : order(a->to - a->from, b->to - b->from);
    return c ? c : order(a->part, b->part);
}

static int part_order(const void *left, const void *right)
{
    const struct message *a = left, *b = right;

    return order(a->part, b->part);
}

/* Sets the sender and the receiver of each message. */
static void roles_deal(const struct roles *r, const struct exchange *x,
                       struct message *m, size_t n)
{
    uint32_t turn = 0, each = x->plan->ranks_per_node;

    qsort(m, n, sizeof *m, receive_order);
    for (size_t i = 0; i < n; i++) {
        turn = i && m[i].to == m[i - 1].to ? turn + 1 : 0;
        m[i].receiver = r->order[m[i].to * each + turn % r->n[m[i].to]];
    }
    qsort(m, n, sizeof *m, send_order);
    for (size_t i = 0; i < n; i++) {
        turn = i && m[i].from == m[i - 1].from ? turn + 1 : 0;
        uint32_t last = r->n[m[i].from] - 1;
        m[i].sender =
            r->order[m[i].from * each + last - turn % r->n[m[i].from]];
    }
    qsort(m, n, sizeof *m, part_order);
}

void roles_send(const struct roles *r, struct exchange *x)
{
    size_t n;
    struct message *ms = messages_of(r, x, &n);

    if (n)
        roles_deal(r, x, ms, n);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (parcel_leaves(p))
            p->to = ms[p->part].sender;
    }
    exchange_send(x, PHASE_GATHER);
    for (size_t i = 0; i < x->parcels.n; i++) {
        struct parcel *p = &x->parcels.items[i];
        if (parcel_leaves(p))
            p->to = ms[p->part].receiver;
    }
    exchange_send(x, PHASE_OFF_NODE);
    free(ms);
}

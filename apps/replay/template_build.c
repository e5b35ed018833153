/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives of traces for which strategies/collective has no algorithms:
 * barriers (dissemination; Hensgen, Finkel, Manber, 1988), gathers and scatters
 * (binomial tree, with counts linear), scans (recursive doubling), and those
 * with a count for each member: all-to-all (all posted at once), allgather
 * (Bruck's up to 80 KB in all, else a ring, as in MPICH), reduce-scatter
 * (pairwise).
 */
#include "strategies/collective/collective_build.h"
#include "apps/replay/template.h"

#include <stdlib.h>

#define RING_FROM_B 81920u

struct asked {
    const struct template_key *key;
    const struct template_members *members;
};

bool template_is_own(const struct template_key *key,
                     const struct template_members *members)
{
    switch ((enum trace_collective)key->kind) {
    case TRACE_BARRIER:
    case TRACE_GATHER:
    case TRACE_SCATTER:
    case TRACE_SCAN:
    case TRACE_EXSCAN:
        return true;
    case TRACE_ALLGATHER:
    case TRACE_REDUCE_SCATTER:
        return members->bytes != NULL;
    case TRACE_ALLTOALL:
        return members->counts != NULL;
    default:
        return false;
    }
}

static uint64_t member_bytes(const struct asked *a, uint32_t member)
{
    return a->members->bytes ? a->members->bytes[member] : a->key->bytes;
}

static void send(struct collective_build *b, const struct asked *a,
                 uint32_t from, uint32_t to, uint64_t bytes)
{
    bool on_node = a->members->node[from] == a->members->node[to];

    collective_send(b, on_node ? PHASE_ON_NODE : PHASE_OFF_NODE, from, to,
                    (struct collective_range){0, bytes}, COLLECTIVE_STORE);
}

static void send_to_add(struct collective_build *b, const struct asked *a,
                        uint32_t from, uint32_t to, uint64_t bytes)
{
    bool on_node = a->members->node[from] == a->members->node[to];

    collective_send(b, on_node ? PHASE_ON_NODE : PHASE_OFF_NODE, from, to,
                    (struct collective_range){0, bytes}, COLLECTIVE_ADD);
}

static void build_barrier(struct collective_build *b, const struct asked *a)
{
    uint32_t n = a->members->n;

    for (uint32_t far = 1; far < n; far *= 2) {
        for (uint32_t i = 0; i < n; i++)
            send(b, a, i, (i + far) % n, 0);
        collective_step(b);
    }
}

/* --- rooted --------------------------------------------------------------- */

static uint32_t lowest_bit(uint32_t i)
{
    return i & (~i + 1);
}

/* Returns the size of the subtree of i: members i to before i + size, counted
 * from the root. */
static uint32_t subtree(uint32_t i, uint32_t n)
{
    uint32_t size = lowest_bit(i);

    return i + size > n ? n - i : size;
}

static void binomial_messages(struct collective_build *b, const struct asked *a,
                              uint32_t bit, bool up)
{
    uint32_t n = a->members->n, root = a->key->root;

    for (uint32_t i = bit; i < n; i += 2 * bit) {
        uint32_t child = (i + root) % n, parent = (i - bit + root) % n;
        uint64_t bytes = a->key->bytes * subtree(i, n);
        send(b, a, up ? child : parent, up ? parent : child, bytes);
    }
    collective_step(b);
}

static void build_binomial(struct collective_build *b, const struct asked *a,
                           bool up)
{
    uint32_t n = a->members->n, top = 1;

    while (top < n)
        top *= 2;
    if (up)
        for (uint32_t bit = 1; bit < n; bit *= 2)
            binomial_messages(b, a, bit, true);
    else
        for (uint32_t bit = top / 2; bit >= 1; bit /= 2)
            binomial_messages(b, a, bit, false);
}

static void build_linear(struct collective_build *b, const struct asked *a,
                         bool up)
{
    uint32_t root = a->key->root;

    for (uint32_t i = 0; i < a->members->n; i++)
        if (i != root && member_bytes(a, i))
            send(b, a, up ? i : root, up ? root : i, member_bytes(a, i));
    collective_step(b);
}

static void build_rooted(struct collective_build *b, const struct asked *a)
{
    bool up = a->key->kind == TRACE_GATHER;

    if (a->members->bytes)
        build_linear(b, a, up);
    else
        build_binomial(b, a, up);
}

/* --- collectives with a count for each member ----------------------------- */

static void build_alltoallv(struct collective_build *b, const struct asked *a)
{
    uint32_t n = a->members->n;

    for (uint32_t far = 1; far < n; far++)
        for (uint32_t i = 0; i < n; i++) {
            uint64_t bytes = a->members->counts[i][(i + far) % n];
            if (bytes)
                send(b, a, i, (i + far) % n, bytes);
        }
    collective_step(b);
}

/* In step s, i forwards the data of member i - s. */
static void build_ring_allgatherv(struct collective_build *b,
                                  const struct asked *a)
{
    uint32_t n = a->members->n;

    for (uint32_t s = 0; s + 1 < n; s++) {
        for (uint32_t i = 0; i < n; i++)
            send(b, a, i, (i + 1) % n, member_bytes(a, (i + n - s) % n));
        collective_step(b);
    }
}

/* Before a step, i has the data of members i to before i + `have`. */
static void build_bruck_allgatherv(struct collective_build *b,
                                   const struct asked *a)
{
    uint32_t n = a->members->n;
    uint64_t *sum = xcalloc(2 * (size_t)n + 1, sizeof *sum);

    for (uint32_t i = 0; i < 2 * n; i++)
        sum[i + 1] = sum[i] + member_bytes(a, i % n);
    for (uint32_t have = 1; have < n; have *= 2) {
        uint32_t blocks = have < n - have ? have : n - have;
        for (uint32_t i = 0; i < n; i++)
            send(b, a, i, (i + n - have) % n, sum[i + blocks] - sum[i]);
        collective_step(b);
    }
    free(sum);
}

static void build_allgatherv(struct collective_build *b, const struct asked *a)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < a->members->n; i++)
        all += member_bytes(a, i);
    if (all < RING_FROM_B)
        build_bruck_allgatherv(b, a);
    else
        build_ring_allgatherv(b, a);
}

static void build_reduce_scatterv(struct collective_build *b,
                                  const struct asked *a)
{
    uint32_t n = a->members->n;

    for (uint32_t far = 1; far < n; far++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = (i + far) % n;
            send_to_add(b, a, i, to, member_bytes(a, to));
        }
        collective_step(b);
    }
}

/* Builds a scan by recursive doubling: in each step members whose numbers
 * differ in one bit exchange their partial sums, and add them. */
static void build_scan(struct collective_build *b, const struct asked *a)
{
    uint32_t n = a->members->n;

    for (uint32_t bit = 1; bit < n; bit *= 2) {
        for (uint32_t i = 0; i < n; i++)
            if ((i ^ bit) < n)
                send_to_add(b, a, i, i ^ bit, a->key->bytes);
        collective_step(b);
    }
}

/* --- the whole ------------------------------------------------------------ */

static void build(struct collective_build *b, void *arg)
{
    const struct asked *a = arg;

    switch ((enum trace_collective)a->key->kind) {
    case TRACE_BARRIER:
        build_barrier(b, a);
        break;
    case TRACE_GATHER:
    case TRACE_SCATTER:
        build_rooted(b, a);
        break;
    case TRACE_ALLTOALL:
        build_alltoallv(b, a);
        break;
    case TRACE_ALLGATHER:
        build_allgatherv(b, a);
        break;
    case TRACE_REDUCE_SCATTER:
        build_reduce_scatterv(b, a);
        break;
    default:
        build_scan(b, a);
    }
}

void template_build(struct plan *p, const struct machine *m,
                    const struct collective *shape,
                    const struct template_key *key,
                    const struct template_members *members)
{
    struct asked a = {key, members};
    struct collective c = *shape;

    c.element_B = 1;
    collective_plan_by(p, m, &c, build, &a);
}

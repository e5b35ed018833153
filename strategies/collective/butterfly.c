/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Butterflies: collectives whose ranks exchange with one partner in each of
 * log2(n) steps. */
#include "strategies/collective/butterfly.h"

#include <stdlib.h>

const char *refuses_not_power_of_two(const struct collective *c)
{
    uint32_t n = collective_ranks(c);

    return n & (n - 1) ? "only for powers of two of ranks" : NULL;
}

/* --- partners ------------------------------------------------------------- */

/* Returns (1 - (-2)^(s + 1)) / 3 modulo n. */
static uint32_t bine_rho(unsigned s, uint32_t n)
{
    uint32_t rho = ((UINT32_C(1) << (s + 1)) + (s & 1 ? 0 : 1)) / 3;

    return (s & 1 ? n - rho % n : rho) % n;
}

static uint32_t bine_partner(uint32_t i, unsigned s, uint32_t n)
{
    uint32_t rho = bine_rho(s, n);

    return (i & 1 ? i + n - rho : i + rho) % n;
}

uint32_t butterfly_partner(const struct butterfly *f, uint32_t i, unsigned s)
{
    unsigned back = f->steps - 1 - s;

    switch (f->kind) {
    case BUTTERFLY_DOUBLING:
        return i ^ (UINT32_C(1) << s);
    case BUTTERFLY_HALVING:
        return i ^ (UINT32_C(1) << back);
    case BUTTERFLY_BINE:
        return bine_partner(i, s, f->n);
    default:
        return bine_partner(i, back, f->n);
    }
}

static uint32_t butterfly_of_pair(const struct butterfly *f, uint32_t i,
                                  bool member)
{
    bool odd = member == (i + 1 != f->even_pair);

    return collective_rank(&f->comm, 2 * i + (odd ? 1 : 0));
}

uint32_t butterfly_rank(const struct butterfly *f, uint32_t i)
{
    if (i >= f->extra)
        return collective_rank(&f->comm, i + f->extra + f->root);
    return butterfly_of_pair(f, i, true);
}

uint32_t butterfly_outsider(const struct butterfly *f, uint32_t i)
{
    return butterfly_of_pair(f, i, false);
}

uint32_t butterfly_member(const struct butterfly *f, uint32_t i)
{
    return i < 2 * f->extra ? i / 2 : i - f->extra;
}

/* --- places --------------------------------------------------------------- */

/* Assigns places. In the steps from s on, the member reaches 2^(steps - s)
 * members, itself included. They get the places from `first` on: first the
 * members that it reaches after step s, then those that its partner reaches. */
static void butterfly_put(struct butterfly *f, uint32_t member, unsigned s,
                          uint32_t first)
{
    if (s == f->steps) {
        f->place[member] = first;
        f->at[first] = member;
        return;
    }
    butterfly_put(f, member, s + 1, first);
    butterfly_put(f, butterfly_partner(f, member, s), s + 1,
                  first + (UINT32_C(1) << (f->steps - 1 - s)));
}

void butterfly_init(struct butterfly *f, enum butterfly_kind kind,
                    const struct collective_comm *comm)
{
    *f = (struct butterfly){.kind = kind, .comm = *comm, .n = 1};
    while (f->n <= comm->count / 2) {
        f->n *= 2;
        f->steps++;
    }
    f->extra = comm->count - f->n;
    f->place = xcalloc(f->n, sizeof *f->place);
    f->at = xcalloc(f->n, sizeof *f->at);
    if (kind != BUTTERFLY_BINE_HALVING)
        butterfly_put(f, 0, 0, 0);
    for (uint32_t i = 0; i < f->n && kind == BUTTERFLY_BINE_HALVING; i++)
        f->place[i] = f->at[i] = i;
}

void butterfly_clear(struct butterfly *f)
{
    free(f->place);
    free(f->at);
}

/* Returns the first of the 2^t places of the members that `i` reaches in the
 * last t steps. With Bine's partners at halving distances, those members are
 * consecutive around the ring, and lie before or after it in turn. */
static uint32_t butterfly_first(const struct butterfly *f, uint32_t i,
                                unsigned t)
{
    uint32_t below = 0;

    if (f->kind != BUTTERFLY_BINE_HALVING)
        return f->place[i] >> t << t;
    for (unsigned s = 0; s < t; s++)
        below += (s & 1) == (i & 1) ? 0 : UINT32_C(1) << s;
    return (i + f->n - below) % f->n;
}

/* --- messages ------------------------------------------------------------- */

struct collective_range butterfly_blocks(const struct butterfly *f,
                                         struct collective_range range,
                                         uint32_t k, uint32_t end)
{
    if (!f->of_ranks)
        return collective_blocks_of(range, k, end, f->n);
    return collective_blocks_of(range, k < f->extra ? 2 * k : k + f->extra,
                                end < f->extra ? 2 * end : end + f->extra,
                                f->comm.count);
}

/* Returns the end of the run of consecutive blocks that begins at place k, at
 * most `end`, and sets *block to the first of them. A run has one block if each
 * is a message. */
static uint32_t butterfly_run(const struct butterfly *f, uint32_t k,
                              uint32_t end, uint32_t *block)
{
    uint32_t next = k % f->n;

    *block = f->renumbered ? next : f->at[next];
    if (f->messages == BUTTERFLY_EACH)
        return k + 1;
    for (uint32_t i = k + 1; i < end; i++) {
        uint32_t at = f->renumbered ? i % f->n : f->at[i % f->n];
        if (at != *block + (i - k))
            return i;
    }
    return end;
}

/* Plans the messages with the blocks of all members that `owner` reaches in the
 * last t steps. */
static void butterfly_send(struct collective_build *b,
                           const struct butterfly *f, uint32_t from,
                           uint32_t to, uint32_t owner, unsigned t,
                           struct collective_range range,
                           enum collective_action action)
{
    uint32_t first = butterfly_first(f, owner, t);
    uint32_t end = first + (UINT32_C(1) << t), block;

    for (uint32_t k = first; k < end;) {
        uint32_t next = butterfly_run(f, k, end, &block);
        struct collective_range run =
            butterfly_blocks(f, range, block, block + (next - k));
        if (k == first || f->messages != BUTTERFLY_ONE)
            collective_send(b, f->comm.phase, butterfly_rank(f, from),
                            butterfly_rank(f, to), run, action);
        else
            collective_send_also(b, run);
        k = next;
    }
}

/* Plans segment k of the messages in step s. Returns false if no message has
 * that many segments. */
static bool butterfly_send_segment(struct collective_build *b,
                                   const struct butterfly *f, unsigned s,
                                   struct collective_range range, uint64_t k)
{
    unsigned t = f->steps - 1 - s;
    bool any = false;

    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t to = butterfly_partner(f, i, s), block;
        uint32_t first = butterfly_first(f, to, t);
        uint32_t end =
            butterfly_run(f, first, first + (UINT32_C(1) << t), &block);
        struct collective_range run =
            butterfly_blocks(f, range, block, block + (end - first));
        uint64_t begin = k * f->segment;
        if (begin >= run.count && k)
            continue;
        run.first += begin;
        run.count -= begin;
        if (run.count > f->segment)
            run.count = f->segment;
        collective_send(b, f->comm.phase, butterfly_rank(f, i),
                        butterfly_rank(f, to), run, COLLECTIVE_ADD);
        any = true;
    }
    return any;
}

static void butterfly_in_segments(struct collective_build *b,
                                  const struct butterfly *f,
                                  struct collective_range range)
{
    for (unsigned s = 0; s < f->steps; s++) {
        collective_ahead(b, true);
        for (uint64_t k = 0; butterfly_send_segment(b, f, s, range, k); k++)
            collective_step(b);
        collective_ahead(b, false);
    }
}

void butterfly_reduce_scatter(struct collective_build *b,
                              const struct butterfly *f,
                              struct collective_range range)
{
    if (f->segment) {
        butterfly_in_segments(b, f, range);
        return;
    }
    for (unsigned s = 0; s < f->steps; s++) {
        for (uint32_t i = 0; i < f->n; i++) {
            uint32_t to = butterfly_partner(f, i, s);
            butterfly_send(b, f, i, to, to, f->steps - 1 - s, range,
                           COLLECTIVE_ADD);
        }
        collective_step(b);
    }
}

void butterfly_allgather(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range)
{
    for (unsigned s = f->steps; s-- > 0;) {
        for (uint32_t i = 0; i < f->n; i++)
            butterfly_send(b, f, i, butterfly_partner(f, i, s), i,
                           f->steps - 1 - s, range, COLLECTIVE_STORE);
        collective_step(b);
    }
}

/* Returns the members in the order in which they get data from the root: before
 * step s the first 2^s of them have some, and the i-th sends to the one 2^s
 * after it. The caller frees the array. */
static uint32_t *butterfly_tree(const struct butterfly *f, uint32_t root)
{
    uint32_t *has = xcalloc(f->n, sizeof *has);

    has[0] = root;
    for (unsigned s = 0; s < f->steps; s++)
        for (uint32_t i = 0; i < UINT32_C(1) << s; i++)
            has[i + (UINT32_C(1) << s)] = butterfly_partner(f, has[i], s);
    return has;
}

void butterfly_scatter(struct collective_build *b, const struct butterfly *f,
                       struct collective_range range, uint32_t root)
{
    uint32_t *has = butterfly_tree(f, root);

    for (unsigned s = 0; s < f->steps; s++) {
        for (uint32_t i = 0; i < UINT32_C(1) << s; i++) {
            uint32_t to = has[i + (UINT32_C(1) << s)];
            butterfly_send(b, f, has[i], to, to, f->steps - 1 - s, range,
                           COLLECTIVE_STORE);
        }
        collective_step(b);
    }
    free(has);
}

void butterfly_gather(struct collective_build *b, const struct butterfly *f,
                      struct collective_range range, uint32_t root)
{
    uint32_t *has = butterfly_tree(f, root);

    for (unsigned s = f->steps; s-- > 0;) {
        for (uint32_t i = 0; i < UINT32_C(1) << s; i++) {
            uint32_t from = has[i + (UINT32_C(1) << s)];
            butterfly_send(b, f, from, has[i], from, f->steps - 1 - s, range,
                           COLLECTIVE_STORE);
        }
        collective_step(b);
    }
    free(has);
}

void butterfly_put_right(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range, bool after)
{
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t k = f->place[i];
        if (k != i)
            collective_send(b, f->comm.phase, butterfly_rank(f, after ? i : k),
                            butterfly_rank(f, after ? k : i),
                            butterfly_blocks(f, range, k, k + 1),
                            COLLECTIVE_STORE);
    }
    collective_step(b);
}

void butterfly_exchange_all(struct collective_build *b,
                            const struct butterfly *f,
                            struct collective_range range)
{
    for (unsigned s = 0; s < f->steps; s++) {
        for (uint32_t i = 0; i < f->n; i++)
            collective_send(b, f->comm.phase, butterfly_rank(f, i),
                            butterfly_rank(f, butterfly_partner(f, i, s)),
                            range, COLLECTIVE_ADD);
        collective_step(b);
    }
}

void butterfly_extra(struct collective_build *b, const struct butterfly *f,
                     struct collective_range range, bool before)
{
    for (uint32_t i = 0; i < f->extra; i++) {
        uint32_t member = butterfly_rank(f, i);
        uint32_t other = butterfly_outsider(f, i);
        collective_send(b, f->comm.phase, before ? other : member,
                        before ? member : other, range,
                        before ? COLLECTIVE_ADD : COLLECTIVE_STORE);
    }
    collective_step(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching, compared with lists that are searched from their beginning, as MPI
 * describes it, on random sequences of sends, arrivals and receives. */
#include "base/err.h"
#include "sim/transport/match.h"
#include "base/random.h"
#include "tests/check.h"

#include <stdbool.h>
#include <stdlib.h>

enum { OPS = 400, RANKS = 4, TAGS = 3 };

static uint64_t state;

static unsigned below(unsigned n)
{
    return (unsigned)(next_random(&state) % n);
}

/* --- plain lists ---------------------------------------------------------- */

struct plain {
    struct envelope e[OPS];
    uint32_t sent[OPS], nsent;     /* in the order of the sends */
    uint32_t waiting[OPS], nwaits; /* delivered messages, in order */
    uint32_t posted[OPS], nposted; /* posted receives, in order */
    bool arrived[OPS], delivered[OPS];
    uint32_t partner[OPS];
    uint32_t walked[OPS]; /* entries that each operation looked at */
};

static bool fits(struct envelope recv, struct envelope send)
{
    return recv.dst == send.dst &&
           (recv.src == ANY_RANK || recv.src == send.src) &&
           (recv.tag == ANY_TAG || recv.tag == send.tag);
}

static void take_out(uint32_t *list, uint32_t *n, uint32_t i)
{
    (*n)--;
    for (; i < *n; i++)
        list[i] = list[i + 1];
}

static void pair(struct plain *p, uint32_t send, uint32_t recv)
{
    p->partner[send] = recv;
    p->partner[recv] = send;
}

static void plain_deliver(struct plain *p, uint32_t send)
{
    p->delivered[send] = true;
    for (uint32_t i = 0; i < p->nposted; i++) {
        p->walked[send] += p->e[p->posted[i]].dst == p->e[send].dst;
        if (fits(p->e[p->posted[i]], p->e[send])) {
            pair(p, send, p->posted[i]);
            take_out(p->posted, &p->nposted, i);
            return;
        }
    }
    p->waiting[p->nwaits++] = send;
}

/* Delivers all messages of the pair that have arrived and are not behind one
 * that has not. */
static void plain_arrive(struct plain *p, uint32_t send)
{
    p->arrived[send] = true;
    for (uint32_t i = 0; i < p->nsent; i++) {
        uint32_t s = p->sent[i];
        if (p->e[s].src != p->e[send].src || p->e[s].dst != p->e[send].dst ||
            p->delivered[s])
            continue;
        if (!p->arrived[s])
            return;
        plain_deliver(p, s);
    }
}

static void plain_post(struct plain *p, uint32_t recv)
{
    for (uint32_t i = 0; i < p->nwaits; i++) {
        p->walked[recv] += p->e[p->waiting[i]].dst == p->e[recv].dst;
        if (fits(p->e[recv], p->e[p->waiting[i]])) {
            pair(p, p->waiting[i], recv);
            take_out(p->waiting, &p->nwaits, i);
            return;
        }
    }
    p->posted[p->nposted++] = recv;
}

/* --- both ----------------------------------------------------------------- */

static uint32_t partner[OPS];

static void found(void *arg, uint32_t send, uint32_t recv)
{
    (void)arg;
    if (recv == MATCH_NONE)
        return;
    partner[send] = recv;
    partner[recv] = send;
}

static struct envelope draw(bool recv, unsigned wild)
{
    struct envelope e = {below(RANKS), below(RANKS), below(TAGS), 0};

    if (recv && e.dst < wild && below(2))
        e.src = ANY_RANK;
    if (recv && e.dst < wild && below(2))
        e.tag = ANY_TAG;
    return e;
}

/* `wild` is the number of ranks with wildcards. */
static void random_sequence(unsigned seed, unsigned wild)
{
    struct plain *p = xcalloc(1, sizeof *p);
    struct match *m = match_new(RANKS, OPS);
    match_count_walks(m);
    bool recv[OPS];
    uint32_t flying[OPS], nflying = 0;

    state = seed;
    for (uint32_t i = 0; i < OPS; i++) {
        recv[i] = below(2);
        p->e[i] = draw(recv[i], wild);
        p->partner[i] = partner[i] = MATCH_NONE;
        if (recv[i])
            match_announce(m, p->e[i]);
    }
    for (uint32_t i = 0; i < OPS || nflying;) {
        if (nflying && (i == OPS || below(3) == 0)) {
            uint32_t at = below(nflying), send = flying[at];
            take_out(flying, &nflying, at);
            plain_arrive(p, send);
            match_arrive(m, send, p->e[send], found, NULL);
            continue;
        }
        if (recv[i]) {
            plain_post(p, i);
            found(NULL, i, match_post(m, i, p->e[i]));
        } else {
            p->sent[p->nsent++] = i;
            match_send(m, i, p->e[i]);
            flying[nflying++] = i;
        }
        i++;
    }
    int before = check_failures;
    for (uint32_t i = 0; i < OPS && check_failures == before; i++) {
        CHECK_EQ(partner[i], p->partner[i]);
        if (!recv[i] && partner[i] != MATCH_NONE)
            CHECK_EQ(match_walked(m, i, partner[i]),
                     p->walked[i] + p->walked[partner[i]]);
    }
    if (check_failures > before)
        fprintf(stderr, "  with seed %u, %u ranks with wildcards\n", seed,
                wild);
    match_free(m);
    free(p);
}

/* If only their communicators differ, they do not match. */
static void contexts(void)
{
    struct match *m = match_new(2, 4);
    struct envelope any = {1, ANY_RANK, ANY_TAG, 5}, e = {1, 0, 7, 6};

    partner[0] = partner[1] = MATCH_NONE;
    match_announce(m, any);
    CHECK_EQ(match_post(m, 2, any), MATCH_NONE);
    match_send(m, 0, e);
    match_arrive(m, 0, e, found, NULL);
    CHECK_EQ(partner[0], MATCH_NONE);
    CHECK_EQ(match_post(m, 3, e), 0);
    e.context = 5;
    match_send(m, 1, e);
    match_arrive(m, 1, e, found, NULL);
    CHECK_EQ(partner[1], 2);
    match_free(m);
}

/* Two messages with equal envelopes arrive in reverse: the receives match them
 * in the order of the sends. */
static void no_overtaking(void)
{
    struct match *m = match_new(2, 4);
    struct envelope e = {1, 0, 7, 0};

    for (uint32_t i = 0; i < 4; i++)
        partner[i] = MATCH_NONE;
    match_send(m, 0, e);
    match_send(m, 1, e);
    CHECK_EQ(match_post(m, 2, e), MATCH_NONE);
    match_arrive(m, 1, e, found, NULL);
    CHECK_EQ(partner[2], MATCH_NONE);
    match_arrive(m, 0, e, found, NULL);
    CHECK_EQ(partner[2], 0);
    CHECK_EQ(match_post(m, 3, e), 1);
    match_free(m);
}

int main(void)
{
    no_overtaking();
    contexts();
    for (unsigned seed = 1; seed <= 2000; seed++)
        random_sequence(seed, seed % (RANKS + 1));
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Communicators of a trace by hand: duplicates, splits by colour and key, lists
 * of members, numbers used again, ranks that disagree, ranks missing. */
#include "tests/check.h"
#include "workloads/trace/comms.h"

#include <stdlib.h>

enum { RANKS = 6 };

static struct trace toy(struct trace_rank rank[RANKS])
{
    for (int r = 0; r < RANKS; r++)
        rank[r] = (struct trace_rank){.file = "toy", .places_lines = true};
    return (struct trace){.ranks = RANKS, .rank = rank};
}

static struct trace_event make(enum trace_how how, uint32_t comm,
                               uint32_t new_comm)
{
    struct trace_event e = trace_event_new(TRACE_COMM);

    e.how = (uint8_t)how;
    e.comm = comm;
    e.new_comm = new_comm;
    e.name = "MPI_Comm";
    e.place = 7;
    return e;
}

static int add(struct trace_comms *c, uint32_t rank, struct trace_event e)
{
    struct err err = {0};
    int rc = trace_comms_add(c, rank, &e, &err);

    if (rc < 0)
        fprintf(stderr, "%s\n", err.text);
    return rc;
}

/* Returns the world rank of `peer` in a communicator by the rank's own number;
 * -1 if pending, -2 if it is an error. */
static long long peer_in(const struct trace_comms *c, uint32_t rank,
                         uint32_t own, uint32_t peer)
{
    struct trace_event e = trace_event_new(TRACE_SEND);
    struct trace_membership m;
    struct err err;
    uint32_t world;

    e.comm = own;
    int rc = trace_comms_find(c, rank, &e, &m, &err);
    if (rc == 0)
        return -1;
    if (rc < 0 || trace_comms_peer(c, rank, &e, &m, peer, &world, &err) < 0)
        return -2;
    return world;
}

static struct trace_membership mine(const struct trace_comms *c, uint32_t rank,
                                    uint32_t own)
{
    struct trace_event e = trace_event_new(TRACE_SEND);
    struct trace_membership m = {0};
    struct err err;

    e.comm = own;
    CHECK_EQ(trace_comms_find(c, rank, &e, &m, &err), 1);
    return m;
}

/* Each rank has numbers of its own; a duplicate can be used at once. */
static void duplicates(void)
{
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);

    CHECK_EQ(peer_in(c, 3, TRACE_WORLD, 5), 5);
    CHECK_EQ(peer_in(c, 3, TRACE_WORLD, 6), -2);
    CHECK_EQ(peer_in(c, 3, TRACE_WORLD, NO_PEER), NO_PEER);
    CHECK_EQ(peer_in(c, 3, TRACE_WORLD, ANY_RANK), ANY_RANK);
    CHECK_EQ(peer_in(c, 3, 100, 0), -2);
    /* Rank 0 makes two before any other rank makes one. */
    CHECK_EQ(add(c, 0, make(TRACE_DUP, TRACE_WORLD, 100)), 0);
    CHECK_EQ(add(c, 0, make(TRACE_DUP, TRACE_WORLD, 7)), 0);
    CHECK_EQ(peer_in(c, 0, 100, 5), 5);
    for (uint32_t r = 1; r < RANKS; r++)
        CHECK_EQ(add(c, r, make(TRACE_DUP, TRACE_WORLD, 50 + r)), r == 5);
    for (uint32_t r = 1; r < RANKS; r++)
        CHECK_EQ(add(c, r, make(TRACE_DUP, TRACE_WORLD, 80 + r)), r == 5);
    for (uint32_t r = 1; r < RANKS; r++) {
        CHECK_EQ(mine(c, r, 50 + r).comm->number, mine(c, 0, 100).comm->number);
        CHECK_EQ(mine(c, r, 80 + r).comm->number, mine(c, 0, 7).comm->number);
        CHECK_EQ(mine(c, r, 80 + r).me, r);
    }
    CHECK_EQ(trace_comms_n(c), 3);
    CHECK_EQ(trace_comms_get(c, 2)->how, TRACE_DUP);
    CHECK_EQ(trace_comms_get(c, 2)->n, RANKS);
    trace_comms_free(c);
}

/* Colours 0 and 1 are the parity; keys reverse the order of the odd ranks, and
 * the even ones have equal keys, so they are sorted by rank. Rank 4 is in
 * none. */
static void splits(void)
{
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);

    for (uint32_t r = 0; r < RANKS; r++) {
        struct trace_event e = make(TRACE_SPLIT, TRACE_WORLD, 9);
        e.color = r % 2;
        e.key = r % 2 ? 0 - r : 3;
        if (r == 4)
            e.new_comm = NO_COMM;
        if (r)
            CHECK_EQ(peer_in(c, 0, 9, 0), -1);
        CHECK_EQ(add(c, r, e), r == 5);
    }
    CHECK_EQ(peer_in(c, 0, 9, 0), 0);
    CHECK_EQ(peer_in(c, 0, 9, 1), 2);
    CHECK_EQ(peer_in(c, 0, 9, 2), -2);
    CHECK_EQ(peer_in(c, 4, 9, 0), -2);
    CHECK_EQ(peer_in(c, 1, 9, 0), 5);
    CHECK_EQ(peer_in(c, 3, 9, 1), 3);
    CHECK_EQ(peer_in(c, 5, 9, 2), 1);
    CHECK_EQ(mine(c, 5, 9).me, 0);
    CHECK_EQ(mine(c, 2, 9).me, 1);
    CHECK_EQ(mine(c, 1, 9).comm->parent, TRACE_WORLD);
    /* The odd ones are split again: {5}, {3, 1}. */
    for (uint32_t r = 1; r < RANKS; r += 2) {
        struct trace_event e = make(TRACE_SPLIT, 9, 10);
        e.color = r == 5;
        CHECK_EQ(add(c, r, e), r == 5);
    }
    CHECK_EQ(mine(c, 5, 10).comm->n, 1);
    CHECK_EQ(peer_in(c, 1, 10, 0), 3);
    CHECK_EQ(mine(c, 1, 10).me, 1);
    trace_comms_free(c);
}

/* A number is freed and used again, even before the others have made the
 * first. */
static void anew(void)
{
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);
    struct trace_event e = make(TRACE_SPLIT, TRACE_WORLD, 9);

    for (int round = 0; round < 40; round++) {
        e.key = round % 2 ? 1 : 0;
        CHECK_EQ(add(c, 0, e), 0);
    }
    CHECK_EQ(peer_in(c, 0, 9, 0), -1);
    for (uint32_t r = 1; r < RANKS; r++)
        for (int round = 0; round < 40; round++) {
            CHECK_EQ(add(c, r, make(TRACE_SPLIT, TRACE_WORLD, 9)), r == 5);
            if (round < 39)
                CHECK_EQ(peer_in(c, 0, 9, 0), -1);
        }
    /* Its key in the last one was 1, the others' 0. */
    CHECK_EQ(mine(c, 0, 9).me, 5);
    CHECK_EQ(peer_in(c, 3, 9, 0), 1);
    CHECK_EQ(mine(c, 3, 9).comm->number, 40);
    CHECK_EQ(add(c, 2, make(TRACE_DUP, TRACE_WORLD, 9)), 0);
    CHECK_EQ(peer_in(c, 2, 9, 0), 0);
    CHECK_EQ(peer_in(c, 3, 9, 0), 1);
    trace_comms_free(c);
}

/* Two disjoint lists are made at once, and some ranks are in none. */
static void lists(void)
{
    static const uint32_t low[] = {2, 0, 1}, high[] = {5, 4};
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);

    for (uint32_t r = 0; r < RANKS; r++) {
        struct trace_event e =
            make(TRACE_MEMBERS, TRACE_WORLD, r == 3 ? NO_COMM : 4);
        e.members = r < 3 ? low : high;
        e.nmembers = r < 3 ? 3 : 2;
        CHECK_EQ(add(c, r, e), r == 5);
    }
    CHECK_EQ(peer_in(c, 0, 4, 0), 2);
    CHECK_EQ(mine(c, 1, 4).me, 2);
    CHECK_EQ(peer_in(c, 5, 4, 1), 4);
    CHECK_EQ(peer_in(c, 3, 4, 0), -2);
    CHECK_EQ(trace_comms_n(c), 3);
    trace_comms_free(c);
}

/* The trace knows that equal members and key are one communicator. */
static void known(void)
{
    static const uint32_t some[] = {5, 1};
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);
    struct trace_event e = make(TRACE_KNOWN, TRACE_WORLD, 3);

    e.members = some;
    e.nmembers = 2;
    CHECK_EQ(add(c, 1, e), 1);
    CHECK_EQ(add(c, 5, e), 1);
    CHECK_EQ(mine(c, 1, 3).comm->number, mine(c, 5, 3).comm->number);
    CHECK_EQ(mine(c, 1, 3).me, 1);
    e.new_comm = 4;
    CHECK_EQ(add(c, 1, e), 1); /* a second number of the same one */
    CHECK_EQ(mine(c, 1, 3).comm->number, mine(c, 1, 4).comm->number);
    e.key = 1;
    CHECK_EQ(add(c, 1, e), 1);
    CHECK(mine(c, 1, 3).comm->number != mine(c, 1, 4).comm->number);
    /* Both numbers of the communicator count its rounds in turn. */
    CHECK_EQ(add(c, 1, make(TRACE_DUP, 3, 30)), 0);
    e.key = 0;
    CHECK_EQ(add(c, 1, e), 1);
    CHECK_EQ(add(c, 1, make(TRACE_DUP, 4, 31)), 0);
    CHECK_EQ(add(c, 5, make(TRACE_DUP, 3, 40)), 1);
    CHECK_EQ(add(c, 5, make(TRACE_DUP, 3, 41)), 1);
    CHECK_EQ(mine(c, 1, 31).comm->number, mine(c, 5, 41).comm->number);
    trace_comms_free(c);
}

static void refused(struct trace_comms *c, uint32_t rank, struct trace_event e,
                    const char *why)
{
    struct err err = {0};

    CHECK_EQ(trace_comms_add(c, rank, &e, &err), -1);
    CHECK_HAS(err.text, "toy:7: rank ");
    CHECK_HAS(err.text, why);
}

static void disagree(void)
{
    static const uint32_t twice[] = {1, 1}, far[] = {1, 6}, all[] = {0, 1, 2},
                          pair[] = {1, 2};
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    struct trace_comms *c = trace_comms_new(&t);
    struct trace_event e = make(TRACE_KNOWN, TRACE_WORLD, 3);

    refused(c, 0, make(TRACE_DUP, TRACE_WORLD, TRACE_WORLD), "all ranks anew");
    refused(c, 0, make(TRACE_DUP, 8, 9), "communicator 8: made nowhere before");
    refused(c, 0, e, "of no rank");
    e.nmembers = 2;
    e.members = twice;
    refused(c, 0, e, "rank 1 is a member twice");
    e.members = far;
    refused(c, 0, e, "member 6 of a communicator of 6 ranks");
    e.nmembers = 7;
    refused(c, 0, e, "7 members of a communicator of 6");
    e.members = pair;
    e.nmembers = 2;
    CHECK_EQ(add(c, 0, e), 1);
    refused(c, 0, make(TRACE_DUP, 3, 4), "no member of");

    CHECK_EQ(add(c, 0, make(TRACE_SPLIT, TRACE_WORLD, 9)), 0);
    refused(c, 0, make(TRACE_DUP, 9, 10), "not known yet");
    refused(c, 4, make(TRACE_DUP, TRACE_WORLD, 9),
            "rank 4 duplicates the communicator where rank 0 splits it");
    trace_comms_free(c);

    c = trace_comms_new(&t);
    e = make(TRACE_MEMBERS, TRACE_WORLD, 3);
    e.members = pair;
    e.nmembers = 2;
    refused(c, 0, e, "gets a communicator that it is no member of");
    trace_comms_free(c);

    c = trace_comms_new(&t);
    for (uint32_t r = 0; r < RANKS; r++) {
        e = make(TRACE_MEMBERS, TRACE_WORLD, r < 2 ? 3 : NO_COMM);
        e.members = all;
        e.nmembers = 3;
        if (r < 5)
            CHECK_EQ(add(c, r, e), 0);
        else
            refused(c, r, e, "2 of the 3 members that rank 0 lists");
    }
    trace_comms_free(c);
}

/* Rank 5 has no events: duplicates and lists are known nevertheless, but splits
 * are not, nor communicators made from them. */
static void missing(void)
{
    static const uint32_t some[] = {5, 1};
    struct trace_rank rank[RANKS];
    struct trace t = toy(rank);
    rank[5].missing = true;
    struct trace_comms *c = trace_comms_new(&t);
    struct trace_event e = make(TRACE_MEMBERS, TRACE_WORLD, 3);

    for (uint32_t r = 0; r < 5; r++) {
        struct trace_event s = make(TRACE_SPLIT, TRACE_WORLD, 2);
        s.color = r / 2;
        CHECK_EQ(add(c, r, make(TRACE_DUP, TRACE_WORLD, 1)), 0);
        CHECK_EQ(add(c, r, s), 0);
        CHECK_EQ(add(c, r, make(TRACE_DUP, 2, 20)), 0);
        CHECK_EQ(peer_in(c, r, 1, 5), 5);
        CHECK_EQ(peer_in(c, r, 2, 5), UNKNOWN_PEER);
        CHECK_EQ(peer_in(c, r, 20, 1), UNKNOWN_PEER);
        CHECK_EQ(mine(c, r, 2).me, UNKNOWN_PEER);
        CHECK_EQ(mine(c, r, 20).comm->n, 0);
    }
    CHECK_EQ(mine(c, 0, 2).comm->number, mine(c, 1, 2).comm->number);
    CHECK(mine(c, 0, 2).comm->number != mine(c, 2, 2).comm->number);
    CHECK_EQ(mine(c, 0, 20).comm->number, mine(c, 1, 20).comm->number);
    e.members = some;
    e.nmembers = 2;
    CHECK_EQ(add(c, 1, e), 0);
    CHECK_EQ(peer_in(c, 1, 3, 0), 5);
    trace_comms_free(c);
}

int main(void)
{
    duplicates();
    splits();
    anew();
    lists();
    known();
    disagree();
    missing();
    return check_result();
}

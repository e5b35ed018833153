/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of traces that are small enough to count by hand. */
#include "workloads/trace/stats.h"

#include "tests/check.h"
#include "tests/trace_toys.h"

static void read_it(struct trace_stats *s, struct trace *t)
{
    struct err err = {0};

    CHECK_EQ(trace_stats_read(s, t, &err), 0);
    CHECK_HAS(err.text, "");
}

static uint64_t calls(const struct trace_stats *s, const char *name)
{
    for (size_t i = 0; i < s->nnames; i++)
        if (!strcmp(s->names[i].name, name))
            return s->names[i].calls;
    return 0;
}

static double peers(const struct trace_rank_stats *k)
{
    return (double)k->peers;
}

/* Rank 0 sends 8 B twice and 0 B once to rank 1 with tag 5, and 1000 B to rank
 * 2 with tag 6; rank 1 receives with wildcards, and sends 8 B back; rank 2
 * receives one of two. */
static void messages(void)
{
    struct trace t;
    struct trace_stats s;
    struct trace_event *e;

    trace_toy_open(&t, 3);
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Isend", 1, 5, 8);
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Isend", 1, 5, 8);
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Send", 1, 5, 0)->blocks = true;
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Ssend", 2, 6, 1000)->synchronous =
        true;
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Isend", 2, 6, 1023);
    trace_toy_message(&t, 0, TRACE_SEND, "MPI_Send", NO_PEER, 6, 77);
    trace_toy_message(&t, 0, TRACE_RECV, "MPI_Recv", 1, 1, 8)->blocks = true;
    for (int i = 0; i < 3; i++) {
        e = trace_toy_message(&t, 1, TRACE_RECV, "MPI_Recv",
                              i == 0 ? 0 : ANY_RANK, i == 1 ? 5 : ANY_TAG, 8);
        e->got_peer = 0;
    }
    trace_toy_message(&t, 1, TRACE_SEND, "MPI_Send", 0, 1, 8);
    trace_toy_message(&t, 2, TRACE_RECV, "MPI_Recv", 0, 6, 1000);
    trace_toy_add(&t, 2, TRACE_FINALIZE, "MPI_Finalize");
    read_it(&s, &t);

    CHECK_EQ(s.events, 13);
    CHECK_EQ(s.messages, 6);
    CHECK_EQ(s.bytes, 8 + 8 + 0 + 1000 + 1023 + 8);
    CHECK_EQ(s.largest, 1023);
    CHECK_EQ(s.smallest, 0);
    CHECK_EQ(s.synchronous, 1);
    CHECK_EQ(s.sizes[0], 1);
    CHECK_EQ(trace_size_from(4), 8);
    CHECK_EQ(s.sizes[4], 3);
    CHECK_EQ(s.sizes[10], 2);
    CHECK_EQ(s.size_bytes[10], 2023);
    CHECK_EQ(s.pairs, 3);
    CHECK_EQ(s.rank[0].peers, 2);
    CHECK_EQ(s.rank[2].peers, 1);
    CHECK_NEAR(trace_stats_range(&s, peers).mean, 4 / 3., 1e-12);
    CHECK_NEAR(trace_stats_range(&s, peers).most, 2, 0);
    CHECK_EQ(s.ntags, 3);
    CHECK_EQ(s.tags[0].tag, 5);
    CHECK_EQ(s.tags[0].messages, 3);
    CHECK_EQ(s.recvs.source, 1);
    CHECK_EQ(s.recvs.tag, 1);
    CHECK_EQ(s.recvs.both, 1);
    CHECK_EQ(s.rank[1].top_tuple, 3);
    CHECK_EQ(s.rank[1].messages_to, 3);
    CHECK_EQ(s.rank[0].top_tuple, 1);
    CHECK_EQ(s.odd_pairs, 1);
    CHECK_EQ(s.unreceived, 1);
    CHECK_EQ(s.unsent, 0);
    CHECK_EQ(calls(&s, "MPI_Isend"), 3);
    CHECK_EQ(calls(&s, "MPI_Recv"), 5);
    CHECK(s.rank[2].finalized && !s.rank[0].finalized);
    trace_stats_clear(&s);
    trace_close(&t);
}

/* A call of three events counts once, and covers its time once; before it the
 * rank computed 2 s, after it 0.5 s. */
static void clocks(void)
{
    struct trace t;
    struct trace_stats s;

    trace_toy_open(&t, 1);
    t.has_clock = true;
    trace_toy_time(trace_toy_add(&t, 0, TRACE_INIT, "MPI_Init"), 10, 11);
    for (int i = 0; i < 3; i++) {
        struct trace_event *e =
            i < 2 ? trace_toy_message(&t, 0, i ? TRACE_RECV : TRACE_SEND,
                                      "MPI_Sendrecv", 0, 0, 1)
                  : trace_toy_add(&t, 0, TRACE_WAIT, "MPI_Sendrecv");
        trace_toy_time(e, 13, 14 + i * 0.5);
        e->place = 99;
    }
    trace_toy_time(trace_toy_add(&t, 0, TRACE_FINALIZE, "MPI_Finalize"), 15.5,
                   16);
    read_it(&s, &t);
    CHECK_EQ(s.rank[0].calls, 3);
    CHECK_EQ(calls(&s, "MPI_Sendrecv"), 1);
    CHECK_NEAR(s.rank[0].in_calls_s, 1 + 2 + 0.5, 1e-12);
    CHECK_NEAR(s.rank[0].compute_s, 2 + 0.5, 1e-12);
    CHECK_NEAR(s.rank[0].end_s - s.rank[0].begin_s, 6, 1e-12);
    trace_stats_clear(&s);
    trace_close(&t);
}

/* Without clocks, computes have seconds and flops. */
static void computes(void)
{
    struct trace t;
    struct trace_stats s;

    trace_toy_open(&t, 2);
    trace_toy_add(&t, 0, TRACE_COMPUTE, "calc")->work_s = 0.25;
    trace_toy_add(&t, 0, TRACE_COMPUTE, "calc")->work_s = 0.5;
    trace_toy_add(&t, 1, TRACE_COMPUTE, "compute")->work_flops = 1e9;
    read_it(&s, &t);
    CHECK_NEAR(s.rank[0].compute_s, 0.75, 1e-12);
    CHECK_NEAR(s.rank[1].flops, 1e9, 0);
    CHECK_EQ(s.rank[0].calls, 0);
    CHECK_EQ(s.of[TRACE_COMPUTE], 3);
    trace_stats_clear(&s);
    trace_close(&t);
}

/* Ranks 0 and 2, and 1 and 3, exchange in halves of the world; the ring in them
 * is known only after the last rank has split. */
static void in_split(void)
{
    struct trace t;
    struct trace_stats s;

    trace_toy_open(&t, 4);
    for (uint32_t r = 0; r < 4; r++) {
        struct trace_event *e =
            trace_toy_add(&t, r, TRACE_COMM, "MPI_Comm_split");
        e->how = TRACE_SPLIT;
        e->color = r % 2;
        e->new_comm = 7 + r;
        e = trace_toy_message(&t, r, TRACE_SEND, "MPI_Isend", 1 - r / 2, 0, 4);
        e->comm = 7 + r;
        e = trace_toy_add(&t, r, TRACE_COLLECTIVE, "MPI_Allreduce");
        e->collective = TRACE_ALLREDUCE;
        e->comm = 7 + r;
        e->bytes = 100;
        e = trace_toy_add(&t, r, TRACE_COLLECTIVE, "MPI_Alltoall");
        e->collective = TRACE_ALLTOALL;
        e->bytes = 10;
        e = trace_toy_add(&t, r, TRACE_COLLECTIVE, "MPI_Bcast");
        e->collective = TRACE_BROADCAST;
        e->bytes = 10;
        e->peer = 2;
    }
    read_it(&s, &t);
    CHECK_EQ(s.pairs, 4);
    CHECK_EQ(s.rank[0].top_tuple, 1);
    CHECK_EQ(s.unreceived, 4);
    CHECK_EQ(trace_comms_n(s.comms), 3);
    CHECK_EQ(s.comm[1].messages, 2);
    CHECK_EQ(s.comm[2].bytes, 8);
    CHECK_EQ(s.comm[2].collectives, 2);
    CHECK_EQ(s.comm[0].collectives, 8);
    CHECK_EQ(s.collectives[TRACE_ALLREDUCE].calls, 4);
    CHECK_EQ(s.collectives[TRACE_ALLREDUCE].operations, 2);
    CHECK_EQ(s.collectives[TRACE_ALLREDUCE].most, 2);
    CHECK_EQ(s.collectives[TRACE_ALLREDUCE].bytes, 400);
    CHECK_EQ(s.collectives[TRACE_ALLTOALL].bytes, 4 * 4 * 10);
    CHECK_EQ(s.collectives[TRACE_BROADCAST].bytes, 10);
    CHECK_EQ(s.collectives[TRACE_BROADCAST].operations, 1);
    CHECK_EQ(s.unknown_comm, 0);
    trace_stats_clear(&s);
    trace_close(&t);
}

/* The last rank's trace ends before the split, and one is missing: peers are
 * not known, but counted. No rank makes communicator 30. */
static void not_known(bool missing)
{
    struct trace t;
    struct trace_stats s;

    trace_toy_open(&t, 3);
    t.rank[2].missing = missing;
    for (uint32_t r = 0; r < 2; r++) {
        struct trace_event *e =
            trace_toy_add(&t, r, TRACE_COMM, "MPI_Comm_split");
        e->how = TRACE_SPLIT;
        e->new_comm = 4;
        e = trace_toy_message(&t, r, TRACE_SEND, "MPI_Isend", 1, 0, 4);
        e->comm = 4;
        trace_toy_message(&t, r, TRACE_SEND, "MPI_Isend", 0, 0, 4)->comm = 30;
        trace_toy_message(&t, r, TRACE_RECV, "MPI_Irecv", 2, 0, 4);
    }
    read_it(&s, &t);
    CHECK_EQ(s.messages, 4);
    /* A missing rank's sends are known from their receivers. */
    CHECK_EQ(s.pairs, missing ? 2 : 0);
    CHECK_EQ(s.rank[0].top_tuple, missing ? 1 : 0);
    CHECK_EQ(s.rank[0].peers, 1);
    CHECK_EQ(s.unknown_comm, missing ? 2 : 4);
    CHECK_HAS(s.unknown_comm_first,
              missing ? "communicator 30: made nowhere before"
                      : "communicator 4: some ranks never come to its split");
    CHECK_EQ(s.unsent, missing ? 0 : 2);
    trace_stats_clear(&s);
    trace_close(&t);
}

static void refused(void)
{
    struct trace t;
    struct trace_stats s;
    struct err err = {0};

    trace_toy_open(&t, 3);
    trace_toy_message(&t, 1, TRACE_SEND, "MPI_Isend", 3, 0, 4);
    CHECK_EQ(trace_stats_read(&s, &t, &err), -1);
    CHECK_HAS(err.text, "toy:1: rank 1: MPI_Isend: rank 3 of a communicator of "
                        "3 ranks");
    trace_close(&t);
}

int main(void)
{
    messages();
    clocks();
    computes();
    in_split();
    not_known(true);
    not_known(false);
    refused();
    return check_result();
}

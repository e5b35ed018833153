/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of traces, compared with the same collective alone and with steps
 * that are made by hand. */
#include "tests/replay_checks.h"

/* Returns the time of the library's choice, alone. */
static double time_alone(enum collective_kind kind, uint64_t bytes,
                         unsigned nodes, unsigned each, bool mixed)
{
    struct collective c = {.kind = kind,
                           .nodes = nodes,
                           .ranks_per_node = each,
                           .ranks = nodes * each,
                           .bytes = bytes,
                           .mixed = mixed,
                           .element_B = 8};
    struct library_choice choice =
        library_choose(library_of(&lassen, COLLECTIVE_HOST), &lassen, &c);
    struct plan p;
    struct err err = {0};

    if (collective_plan(&p, &lassen, choice.ours, NULL, &c, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return NAN;
    }
    return time_of(&p);
}

/* A collective of strategies/collective takes as long as alone: 8 ranks on 2
 * nodes. `bytes` are a rank's block if each has one. */
static void test_as_alone(void)
{
    static const struct {
        enum trace_collective call;
        enum collective_kind kind;
        unsigned blocks;
    } of[] = {{TRACE_BROADCAST, COLLECTIVE_BROADCAST, 1},
              {TRACE_REDUCE, COLLECTIVE_REDUCE, 1},
              {TRACE_ALLREDUCE, COLLECTIVE_ALLREDUCE, 1},
              {TRACE_ALLGATHER, COLLECTIVE_ALLGATHER, 8},
              {TRACE_ALLTOALL, COLLECTIVE_ALLTOALL, 8},
              {TRACE_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER, 8}};

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        for (uint64_t bytes = 8; bytes <= 80000; bytes *= 100) {
            struct trace t = made_trace(8);
            for (uint32_t r = 0; r < 8; r++)
                made_collective(&t, r, of[i].call, bytes);
            check_time(
                &t, time_alone(of[i].kind, bytes * of[i].blocks, 2, 4, false));
        }
}

/* Adds a split that puts ranks 1 and 3 of each node into a communicator: 4
 * ranks, 2 on a node. Other ranks are alone. */
static void split(struct trace *t, uint32_t ranks, uint32_t colors)
{
    for (uint32_t r = 0; r < ranks; r++) {
        struct trace_event *e = made_add(t, r, TRACE_COMM, "MPI_Comm_split");
        e->how = TRACE_SPLIT;
        e->new_comm = 5 + r % colors;
        e->color = r % colors;
    }
}

static void test_in_part(void)
{
    struct trace whole = made_trace(8), part = made_trace(8);
    char text[1024];

    split(&whole, 8, 2);
    split(&part, 8, 2);
    double split_s = made_time(&on_lassen, &whole, text, sizeof text);
    for (uint32_t r = 1; r < 8; r += 2) {
        made_compute(&part, r, 1e-3);
        made_collective(&part, r, TRACE_ALLREDUCE, 4096)->comm = 6;
    }
    double time_s = made_time(&on_lassen, &part, text, sizeof text);
    CHECK(!text[0]);
    trace_close(&whole);
    trace_close(&part);
    /* Local ranks are on other cores than 2 alone would be. */
    CHECK_NEAR(time_s - 1e-3,
               split_s + time_alone(COLLECTIVE_ALLREDUCE, 4096, 2, 2, false),
               0.2);
}

/* A message of a collective by hand, on 4 ranks of 2 nodes: its step, ranks and
 * bytes. */
struct message {
    uint32_t step, from, to;
    uint64_t bytes;
};

static double time_by_hand(const struct message *list, size_t n)
{
    uint32_t after[4][8], nafter[4] = {0}, next[4][8], nnext[4] = {0};
    struct plan p;

    start(&p, 2, 2);
    for (size_t i = 0; i < n; i++) {
        const struct message *m = &list[i];
        if (i && m->step != list[i - 1].step) {
            for (uint32_t r = 0; r < 4; r++) {
                if (nnext[r])
                    memcpy(after[r], next[r], sizeof next[r]);
                nafter[r] = nnext[r] ? nnext[r] : nafter[r];
                nnext[r] = 0;
            }
        }
        uint32_t op = plan_msg(&p, PHASE_OFF_NODE, m->from, m->to, NO_GPU,
                               NO_GPU, m->bytes);
        for (uint32_t k = 0; k < nafter[m->from]; k++)
            plan_after(&p, after[m->from][k]);
        for (uint32_t k = 0; k < nafter[m->to]; k++)
            plan_posted_after(&p, after[m->to][k]);
        next[m->from][nnext[m->from]++] = op | AFTER_SENT;
        next[m->to][nnext[m->to]++] = op;
    }
    return time_of(&p);
}
#define BY_HAND(...)                                                           \
    time_by_hand((const struct message[]){__VA_ARGS__},                        \
                 sizeof((const struct message[]){__VA_ARGS__}) /               \
                     sizeof(struct message))

static struct trace all_of_4(enum trace_collective call, uint64_t bytes,
                             uint32_t root)
{
    struct trace t = made_trace(4);

    for (uint32_t r = 0; r < 4; r++)
        made_collective(&t, r, call, bytes)->peer = root;
    return t;
}

static void test_by_hand(void)
{
    struct trace t = all_of_4(TRACE_BARRIER, 0, 0);

    check_time(&t,
               BY_HAND({0, 0, 1, 0}, {0, 1, 2, 0}, {0, 2, 3, 0}, {0, 3, 0, 0},
                       {1, 0, 2, 0}, {1, 1, 3, 0}, {1, 2, 0, 0}, {1, 3, 1, 0}));
    t = all_of_4(TRACE_GATHER, 5000, 1);
    check_time(&t, BY_HAND({0, 2, 1, 5000}, {0, 0, 3, 5000}, {1, 3, 1, 10000}));
    t = all_of_4(TRACE_SCATTER, 5000, 1);
    check_time(&t, BY_HAND({0, 1, 3, 10000}, {1, 1, 2, 5000}, {1, 3, 0, 5000}));
    t = all_of_4(TRACE_BROADCAST, 0, 0);
    check_time(&t, 0);
}

static void counts(struct trace_event *e, const uint64_t *to,
                   const uint64_t *from)
{
    e->counts = to ? made_copy(to, 4) : NULL;
    e->recv_counts = from ? made_copy(from, 4) : NULL;
    e->ncounts = 4;
}

/* Each pair has its own count. */
static void test_counts(void)
{
    static const uint64_t to[4][4] = {
        {0, 10, 0, 30000}, {0, 0, 500, 0}, {7, 0, 0, 0}, {0, 0, 90000, 1}};
    struct trace t = made_trace(4);

    for (uint32_t r = 0; r < 4; r++) {
        uint64_t from[4];
        for (uint32_t k = 0; k < 4; k++)
            from[k] = to[k][r];
        counts(made_collective(&t, r, TRACE_ALLTOALL, 0), to[r], from);
    }
    check_time(&t, BY_HAND({0, 0, 1, 10}, {0, 1, 2, 500}, {0, 2, 0, 7},
                           {0, 3, 2, 90000}, {0, 0, 3, 30000}));

    t = made_trace(4);
    for (uint32_t r = 0; r < 4; r++)
        counts(made_collective(&t, r, TRACE_GATHER, to[0][r]), NULL,
               r ? NULL : to[0]);
    check_time(&t, BY_HAND({0, 1, 0, 10}, {0, 3, 0, 30000}));

    t = made_trace(4);
    for (uint32_t r = 0; r < 4; r++)
        counts(made_collective(&t, r, TRACE_ALLGATHER, to[0][r]), NULL, to[0]);
    check_time(&t, BY_HAND({0, 0, 3, 0}, {0, 1, 0, 10}, {0, 2, 1, 0},
                           {0, 3, 2, 30000}, {1, 0, 2, 10}, {1, 1, 3, 10},
                           {1, 2, 0, 30000}, {1, 3, 1, 30000}));

    t = made_trace(4);
    for (uint32_t r = 0; r < 4; r++)
        counts(made_collective(&t, r, TRACE_ALLTOALL, 0), to[r], to[r]);
    check_refused(&t, "rank 0: alltoall: expects 10 B of rank 1, which sends "
                      "0 B");
}

/* A collective makes no progress while its rank computes: the others wait for
 * rank 3. */
static void test_beside(void)
{
    struct trace t = all_of_4(TRACE_ALLREDUCE, 1000, 0), u = made_trace(4);
    char text[1024];
    double alone_s = made_time(&on_lassen, &t, text, sizeof text);

    trace_close(&t);
    for (uint32_t r = 0; r < 4; r++) {
        struct trace_event *e = made_collective(&u, r, TRACE_ALLREDUCE, 1000);
        e->blocks = false;
        e->request = 9;
        made_compute(&u, r, r == 3 ? 5e-3 : 1e-3);
        made_wait(&u, r, 9, 1);
        made_compute(&u, r, r == 3 ? 0 : 1e-3);
    }
    double time_s = made_time(&on_lassen, &u, text, sizeof text);
    CHECK(!text[0]);
    CHECK(time_s > 6e-3 && time_s < 6e-3 + 2 * alone_s);
    trace_close(&u);

    /* A barrier of all waits for the last. */
    t = made_trace(4);
    for (uint32_t r = 0; r < 4; r++) {
        made_compute(&t, r, r == 3 ? 5e-3 : 1e-3);
        made_collective(&t, r, TRACE_BARRIER, 0);
        made_compute(&t, r, r == 3 ? 0 : 1e-3);
    }
    time_s = made_time(&on_lassen, &t, text, sizeof text);
    CHECK(time_s > 6e-3 && time_s < 6.1e-3);
    trace_close(&t);

    /* A broadcast's root waits for no other rank. */
    t = made_trace(4);
    made_collective(&t, 0, TRACE_BROADCAST, 8);
    made_compute(&t, 0, 1e-3);
    for (uint32_t r = 1; r < 4; r++) {
        made_compute(&t, r, 1e-3);
        made_collective(&t, r, TRACE_BROADCAST, 8);
    }
    time_s = made_time(&on_lassen, &t, text, sizeof text);
    CHECK(time_s > 1e-3 && time_s < 1.1e-3);
    trace_close(&t);
}

/* Returns the remarks on a collective of 6 ranks with such an --algorithm: L if
 * another algorithm than the library's is used, A if another than the chosen
 * one. */
static const char *remarks(enum trace_collective call, const char *algorithms)
{
    struct made_run run = on_lassen;
    struct trace t = made_trace(6);
    struct plan p;
    struct err err = {0};
    bool library = false, chosen = false;

    run.options.algorithms = algorithms;
    for (uint32_t r = 0; r < 6; r++)
        made_collective(&t, r, call, 800);
    CHECK(made_plan(&p, &run, &t, &err) == 0);
    for (size_t i = 0; i < p.origin->nremarks; i++) {
        const char *text = p.origin->remarks[i];
        library |= strstr(text, "algorithm than the library takes") != NULL;
        chosen |= strstr(text, "algorithm than that of --algorithm") != NULL;
    }
    CHECK_EQ(p.origin->nremarks, library + chosen);
    plan_clear(&p);
    trace_close(&t);
    return library ? chosen ? "AL" : "L" : chosen ? "A" : "";
}

/* The library's own algorithm replaces one that cannot be planned for 6 ranks,
 * and is then not reported as another than the library's. */
static void test_choice(void)
{
    CHECK(!strcmp(remarks(TRACE_REDUCE, NULL), ""));
    CHECK(!strcmp(remarks(TRACE_REDUCE, "binomial"), ""));
    CHECK(!strcmp(remarks(TRACE_REDUCE, "bine_lat"), "A"));
    CHECK(!strcmp(remarks(TRACE_ALLGATHER, NULL), "L"));
    CHECK(!strcmp(remarks(TRACE_ALLGATHER, "ring"), ""));
    CHECK(!strcmp(remarks(TRACE_ALLGATHER, "recursive_doubling"), "AL"));
}

int main(void)
{
    if (!load_lassen())
        return 1;
    test_as_alone();
    test_in_part();
    test_by_hand();
    test_counts();
    test_beside();
    test_choice();
    machine_clear(&lassen);
    return check_result();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages and receives matched on the GPU: Figures 4 to 6 of Klenk et al. */
#include "validate/native/cuda/cuda_bench.h"
#include "validate/native/cuda/match.h"

#include "base/seconds.h"
#include "validate/native/cuda/match_case.h"

#include <stdlib.h>
#include <string.h>

enum algorithm { LIST, MATRIX, HASH };

/* A kind of matching: a row for each relaxation and number of queues. */
struct kind {
    const char *name;
    enum algorithm algorithm;
    unsigned queues;
    struct match_mix mix;
    bool compact; /* it also lists unmatched messages and receives */
};

static const struct kind kinds[] = {
    {"list_cpu", LIST, 1, {0, 0}, false},
    {"matrix", MATRIX, 1, {0, 0}, false},
    {"matrix", MATRIX, 1, {0, 0}, true},
    {"matrix", MATRIX, 1, {0, 50}, true},
    {"matrix", MATRIX, 1, {25, 0}, true},
    {"partitioned", MATRIX, 2, {0, 0}, false},
    {"partitioned", MATRIX, 4, {0, 0}, false},
    {"partitioned", MATRIX, 8, {0, 0}, false},
    {"partitioned", MATRIX, 16, {0, 0}, false},
    {"partitioned", MATRIX, 32, {0, 0}, false},
    {"partitioned", MATRIX, 32, {0, 50}, true},
    {"hash", HASH, 1, {0, 0}, false},
    {"hash", HASH, 2, {0, 0}, false},
    {"hash", HASH, 4, {0, 0}, false},
    {"hash", HASH, 8, {0, 0}, false},
    {"hash", HASH, 16, {0, 0}, false},
    {"hash", HASH, 32, {0, 0}, false},
    {"hash", HASH, 32, {0, 50}, false},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

struct match_run {
    const struct native *n;
    const struct kind *kind;
    struct match_case c;
    uint32_t *wanted, *got; /* results of the serial matcher, and of the GPU */
    struct match_work w;    /* in GPU memory */
    struct match_shape shape;
    struct gpu_clock clock;
    struct gpu_pieces pieces;
};

static void *sent(struct match_run *r, const void *from, size_t bytes)
{
    void *to;

    DIE_TRY((to = gpu_piece(&r->pieces, bytes, DIE)) ? 0 : -1);
    if (from)
        CUDA_DIE(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

static void send_case(struct match_run *r)
{
    const struct match_case *c = &r->c;
    size_t ends = c->queues + 1, n = c->n, word = sizeof(uint32_t);

    r->w = (struct match_work){
        .messages = sent(r, c->messages, n * sizeof *c->messages),
        .receives = sent(r, c->receives, n * sizeof *c->receives),
        .first_message = sent(r, c->first_message, ends * word),
        .first_receive = sent(r, c->first_receive, ends * word),
        .queues = c->queues,
        .compact = r->kind->compact,
        .taken = sent(r, NULL, n * word),
        .list = sent(r, NULL, n * word),
        .left_messages = sent(r, NULL, n * word),
        .left_receives = sent(r, NULL, n * word),
        .nleft = sent(r, NULL, 2 * ends * word)};
}

static double match_bench_batch(void *arg, unsigned iterations)
{
    struct match_run *r = arg;

    if (r->n->rank != 0)
        return 0;
    if (r->kind->algorithm == LIST) {
        double begin = seconds();
        for (unsigned i = 0; i < iterations; i++)
            match_serial(r->got, r->c.messages, r->c.n, r->c.receives, r->c.n);
        return (seconds() - begin) / iterations;
    }
    gpu_clock_start(&r->clock);
    if (r->kind->algorithm == HASH)
        CUDA_DIE(match_start_hash(r->w, r->shape, iterations, r->clock.stream));
    else
        CUDA_DIE(
            match_start_matrix(r->w, r->shape, iterations, r->clock.stream));
    return gpu_clock_stop(&r->clock) / iterations;
}

static void fetch(void *to, const void *from, size_t bytes)
{
    CUDA_DIE(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

static bool left_as_wanted(const struct match_run *r)
{
    const struct match_case *c = &r->c;
    uint32_t *messages = xcalloc(c->n, sizeof *messages);
    uint32_t *receives = xcalloc(c->n, sizeof *receives);
    uint32_t *nleft = xcalloc(2 * (size_t)c->queues, sizeof *nleft);

    fetch(messages, r->w.left_messages, c->n * sizeof *messages);
    fetch(receives, r->w.left_receives, c->n * sizeof *receives);
    fetch(nleft, r->w.nleft, 2 * (size_t)c->queues * sizeof *nleft);
    bool good = match_case_left(c, r->wanted, messages, receives, nleft);
    free(messages);
    free(receives);
    free(nleft);
    return good;
}

/* Checks the last batch. With ordering there is one right answer; without, any
 * answer with the right number of matches of every source and tag. */
static void match_bench_check(struct match_run *r)
{
    const struct match_case *c = &r->c;

    if (r->kind->algorithm != LIST)
        fetch(r->got, r->w.taken, c->n * sizeof *r->got);
    bool good =
        r->kind->algorithm == HASH
            ? match_unordered(r->got, c->messages, c->n, c->receives, c->n)
            : !memcmp(r->got, r->wanted, c->n * sizeof *r->got);
    if (!good)
        native_die("match %s: %u in %u queues: other matches than those of "
                   "the serial matcher",
                   r->kind->name, c->n, c->queues);
    if (r->kind->compact && !left_as_wanted(r))
        native_die("match %s: %u in %u queues: the queues of what is left are "
                   "wrong",
                   r->kind->name, c->n, c->queues);
}

static unsigned matches(const struct match_run *r)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < r->c.n; i++)
        n += r->wanted[i] != MATCH_LEFT;
    return n;
}

static void rows(struct table *t, const struct match_run *r,
                 const struct samples *s, unsigned ranks)
{
    const struct kind *k = r->kind;
    unsigned found = matches(r);

    for (size_t i = 0; i < s->n; i++)
        table_row(t, "%s,%u,%u,%u,%u,%u,%u,%u,%s,%s,%u,%u,%.6e,%.6e", k->name,
                  r->c.n, ranks, k->queues, r->shape.ctas, r->shape.threads,
                  k->mix.wildcards, k->mix.unexpected,
                  k->algorithm == HASH ? "no" : "yes",
                  k->compact ? "yes" : "no", found, s->iterations, s->s[i],
                  found / s->s[i]);
}

static void match_bench_one_point(struct table *t, const struct repeat *how,
                                  struct match_run *r, uint32_t length,
                                  unsigned ranks, unsigned tags)
{
    struct samples s;

    match_case_init(&r->c, length, r->kind->queues, ranks, tags, r->kind->mix);
    r->wanted = xcalloc(length, sizeof *r->wanted);
    r->got = xcalloc(length, sizeof *r->got);
    match_case_serial(&r->c, r->wanted);
    uint32_t longest = match_case_longest(&r->c);
    r->shape = r->kind->algorithm == LIST ? (struct match_shape){0}
               : r->kind->algorithm == HASH
                   ? match_shape_hash(r->kind->queues, longest)
                   : match_shape_matrix(r->kind->queues, longest);
    if (r->n->rank == 0 && r->kind->algorithm != LIST)
        send_case(r);
    repeat(&s, r->n, how, match_bench_batch, r);
    if (r->n->rank == 0)
        match_bench_check(r);
    rows(t, r, &s, ranks);
    samples_clear(&s);
    gpu_pieces_clear(&r->pieces);
    free(r->wanted);
    free(r->got);
    match_case_clear(&r->c);
}

static const char *const notes[] = {
    "all messages and all receives of a queue are there; time_s: of matching "
    "them once, in a kernel that does it `iterations` times (between two CUDA "
    "events; its launch is in it once); list_cpu: on one core, by the clock",
    "matrix: scan and reduce, one queue; partitioned: as many queues, by "
    "source; hash: the table of two levels, as many CTAs, by source",
    "a CTA is where the GPU puts it: several need not be on one multiprocessor",
    "ordering yes: the matches are those of a serial matcher, each; no: as "
    "many of every source and tag, whichever they are",
    "wildcards_percent of the receives take any source or any tag; "
    "unexpected_percent of the messages fit no receive, and as many receives "
    "no message; compaction: the queues of what is left are made too",
    NULL};

int bench_match(struct native *n, int argc, char **argv, struct err *err)
{
    unsigned ranks = 32, tags = 65536;
    struct opt more[] = {
        {"ranks", OPT_COUNT, &ranks, "N", "senders (32)"},
        {"tags", OPT_COUNT, &tags, "N", "different tags (65536)"},
        {0}};
    struct bench_options o = {.sizes = {32, 8192},
                              .sized = "lengths of the queue",
                              .copies = true,
                              .about = "--sizes has lengths of the queue.\n"};
    struct match_run r = {.n = n};
    struct table t;
    bool helped;

    if (cuda_begin(n, &o, argc, argv, "match [OPTIONS]", more, &helped, err) <
        0)
        return -1;
    if (helped)
        return 0;
    if (o.sizes.to > MATCH_HASH_MOST)
        return fail(err, "--sizes: expected queues of up to %d, got %llu",
                    MATCH_HASH_MOST, (unsigned long long)o.sizes.to);
    int result = n->rank == 0 ? gpu_clock_init(&r.clock, err) : 0;
    if (native_agree(n, result, err) < 0 ||
        table_open(&t, n, &o.native, "matching of messages on the GPU", notes,
                   "algorithm,queue_length,ranks,queues,ctas,threads,"
                   "wildcards_percent,unexpected_percent,ordering,compaction,"
                   "matches,iterations,time_s,matches_per_s",
                   err) < 0)
        return -1;
    const struct repeat how = cuda_repeat(&o);
    for (r.kind = kinds; r.kind < kinds + NKINDS; r.kind++)
        for (uint64_t len = o.sizes.from; len <= o.sizes.to;
             len *= o.sizes.factor)
            if (r.kind->queues <= ranks && r.kind->queues <= len)
                match_bench_one_point(&t, &how, &r, (uint32_t)len, ranks, tags);
    if (n->rank == 0)
        gpu_clock_clear(&r.clock);
    return table_close(&t, n, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alltoallv.c - every GPU sends every other GPU a number of bytes from a
 * matrix, or a random one. */
#include "base/csv.h"
#include "base/number.h"
#include "base/random.h"
#include "workloads/words.h"
#include "workloads/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALLTOALLV_MAX_B 0x1p50 /* limit of one message */

/* --- random sizes --------------------------------------------------------- */

struct sizes {
    uint64_t mean_B, seed;
    double spread, sigma; /* NAN if not given; one of them must be */
};

static int sizes_read(struct sizes *s, const char *rest, struct err *err)
{
    const struct word words[] = {{"mean", WORD_BYTES, &s->mean_B, false},
                                 {"spread", WORD_SHARE, &s->spread, true},
                                 {"sigma", WORD_REAL, &s->sigma, true},
                                 {"seed", WORD_SEED, &s->seed, true}};
    char *text = xasprintf("mean=%s", rest);

    *s = (struct sizes){
        .seed = alltoallv_drawn_workload.seed, .spread = NAN, .sigma = NAN};
    int result = words_read(text, words, sizeof words / sizeof words[0], err);
    free(text);
    if (result < 0)
        return -1;
    if (isnan(s->spread) == isnan(s->sigma))
        return fail(err, "expected one of spread= and sigma=");
    if ((double)s->mean_B > ALLTOALLV_MAX_B / 2 || s->sigma > 10)
        return fail(err, "expected a mean of at most 2^49 bytes, and a sigma "
                         "of at most 10");
    return 0;
}

/* Draws a number from 0 to below 1. */
static double uniform(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Draws a number of the standard normal distribution (Box and Muller 1958). */
static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));

    return radius * cos(2 * 3.14159265358979323846 * uniform(state));
}

/* Draws a size. A lognormal variable exp(mu + sigma z) has the mean exp(mu +
 * sigma^2/2), so mu is chosen for the mean. */
static uint64_t sizes_draw(struct sizes *s)
{
    double mean = (double)s->mean_B, bytes;

    if (isnan(s->sigma))
        bytes = mean * (1 + s->spread * (2 * uniform(&s->seed) - 1));
    else
        bytes =
            mean * exp(s->sigma * normal(&s->seed) - s->sigma * s->sigma / 2);
    return (uint64_t)llround(fmin(bytes, ALLTOALLV_MAX_B));
}

static int alltoallv_drawn(struct halo *h, uint32_t gpus,
                           uint32_t gpus_per_node, const char *rest,
                           struct err *err)
{
    struct sizes s;
    size_t n = 0;

    if (sizes_read(&s, rest, err) < 0)
        return fail_in(err, "%s%s", alltoallv_drawn_workload.prefix, rest);
    struct halo_msg *msgs = xcalloc((size_t)gpus * gpus, sizeof *msgs);
    for (uint32_t src = 0; src < gpus; src++)
        for (uint32_t dst = 0; dst < gpus; dst++)
            if (src != dst)
                msgs[n++] = (struct halo_msg){src, dst, sizes_draw(&s)};
    int result = halo_from_messages(h, gpus, gpus_per_node, 1, msgs, n, err);
    free(msgs);
    return result;
}

#define HELP                                                                   \
    "What one GPU sends to another lies together in its memory: only what is " \
    "sent on on the\nway is packed."

const struct workload alltoallv_drawn_workload = {
    .prefix = "alltoallv:mean=",
    .words = "alltoallv:mean=B,spread=S,seed=K",
    .summary = "every GPU sends every other one bytes that are drawn",
    .help = "spread=S draws uniformly from B(1 - S) to B(1 + S), S from 0 to "
            "1. sigma=G in its place draws\nlognormal sizes of mean B, whose "
            "logarithms have the standard deviation G. seed may be\nleft "
            "out. " HELP,
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = alltoallv_drawn,
    .draws = true,
    .seed = 1,
};

/* --- sizes from a matrix -------------------------------------------------- */

static int matrix_gpu(uint32_t *gpu, const struct csv *t, const char *text,
                      uint32_t gpus, struct err *err)
{
    uint64_t number;

    if (!number_whole(text, &number) || number >= gpus)
        return fail(err,
                    "%s: column '%s': expected src and the numbers of GPUs, "
                    "of which there are %u, from 0",
                    t->path, text, gpus);
    *gpu = (uint32_t)number;
    return 0;
}

/* Reads the messages of one row, which one GPU sends. */
static int matrix_row(struct halo_msg *msgs, const struct csv *t, size_t row,
                      uint32_t gpus, bool *seen, struct err *err)
{
    const int of_src = csv_column(t, "src");
    uint32_t src;
    size_t n = 0;

    if (csv_below(t, row, "src", gpus, &src, err) < 0)
        return -1;
    if (seen[src])
        return fail(err, "%s:%u: src: GPU %u stands twice", t->path,
                    t->lines[row], src);
    seen[src] = true;
    for (size_t c = 0; c < t->ncols; c++) {
        struct halo_msg *m = &msgs[n];
        if ((int)c == of_src)
            continue;
        m->src = src;
        if (matrix_gpu(&m->dst, t, t->names[c], gpus, err) < 0 ||
            csv_count(t, row, t->names[c], &m->values, err) < 0)
            return -1;
        if ((double)m->values > ALLTOALLV_MAX_B)
            return fail(err, "%s:%u: %s: expected at most 2^50 bytes", t->path,
                        t->lines[row], t->names[c]);
        n += src != m->dst;
    }
    /* Its own part stays where it is; the free place becomes a message of 0
     * bytes. */
    for (; n < t->ncols; n++)
        msgs[n] = (struct halo_msg){src, src ? 0 : 1, 0};
    return 0;
}

static int alltoallv_matrix(struct halo *h, uint32_t gpus,
                            uint32_t gpus_per_node, const char *path,
                            struct err *err)
{
    struct csv t;
    int result = 0;

    if (gpus < 2)
        return fail(err, "expected 2 GPUs or more");
    if (csv_load(&t, path, err) < 0)
        return -1;
    struct halo_msg *msgs = xcalloc(t.nrows * t.ncols, sizeof *msgs);
    bool *seen = xcalloc(gpus, sizeof *seen);
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = matrix_row(&msgs[i * t.ncols], &t, i, gpus, seen, err);
    if (result == 0)
        result = halo_from_messages(h, gpus, gpus_per_node, 1, msgs,
                                    t.nrows * t.ncols, err);
    free(msgs);
    free(seen);
    csv_clear(&t);
    return result;
}

const struct workload alltoallv_workload = {
    .prefix = "alltoallv:",
    .words = "alltoallv:FILE.csv",
    .summary = "every GPU sends every other one what a matrix says, in bytes",
    .help = "A row is what one GPU sends, whose number is in the column src; "
            "the other columns are\nnamed by the numbers of the GPUs that "
            "receive, such as src,0,1,2. Without --gpus and --nodes\nthere are "
            "as many GPUs as it names. The part of a GPU itself stays where "
            "it is.\n" HELP,
    .options = TRAFFIC_OPTIONS,
    .platform = "lassen",
    .traffic = alltoallv_matrix,
    .names_gpus = true,
};

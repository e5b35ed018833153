/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several ranks of every GPU copy at once, in one direction or in both. */
#include "validate/measure/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of the unrolled loop; the first rounds are left out. */
enum { COPY_ROUNDS = 8, COPY_WARM_UP = 2 };

/* --- the plan ------------------------------------------------------------- */

const char *const copy_pattern_names[NCOPY_PATTERNS] = {"one_way", "half",
                                                        "turns"};

/* Adds the copies of a round of a rank, the place-th of its GPU, each after the
 * one before. */
static void copy_round(struct plan *p, const struct experiment *x,
                       uint32_t rank, unsigned gpu, unsigned place, bool first)
{
    enum copy_dir dir = x->dir;
    uint32_t op;

    if (x->pattern == COPY_HALF)
        dir = place % 2 ? D2H : H2D;
    if (x->pattern == COPY_TURNS)
        dir = D2H;
    op = plan_copy(p, PHASE_COPY_IN, rank, dir, gpu, x->bytes);
    if (!first)
        plan_after(p, op - 1);
    if (x->pattern == COPY_TURNS) {
        op = plan_copy(p, PHASE_COPY_IN, rank, H2D, gpu, x->bytes);
        plan_after(p, op - 1);
    }
}

/* Makes the first `copiers` ranks of every GPU copy at once. The ranks are
 * assigned to the GPUs in blocks; if the GPUs do not divide the ranks, the
 * remaining ranks name a GPU that does not exist and are put on GPU 0. */
static int copies_plan(struct plan *p, const struct machine *m,
                       const struct experiment *x, struct err *err)
{
    unsigned gpus = x->copied_gpus ? x->copied_gpus : m->ngpus;
    unsigned per_gpu = x->ranks_per_node / gpus;

    if (x->ranks_per_node > m->ncores || per_gpu < x->copiers)
        return fail(err,
                    "%s has %u cores and %u GPUs, too few for %u ranks "
                    "with %u copying to each GPU",
                    m->name, m->ncores, gpus, x->ranks_per_node, x->copiers);
    plan_init(p, m, "copies", 1, x->ranks_per_node, NULL);
    for (uint32_t rank = 0; rank < x->ranks_per_node; rank++) {
        unsigned gpu = rank / per_gpu, place = rank % per_gpu;
        if (place >= x->copiers || (x->iteration && gpu >= gpus))
            continue;
        for (int round = 0; round < (x->iteration ? 1 : COPY_ROUNDS); round++)
            copy_round(p, x, rank, gpu < gpus ? gpu : 0, place, round == 0);
    }
    return 0;
}

/* Returns the time of one operation of a rank. */
static double copies_measure(const struct plan *p, const struct op_times *ops)
{
    size_t of_rank = COPY_ROUNDS;
    double worst = 0;

    while (of_rank < p->nops && p->ops[of_rank].src == p->ops[0].src)
        of_rank += COPY_ROUNDS;
    size_t warm_up = of_rank / COPY_ROUNDS * COPY_WARM_UP;
    for (size_t i = 0; i < p->nops; i += of_rank) {
        double took = ops[i + of_rank - 1].end_s - ops[i + warm_up - 1].end_s;
        if (took > worst)
            worst = took;
    }
    return worst / (COPY_ROUNDS - COPY_WARM_UP);
}

static double copies_alone_s(const struct machine *m,
                             const struct experiment *x)
{
    const struct copy_cost *c = machine_copy(m, x->dir, ON_SOCKET, 1, x->bytes);

    return c ? copy_alone_s(c, x->bytes) : 0;
}

/* --- rows ----------------------------------------------------------------- */

/* Returns the number of ranks in the line "measured:" of the head, 40 for "one
 * node of Lassen, 40 ranks (10 per GPU), ..."; 0 if it does not say. */
static unsigned ranks_in_head(const struct csv *t)
{
    for (size_t i = 0; i < t->ncomments; i++) {
        const char *text = t->comments[i];
        if (strncmp(text, " measured:", 10) != 0)
            continue;
        for (const char *at = text; (at = strstr(at, " ranks")); at++) {
            const char *digit = at;
            while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
                digit--;
            if (digit < at)
                return (unsigned)strtoul(digit, NULL, 10);
        }
    }
    return 0;
}

/* Reads the pattern; files without one have copies in one direction. */
static int read_pattern(struct measured_point *out, const struct row *r,
                        struct err *err)
{
    struct experiment *x = &out->x;
    unsigned pattern = COPY_ONE_WAY;

    if (!cell_empty(r->t, r->row, "pattern") &&
        cell_name(r->t, r->row, "pattern", copy_pattern_names, NCOPY_PATTERNS,
                  &pattern, err) < 0)
        return -1;
    x->pattern = (enum copy_pattern)pattern;
    return x->pattern == COPY_ONE_WAY
               ? row_direction(r->t, r->row, &x->dir, err)
               : 0;
}

/* Reads the number of GPUs that copied: all, or one that the machine's GPUs
 * represent. */
static int copied_gpus(struct measured_point *out, struct row *r,
                       struct err *err)
{
    const struct machine *m = r->m;
    unsigned busy = m->ngpus;

    if (!cell_empty(r->t, r->row, "gpus_copying") &&
        cell_small(r->t, r->row, "gpus_copying", &busy, err) < 0)
        return -1;
    if (busy == m->ngpus)
        return 0;
    out->x.copied_gpus = busy;
    return busy == 1 && m->copies.gpus_are_one
               ? 0
               : leave_out(r, "%u GPUs copied, %s has %u", busy, m->name,
                           m->ngpus);
}

static void name_copies(struct measured_point *out)
{
    const struct experiment *x = &out->x;
    const char *mps = x->mps_off ? "MPS_off" : "MPS_on";

    if (x->pattern != COPY_ONE_WAY || x->copied_gpus)
        snprintf(out->group, sizeof out->group, "memcpy_mult/%s/%s", mps,
                 copy_pattern_names[x->pattern]);
    else
        snprintf(out->group, sizeof out->group, "memcpy_mult/%s", mps);
    snprintf(out->label, sizeof out->label, "%u ranks per GPU, %llu B%s",
             x->copiers, (unsigned long long)x->bytes,
             x->pattern != COPY_ONE_WAY ? ", both ways"
             : x->dir == D2H            ? ", to the host"
             : x->dir == D2D            ? ", in the GPU"
                                        : "");
}

static int memcpy_mult_row(struct measured_point *out, struct row *r,
                           struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;

    if (read_pattern(out, r, err) < 0 ||
        cell_small(t, r->row, "copying_ranks_per_gpu", &x->copiers, err) < 0 ||
        csv_count(t, r->row, "bytes_per_rank", &x->bytes, err) < 0)
        return -1;
    int got = copied_gpus(out, r, err);
    if (got)
        return got;
    unsigned ngpus = x->copied_gpus ? x->copied_gpus : r->m->ngpus;
    unsigned ranks = ranks_in_head(t);
    if (ranks < x->copiers * ngpus)
        ranks = x->copiers * ngpus;
    got = row_ranks_per_node(r, ranks, &x->ranks_per_node, err);
    if (got)
        return got;
    if (x->copiers < 1 || x->copiers > x->ranks_per_node / ngpus)
        return fail(err,
                    "%s:%u: copying_ranks_per_gpu: expected from 1 to %u (%u "
                    "ranks, %u GPUs), got %u",
                    t->path, t->lines[r->row], x->ranks_per_node / ngpus,
                    x->ranks_per_node, ngpus, x->copiers);
    x->mps_off = !row_mps(r);
    name_copies(out);
    return 0;
}

/* --- points of sluice-native ---------------------------------------------- */

static void copies_sizes(const struct sweep *s, struct experiment *x)
{
    const char *dir =
        x->pattern == COPY_ONE_WAY ? copy_dir_names[x->dir] : "both";

    for (x->bytes = s->sizes.from; x->bytes <= s->sizes.to;
         x->bytes *= s->sizes.factor)
        sweep_point(s, x, "%s,%s,%u,%u,%llu,%u,%s", dir, dir, x->copiers,
                    s->m->ngpus, (unsigned long long)x->bytes,
                    x->ranks_per_node, copy_pattern_names[x->pattern]);
}

static void copies_sweep(const struct sweep *s)
{
    for (unsigned copiers = 1; copiers <= s->most; copiers++) {
        struct experiment x = {.iteration = true,
                               .copiers = copiers,
                               .ranks_per_node = s->m->ncores};
        for (int d = H2D; d <= D2H && (s->wanted & 1u << COPY_ONE_WAY); d++) {
            x.dir = (enum copy_dir)d;
            copies_sizes(s, &x);
        }
        for (unsigned p = COPY_HALF; p < NCOPY_PATTERNS; p++) {
            x.pattern = (enum copy_pattern)p;
            /* A rank alone has no other half. */
            if ((s->wanted & 1u << p) && (p == COPY_TURNS || copiers > 1))
                copies_sizes(s, &x);
        }
    }
}

static const char *const copies_notes[] = {
    "on every GPU of one node at once, the first copying_ranks_per_gpu of "
    "its ranks (in blocks) each copy bytes_per_rank, not split, on a "
    "stream of their own: cudaMemcpyAsync, then cudaStreamSynchronize; "
    "all other ranks sleep",
    "pattern: one_way: all copy in that direction; half: ranks of even "
    "number to the GPU, of odd number from it; turns: each from the GPU "
    "and then to it, time_s is that of both",
    "time_s: elapsed/iterations, maximum over the ranks; one row a batch, "
    "after two that do not count",
    SWEEP_HOST_NOTE, NULL};

static const struct benchmark_command copies_commands[] = {
    {.name = "memcpy_mult",
     .summary = "copies by several ranks of each GPU at once",
     .about = "1, 2, ... ranks of every GPU of the first node copy at once, "
              "each --sizes; the time is that of the slowest. Without a GPU "
              "memcpy between host buffers.\n",
     .measured = "copies by several ranks of each GPU at once, one node",
     .notes = copies_notes,
     .columns = "direction_printed,direction_performed,copying_ranks_per_gpu,"
                "gpus_copying,bytes_per_rank,ranks_per_node,pattern",
     .sizes = {4, 4u << 20},
     .copies = true,
     .words_option = "patterns",
     .words_help = "of one_way,half,turns: each direction, both at once, one "
                   "after the other (one_way)",
     .words = copy_pattern_names,
     .nwords = NCOPY_PATTERNS,
     .most = "copiers",
     .most_help = "at most N ranks of each GPU at once (its ranks, up to 10)",
     .sweep = copies_sweep},
    {0}};

const struct benchmark memcpy_mult_benchmark = {
    .file = {.name = "memcpy_mult",
             .columns = {"copying_ranks_per_gpu"},
             .time = "time_s",
             .read = memcpy_mult_row,
             .simulated =
                 "direction_printed direction_performed copying_ranks_per_gpu "
                 "gpus_copying bytes_per_rank ranks_per_node pattern mps",
             .gpus = true},
    .plan = copies_plan,
    .measure = copies_measure,
    .commands = copies_commands,
    .alone_s = copies_alone_s,
    .mps = true,
};

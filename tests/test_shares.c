/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank's shares along edges: residues, sums and listed heads are those of a
 * plain loop that branches, bit by bit, whether a GPU's vertices are next to
 * each other or mixed; and own edges are found only if they are one run. */
#include "apps/agents/shares.h"
#include "tests/check.h"

#include <stdlib.h>

enum { VERTICES = 3000, GPUS = 3, HUB = 7, MEAN = 8, ROUNDS = 40 };

/* Draws edges by a multiplicative generator; HUB leads to every other vertex,
 * so that its edges are more than one call has. */
static void graph_draw(struct graph *g, uint32_t mean)
{
    uint32_t arcs = VERTICES * mean + VERTICES, n = 0;
    uint32_t *tail = xcalloc(arcs, sizeof *tail);
    uint32_t *head = xcalloc(arcs, sizeof *head);
    uint64_t draw = 1;

    for (; n < VERTICES * mean; n++) {
        draw = draw * 6364136223846793005U + 1442695040888963407U;
        tail[n] = (uint32_t)(draw >> 40) % VERTICES;
        head[n] = (uint32_t)(draw >> 20) % VERTICES;
    }
    for (uint32_t v = 0; v < VERTICES; v++, n++) {
        tail[n] = HUB;
        head[n] = v;
    }
    graph_from_arcs(g, VERTICES, tail, head, arcs);
    free(tail);
    free(head);
}

static uint32_t owner(uint32_t v, bool mixed)
{
    return mixed ? v % GPUS : v / (VERTICES / GPUS);
}

static void parts_set(uint32_t *part, bool mixed)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        part[v] = owner(v, mixed);
}

/* --- a GPU, and its expected state ----------------------------------------
 */

struct side {
    double residue[VERTICES];
    float sum[VERTICES];
    uint32_t queued[VERTICES * ROUNDS], sent[VERTICES * ROUNDS];
    size_t nqueued, nsent;
};

/* Exact, as most shares are: some values come to a bound and not beyond it. */
static const double bound = 0.25;
static const float goes_at = 0.25F;

static void side_init(struct side *s, const uint32_t *part, uint32_t gpu)
{
    memset(s, 0, sizeof *s);
    for (uint32_t v = 0; v < VERTICES; v++)
        s->sum[v] = part[v] == gpu ? NAN : 0;
}

static void want_add(struct side *s, uint32_t v, double share)
{
    double was = s->residue[v];

    s->residue[v] += share;
    if (was <= bound && s->residue[v] > bound)
        s->queued[s->nqueued++] = v;
}

static void want_give(struct side *s, const struct graph *g,
                      const uint32_t *part, struct update tail)
{
    for (uint64_t a = g->first[tail.v]; a < g->first[tail.v + 1]; a++) {
        uint32_t v = g->to[a];
        if (part[v] == part[tail.v]) {
            want_add(s, v, (double)tail.real);
            continue;
        }
        float was = s->sum[v];
        s->sum[v] = was + tail.real;
        if (was < goes_at && s->sum[v] >= goes_at)
            s->sent[s->nsent++] = v;
    }
}

/* Moves listed heads to a side's own lists. */
static void side_empty(struct side *s, struct shares *from)
{
    for (size_t i = 0; i < from->queued.n; i++)
        s->queued[s->nqueued++] = from->queued.list[i];
    for (size_t i = 0; i < from->sent.n; i++)
        s->sent[s->nsent++] = from->sent.list[i];
    from->queued.n = from->sent.n = 0;
}

static void side_give(struct side *s, struct shares *by, const struct graph *g,
                      const struct own_arcs *own, struct update tail)
{
    uint64_t end = g->first[tail.v + 1];
    struct range piece = {.from = g->first[tail.v]};

    for (; piece.from < end; piece.from = piece.to) {
        piece.to =
            end - piece.from > SHARES_MOST ? piece.from + SHARES_MOST : end;
        if (shares_are_full(by))
            side_empty(s, by);
        shares_give(by, g, piece, own, tail);
    }
}

/* Returns the number of heads that were listed, the same on both sides. */
static size_t sides_agree(const struct side *got, const struct side *want)
{
    CHECK(!memcmp(got->residue, want->residue, sizeof got->residue));
    for (uint32_t v = 0; v < VERTICES; v++)
        CHECK(got->sum[v] == want->sum[v] ||
              (isnan(got->sum[v]) && isnan(want->sum[v])));
    CHECK_EQ(got->nqueued, want->nqueued);
    CHECK_EQ(got->nsent, want->nsent);
    CHECK(!memcmp(got->queued, want->queued, sizeof got->queued));
    CHECK(!memcmp(got->sent, want->sent, sizeof got->sent));
    return got->nqueued < got->nsent ? got->nqueued : got->nsent;
}

/* --- the tests ------------------------------------------------------------
 */

static struct side got, want;
static uint32_t part[VERTICES];

static void gives_as_a_plain_loop(const struct graph *g, bool mixed)
{
    parts_set(part, mixed);
    struct own_arcs *own = own_arcs_new(g, part);
    CHECK_EQ(own == NULL, mixed);
    for (uint32_t gpu = 0; gpu < GPUS; gpu++) {
        struct shares by = {.residue = got.residue,
                            .bound = bound,
                            .sum = got.sum,
                            .goes_at = goes_at};
        side_init(&got, part, gpu);
        side_init(&want, part, gpu);
        for (uint32_t i = 0; i < ROUNDS * VERTICES; i++) {
            uint32_t v = i % VERTICES;
            float unit = v % 16 ? 0x1p-8F : 1e-3F;
            struct update tail = {.v = v, .real = unit * (float)(i % 11)};
            if (part[v] != gpu)
                continue;
            side_give(&got, &by, g, own ? &own[v] : NULL, tail);
            want_give(&want, g, part, tail);
        }
        side_empty(&got, &by);
        CHECK(sides_agree(&got, &want) > SHARES_MOST);
    }
    free(own);
}

static void receives_as_a_plain_loop(void)
{
    struct update list[SHARES_MOST];
    struct shares by = {.residue = got.residue, .bound = bound};

    parts_set(part, false);
    side_init(&got, part, 0);
    side_init(&want, part, 0);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < SHARES_MOST; i++) {
            list[i] = (struct update){.v = i * i % 97, .real = 0.01F};
            want_add(&want, list[i].v, (double)list[i].real);
        }
        shares_receive(&by, list, SHARES_MOST);
        side_empty(&got, &by);
    }
    (void)sides_agree(&got, &want);
    CHECK(got.nqueued > 0);
}

/* Each own edge is in the run, and no other is. */
static void finds_own_edges(const struct graph *g)
{
    parts_set(part, false);
    struct own_arcs *own = own_arcs_new(g, part);
    CHECK(own != NULL);
    for (uint32_t v = 0; own && v < VERTICES; v++)
        for (uint32_t i = 0; i < graph_degree(g, v); i++)
            CHECK_EQ(i >= own[v].from && i < own[v].to,
                     part[g->to[g->first[v] + i]] == part[v]);
    free(own);
}

static void few_edges_need_no_runs(void)
{
    struct graph g;

    graph_draw(&g, 1);
    parts_set(part, false);
    CHECK(own_arcs_new(&g, part) == NULL);
    graph_clear(&g);
}

int main(void)
{
    struct graph g;

    graph_draw(&g, MEAN);
    gives_as_a_plain_loop(&g, false);
    gives_as_a_plain_loop(&g, true);
    receives_as_a_plain_loop();
    finds_own_edges(&g);
    few_edges_need_no_runs();
    graph_clear(&g);
    return check_result();
}

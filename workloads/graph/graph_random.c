/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates uniform and R-MAT graphs. */
#include "workloads/graph/graph_generate.h"

#include "base/random.h"
#include "workloads/graph/graph_draw.h"

#include <unistd.h>

#define MAX_ARCS (UINT64_C(1) << 40)

/* Memory while a graph is made: both ends of every arc, these again sorted by
 * head and by tail, and the ends from which arcs are drawn. */
#define BYTES_PER_ARC 20
#define BYTES_PER_VERTEX 48
/* Memory of graphs that are built vertex by vertex: the heads, and the ends
 * from which they are drawn. */
#define BYTES_PER_ARC_OF_ROWS 5

static int check_memory(uint64_t vertices, uint64_t arcs, double bytes_per_arc,
                        struct err *err)
{
    if (vertices > UINT32_MAX - 1)
        return fail(err, "%llu vertices: expected at most %u",
                    (unsigned long long)vertices, UINT32_MAX - 1);
    if (arcs > MAX_ARCS)
        return fail(err, "%llu arcs: expected at most %llu",
                    (unsigned long long)arcs, (unsigned long long)MAX_ARCS);

    double there =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double wanted =
        bytes_per_arc * (double)arcs + BYTES_PER_VERTEX * (double)vertices;
    if (wanted > there)
        return fail_work(err,
                         "%llu vertices, %llu arcs: wants about %.0f GB of "
                         "memory, and there are %.0f",
                         (unsigned long long)vertices, (unsigned long long)arcs,
                         wanted / 1e9, there / 1e9);
    return 0;
}

int graph_check_size(uint64_t vertices, uint64_t arcs, struct err *err)
{
    return check_memory(vertices, arcs, BYTES_PER_ARC, err);
}

int graph_check_rows(uint64_t vertices, uint64_t arcs, struct err *err)
{
    return check_memory(vertices, arcs, BYTES_PER_ARC_OF_ROWS, err);
}

static bool draw_uniform(void *model, uint64_t *random, uint32_t *tail,
                         uint32_t *head)
{
    const struct graph_uniform *u = model;

    *tail = (uint32_t)random_below(random, u->vertices);
    *head = (uint32_t)random_below(random, u->vertices - 1);
    *head += *head >= *tail;
    return false;
}

int graph_uniform(struct graph *g, const struct graph_uniform *u,
                  struct err *err)
{
    if (graph_check_size(u->vertices, u->arcs, err) < 0)
        return -1;
    if (u->vertices < 2)
        return fail(err, "vertices: expected at least 2");
    if (u->arcs > u->vertices * (u->vertices - 1) / 2)
        return fail(err,
                    "arcs: expected at most half of the %llu that there "
                    "may be, got %llu",
                    (unsigned long long)(u->vertices * (u->vertices - 1)),
                    (unsigned long long)u->arcs);
    struct graph_uniform model = *u;
    graph_draw(g, (uint32_t)u->vertices, u->arcs, 8, draw_uniform, &model,
               u->seed);
    return 0;
}

struct rmat {
    const struct graph_rmat *spec;
    uint32_t a, ab, abc;    /* cumulative shares, times 2^32 */
    uint32_t start, odd[3]; /* parameters of the scramble */
    uint32_t mask, middle;  /* mask: scale bits; middle: half of them */
};

/* Permutes the numbers below 2^scale; each step is invertible. */
static uint32_t scramble(const struct rmat *r, uint32_t v)
{
    v += r->start; /* otherwise 0, the largest hub, would stay 0 */
    for (int i = 0; i < 3; i++) {
        v = v * r->odd[i] & r->mask;
        v ^= v >> r->middle;
    }
    return v;
}

static bool draw_rmat(void *model, uint64_t *random, uint32_t *tail,
                      uint32_t *head)
{
    const struct rmat *r = model;
    uint32_t t = 0, h = 0;
    uint64_t bits = 0;

    for (unsigned level = 0; level < r->spec->scale; level++) {
        bits = level % 2 ? bits >> 32 : next_random(random);
        uint32_t dice = (uint32_t)bits;
        uint32_t down = dice >= r->ab;
        uint32_t right = down ? dice >= r->abc : dice >= r->a;
        t = t << 1 | down;
        h = h << 1 | right;
    }
    *tail = scramble(r, t);
    *head = scramble(r, h);
    return r->spec->undirected;
}

int graph_rmat(struct graph *g, const struct graph_rmat *spec, struct err *err)
{
    const double whole = 0x1p32;
    uint64_t seed = spec->seed ^ UINT64_C(0x726d6174);
    struct rmat r = {.spec = spec};

    if (spec->scale < 1 || spec->scale > 31)
        return fail(err, "scale: expected 1 to 31, got %u", spec->scale);
    if (graph_check_size(UINT64_C(1) << spec->scale, spec->arcs, err) < 0)
        return -1;

    r.a = (uint32_t)(spec->a * whole);
    r.ab = (uint32_t)((spec->a + spec->b) * whole);
    r.abc = (uint32_t)((spec->a + spec->b + spec->c) * whole);
    r.mask = (uint32_t)((UINT64_C(1) << spec->scale) - 1);
    r.middle = (spec->scale + 1) / 2;
    r.start = (uint32_t)next_random(&seed);
    for (int i = 0; i < 3; i++)
        r.odd[i] = (uint32_t)next_random(&seed) | 1;
    graph_draw(g, r.mask + 1, spec->arcs, spec->fill ? 8 : 1, draw_rmat, &r,
               spec->seed);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of a trace that strategies exchange: byte by byte, on drawn halos of
 * ranks at any places; and in time. */
#include "apps/replay/splice.h"

#include "base/random.h"
#include "platforms/platform.h"
#include "sim/plan/plan_check.h"
#include "tests/check.h"

#include <stdlib.h>

enum { MOST_BYTES = 40 };

static struct machine load(const char *name)
{
    struct machine m;
    struct err err;

    if (platform_load(&m, name, NULL, 0, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return m;
}

static void phase_clear(struct trace_phase *p)
{
    free(p->ranks);
    free(p->volumes);
}

/* Draws a phase in which about one of `few` ranks takes part. */
static struct trace_phase draw(uint32_t ranks, unsigned few, uint64_t *seed)
{
    struct trace_phase p = {.ranks = xcalloc(ranks, sizeof *p.ranks)};

    for (uint32_t r = 0; r < ranks; r++)
        if (!random_below(seed, few))
            p.ranks[p.nranks++] = r;
    if (!p.nranks)
        p.ranks[p.nranks++] = 0;
    p.volumes = xcalloc((size_t)p.nranks * p.nranks, sizeof *p.volumes);
    for (uint32_t i = 0; i < p.nranks; i++)
        for (uint32_t k = 0; k < p.nranks; k++)
            if (!random_below(seed, 1 + p.nranks / 6))
                p.volumes[p.nvolumes++] =
                    (struct phase_volume){p.ranks[i], p.ranks[k], 1, 0,
                                          random_below(seed, MOST_BYTES)};
    return p;
}

/* --- byte by byte --------------------------------------------------------- */

struct exam {
    const struct splice *s;
    const struct splice_ranks *where;
    const struct plan *p;
    const struct trace_phase *phase;
    uint32_t ranks;
    bool *has; /* for each rank, class and byte */
    uint32_t *crossed;
};

static bool *has(const struct exam *e, uint32_t rank, uint32_t class)
{
    return &e->has[((size_t)rank * e->s->halo.nclasses + class) * MOST_BYTES];
}

static uint32_t node_of(const struct exam *e, uint32_t rank)
{
    return (e->where->slot ? e->where->slot[rank] : rank) /
           e->where->ranks_per_node;
}

static bool takes_part(const struct exam *e, uint32_t rank)
{
    for (uint32_t i = 0; i < e->phase->nranks; i++)
        if (e->phase->ranks[i] == rank)
            return true;
    return false;
}

static void carry(struct exam *e, uint32_t i)
{
    const struct op *o = &e->p->ops[i];
    uint64_t bytes = 0;

    CHECK(takes_part(e, o->src) && takes_part(e, o->dst));
    CHECK(o->src_gpu == NO_GPU || !e->where->host);
    for (uint32_t k = plan_first_piece(e->p, i); k < plan_end_piece(e->p, i);
         k++) {
        struct piece piece = e->p->pieces[k];
        bytes += piece.count;
        for (uint64_t b = piece.first; b < piece.first + piece.count; b++) {
            CHECK(has(e, o->src, piece.class_id)[b]);
            has(e, o->dst, piece.class_id)[b] = true;
            if (node_of(e, o->src) != node_of(e, o->dst))
                e->crossed[piece.class_id]++;
        }
    }
    if (bytes)
        CHECK_EQ(o->bytes, bytes);
    if (o->kind == OP_MSG)
        CHECK_EQ(o->phase == PHASE_OFF_NODE,
                 node_of(e, o->src) != node_of(e, o->dst));
}

static uint32_t class_dst(const struct halo *h, const struct halo_class *c)
{
    return c->dst_node * h->gpus_per_node + c->dst_first +
           gpu_set_first(c->dst_mask);
}

static uint64_t volume(const struct trace_phase *p, uint32_t src, uint32_t dst)
{
    for (size_t i = 0; i < p->nvolumes; i++)
        if (p->volumes[i].src == src && p->volumes[i].dst == dst)
            return p->volumes[i].bytes;
    return 0;
}

static void check_bytes(struct exam *e)
{
    const struct halo *h = &e->s->halo;
    uint64_t wanted = 0, direct = 0, got = 0;

    e->has = xcalloc((size_t)e->ranks * h->nclasses * MOST_BYTES, 1);
    e->crossed = xcalloc(h->nclasses, sizeof *e->crossed);
    for (uint32_t c = 0; c < h->nclasses; c++)
        memset(has(e, e->s->rank[h->classes[c].src], c), 1,
               h->classes[c].count);
    for (uint32_t i = 0; i < e->p->nops; i++)
        carry(e, i);
    for (uint32_t c = 0; c < h->nclasses; c++) {
        const struct halo_class *class = &h->classes[c];
        uint32_t src = e->s->rank[class->src];
        uint32_t dst = e->s->rank[class_dst(h, class)];
        CHECK_EQ(class->count, volume(e->phase, src, dst));
        got += class->count;
        for (uint64_t b = 0; b < class->count; b++)
            CHECK(has(e, dst, c)[b]);
        CHECK_EQ(e->crossed[c],
                 node_of(e, src) != node_of(e, dst) ? class->count : 0);
    }
    for (size_t i = 0; i < e->phase->nvolumes; i++) {
        const struct phase_volume *v = &e->phase->volumes[i];
        wanted += v->src != v->dst ? v->bytes : 0;
        direct += v->src == v->dst || !v->bytes;
    }
    CHECK_EQ(got, wanted);
    for (uint32_t i = 0; i < e->p->nops; i++)
        if (e->p->ops[i].kind == OP_MSG && plan_npieces(e->p, i) == 0)
            direct--;
    CHECK_EQ(direct, 0);
    free(e->has);
    free(e->crossed);
}

/* --- all strategies ------------------------------------------------------- */

static void check_joints(const struct plan *p, const struct trace_phase *phase,
                         const uint32_t *after)
{
    for (uint32_t i = 0; i < phase->nranks; i++) {
        const struct op *o = &p->ops[after[i]];
        CHECK(o->kind == OP_WORK && o->src == phase->ranks[i]);
        CHECK(plan_ndeps(p, after[i]) > 0);
    }
}

/* Checks one strategy. All ranks begin after 1 s, so that nothing of the phase
 * is earlier. */
static void check_one(const struct strategy *strategy, const struct machine *m,
                      const struct trace_phase *phase,
                      const struct splice_ranks *where, uint32_t ranks)
{
    struct strategy_options options = {.pack = true, .contiguous = true};
    uint32_t *after = xcalloc(phase->nranks, sizeof *after);
    struct exec_result x;
    struct splice s;
    struct plan p;
    struct err err;

    if (splice_make(&s, strategy, m, phase, where, &options, &err) < 0) {
        CHECK((where->host && strategy->device_aware) ||
              strstr(strategy->name, "split+dd"));
        free(after);
        return;
    }
    plan_init(&p, m, strategy->name,
              (ranks + where->ranks_per_node - 1) / where->ranks_per_node,
              where->ranks_per_node, NULL);
    for (uint32_t i = 0; i < phase->nranks; i++)
        after[i] = plan_work(&p, phase->ranks[i], 1);
    splice_add(&s, &p, m, phase, where, after);
    check_joints(&p, phase, after);
    struct exam e = {
        .s = &s, .where = where, .p = &p, .phase = phase, .ranks = ranks};
    check_bytes(&e);
    CHECK_EQ(plan_check(&p, m, &err), 0);
    CHECK_EQ(plan_check_ranks(&p, &err), 0);
    int result = exec_plan(&x, m, &p, NULL, EXEC_DETAILS, &err);
    CHECK_EQ(result, 0);
    if (result == 0) {
        for (uint32_t i = phase->nranks; i < p.nops; i++)
            CHECK(x.ops[i].start_s >= 1);
        exec_result_clear(&x);
    }
    plan_clear(&p);
    splice_clear(&s);
    free(after);
}

static void check_all(const struct machine *m, uint32_t ranks, unsigned each,
                      bool host, bool mixed, uint64_t *seed)
{
    uint32_t *slot = xcalloc(ranks, sizeof *slot);
    struct splice_ranks where = {mixed ? slot : NULL, each, host};

    for (uint32_t r = 0; r < ranks; r++)
        slot[r] = r;
    for (uint32_t r = ranks - 1; r; r--) {
        uint32_t o = (uint32_t)random_below(seed, r + 1), was = slot[r];
        slot[r] = slot[o];
        slot[o] = was;
    }
    struct trace_phase phase =
        draw(ranks, 1 + (unsigned)random_below(seed, 3), seed);
    for (size_t i = 0; i < nstrategies; i++)
        check_one(strategies[i], m, &phase, &where, ranks);
    phase_clear(&phase);
    free(slot);
}

static void test_drawn(void)
{
    struct machine lassen = load("lassen"), dane = load("dane");
    uint64_t seed = 3;

    for (int i = 0; i < 12; i++) {
        check_all(&lassen, 16, 4, false, i % 2, &seed);
        check_all(&lassen, 22, 4, true, i % 2, &seed);
        check_all(&lassen, 80, 40, true, i % 2, &seed);
    }
    check_all(&dane, 150, 70, true, false, &seed);
    check_all(&dane, 150, 112, true, true, &seed);
    machine_clear(&lassen);
    machine_clear(&dane);
}

/* Eight ranks of each of two nodes send to all of the other one: 64 messages in
 * each direction, or one. */
static void test_messages(void)
{
    struct machine m = load("dane");
    struct trace_phase p = {.nranks = 16,
                            .ranks = xcalloc(16, sizeof *p.ranks),
                            .volumes = xcalloc(128, sizeof *p.volumes)};
    const struct strategy_options options = {.no_pieces = true};
    const struct splice_ranks where = {NULL, 8, true};
    struct splice s;
    struct err err;

    for (uint32_t a = 0; a < 16; a++) {
        p.ranks[a] = a;
        for (uint32_t b = 0; b < 16; b++)
            if (a / 8 != b / 8)
                p.volumes[p.nvolumes++] = (struct phase_volume){a, b, 1, 0, 16};
    }
    static const struct {
        const char *name;
        size_t off_node;
    } want[] = {{"standard/staged", 128},
                {"2-step/staged", 16},
                {"3-step/staged", 2},
                {"rail/staged", 16}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct strategy *of = strategy_find(want[i].name, &err);
        size_t off = 0;
        CHECK_EQ(splice_make(&s, of, &m, &p, &where, &options, &err), 0);
        for (size_t o = 0; o < s.plan.nops; o++)
            off += s.plan.ops[o].phase == PHASE_OFF_NODE;
        CHECK_EQ(off, want[i].off_node);
        splice_clear(&s);
    }
    phase_clear(&p);
    machine_clear(&m);
}

static void test_refused(void)
{
    struct machine m = load("lassen");
    struct trace_phase p = {.nranks = 1,
                            .ranks = xcalloc(1, sizeof *p.ranks),
                            .volumes = xcalloc(1, sizeof *p.volumes)};
    const struct strategy_options options = {0};
    struct splice_ranks where = {NULL, 4, true};
    struct splice s;
    struct err err;

    CHECK(splice_make(&s, &rail_device_strategy, &m, &p, &where, &options,
                      &err) < 0);
    CHECK_HAS(err.text, "rail/device: the data are in host memory");
    CHECK(splice_make(&s, &split_dd_strategy, &m, &p, &where, &options, &err) <
          0);
    CHECK_HAS(err.text, "split+md is the same");
    phase_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    test_drawn();
    test_messages();
    test_refused();
    return check_result();
}

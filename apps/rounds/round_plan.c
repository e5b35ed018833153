/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a plan of one round: computation, gathers, messages, scatters and the
 * reduction that decides whether the algorithm is done. */
#include "apps/rounds/round_plan.h"

#include <math.h>
#include <stdlib.h>

enum { DONE_B = 8 };

/* Bytes for an arc, and for a label at a random place, if the platform does not
 * give their costs: a cache line that is read from memory and written back. */
enum { LINE_B = 64 };

int round_costs_of(struct round_costs *c, const struct machine *m,
                   unsigned threads, struct err *err)
{
    double Bps = 0, share;

    if (threads > m->ncores)
        return fail(err, "--threads: %s has %u cores a node; %u threads wanted",
                    m->name, m->ncores, threads);
    share = threads ? (double)m->ncores / threads : 1;
    *c = (struct round_costs){.arc_s = m->graph.arc_s * share,
                              .vertex_s = m->graph.vertex_s * share,
                              .arcs = 1,
                              .vertices = 1};
    for (unsigned s = 0; s < m->nsockets; s++)
        Bps += machine_socket(m, s)->memory_Bps;
    if (c->arc_s > 0)
        return 0;
    if (!(Bps > 0))
        return fail(err,
                    "%s says neither graph.arc_ns nor memory_GBps of its "
                    "sockets: what an arc takes is not known (--set "
                    "'graph={\"arc_ns\": 1, \"vertex_ns\": 1, \"source\": "
                    "{\"kind\": \"assumed\", \"text\": \"...\"}}')",
                    m->name);
    c->arc_s = c->vertex_s = LINE_B / Bps * share;
    return 0;
}

static double effort_s(const struct effort *e, const struct round_costs *c)
{
    return (double)e->arcs * c->arcs * c->arc_s +
           (double)e->vertices * c->vertices * c->vertex_s;
}

/* --- operations ----------------------------------------------------------- */

struct builder {
    struct plan *p;
    const struct round *r;
    uint32_t hosts;
    const struct round_costs *c;
    uint32_t *begin;    /* for each host: the predecessor of its gathers */
    uint32_t *sent;     /* the operation of each message */
    uint32_t *done;     /* the scatter of each message */
    uint32_t *gathered; /* last gather of each host, or its predecessor */
    uint32_t *first, *by_dst; /* messages by their receiver */
};

static void add_messages(struct builder *b, const struct round_step *s)
{
    for (uint32_t h = 0; h < b->hosts; h++)
        b->gathered[h] = b->begin[h];
    for (size_t i = 0; i < s->n; i++) {
        const struct round_message *m = &s->messages[i];
        double bytes = (double)m->bytes * b->c->vertices;
        b->gathered[m->src] =
            plan_work(b->p, m->src, effort_s(&m->gather, b->c));
        plan_after(b->p, b->begin[m->src]);
        b->sent[i] = plan_msg(b->p, PHASE_OFF_NODE, m->src, m->dst, NO_GPU,
                              NO_GPU, (uint64_t)llround(bytes));
        plan_after(b->p, b->gathered[m->src]);
    }
}

static void sort_by_receiver(struct builder *b, const struct round_step *s)
{
    for (uint32_t h = 0; h <= b->hosts + 1; h++)
        b->first[h] = 0;
    for (size_t i = 0; i < s->n; i++)
        b->first[s->messages[i].dst + 2]++;
    for (uint32_t h = 0; h < b->hosts; h++)
        b->first[h + 2] += b->first[h + 1];
    for (size_t i = 0; i < s->n; i++)
        b->by_dst[b->first[s->messages[i].dst + 1]++] = (uint32_t)i;
}

/* Adds the scatters, and for each host the end of the step, once all of it is
 * over there. */
static void add_scatters(struct builder *b, const struct round_step *s,
                         bool last)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct round_message *m = &s->messages[i];
        b->done[i] = plan_work(b->p, m->dst, effort_s(&m->scatter, b->c));
        plan_after(b->p, b->sent[i]);
    }
    sort_by_receiver(b, s);
    for (uint32_t h = 0; h < b->hosts; h++) {
        double more_s = last ? effort_s(&b->r->after[h], b->c) : 0;
        uint32_t own = b->gathered[h];
        if (more_s > 0) {
            own = plan_work(b->p, h, more_s);
            plan_after(b->p, b->gathered[h]);
        }
        b->begin[h] = plan_work(b->p, h, 0);
        plan_after(b->p, own);
        for (uint32_t k = b->first[h]; k < b->first[h + 1]; k++)
            plan_after(b->p, b->done[b->by_dst[k]]);
    }
}

/* Adds a message from one host to another, which continues after both. */
static uint32_t add_done(struct builder *b, uint32_t from, uint32_t to)
{
    uint32_t op =
        plan_msg(b->p, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, DONE_B);

    plan_after(b->p, b->begin[from]);
    return op;
}

static void go_on(struct builder *b, uint32_t host, uint32_t *at, uint32_t msg)
{
    uint32_t op = plan_work(b->p, host, 0);

    plan_after(b->p, b->begin[host]);
    plan_after(b->p, msg);
    at[host] = op;
}

/* Adds a reduction by recursive doubling over the largest power of two; the
 * hosts beyond it send their values to the first ones, and receive the result
 * from them. */
static void add_reduction(struct builder *b)
{
    uint32_t power = 1;
    uint32_t *msg = b->done, *next = b->gathered;

    while (2 * power <= b->hosts)
        power *= 2;
    for (uint32_t h = power; h < b->hosts; h++)
        go_on(b, h - power, b->begin, add_done(b, h, h - power));
    for (uint32_t k = 1; k < power; k *= 2) {
        for (uint32_t h = 0; h < power; h++)
            msg[h] = add_done(b, h ^ k, h);
        for (uint32_t h = 0; h < power; h++)
            go_on(b, h, next, msg[h]);
        for (uint32_t h = 0; h < power; h++)
            b->begin[h] = next[h];
    }
    for (uint32_t h = power; h < b->hosts; h++)
        go_on(b, h, b->begin, add_done(b, h - power, h));
}

static void builder_init(struct builder *b)
{
    size_t most = b->hosts;

    for (unsigned s = 0; s < b->r->nsteps; s++)
        most = b->r->steps[s].n > most ? b->r->steps[s].n : most;
    b->begin = xcalloc(b->hosts, sizeof *b->begin);
    b->gathered = xcalloc(b->hosts, sizeof *b->gathered);
    b->sent = xcalloc(most, sizeof *b->sent);
    b->done = xcalloc(most, sizeof *b->done);
    b->by_dst = xcalloc(most, sizeof *b->by_dst);
    b->first = xcalloc((size_t)b->hosts + 2, sizeof *b->first);
}

static void builder_clear(struct builder *b)
{
    free(b->begin);
    free(b->gathered);
    free(b->sent);
    free(b->done);
    free(b->by_dst);
    free(b->first);
}

void round_plan(struct plan *p, const struct machine *m, const struct round *r,
                uint32_t hosts, const struct round_costs *c,
                enum runtime runtime)
{
    const unsigned core = 0;
    struct builder b = {.p = p, .r = r, .hosts = hosts, .c = c};

    plan_init(p, m, "round", hosts, 1, &core);
    p->runtime = runtime;
    builder_init(&b);
    for (uint32_t h = 0; h < hosts; h++) {
        struct effort all = r->before[h];
        if (!r->nsteps) {
            all.arcs += r->after[h].arcs;
            all.vertices += r->after[h].vertices;
        }
        b.begin[h] = plan_work(p, h, effort_s(&all, c));
    }
    for (unsigned s = 0; s < r->nsteps; s++) {
        add_messages(&b, &r->steps[s]);
        add_scatters(&b, &r->steps[s], s + 1 == r->nsteps);
    }
    for (unsigned i = 0; i < r->reductions && hosts > 1; i++)
        add_reduction(&b);
    builder_clear(&b);
}

double round_compute_s(const struct round *r, uint32_t hosts,
                       const struct round_costs *c)
{
    double *arcs = xcalloc(hosts, sizeof *arcs), most = 0;

    for (unsigned s = 0; s < r->nsteps; s++)
        for (size_t i = 0; i < r->steps[s].n; i++) {
            const struct round_message *m = &r->steps[s].messages[i];
            arcs[m->src] += (double)m->gather.arcs;
            arcs[m->dst] += (double)m->scatter.arcs;
        }
    for (uint32_t h = 0; h < hosts; h++)
        most = fmax(most, arcs[h] * c->arcs * c->arc_s +
                              effort_s(&r->before[h], c) +
                              effort_s(&r->after[h], c));
    free(arcs);
    return most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms in rounds on partitioned graphs: proxies and bytes of every
 * message compared with plain recounts. */
#include "apps/rounds/gluon.h"
#include "tests/analytics_toys.h"

/* A cut by its definition, vertex by vertex and host by host. */
struct plain {
    const struct graph *g;
    const struct hosts *h;
    uint32_t *owner;
    /* [host * n + v]: is the head, or tail, of an arc there. */
    bool *head, *tail;
};

static uint32_t arc_host(const struct plain *p, uint32_t u, uint32_t v)
{
    uint32_t columns = p->h->columns;

    return p->owner[u] / columns * columns + p->owner[v] % columns;
}

static struct plain plain_of(const struct graph *g, const struct hosts *h)
{
    struct plain p = {g, h, calloc(g->n, sizeof(uint32_t)),
                      calloc((size_t)h->n * g->n, 1),
                      calloc((size_t)h->n * g->n, 1)};

    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t v = h->begin[i]; v < h->begin[i + 1]; v++)
            p.owner[v] = i;
    for (uint32_t u = 0; u < g->n; u++)
        for (uint64_t k = g->first[u]; k < g->first[u + 1]; k++) {
            uint32_t at = arc_host(&p, u, g->to[k]);
            p.tail[(size_t)at * g->n + u] = true;
            p.head[(size_t)at * g->n + g->to[k]] = true;
        }
    return p;
}

static void plain_clear(struct plain *p)
{
    free(p->owner);
    free(p->head);
    free(p->tail);
}

static uint64_t least_bytes(uint64_t shared, uint64_t updated)
{
    uint64_t all = 4 + 8 + 4 * shared;
    uint64_t bits = 4 + 8 + (shared + 63) / 64 * 8 + 8 + 4 * updated;
    uint64_t offsets = 4 + 8 + 4 * updated + 8 + 4 * updated;

    return !updated                        ? 4
           : all <= bits && all <= offsets ? all
           : bits <= offsets               ? bits
                                           : offsets;
}

static const struct round_message *message_of(const struct round *r,
                                              enum round_step_kind kind,
                                              uint32_t src, uint32_t dst)
{
    const struct round_message *found = NULL;

    for (unsigned s = 0; s < r->nsteps; s++)
        for (size_t i = 0; i < r->steps[s].n; i++) {
            const struct round_message *m = &r->steps[s].messages[i];
            if (r->steps[s].kind != kind || m->src != src || m->dst != dst)
                continue;
            CHECK(!found); /* it is there only once */
            found = m;
        }
    return found;
}

/* Checks the message about proxies that `at` shares with the masters of
 * `of`. */
static void check_message(const struct round *r, enum round_step_kind kind,
                          uint32_t src, uint32_t dst, uint64_t shared,
                          uint64_t updated)
{
    const struct round_message *m = message_of(r, kind, src, dst);

    CHECK(!m == !shared);
    if (m && shared)
        CHECK_EQ(m->bytes, least_bytes(shared, updated));
}

/* Labels of every vertex on every host, even if it has no proxy there. */
struct labels {
    uint32_t *now, *pushed;
    bool *changed;
};

/* Returns the bytes of one step, found by looking at every vertex for every
 * pair of hosts. */
static uint64_t plain_step(const struct plain *p, struct labels *l,
                           const struct round *r, enum round_step_kind kind)
{
    uint32_t n = p->g->n;
    uint64_t sum = 0;

    for (uint32_t src = 0; src < p->h->n; src++)
        for (uint32_t dst = 0; dst < p->h->n; dst++) {
            uint64_t shared = 0, updated = 0;
            for (uint32_t v = 0; v < n && src != dst; v++) {
                bool reduce = kind == STEP_REDUCE;
                bool there =
                    reduce ? p->owner[v] == dst && p->head[(size_t)src * n + v]
                           : p->owner[v] == src && p->tail[(size_t)dst * n + v];
                if (!there)
                    continue;
                shared++;
                if (!l->changed[(size_t)src * n + v])
                    continue;
                updated++;
                uint32_t *to = &l->now[(size_t)dst * n + v];
                uint32_t label = l->now[(size_t)src * n + v];
                if (label < *to) {
                    *to = label;
                    l->changed[(size_t)dst * n + v] = reduce;
                }
            }
            check_message(r, kind, src, dst, shared, updated);
            sum += shared ? least_bytes(shared, updated) : 0;
        }
    return sum;
}

static void plain_compute(const struct plain *p, struct labels *l)
{
    uint32_t n = p->g->n;
    uint32_t *before = malloc((size_t)p->h->n * n * sizeof *before);

    memcpy(before, l->now, (size_t)p->h->n * n * sizeof *before);
    for (uint32_t u = 0; u < n; u++)
        for (uint64_t k = p->g->first[u]; k < p->g->first[u + 1]; k++) {
            uint32_t v = p->g->to[k], at = arc_host(p, u, v);
            size_t from = (size_t)at * n + u, to = (size_t)at * n + v;
            if (before[from] >= l->pushed[from])
                continue;
            uint32_t label = before[from] + 1;
            if (label < l->now[to]) {
                l->now[to] = label;
                l->changed[to] = true;
            }
        }
    for (size_t i = 0; i < (size_t)p->h->n * n; i++)
        l->pushed[i] = before[i];
    free(before);
}

/* Checks searches, in which the order does not matter because a label falls at
 * most once in a round. */
static void check_bytes(const struct graph *g, uint32_t hosts, const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    struct analytics_result r = run_on(&h, "bfs");
    size_t all = (size_t)hosts * g->n;
    struct labels l = {malloc(all * 4), malloc(all * 4), calloc(all, 1)};

    memset(l.now, 0xff, all * 4);
    memset(l.pushed, 0xff, all * 4);
    for (uint32_t i = 0; i < hosts; i++)
        l.now[(size_t)i * g->n + graph_hub(g)] = 0;
    for (size_t i = 0; i < r.rounds.n; i++) {
        const struct round *one = rounds_at(&r.rounds, i);
        memset(l.changed, 0, all);
        plain_compute(&p, &l);
        uint64_t sum = plain_step(&p, &l, one, STEP_REDUCE);
        sum += plain_step(&p, &l, one, STEP_BROADCAST);
        CHECK_EQ(round_bytes(one), sum);
    }
    uint32_t wrong = 0;
    for (uint32_t v = 0; v < g->n; v++)
        wrong += l.now[(size_t)p.owner[v] * g->n + v] != r.label[v];
    CHECK_EQ(wrong, 0);
    free(l.now);
    free(l.pushed);
    free(l.changed);
    plain_clear(&p);
    analytics_clear(&r);
    hosts_clear(&h);
}

/* Checks the first round of PageRank, in which every head of an arc receives
 * something. */
static void check_first_ranks(const struct graph *g, uint32_t hosts,
                              const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    struct analytics_result r = run_on(&h, "pagerank");
    const struct round *one = rounds_at(&r.rounds, 0);
    bool *gets = calloc(g->n, 1);

    for (uint64_t k = 0; k < graph_arcs(g); k++)
        gets[g->to[k]] = true;
    for (uint32_t src = 0; src < hosts; src++)
        for (uint32_t dst = 0; dst < hosts; dst++) {
            uint64_t heads = 0, tails = 0, updated = 0;
            for (uint32_t v = 0; v < g->n && src != dst; v++) {
                bool reads =
                    p.owner[v] == src && p.tail[(size_t)dst * g->n + v];
                heads += p.owner[v] == dst && p.head[(size_t)src * g->n + v];
                tails += reads;
                updated += reads && gets[v];
            }
            check_message(one, STEP_REDUCE, src, dst, heads, heads);
            check_message(one, STEP_BROADCAST, src, dst, tails, updated);
        }
    free(gets);
    plain_clear(&p);
    analytics_clear(&r);
    hosts_clear(&h);
}

/* Checks arcs and proxies of each host against the definition. */
static void check_cut(const struct graph *g, uint32_t hosts, const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    uint64_t arcs = 0, wrong = 0;

    for (uint32_t at = 0; at < hosts; at++) {
        const struct host *one = &h.host[at];
        uint32_t proxies = 0;
        for (uint32_t v = 0; v < g->n; v++)
            proxies += p.owner[v] == at || p.head[(size_t)at * g->n + v] ||
                       p.tail[(size_t)at * g->n + v];
        CHECK_EQ(one->masters + one->mirrors, proxies);
        CHECK(h.begin[at] < h.begin[at + 1]);
        for (uint32_t u = 0; u < one->masters + one->mirrors; u++)
            for (uint64_t k = one->first[u]; k < one->first[u + 1]; k++)
                wrong += arc_host(&p, host_vertex(&h, at, u),
                                  host_vertex(&h, at, one->to[k])) != at;
        arcs += one->first[one->masters + one->mirrors];
    }
    CHECK_EQ(arcs, graph_arcs(g));
    CHECK_EQ(wrong, 0);
    plain_clear(&p);
    hosts_clear(&h);
}

/* --- blocked -------------------------------------------------------------- */

/* Counts, for dense rounds, the heads on `to` that are not visited and have an
 * active tail on `from`. */
static uint64_t plain_heads(const struct graph *g, const struct hosts *h,
                            const uint32_t *label, uint32_t level,
                            uint32_t from, uint32_t to)
{
    bool *counted = calloc(g->n, 1);
    uint64_t sum = 0;

    for (uint32_t u = h->begin[from]; u < h->begin[from + 1]; u++)
        for (uint64_t k = g->first[u]; k < g->first[u + 1]; k++) {
            uint32_t v = g->to[k];
            bool there = v >= h->begin[to] && v < h->begin[to + 1];
            if (!there || label[u] != level || label[v] <= level || counted[v])
                continue;
            counted[v] = true;
            sum++;
        }
    free(counted);
    return sum;
}

static void check_blocked_messages(const struct analytics_result *r,
                                   const struct graph *g, const struct hosts *h,
                                   uint32_t level, bool sparse, uint32_t from)
{
    const struct round *one = rounds_at(&r->rounds, level);
    uint64_t bits = (h->begin[from + 1] - h->begin[from] + 63) / 64 * 8;
    uint64_t own = 0;

    for (uint32_t v = h->begin[from]; v < h->begin[from + 1]; v++)
        own += r->label[v] == level;
    for (uint32_t to = 0; to < h->n; to++) {
        const struct round_message *m =
            message_of(one, sparse ? STEP_BROADCAST : STEP_REDUCE, from, to);
        const struct round_message *visited =
            message_of(one, STEP_VISITED, from, to);
        if (from == to) {
            CHECK(!m && !visited);
            continue;
        }
        CHECK(m);
        CHECK_EQ(
            m->bytes,
            8 * (sparse ? own : plain_heads(g, h, r->label, level, from, to)));
        CHECK(sparse ? !visited : visited && visited->bytes == bits);
    }
}

/* Checks the messages; the labels of the run give the active vertices of each
 * round. */
static void check_blocked(const struct graph *g, uint32_t hosts)
{
    struct hosts h = divide(g, hosts, "blocked");
    struct analytics_result r = run_on(&h, "bfs");

    for (uint32_t level = 0; level < r.rounds.n; level++) {
        uint64_t arcs = 0, vertices = 0;
        for (uint32_t v = 0; v < g->n; v++) {
            vertices += r.label[v] == level;
            arcs += r.label[v] == level ? graph_degree(g, v) : 0;
        }
        CHECK(vertices > 0);
        CHECK_EQ(rounds_at(&r.rounds, level)->active, vertices);
        for (uint32_t from = 0; from < hosts; from++)
            check_blocked_messages(&r, g, &h, level, arcs < graph_arcs(g) / 20,
                                   from);
    }
    analytics_clear(&r);
    hosts_clear(&h);
}

static void test_blocked(void)
{
    for (int i = 0; i < NGRAPHS; i++) {
        struct graph g = make_graph(graphs[i]);
        for (uint32_t hosts = 1; hosts < 12; hosts += 5)
            check_blocked(&g, hosts);
        graph_clear(&g);
    }
}

static void test_recounts(void)
{
    for (int i = 0; i < NGRAPHS; i++) {
        struct graph g = make_graph(graphs[i]);
        for (int c = 0; c < NGRIDS; c++) {
            check_cut(&g, cuts[c].hosts, cuts[c].cut);
            check_bytes(&g, cuts[c].hosts, cuts[c].cut);
            check_first_ranks(&g, cuts[c].hosts, cuts[c].cut);
        }
        graph_clear(&g);
    }
}

int main(void)
{
    test_recounts();
    test_blocked();
    return check_result();
}

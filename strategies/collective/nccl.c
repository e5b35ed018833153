/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL's channels: their number and their routes. */
#include "strategies/collective/nccl.h"

#include "strategies/collective/nccl_graph.h"
#include "strategies/collective/nccl_wires.h"
#include "strategies/collective/rccl_rings.h"

#include <stdlib.h>
#include <string.h>

const char *nccl_refuses(const struct collective *c)
{
    if (c->memory != COLLECTIVE_DEVICE)
        return "between GPUs only (memory=device)";
    if (c->per_gpu > 1)
        return "one rank on each GPU";
    return NULL;
}

const struct nccl_protocol *nccl_protocol_of(const struct machine *m,
                                             enum runtime by)
{
    return &m->nccl.protocols[by - RUNTIME_NCCL_SIMPLE];
}

static bool nccl_has(const struct machine *m, enum runtime by,
                     enum locality where)
{
    return m->messages[by][machine_gpu_path(m)][where].nsegments > 0;
}

double nccl_beta_s_per_B(const struct machine *m, enum runtime by,
                         uint64_t bytes)
{
    enum msg_path path = machine_gpu_path(m);

    return m->messages[by][path][ON_NODE].nsegments
               ? machine_segment(m, by, path, ON_NODE, bytes)->beta_s_per_B
               : 0;
}

int nccl_check(const struct machine *m, const struct collective_algorithm *a,
               const struct collective *c, struct err *err)
{
    bool here =
        nccl_has(m, a->runtime, ON_NODE) || nccl_has(m, a->runtime, ON_SOCKET);

    if (!m->nccl.slots)
        return fail(err, "%s: %s has no nccl", a->name, m->name);
    if ((c->ranks_per_node > 1 && !here) ||
        (c->nodes > 1 && !nccl_has(m, a->runtime, OFF_NODE)))
        return fail(err, "%s: %s has no runtimes.%s.%s.%s", a->name, m->name,
                    runtime_names[a->runtime],
                    msg_path_names[machine_gpu_path(m)],
                    here ? "off_node" : "on_node");
    return 0;
}

/* --- routes --------------------------------------------------------------- */

/* Returns whether a wire joins each pair of GPUs of a node. */
static bool nccl_is_mesh(const struct machine *m)
{
    for (unsigned a = 0; a < m->ngpus; a++)
        for (unsigned b = a + 1; b < m->ngpus; b++)
            if (!nccl_joined(m, a, b))
                return false;
    return true;
}

/* Sets local[] to the k-th cyclic order of n ranks, which begins with 0; only n
 * of 3 and 4 have more than one. */
static void nccl_cycle(uint32_t *local, uint32_t n, uint32_t k)
{
    static const uint8_t of_four[6][4] = {{0, 1, 2, 3}, {0, 3, 2, 1},
                                          {0, 2, 1, 3}, {0, 3, 1, 2},
                                          {0, 1, 3, 2}, {0, 2, 3, 1}};

    for (uint32_t i = 0; i < n; i++)
        local[i] = n == 4            ? of_four[k % 6][i]
                   : n == 3 && k % 2 ? (3 - i) % 3
                                     : i;
}

/* Returns the ranks of this node; the last one may have fewer. */
static uint32_t nccl_ranks_of(const struct collective *c, unsigned node)
{
    uint32_t left = collective_ranks(c) - node * c->ranks_per_node;

    return left < c->ranks_per_node ? left : c->ranks_per_node;
}

/* Sets enter[] to the GPUs at which rings enter a node of n, and returns their
 * number. There is one for each NIC: the second of the GPUs near it, because
 * the ring leaves the node by the same NIC, at the GPU before. */
static uint32_t nccl_entries(const struct machine *m, uint32_t n,
                             uint32_t *enter)
{
    unsigned *nic = xcalloc((size_t)m->ncores + m->ngpus, sizeof *nic);
    uint32_t entries = 0;

    machine_nearest_nics(m, nic);
    for (uint32_t g = 0; g < n; g++) {
        uint32_t first = 0;
        while (first < g && nic[m->ncores + first] != nic[m->ncores + g])
            first++;
        if (m->nnics < 2 || first == g)
            enter[entries++] = g;
        else if (first == g - 1)
            enter[entries - 1] = g;
    }
    free(nic);
    return entries;
}

/* The rings of a job, which are those of each node one after the other. */
struct nccl_routes {
    const struct collective *c;
    const struct rccl_rings *listed; /* RCCL's of a node, or NULL */
    const uint32_t *enter;           /* each group enters a node at this GPU */
    bool mesh;
    bool back;      /* the list's go back on every second node */
    bool same_rail; /* rings between nodes stay on rails */
};

/* Sets local[] to the n ranks of a node in the order of RCCL's list. */
static void nccl_listed_order(uint32_t *local, uint32_t n, uint32_t group,
                              bool back, const struct nccl_routes *r)
{
    uint32_t ranks = r->c->ranks_per_node, kept = 0;

    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t at = back ? ranks - 1 - i : i;
        uint32_t gpu = (uint32_t)(r->listed->gpus[group][at] - '0');
        if (gpu < n)
            local[kept++] = gpu;
    }
}

/* Sets local[] to the n ranks of a node in the order of group g's ring, which
 * enters a node at its GPU and leaves it at the one before. If it stays on
 * rails, every second node has the opposite order, so that it is entered at the
 * GPU at which the one before was left, and so has every second group, so that
 * two of them use the same rails (as logged on a p5,
 * KeitaW/p5-nccl-test-2024-07-19). */
static void nccl_local_order(uint32_t *local, uint32_t n, uint32_t group,
                             unsigned node, const struct nccl_routes *r)
{
    if (r->listed) {
        nccl_listed_order(local, n, group, r->back && node % 2, r);
        return;
    }
    if (r->c->nodes == 1) {
        nccl_cycle(local, n, r->mesh ? group : 0);
        return;
    }
    uint32_t first = r->enter[group] % n;
    bool back = r->same_rail && group % 2 == 0;
    if (r->same_rail && node % 2) {
        first += back ? 1 : n - 1;
        back = !back;
    }
    for (uint32_t i = 0; i < n; i++)
        local[i] = (first + (back ? n - i : i)) % n;
}

/* Sets group g's ring. */
static void nccl_order(struct nccl_groups *g, uint32_t group,
                       const struct nccl_routes *r)
{
    uint32_t *order = &g->order[(size_t)group * g->ranks];
    uint32_t at = 0;

    for (unsigned node = 0; node < r->c->nodes; node++) {
        uint32_t n = nccl_ranks_of(r->c, node);
        nccl_local_order(&order[at], n, group, node, r);
        for (uint32_t end = at + n; at < end; at++)
            order[at] += node * r->c->ranks_per_node;
    }
}

static unsigned limited(const struct nccl_settings *s, unsigned channels)
{
    if (s->max_channels && channels > s->max_channels)
        channels = s->max_channels;
    return channels < s->min_channels ? s->min_channels : channels;
}

unsigned nccl_channels(const struct machine *m, const struct collective *c,
                       const struct nccl_protocol *p)
{
    if (p && p->channels)
        return p->channels;
    if (m->nccl.channels)
        return limited(&m->nccl.settings, m->nccl.channels);
    const struct nccl_system s = nccl_system_of(m, c);
    return limited(&m->nccl.settings, nccl_channels_of(&s));
}

/* Returns the number of different rings of all ranks; enter[] has room for
 * those of a node. */
static uint32_t nccl_ways(const struct machine *m, const struct nccl_routes *r,
                          uint32_t *enter)
{
    static const uint32_t cycles[] = {1, 1, 1, 2, 6};

    return r->listed         ? rccl_different(r->listed)
           : r->c->nodes > 1 ? nccl_entries(m, r->c->ranks_per_node, enter)
           : r->mesh         ? cycles[r->c->ranks_per_node]
                             : 1;
}

static void nccl_make_groups(struct nccl_groups *g, const struct machine *m,
                             const struct collective *c, uint64_t channel_B,
                             bool of_rings)
{
    const struct nccl_system s = nccl_system_of(m, c);
    uint32_t *enter = xcalloc(c->ranks_per_node, sizeof *enter);
    struct nccl_routes r = {.c = c,
                            .listed = s.listed,
                            .enter = enter,
                            .mesh = c->ranks_per_node <= 4 &&
                                    !m->nccl.settings.no_p2p && nccl_is_mesh(m),
                            .back = of_rings,
                            .same_rail =
                                of_rings && m->nccl.settings.same_rail};
    uint64_t channels = c->bytes / channel_B;
    uint64_t most = nccl_channels(m, c, NULL);
    uint32_t ways = nccl_ways(m, &r, enter);

    if (channels > most)
        channels = most;
    if (channels < 1)
        channels = 1;
    *g = (struct nccl_groups){.ranks = collective_ranks(c)};
    g->n = ways < channels ? ways : (uint32_t)channels;
    g->channels = (unsigned)(channels / g->n);
    g->order = xcalloc((size_t)g->n * g->ranks, sizeof *g->order);
    for (uint32_t i = 0; i < g->n; i++)
        nccl_order(g, i, &r);
    free(enter);
}

void nccl_groups_of(struct nccl_groups *g, const struct machine *m,
                    const struct collective *c, uint64_t channel_B)
{
    nccl_make_groups(g, m, c, channel_B, true);
}

void nccl_tree_groups_of(struct nccl_groups *g, const struct machine *m,
                         const struct collective *c, uint64_t channel_B)
{
    nccl_make_groups(g, m, c, channel_B, false);
}

unsigned nccl_heads(const struct machine *m, const struct collective *c)
{
    const struct nccl_system s = nccl_system_of(m, c);

    return nccl_search(&s, NCCL_HEADS).channels;
}

uint64_t nccl_chunk_B(const struct nccl_chunk_rule *rules, size_t nrules,
                      uint64_t most_B, uint64_t bytes, uint64_t at_once)
{
    uint64_t chunk_B = most_B;

    for (size_t i = 0; i < nrules; i++)
        if (bytes < rules[i].chunks * at_once * chunk_B &&
            chunk_B > rules[i].chunk_B)
            chunk_B = rules[i].chunk_B;
    return chunk_B;
}

void nccl_groups_clear(struct nccl_groups *g)
{
    free(g->order);
    memset(g, 0, sizeof *g);
}

/* --- bodies --------------------------------------------------------------- */

/* A thread launches kernels in turn if it has several GPUs. Threads of one
 * process take 6 % longer than processes (results/nccl/launch.md), which is
 * left out. The CPU's part comes before the kernels if a call is alone, and
 * while the last ones run if calls are in a row; a long kernel before them, or
 * a graph, hides it. */
void nccl_call(struct loop *l, const struct machine *m,
               const struct collective *c, unsigned channels, uint32_t sends)
{
    const struct nccl_model *n = &m->nccl;
    double one_s = n->call_s + sends * n->send_s;

    if (channels > 1)
        one_s += (channels - 1) * n->channel_s;
    double calls_s = (c->by_thread ? c->by_thread : 1) * one_s;
    if (c->calls == CALLS_ROW)
        l->body.calls_s = calls_s;
    else if (c->calls == CALLS_ALONE)
        l->body.begin_s += calls_s + machine_gpu_calls(m, 1)->s[GPU_CALL_SYNC];
}

void nccl_open(struct loop *l, const struct machine *m,
               const struct collective_algorithm *a, const struct collective *c)
{
    const struct nccl_protocol *p = nccl_protocol_of(m, a->runtime);
    unsigned *cores = xcalloc(c->ranks_per_node, sizeof *cores);

    for (unsigned i = 0; i < c->ranks_per_node; i++)
        cores[i] = machine_gpu_core(m, i);
    memset(l, 0, sizeof *l);
    plan_init(&l->body, m, a->name, c->nodes, c->ranks_per_node, cores);
    free(cores);
    l->body.runtime = a->runtime;
    l->body.begin_s = p->start_s;
    l->body.of_costs = true;
    l->body.working_set_B = 2.0 * (double)c->bytes;
    l->repeats = true;
}

uint32_t nccl_send(struct loop *l, const struct machine *m, uint32_t from,
                   uint32_t to, uint64_t bytes, unsigned channels)
{
    struct plan *p = &l->body;
    uint32_t n = p->ranks_per_node;
    uint32_t op = plan_msg(
        p, from / n == to / n ? PHASE_ON_NODE : PHASE_OFF_NODE, from, to,
        from / n * m->ngpus + from % n, to / n * m->ngpus + to % n, bytes);

    /* 256 is possible, because sends round channels up to a power of two. */
    p->ops[op].channels = channels < UINT8_MAX ? (uint8_t)channels : UINT8_MAX;
    return op;
}

void nccl_put(struct plan *p, const struct nccl_carry *c,
              struct collective_range range, bool adds)
{
    p->ops[p->nops - 1].bytes = range.count * c->element_B;
    if (c->pieces && range.count)
        plan_piece(p,
                   (struct piece){adds ? COLLECTIVE_ADD_HERE : COLLECTIVE_STORE,
                                  range.first, range.count});
}

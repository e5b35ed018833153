/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds plans operation by operation. */
#include "sim/plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const phase_names[NPHASES] = {"pack",    "copy out", "on-node",
                                          "gather",  "off-node", "scatter",
                                          "copy in", "unpack",   "work"};

/* Spreads local ranks over the sockets, each filled from its first core. */
static void plan_spread_cores(unsigned *core, const struct machine *m,
                              unsigned n)
{
    unsigned rank = 0;

    for (unsigned s = 0; s < m->nsockets; s++) {
        unsigned here = n / m->nsockets + (s < n % m->nsockets);
        unsigned first = machine_socket_core(m, s);
        for (unsigned i = 0; i < here; i++)
            core[rank++] = first + i;
    }
}

void plan_init(struct plan *p, const struct machine *m, const char *name,
               unsigned nodes, unsigned ranks_per_node, const unsigned *cores)
{
    memset(p, 0, sizeof *p);
    p->name = xstrdup(name);
    p->nodes = nodes;
    p->ranks_per_node = ranks_per_node;
    p->core = xcalloc(ranks_per_node, sizeof *p->core);
    if (cores)
        memcpy(p->core, cores, ranks_per_node * sizeof *p->core);
    else
        plan_spread_cores(p->core, m, ranks_per_node);
}

int plan_spread(struct plan *p, const struct machine *m, uint32_t ranks,
                struct err *err)
{
    uint32_t nodes = (ranks + m->ncores - 1) / m->ncores;

    if (nodes > m->network.nodes)
        return fail(err, "%u ranks wanted, %s has %u nodes of %u cores", ranks,
                    m->name, m->network.nodes, m->ncores);
    assert(p->ranks_per_node == m->ncores);
    p->nodes = nodes;
    for (unsigned i = 0; i < m->ncores; i++)
        p->core[i] = i;
    return 0;
}

int plan_place(struct plan *p, const struct machine *m, uint32_t ranks,
               unsigned nodes, unsigned ranks_per_node, struct err *err)
{
    if (!ranks_per_node)
        ranks_per_node = nodes ? (ranks + nodes - 1) / nodes : m->ncores;
    if (ranks_per_node > m->ncores)
        return fail(err, "%u ranks per node wanted, %s has %u cores",
                    ranks_per_node, m->name, m->ncores);
    unsigned needed = (ranks + ranks_per_node - 1) / ranks_per_node;
    nodes = nodes ? nodes : needed;
    if (needed > nodes)
        return fail(err,
                    "%u ranks, %u on a node, wanted on %u nodes: they need %u",
                    ranks, ranks_per_node, nodes, needed);
    if (nodes > m->network.nodes)
        return fail(err,
                    "%u ranks, %u on a node, wanted on %u nodes; %s has %u",
                    ranks, ranks_per_node, nodes, m->name, m->network.nodes);
    p->nodes = nodes;
    p->ranks_per_node = ranks_per_node;
    free(p->core);
    p->core = xcalloc(ranks_per_node, sizeof *p->core);
    plan_spread_cores(p->core, m, ranks_per_node);
    for (unsigned i = 0; i < ranks_per_node; i++)
        if (p->core[i] >= m->ncores)
            return fail(err, "%u ranks do not spread over the sockets of %s",
                        ranks_per_node, m->name);
    return 0;
}

void plan_clear(struct plan *p)
{
    free(p->name);
    free(p->core);
    free(p->ops);
    free(p->match);
    free(p->first_piece);
    free(p->deps);
    free(p->pieces);
    free(p->window_B);
    free(p->new_share);
    plan_origin_free(p->origin);
    memset(p, 0, sizeof *p);
}

static void *plan_make_room(void *array, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return array;
    *room = *room ? *room * 2 : 64;
    return xrealloc(array, *room, size);
}

static uint32_t plan_add(struct plan *p, struct op op)
{
    size_t i = p->nops;

    p->ops = plan_make_room(p->ops, i, &p->ops_room, sizeof *p->ops);
    assert(i < LAST_STEP);
    op.first_dep = (uint32_t)p->ndeps;
    p->ops[i] = op;
    if (op.kind == OP_WORK && op.lane > p->lanes)
        p->lanes = op.lane;
    if (p->match) {
        p->match =
            plan_make_room(p->match, i, &p->match_room, sizeof *p->match);
        p->match[i] = (struct op_match){0};
    }
    if (p->first_piece) {
        p->first_piece = plan_make_room(p->first_piece, i, &p->first_piece_room,
                                        sizeof *p->first_piece);
        p->first_piece[i] = (uint32_t)p->npieces;
    }
    return (uint32_t)p->nops++;
}

/* Sets the fields by which the newest op is matched. */
static void plan_match(struct plan *p, struct op_match by)
{
    if (!p->match) {
        p->match_room = p->ops_room;
        p->match = xcalloc(p->match_room, sizeof *p->match);
    }
    p->match[p->nops - 1] = by;
}

uint32_t plan_copy(struct plan *p, enum phase phase, uint32_t rank,
                   enum copy_dir dir, uint32_t gpu, uint64_t bytes)
{
    return plan_add(p, (struct op){.kind = OP_COPY,
                                   .phase = (uint8_t)phase,
                                   .dir = (uint8_t)dir,
                                   .src = rank,
                                   .dst = rank,
                                   .src_gpu = gpu,
                                   .dst_gpu = gpu,
                                   .bytes = bytes});
}

uint32_t plan_copy_peer(struct plan *p, enum phase phase, uint32_t rank,
                        uint32_t from_gpu, uint32_t to_gpu, uint64_t bytes)
{
    uint32_t op = plan_copy(p, phase, rank, D2D, from_gpu, bytes);

    p->ops[op].dst_gpu = to_gpu;
    return op;
}

uint32_t plan_msg(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                  uint32_t src_gpu, uint32_t dst_gpu, uint64_t bytes)
{
    assert((src_gpu == NO_GPU) == (dst_gpu == NO_GPU));
    return plan_add(p, (struct op){.kind = OP_MSG,
                                   .phase = (uint8_t)phase,
                                   .src = src,
                                   .dst = dst,
                                   .src_gpu = src_gpu,
                                   .dst_gpu = dst_gpu,
                                   .bytes = bytes});
}

uint32_t plan_work(struct plan *p, uint32_t rank, double work_s)
{
    return plan_add(p, (struct op){.kind = OP_WORK,
                                   .phase = PHASE_WORK,
                                   .src = rank,
                                   .dst = rank,
                                   .src_gpu = NO_GPU,
                                   .dst_gpu = NO_GPU,
                                   .work_s = work_s});
}

uint32_t plan_work_beside(struct plan *p, uint32_t rank, uint8_t lane,
                          double work_s)
{
    uint32_t op = plan_work(p, rank, work_s);

    p->ops[op].lane = lane;
    if (lane > p->lanes)
        p->lanes = lane;
    return op;
}

uint32_t plan_pack(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t gpu, uint64_t bytes, bool synced)
{
    return plan_add(p, (struct op){.kind = OP_PACK,
                                   .phase = (uint8_t)phase,
                                   .synced = synced,
                                   .src = rank,
                                   .dst = rank,
                                   .src_gpu = gpu,
                                   .dst_gpu = gpu,
                                   .bytes = bytes});
}

uint32_t plan_reduce(struct plan *p, enum phase phase, uint32_t rank,
                     uint32_t gpu, uint64_t bytes, unsigned inputs, bool synced)
{
    assert(inputs >= 1 && inputs <= PLAN_MAX_INPUTS);
    uint32_t op = plan_pack(p, phase, rank, gpu, bytes, synced);

    p->ops[op].kind = OP_REDUCE;
    p->ops[op].inputs = (uint8_t)inputs;
    return op;
}

uint32_t plan_send(struct plan *p, enum phase phase, uint32_t src, uint32_t dst,
                   uint32_t tag, uint64_t bytes)
{
    uint32_t op = plan_msg(p, phase, src, dst, NO_GPU, NO_GPU, bytes);

    assert(tag != ANY_TAG);
    p->ops[op].kind = OP_SEND;
    plan_match(p, (struct op_match){.tag = tag});
    return op;
}

uint32_t plan_recv(struct plan *p, enum phase phase, uint32_t rank,
                   uint32_t from, uint32_t tag, uint64_t room)
{
    uint32_t op = plan_add(p, (struct op){.kind = OP_RECV,
                                          .phase = (uint8_t)phase,
                                          .src = rank,
                                          .dst = rank,
                                          .src_gpu = NO_GPU,
                                          .dst_gpu = NO_GPU,
                                          .bytes = room});

    plan_match(p, (struct op_match){.peer = from, .tag = tag});
    return op;
}

uint32_t plan_probe(struct plan *p, enum phase phase, uint32_t rank,
                    uint32_t from, uint32_t tag)
{
    uint32_t op = plan_recv(p, phase, rank, from, tag, 0);

    p->ops[op].kind = OP_PROBE;
    return op;
}

void plan_context(struct plan *p, uint32_t context)
{
    assert(p->match && p->nops > 0);
    p->match[p->nops - 1].context = context;
}

uint32_t plan_add_copy(struct plan *p, const struct plan *from, uint32_t op)
{
    const struct op *o = &from->ops[op];
    uint32_t copy = plan_add(p, *o);

    if (o->kind == OP_SEND || op_matches(o->kind))
        plan_match(p, from->match[op]);
    for (uint32_t i = plan_first_piece(from, op); i < plan_end_piece(from, op);
         i++)
        plan_piece(p, from->pieces[i]);
    return copy;
}

static void plan_add_dep(struct plan *p, uint32_t op)
{
    assert(p->nops > 0 && p->ndeps < UINT32_MAX);
    p->deps = plan_make_room(p->deps, p->ndeps, &p->deps_room, sizeof *p->deps);
    p->deps[p->ndeps++] = op;
}

void plan_after(struct plan *p, uint32_t op)
{
    /* An op of the step before may belong to another, longer body. */
    assert((op & LAST_STEP) || (op & DEP_OP) < p->nops - 1);
    plan_add_dep(p, op);
}

void plan_after_last(struct plan *p, uint32_t op)
{
    plan_add_dep(p, op | LAST_STEP);
}

void plan_posted_after(struct plan *p, uint32_t op)
{
    assert(p->ops[p->nops - 1].kind == OP_MSG);
    plan_after(p, op | FOR_RECEIVE);
}

void plan_piece(struct plan *p, struct piece piece)
{
    assert(p->nops > 0 && piece.count > 0);
    p->pieces = plan_make_room(p->pieces, p->npieces, &p->pieces_room,
                               sizeof *p->pieces);
    if (!p->first_piece) {
        p->first_piece_room = p->ops_room;
        p->first_piece = xcalloc(p->ops_room, sizeof *p->first_piece);
    }
    p->pieces[p->npieces++] = piece;
}

enum locality plan_locality(const struct plan *p, const struct machine *m,
                            const struct op *op)
{
    unsigned gpu = op->src_gpu == NO_GPU ? 0 : op->src_gpu % m->ngpus;

    if (op->kind == OP_COPY && op->dir != D2D)
        return machine_core_socket(m, plan_core(p, op->src)) ==
                       machine_gpu(m, gpu)->socket
                   ? ON_SOCKET
                   : ON_NODE;
    if (op->kind == OP_COPY && op->src_gpu == op->dst_gpu)
        return SHARED_CACHE;
    if (op->src_gpu != NO_GPU)
        return machine_gpu_locality(m, op->src_gpu / m->ngpus, gpu,
                                    op->dst_gpu / m->ngpus,
                                    op->dst_gpu % m->ngpus);
    return machine_core_locality(m, plan_node(p, op->src),
                                 plan_core(p, op->src), plan_node(p, op->dst),
                                 plan_core(p, op->dst));
}

size_t plan_flows(const struct plan *p)
{
    size_t flows = 0;

    for (size_t i = 0; i < p->nops; i++)
        flows += plan_sends(&p->ops[i]) || p->ops[i].kind == OP_COPY;
    return flows;
}

double plan_working_set(const struct plan *p)
{
    double most_B = p->working_set_B;
    double *bytes =
        xcalloc((size_t)p->nodes * p->ranks_per_node, sizeof *bytes);

    for (size_t i = 0; i < p->nops && p->working_set_B <= 0; i++) {
        const struct op *o = &p->ops[i];
        if (!plan_sends(o) || o->src_gpu != NO_GPU ||
            plan_node(p, o->src) != plan_node(p, o->dst))
            continue;
        bytes[o->src] += (double)o->bytes;
        bytes[o->dst] += (double)o->bytes;
        most_B = fmax(most_B, fmax(bytes[o->src], bytes[o->dst]));
    }
    free(bytes);
    return most_B;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buffers of a plan: every operation has its own, in a few large pieces of
 * memory, of which those that others write to by CUDA IPC are shared. */
#include "validate/native/store.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256, POISON = 0xa5 };

/* One large piece of memory of a kind, and how much of it is used. */
struct arena {
    char *base;
    size_t size, used;
};

/* Host memory that is read and written; for each GPU of the node, memory that
 * this rank reads (or writes), and an inbox that other ranks write to. */
struct runner_memory {
    struct arena host, *device, *inbox;
    void **opened;  /* another rank's inbox: [local rank * ngpus + gpu] */
    size_t *offset; /* offset of an operation's bytes in its receiver's inbox */
};

static size_t room(uint64_t bytes)
{
    return (size_t)(bytes + ALIGN - 1) / ALIGN * ALIGN;
}

uint64_t runner_bytes(const struct runner *r, const struct op *o)
{
    return runner_any_size(o) ? r->largest_B : o->bytes;
}

bool runner_by_ipc(const struct runner *r, const struct op *o)
{
    return r->ipc && o->kind == OP_MSG && o->src_gpu != NO_GPU;
}

static unsigned runner_memory_on_node(const struct runner *r, uint32_t gpu)
{
    return gpu % r->ngpus;
}

static void *deal(struct arena *a, uint64_t bytes)
{
    void *at = a->base ? a->base + a->used : NULL;

    a->used += room(bytes);
    return at;
}

/* Returns the bytes of a rank in the memory of its GPU. */
static uint64_t stores_B(const struct runner *r, uint32_t rank)
{
    return store_places(r, rank) * room(store_bytes(r->collective));
}

/* Places the stores of a collective. A GPU's store comes first in its inbox if
 * other ranks write into it by IPC. */
static void deal_stores(struct runner *r)
{
    const struct collective *c = r->collective;
    struct runner_memory *m = r->memory;
    unsigned gpu = store_gpu(c, (uint32_t)r->n->rank);

    r->host_store = r->device_store = NULL;
    if (store_on_host(r->plan, c))
        r->host_store = deal(&m->host, store_bytes(c));
    if (store_on_gpu(c))
        r->device_store =
            deal(r->ipc || store_moves(c) ? &m->inbox[gpu] : &m->device[gpu],
                 stores_B(r, (uint32_t)r->n->rank));
}

static void *in_store(const struct runner *r, uint32_t op)
{
    const struct plan *p = r->plan;
    char *store =
        p->ops[op].src_gpu == NO_GPU ? r->host_store : r->device_store;

    return store ? store + store_offset(r->collective,
                                        p->pieces[plan_first_piece(p, op)])
                 : NULL;
}

/* Assigns the memory; it runs twice in the same order, first without a base, to
 * find the sizes. */
static void deal_all(struct runner *r)
{
    struct runner_memory *m = r->memory;
    const struct plan *p = r->plan;
    uint32_t rank = (uint32_t)r->n->rank;

    m->host.used = 0;
    for (unsigned g = 0; g < r->ngpus; g++)
        m->device[g].used = m->inbox[g].used = 0;
    if (r->collective)
        deal_stores(r);
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        struct arena *from = &m->host, *to = &m->host;
        if (o->kind == OP_WORK || o->kind == OP_REDUCE ||
            (r->collective && o->kind == OP_COPY))
            continue;
        if (o->kind == OP_COPY) {
            if (o->dir != H2D)
                from = &m->device[runner_memory_on_node(r, o->src_gpu)];
            if (o->dir == H2D)
                to = &m->device[runner_memory_on_node(r, o->src_gpu)];
            else if (o->dir == D2D)
                to = &m->device[runner_memory_on_node(r, o->dst_gpu)];
        } else if (o->src_gpu != NO_GPU && o->kind == OP_PACK) {
            from = to = &m->device[runner_memory_on_node(r, o->src_gpu)];
        } else if (o->src_gpu != NO_GPU && o->kind == OP_MSG) {
            from = &m->device[runner_memory_on_node(r, o->src_gpu)];
            to = runner_by_ipc(r, o)
                     ? &m->inbox[runner_memory_on_node(r, o->dst_gpu)]
                     : &m->device[runner_memory_on_node(r, o->dst_gpu)];
        }
        if (o->src == rank && o->kind != OP_RECV)
            r->out[op] = r->collective && store_straight(r, op, false)
                             ? in_store(r, op)
                             : deal(from, o->bytes);
        if (o->dst == rank && o->kind != OP_SEND)
            r->in[op] = r->collective && store_straight(r, op, true)
                            ? in_store(r, op)
                            : deal(to, runner_bytes(r, o));
    }
}

static int new_arena(struct arena *a, const struct runner *r, unsigned gpu,
                     bool device, struct err *err)
{
    const struct gpu_api *api = r->n->gpu;

    a->size = a->used;
    if (!a->size)
        return 0;
    if (device && api->count && api->use(gpu % api->count, err) < 0)
        return -1;
    a->base =
        device ? api->device_new(a->size, err) : api->host_new(a->size, err);
    return a->base ? 0 : -1;
}

static int new_arenas(struct runner *r, struct err *err)
{
    struct runner_memory *m = r->memory;

    if (new_arena(&m->host, r, 0, false, err) < 0)
        return -1;
    for (unsigned g = 0; g < r->ngpus; g++)
        if (new_arena(&m->device[g], r, g, true, err) < 0 ||
            new_arena(&m->inbox[g], r, g, true, err) < 0)
            return -1;
    return 0;
}

/* Adds the bytes that come before the messages in a rank's inboxes. */
static void first_in_inboxes(const struct runner *r, uint32_t rank,
                             size_t *used)
{
    const struct collective *c = r->collective;

    used[store_gpu(c, rank)] += stores_B(r, rank);
}

/* Finds the offset of each IPC message in its receiver's inbox: all ranks
 * assign it as the receiver does. */
static void find_offsets(struct runner *r)
{
    const struct plan *p = r->plan;
    size_t n = (size_t)p->nodes * p->ranks_per_node * r->ngpus;
    size_t *used = xcalloc(n, sizeof *used);

    r->memory->offset = xcalloc(p->nops, sizeof *r->memory->offset);
    for (uint32_t k = 0; r->collective && k < p->nodes * p->ranks_per_node; k++)
        first_in_inboxes(r, k, &used[(size_t)k * r->ngpus]);
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (!runner_by_ipc(r, o))
            continue;
        if (r->collective && store_straight(r, op, true)) {
            r->memory->offset[op] =
                store_offset(r->collective, p->pieces[plan_first_piece(p, op)]);
            continue;
        }
        size_t *at = &used[(size_t)o->dst * r->ngpus +
                           runner_memory_on_node(r, o->dst_gpu)];
        r->memory->offset[op] = *at;
        *at += room(o->bytes);
    }
    free(used);
}

/* Opens an inbox of the node that this rank sends to; its own needs no opening,
 * because a process cannot open its own memory. */
static int open_inbox(struct runner *r, const struct gpu_share *shares,
                      uint32_t rank, unsigned gpu, unsigned from_gpu,
                      struct err *err)
{
    struct runner_memory *m = r->memory;
    const struct gpu_api *api = r->n->gpu;
    size_t i = (size_t)(rank % r->plan->ranks_per_node) * r->ngpus + gpu;

    if (m->opened[i])
        return 0;
    if (rank == (uint32_t)r->n->rank) {
        m->opened[i] = m->inbox[gpu].base;
        return 0;
    }
    if (api->count && api->use(from_gpu % api->count, err) < 0)
        return -1;
    m->opened[i] = api->open(&shares[i], err);
    return m->opened[i] ? 0 : -1;
}

static int open_places(struct runner *r, const struct gpu_share *shares,
                       struct err *err)
{
    const struct shared_moves *s = r->collective->moves;

    for (size_t i = 0; i < s->n; i++) {
        const struct shared_move *move = &s->moves[i];
        const struct op *o = &r->plan->ops[move->op];
        if (o->src != (uint32_t)r->n->rank)
            continue;
        for (int end = 0; end < 2; end++) {
            uint32_t rank = store_place(r, end ? move->to : move->from).rank;
            if (open_inbox(r, shares, rank, store_gpu(r->collective, rank),
                           runner_memory_on_node(r, o->src_gpu), err) < 0)
                return -1;
        }
    }
    return 0;
}

static int open_inboxes(struct runner *r, const struct gpu_share *shares,
                        struct err *err)
{
    const struct plan *p = r->plan;

    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (runner_by_ipc(r, o) && o->src == (uint32_t)r->n->rank &&
            open_inbox(r, shares, o->dst, runner_memory_on_node(r, o->dst_gpu),
                       runner_memory_on_node(r, o->src_gpu), err) < 0)
            return -1;
    }
    return r->collective && store_moves(r->collective)
               ? open_places(r, shares, err)
               : 0;
}

static int share_inboxes(struct runner *r, struct err *err)
{
    struct runner_memory *m = r->memory;
    size_t own = r->ngpus * sizeof(struct gpu_share);
    struct gpu_share *mine = xcalloc(r->ngpus, sizeof *mine);
    struct gpu_share *all = xcalloc(r->plan->ranks_per_node, own);
    int result = 0;

    for (unsigned g = 0; g < r->ngpus && result == 0; g++)
        if (m->inbox[g].base)
            result = r->n->gpu->share(&mine[g], m->inbox[g].base, err);
    result = native_agree(r->n, result, err);
    if (result == 0) {
        MPI_TRY(MPI_Allgather(mine, (int)own, MPI_BYTE, all, (int)own, MPI_BYTE,
                              r->n->on_node));
        result = open_inboxes(r, all, err);
    }
    free(mine);
    free(all);
    return result;
}

int runner_memory_new(struct runner *r, struct err *err)
{
    struct runner_memory *m = xcalloc(1, sizeof *m);
    size_t shared = (size_t)r->plan->ranks_per_node * r->ngpus;

    r->memory = m;
    r->out = xcalloc(r->plan->nops, sizeof *r->out);
    r->in = xcalloc(r->plan->nops, sizeof *r->in);
    m->device = xcalloc(r->ngpus, sizeof *m->device);
    m->inbox = xcalloc(r->ngpus, sizeof *m->inbox);
    m->opened = xcalloc(shared, sizeof *m->opened);
    deal_all(r); /* only for the sizes */
    if (native_agree(r->n, new_arenas(r, err), err) < 0)
        return -1;
    deal_all(r);
    if (!r->ipc && !(r->collective && store_moves(r->collective)))
        return 0;
    find_offsets(r);
    return share_inboxes(r, err);
}

void runner_memory_free(struct runner *r)
{
    struct runner_memory *m = r->memory;
    const struct gpu_api *api = r->n->gpu;
    size_t shared = (size_t)r->plan->ranks_per_node * r->ngpus;

    if (!m)
        return;
    for (size_t i = 0; i < shared && m->opened; i++)
        if (m->opened[i] && m->opened[i] != m->inbox[i % r->ngpus].base)
            api->close(m->opened[i]);
    /* The memory must not be freed while another rank has it open. */
    native_barrier(r->n);
    for (unsigned g = 0; g < r->ngpus; g++) {
        if (m->device[g].base)
            api->device_free(m->device[g].base);
        if (m->inbox[g].base)
            api->device_free(m->inbox[g].base);
    }
    if (m->host.base)
        api->host_free(m->host.base);
    free(m->device);
    free(m->inbox);
    free(m->opened);
    free(m->offset);
    free(r->out);
    free(r->in);
    free(m);
    r->memory = NULL;
}

void *runner_peer_memory(const struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    const struct runner_memory *m = r->memory;

    if (!runner_by_ipc(r, o))
        return NULL;
    if (o->src != (uint32_t)r->n->rank)
        return r->in[op];
    size_t i = (size_t)(o->dst % r->plan->ranks_per_node) * r->ngpus +
               runner_memory_on_node(r, o->dst_gpu);
    return (char *)m->opened[i] + m->offset[op];
}

void *runner_place(const struct runner *r, uint32_t place)
{
    struct store_place at = store_place(r, place);
    size_t i = (size_t)(at.rank % r->plan->ranks_per_node) * r->ngpus +
               store_gpu(r->collective, at.rank);

    return (char *)r->memory->opened[i] +
           at.number * room(store_bytes(r->collective));
}

void runner_move(const struct runner *r, void *to, const void *from,
                 size_t bytes)
{
    DIE_TRY(r->n->gpu->copy(to, from, bytes, NULL, DIE));
    DIE_TRY(r->n->gpu->wait(NULL, DIE));
}

/* --- contents ------------------------------------------------------------- */

/* Returns a number that identifies the place of a value or byte (SplitMix64's
 * mixing function). */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint8_t *runner_memory_put(uint8_t *to, uint64_t bytes, uint64_t seed)
{
    for (uint64_t at = 0; at < bytes; at += 8) {
        uint64_t word = mixed(seed + at);
        memcpy(to + at, &word, bytes - at < 8 ? bytes - at : 8);
    }
    return to + bytes;
}

uint64_t runner_seed(const struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    const struct received *got = &r->received[op];

    if (o->kind == OP_SEND)
        return mixed((uint64_t)o->src << 32 | r->plan->match[op].tag);
    if (o->kind == OP_RECV)
        return mixed((uint64_t)got->src << 32 | got->tag);
    return mixed(op);
}

uint8_t *runner_put_values(uint8_t *to, const struct runner *r,
                           struct piece piece)
{
    for (uint64_t v = piece.first; v < piece.first + piece.count; v++)
        to = runner_memory_put(to, r->halo->value_bytes,
                               mixed((uint64_t)piece.class_id << 40 ^ v));
    return to;
}

void runner_pattern(uint8_t *to, const struct runner *r, uint32_t op,
                    uint64_t bytes, uint64_t seed)
{
    const struct plan *p = r->plan;

    if (!plan_npieces(p, op) || !r->halo) {
        runner_memory_put(to, bytes, seed);
        return;
    }
    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++)
        to = runner_put_values(to, r, p->pieces[i]);
}

static uint64_t largest(const struct runner *r)
{
    uint64_t most = 1;

    for (uint32_t op = 0; op < r->plan->nops; op++) {
        uint64_t bytes = runner_bytes(r, &r->plan->ops[op]);
        if ((r->out[op] || r->in[op]) && bytes > most)
            most = bytes;
    }
    return most;
}

void runner_fill(struct runner *r)
{
    size_t size = largest(r);
    uint8_t *text = xmalloc(size), *poison = xmalloc(size);

    memset(poison, POISON, size);
    for (uint32_t op = 0; op < r->plan->nops; op++) {
        const struct op *o = &r->plan->ops[op];
        if (r->out[op]) {
            runner_pattern(text, r, op, o->bytes, runner_seed(r, op));
            runner_move(r, r->out[op], text, o->bytes);
        }
        if (r->in[op])
            runner_move(r, r->in[op], poison, runner_bytes(r, o));
    }
    free(text);
    free(poison);
}

static void runner_memory_compare(const struct runner *r, uint32_t op,
                                  uint64_t bytes, const uint8_t *got,
                                  const uint8_t *wanted)
{
    const struct op *o = &r->plan->ops[op];

    for (uint64_t i = 0; i < bytes; i++) {
        if (got[i] == wanted[i])
            continue;
        native_die("%s: operation %u, rank %u to %u: byte %llu of %llu is "
                   "0x%02x, not 0x%02x",
                   r->plan->name, op, o->src, o->dst, (unsigned long long)i,
                   (unsigned long long)bytes, got[i], wanted[i]);
    }
}

void runner_verify(struct runner *r)
{
    size_t size = largest(r);
    uint8_t *got = xmalloc(size), *wanted = xmalloc(size);

    for (uint32_t op = 0; op < r->plan->nops; op++) {
        const struct op *o = &r->plan->ops[op];
        if (!r->in[op])
            continue;
        /* A receive may have more room than its message had bytes. */
        uint64_t bytes = o->kind == OP_RECV ? (uint64_t)r->received[op].bytes
                                            : runner_bytes(r, o);
        runner_move(r, got, r->in[op], bytes);
        if (r->n->breaks == BREAK_CORRUPT && bytes)
            got[bytes / 2] ^= 1;
        runner_pattern(wanted, r, op, bytes, runner_seed(r, op));
        runner_memory_compare(r, op, bytes, got, wanted);
    }
    free(got);
    free(wanted);
}

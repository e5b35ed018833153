/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each operation of a plan its place in the memory of its ranks. */
#include "validate/native/calls_places.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256 };

/* Counts the used parts of each space, and the buffers of peers, while the
 * memory of a rank is divided. */
struct dealer {
    const struct calls_memory *m;
    size_t *used;         /* one per space */
    size_t *peer;         /* offset of a peer's buffer in its space, plus 1 */
    uint64_t *peer_B;     /* bytes of that buffer */
    uint32_t of;          /* the rank whose memory it is */
    struct place *places; /* one per operation, or NULL */
};

static unsigned nspaces(const struct calls_memory *m)
{
    return 1 + m->ngpus;
}

unsigned calls_space_of(const struct calls_memory *m, uint32_t gpu)
{
    return gpu == NO_GPU || !m->ngpus ? 0 : 1 + gpu % m->ngpus;
}

/* Returns the alignment of a message. Small ones are packed, because the
 * elements of a program's array are. */
static size_t align(uint64_t bytes)
{
    size_t to = 1;

    while (to < bytes && to < ALIGN)
        to *= 2;
    return to;
}

static size_t place_bytes(struct dealer *d, unsigned space, uint64_t bytes)
{
    size_t to = align(bytes), at = (d->used[space] + to - 1) / to * to;

    d->used[space] = at + bytes;
    return at;
}

/* Returns the place of a message from or to a peer. */
static size_t place_message(struct dealer *d, unsigned space, uint32_t peer,
                            uint64_t bytes)
{
    if (!d->m->one_buffer)
        return place_bytes(d, space, bytes);
    if (!d->peer[peer] || d->peer_B[peer] < bytes) {
        d->peer[peer] = place_bytes(d, space, bytes) + 1;
        d->peer_B[peer] = bytes;
    }
    return d->peer[peer] - 1;
}

static void place_op(struct dealer *d, uint32_t op, const struct op *o)
{
    struct place to = {{-1, -1}};
    unsigned from_space = calls_space_of(d->m, o->src_gpu);
    unsigned to_space = calls_space_of(d->m, o->dst_gpu);

    if (o->kind == OP_PACK) {
        if (o->src == d->of) {
            to.at[0] = (ptrdiff_t)place_bytes(d, from_space, o->bytes);
            to.at[1] = (ptrdiff_t)place_bytes(d, from_space, o->bytes);
        }
    } else if (o->kind == OP_COPY) {
        if (o->src == d->of) {
            to.at[0] = (ptrdiff_t)place_bytes(d, o->dir == H2D ? 0 : from_space,
                                              o->bytes);
            to.at[1] = (ptrdiff_t)place_bytes(d, o->dir == D2H ? 0 : to_space,
                                              o->bytes);
        }
    } else if (o->kind != OP_WORK) {
        uint32_t from = o->kind == OP_RECV ? d->of : o->src;
        if (o->kind != OP_RECV && o->src == d->of)
            to.at[0] =
                (ptrdiff_t)place_message(d, from_space, o->dst, o->bytes);
        if (o->kind != OP_SEND && o->dst == d->of)
            to.at[1] = (ptrdiff_t)place_message(d, to_space, from, o->bytes);
    }
    if (d->places)
        d->places[op] = to;
}

void calls_places(struct place *out, size_t *used, const struct calls_memory *m,
                  const struct plan *p, uint32_t rank)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;
    struct dealer d = {.m = m,
                       .used = used,
                       .peer = xcalloc(ranks, sizeof *d.peer),
                       .peer_B = xcalloc(ranks, sizeof *d.peer_B),
                       .of = rank,
                       .places = out};

    memset(used, 0, nspaces(m) * sizeof *used);
    for (uint32_t op = 0; op < p->nops; op++)
        place_op(&d, op, &p->ops[op]);
    free(d.peer);
    free(d.peer_B);
}

void calls_memory_init(struct calls_memory *m, const struct native *n,
                       unsigned ngpus, bool one_buffer)
{
    *m =
        (struct calls_memory){.n = n, .ngpus = ngpus, .one_buffer = one_buffer};
    m->spaces = xcalloc(nspaces(m), sizeof *m->spaces);
}

void calls_memory_needs(struct calls_memory *m, const struct plan *p)
{
    size_t *used = xcalloc(nspaces(m), sizeof *used);

    calls_places(NULL, used, m, p, (uint32_t)m->n->rank);
    for (unsigned s = 0; s < nspaces(m); s++)
        if (used[s] > m->spaces[s].size)
            m->spaces[s].size = used[s];
    for (uint32_t op = 0; op < p->nops; op++)
        m->messages |= calls_on_gpus(p, &p->ops[op]);
    free(used);
}

static int new_space(struct calls_memory *m, unsigned space, struct err *err)
{
    const struct gpu_api *api = m->n->gpu;
    struct calls_space *s = &m->spaces[space];

    if (!s->size)
        return 0;
    if (space && api->use((space - 1) % (api->count ? api->count : 1), err) < 0)
        return -1;
    s->base =
        space ? api->device_new(s->size, err) : api->host_new(s->size, err);
    return s->base ? 0 : -1;
}

/* Opens the GPU memory of the ranks of this node. */
static int open_all(struct calls_memory *m, const struct gpu_share *all,
                    struct err *err)
{
    for (int r = 0; r < m->n->per_node; r++)
        for (unsigned g = 0; g < m->ngpus; g++) {
            size_t i = (size_t)r * m->ngpus + g;
            bool shared = false;
            for (size_t b = 0; b < sizeof all[i].bytes; b++)
                shared |= all[i].bytes[b] != 0;
            if (!shared || r == m->n->local)
                continue;
            m->opened[i] = m->n->gpu->open(&all[i], err);
            if (!m->opened[i])
                return -1;
        }
    return 0;
}

static int share_all(struct calls_memory *m, struct err *err)
{
    size_t own = m->ngpus * sizeof(struct gpu_share);
    struct gpu_share *mine = xcalloc(m->ngpus, sizeof *mine);
    struct gpu_share *all = xcalloc((size_t)m->n->per_node, own);
    int result = 0;

    m->opened = xcalloc((size_t)m->n->per_node * m->ngpus, sizeof *m->opened);
    for (unsigned g = 0; g < m->ngpus && result == 0; g++)
        if (m->spaces[1 + g].base)
            result = m->n->gpu->share(&mine[g], m->spaces[1 + g].base, err);
    result = native_agree(m->n, result, err);
    if (result == 0) {
        MPI_TRY(MPI_Allgather(mine, (int)own, MPI_BYTE, all, (int)own, MPI_BYTE,
                              m->n->on_node));
        result = native_agree(m->n, open_all(m, all, err), err);
    }
    free(mine);
    free(all);
    return result;
}

int calls_memory_new(struct calls_memory *m, struct err *err)
{
    int result = 0;

    for (unsigned s = 0; s < nspaces(m) && result == 0; s++)
        result = new_space(m, s, err);
    if (native_agree(m->n, result, err) < 0)
        return -1;
    return m->messages && m->n->gpu->share && !m->n->device_mpi
               ? share_all(m, err)
               : 0;
}

void calls_memory_free(struct calls_memory *m)
{
    const struct gpu_api *api = m->n->gpu;

    for (int i = 0; m->opened && i < m->n->per_node * (int)m->ngpus; i++)
        if (m->opened[i])
            api->close(m->opened[i]);
    /* Memory must not be freed while another rank has it open. */
    native_quiet(m->n);
    for (unsigned s = 0; s < nspaces(m); s++)
        if (s && m->spaces[s].base)
            api->device_free(m->spaces[s].base);
    if (m->spaces[0].base)
        api->host_free(m->spaces[0].base);
    free(m->opened);
    free(m->spaces);
    memset(m, 0, sizeof *m);
}

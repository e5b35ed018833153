/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates the memory of a rank for plans, and opens that of others. */
#include "validate/native/calls_places.h"

#include <stdlib.h>
#include <string.h>

static unsigned nspaces(const struct calls_memory *m)
{
    return 1 + m->ngpus;
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
    struct place *places = xcalloc(p->nops, sizeof *places);

    calls_places(places, used, m, p, (uint32_t)m->n->rank);
    free(places);
    for (unsigned s = 0; s < nspaces(m); s++)
        if (used[s] > 2 * m->room && used[s] > m->spaces[s].size)
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

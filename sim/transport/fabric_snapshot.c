/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the state that transfers share as a snapshot: who holds and who waits
 * for each resource, and the remembered part of the past. */
#include "sim/transport/fabric.h"

#include "sim/network/snapshot.h"

#include <math.h>

struct fabric_writer {
    const struct fabric *f;
    struct snapshot *s;
    uint64_t (*name)(void *user, void *transfer);
    void *user;
    double now_s;
};

static void snapshot_server(const struct fabric_writer *w,
                            const struct server *server)
{
    snapshot_word(w->s, server->taken);
    for (struct waiter *at = server->first; at; at = at->next)
        snapshot_word(w->s, w->name(w->user, at));
    snapshot_word(w->s, UINT64_MAX);
}

static void snapshot_processes(const struct fabric_writer *w)
{
    const struct fabric *f = w->f;
    bool owes = f->memory_share > 0 && f->memory_share < 1;

    for (uint32_t i = 0; i < f->processes; i++) {
        snapshot_server(w, &f->cpu[i]);
        snapshot_time(w->s, fmax(f->cpu_free_s[i] - w->now_s, -f->hides_s));
        snapshot_word(w->s, f->heard[i]);
        if (owes)
            snapshot_value(w->s, f->memory_owed[i]);
        for (unsigned lane = 1; lane <= f->lanes; lane++)
            snapshot_server(w, fabric_worker(f, i, lane));
    }
}

static void snapshot_gpus(const struct fabric_writer *w, size_t gpus)
{
    const struct fabric *f = w->f;

    for (size_t i = 0; i < gpus; i++) {
        snapshot_word(w->s, f->copied_by[i]);
        snapshot_server(w, &f->kernels[i]);
        for (int dir = 0; dir < NCOPY_DIRS; dir++)
            snapshot_server(w, &f->copy[i * NCOPY_DIRS + (size_t)dir]);
    }
}

/* It does not matter since when a NIC has been free, so such times count as 0.
 */
static void snapshot_nics(const struct fabric_writer *w, size_t nics)
{
    for (size_t i = 0; i < nics; i++) {
        const struct nic *nic = &w->f->nics[i];
        snapshot_server(w, &nic->places);
        snapshot_server(w, &nic->other_rack);
        snapshot_time(w->s, fmax(nic->free_s - w->now_s, 0));
    }
}

bool fabric_snapshot(const struct fabric *f, struct snapshot *s,
                     uint64_t (*name)(void *user, void *transfer), void *user)
{
    struct fabric_writer w = {f, s, name, user, fabric_now(f)};
    size_t nodes = f->processes / f->per_node;

    if (f->match)
        return false;
    snapshot_processes(&w);
    snapshot_gpus(&w, nodes * f->m->ngpus);
    snapshot_nics(&w, nodes * f->m->nnics);
    return engine_snapshot(f->engine, s, name, user);
}

void transfer_snapshot(const struct transfer *t, struct snapshot *s)
{
    bool message = t->kind == TRANSFER_MESSAGE;
    bool copy = t->kind == TRANSFER_COPY;

    snapshot_word(s,
                  (uint64_t)t->stage << 16 | (uint64_t)t->cause << 8 | t->held);
    if (message)
        snapshot_word(s, t->partner != NULL);
    if (copy)
        snapshot_word(s, t->left_B);
}

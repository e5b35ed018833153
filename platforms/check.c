/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a machine as a whole, because one part may need another. */
#include "platforms/read.h"

#include <string.h>

static int check_route(const struct machine *m, unsigned from, unsigned to,
                       struct err *err)
{
    unsigned hops[16];
    bool reversed[16];

    if (machine_route(m, from, to, hops, reversed) >= 0)
        return 0;
    return fail(err, "node.wires: expected a way from %s to %s, got none",
                m->devices[from].id, m->devices[to].id);
}

/* Returns whether a NIC is used, because a segment names it or lets the socket
 * choose. */
static bool nic_used(const struct machine *m, unsigned nic)
{
    for (unsigned p = 0; p < NRUNTIMES * NPATHS; p++) {
        const struct message_table *t =
            &m->messages[p / NPATHS][p % NPATHS][OFF_NODE];
        for (size_t i = 0; i < t->nsegments; i++)
            if (t->segments[i].nic < 0 || t->segments[i].nic == (int)nic)
                return true;
    }
    return false;
}

/* Checks that there is a route between any two ends of flows. A switch is no
 * end, because it may join GPUs alone. */
static int check_routes(const struct machine *m, struct err *err)
{
    for (unsigned to = 0; to < m->ndevices; to++) {
        const struct device *d = &m->devices[to];
        if (d->kind == DEVICE_SWITCH ||
            (d->kind == DEVICE_NIC && !nic_used(m, d->index)))
            continue;
        for (unsigned from = 0; from < m->ndevices; from++) {
            enum device_kind kind = m->devices[from].kind;
            if ((kind == DEVICE_SOCKET || kind == DEVICE_GPU) && from != to &&
                check_route(m, from, to, err) < 0)
                return -1;
        }
    }
    return 0;
}

/* Returns whether two cores of one socket have this locality. */
static bool core_pair(const struct machine *m, enum locality where)
{
    for (unsigned s = 0; s < m->nsockets; s++) {
        const struct device *d = machine_socket(m, s);
        if (where == SHARED_CACHE && d->cores > 1 && d->cores_per_cache > 1)
            return true;
        if (where == ON_SOCKET && d->cores > d->cores_per_cache)
            return true;
    }
    return false;
}

/* Checks that every pair of cores can send messages, if any can. */
static int check_messages(const struct machine *m, struct err *err)
{
    const struct message_table *cpu = m->messages[RUNTIME_MPI][PATH_HOST];
    const bool needed[NLOCALITIES] = {
        [SHARED_CACHE] = core_pair(m, SHARED_CACHE),
        [ON_SOCKET] = core_pair(m, ON_SOCKET),
        [ON_NODE] = m->nsockets > 1,
        [OFF_NODE] = m->network.nodes > 1,
    };
    bool any = false;

    for (unsigned w = 0; w < NLOCALITIES; w++)
        any = any || cpu[w].nsegments;
    for (unsigned w = 0; any && w < NLOCALITIES; w++)
        if (needed[w] && !cpu[w].nsegments)
            return fail(err, "messages.cpu.%s: expected an object, got nothing",
                        locality_names[w]);

    any = false;
    for (unsigned w = 0; w < NLOCALITIES; w++)
        any = any || m->messages[RUNTIME_MPI][PATH_GDR][w].nsegments;
    if (m->gpudirect && !any)
        return fail(err, "messages.gpu: expected an object, because gpudirect "
                         "is true, got nothing");
    return 0;
}

static bool has_row(const struct machine *m, enum copy_dir dir,
                    enum locality where, unsigned processes, bool unlimited)
{
    for (size_t i = 0; i < m->copies.nrows; i++) {
        const struct copy_cost *row = &m->copies.rows[i];
        if (row->dir == dir && row->locality == where &&
            row->processes == processes &&
            (!unlimited || row->up_to_B == UINT64_MAX))
            return true;
    }
    return false;
}

static int check_copies(const struct machine *m, struct err *err)
{
    for (size_t i = 0; i < m->copies.nrows; i++) {
        const struct copy_cost *row = &m->copies.rows[i];
        if (!has_row(m, row->dir, row->locality, row->processes, true))
            return fail(err,
                        "copies.rows[%zu].up_to_bytes: expected another row "
                        "of this case without a limit, got none",
                        i);
    }
    for (enum copy_dir d = H2D; m->ngpus && d <= D2H; d++)
        if (!has_row(m, d, ON_SOCKET, 1, true))
            return fail(err,
                        "copies.rows: expected one of direction %s, locality "
                        "on_socket, processes 1, got none",
                        copy_dir_names[d]);
    return 0;
}

int check_machine(const struct machine *m, struct err *err)
{
    if (m->network.nodes > 1 && !m->nnics)
        return fail(err,
                    "node.devices: expected a nic, because there are %u nodes, "
                    "got none",
                    m->network.nodes);
    if (check_routes(m, err) < 0 || check_messages(m, err) < 0 ||
        check_copies(m, err) < 0)
        return -1;
    return 0;
}

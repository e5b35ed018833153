/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resources that the transfers of a run share, and the places of transfers
 * on them. */
#include "sim/transport/fabric.h"

#include <math.h>
#include <stdlib.h>

const char *const cause_names[NCAUSES] = {"nothing",
                                          "a dependency",
                                          "CPU",
                                          "copy engine",
                                          "NIC",
                                          "its match",
                                          "a kernel",
                                          "the matching engine",
                                          "the communication thread",
                                          "a packet or buffer",
                                          "an epoch's other puts"};

/* --- the run -------------------------------------------------------------- */

static void nics_init(struct fabric *f, unsigned nodes)
{
    const struct machine *m = f->m;

    f->nics = xcalloc((size_t)nodes * m->nnics, sizeof *f->nics);
    f->nearest_nic =
        xcalloc((size_t)m->ncores + m->ngpus, sizeof *f->nearest_nic);
    machine_nearest_nics(m, f->nearest_nic);
    for (unsigned k = 0; k < m->nnics; k++) {
        const struct device *d = machine_nic(m, k);
        for (unsigned node = 0; node < nodes; node++) {
            struct nic *nic = &f->nics[(size_t)node * m->nnics + k];
            nic->gap_s = d->message_gap_s;
            server_init(&nic->places, d->messages_at_once);
            server_init(&nic->other_rack, d->other_rack_at_once);
        }
    }
}

void fabric_init(struct fabric *f, struct engine *e, const struct machine *m,
                 unsigned nodes, unsigned per_node, const unsigned *core)
{
    size_t gpus = (size_t)nodes * m->ngpus;

    *f = (struct fabric){.engine = e,
                         .m = m,
                         .origin = engine_now(e),
                         .per_node = per_node,
                         .processes = nodes * per_node,
                         .core = core};
    f->cpu = xcalloc(f->processes, sizeof *f->cpu);
    f->cpu_free_s = xcalloc(f->processes, sizeof *f->cpu_free_s);
    f->hides_s = INFINITY;
    f->heard = xcalloc(f->processes, sizeof *f->heard);
    f->memory_owed = xcalloc(f->processes, sizeof *f->memory_owed);
    f->memory_share = 1;
    f->copy = xcalloc(gpus * NCOPY_DIRS, sizeof *f->copy);
    f->copied_by = xcalloc(gpus, sizeof *f->copied_by);
    for (size_t i = 0; i < f->processes; i++) {
        server_init(&f->cpu[i], 1);
        f->cpu_free_s[i] = -INFINITY;
        f->heard[i] = NO_PROCESS;
        f->memory_owed[i] = 0.5;
    }
    for (size_t i = 0; i < gpus; i++)
        f->copied_by[i] = NO_PROCESS;
    for (size_t i = 0; i < gpus * NCOPY_DIRS; i++)
        server_init(&f->copy[i], 1);
    f->kernels = xcalloc(gpus, sizeof *f->kernels);
    for (size_t i = 0; i < gpus; i++)
        server_init(&f->kernels[i], 1);
    nics_init(f, nodes);
}

void fabric_lanes(struct fabric *f, unsigned lanes)
{
    size_t n = (size_t)f->processes * lanes;

    f->lanes = lanes;
    f->lane = xcalloc(n, sizeof *f->lane);
    for (size_t i = 0; i < n; i++)
        server_init(&f->lane[i], 1);
}

struct server *fabric_worker(const struct fabric *f, uint32_t process,
                             unsigned lane)
{
    if (!lane)
        return &f->cpu[process];
    return &f->lane[(size_t)process * f->lanes + lane - 1];
}

void fabric_working_set(struct fabric *f, double bytes)
{
    f->memory_share = machine_memory_share(f->m, bytes);
    f->own_share = machine_own_share(f->m, bytes, f->per_node);
}

void fabric_clear(struct fabric *f)
{
    free(f->cpu);
    free(f->cpu_free_s);
    free(f->lane);
    free(f->heard);
    free(f->memory_owed);
    free(f->copy);
    free(f->copied_by);
    free(f->kernels);
    free(f->nics);
    free(f->nearest_nic);
    match_free(f->match);
    match_queues_free(f->queues);
    pool_clear(&f->pool);
}

/* --- places --------------------------------------------------------------- */

uint32_t fabric_process(const struct fabric *f, uint32_t process)
{
    return engine_core(f->m, fabric_node(f, process), fabric_core(f, process));
}

uint32_t fabric_gpu(const struct fabric *f, uint32_t gpu)
{
    return engine_gpu(f->m, gpu / f->m->ngpus, gpu % f->m->ngpus);
}

uint32_t fabric_real_gpu(const struct fabric *f, uint32_t gpu)
{
    return f->m->copies.gpus_are_one ? gpu - gpu % f->m->ngpus : gpu;
}

bool fabric_contexts(const struct fabric *f)
{
    return f->m->copies.contexts && !f->m->copies.mps;
}

double fabric_switch_s(const struct transfer *t)
{
    uint32_t *has = &t->f->copied_by[fabric_real_gpu(t->f, t->from_gpu)];
    bool other = *has != NO_PROCESS && *has != t->from;

    *has = t->from;
    return other ? t->f->m->copies.slice_s : 0;
}

struct server *fabric_copy(const struct fabric *f, uint32_t gpu,
                           enum copy_dir dir)
{
    return &f->copy[(size_t)gpu * NCOPY_DIRS + dir];
}

bool transfer_leaves_node(const struct transfer *t)
{
    return t->f->m->nnics > 0 &&
           fabric_node(t->f, t->from) != fabric_node(t->f, t->to);
}

const struct message_table *transfer_table(const struct transfer *t)
{
    const struct machine *m = t->f->m;

    if (t->from_gpu != NO_GPU)
        return machine_table(m, t->runtime, machine_gpu_path(m),
                             machine_gpu_locality(m, t->from_gpu / m->ngpus,
                                                  t->from_gpu % m->ngpus,
                                                  t->to_gpu / m->ngpus,
                                                  t->to_gpu % m->ngpus));
    return machine_table(m, t->runtime, PATH_HOST,
                         machine_core_locality(m, fabric_node(t->f, t->from),
                                               fabric_core(t->f, t->from),
                                               fabric_node(t->f, t->to),
                                               fabric_core(t->f, t->to)));
}

const struct segment *transfer_segment(const struct transfer *t, uint64_t bytes)
{
    return table_segment(transfer_table(t), bytes);
}

double transfer_other_rack_s(const struct transfer *t)
{
    unsigned a = fabric_node(t->f, t->from), b = fabric_node(t->f, t->to);

    return a == b || machine_same_rack(t->f->m, a, b)
               ? 0
               : transfer_table(t)->other_rack_s;
}

double transfer_far_s(const struct transfer *t)
{
    const struct fabric *f = t->f;
    double far_s = transfer_other_rack_s(t);

    if (!(f->m->network.hop_s > 0))
        return far_s;
    bool gpus = t->from_gpu != NO_GPU;
    return far_s + engine_latency_s(f->engine,
                                    gpus ? fabric_gpu(f, t->from_gpu)
                                         : fabric_process(f, t->from),
                                    gpus ? fabric_gpu(f, t->to_gpu)
                                         : fabric_process(f, t->to),
                                    transfer_nic(t));
}

int transfer_nic(const struct transfer *t)
{
    if (!t->segment)
        return NIC_OF_SOCKET;
    return machine_nic_between(t->f->m, t->segment, fabric_node(t->f, t->from),
                               fabric_node(t->f, t->to));
}

uint32_t fabric_nic_number(const struct transfer *t, int nic)
{
    const struct fabric *f = t->f;
    unsigned k = (unsigned)nic;

    if (nic == NIC_OF_SOCKET)
        k = f->nearest_nic[t->from_gpu == NO_GPU
                               ? fabric_core(f, t->from)
                               : f->m->ncores + t->from_gpu % f->m->ngpus];
    return fabric_node(f, t->from) * f->m->nnics + k;
}

struct nic *fabric_nic(const struct transfer *t, int nic)
{
    uint32_t number = fabric_nic_number(t, nic);

    return &t->f->nics[t->f->nic_stands ? t->f->nic_stands[number] : number];
}

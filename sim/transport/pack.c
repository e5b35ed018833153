/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages of a pack, which gathers values into a buffer to be sent, or
 * scatters them from one that was received; and of a reduction, which adds up
 * several buffers into one. On a GPU it is a kernel, which reads each input and
 * writes one buffer:
 *
 *             launch     |kernels of the GPU| (inputs + 1) n  | sync
 *             |----------|- - - - - - - - - |=================|------|
 *   posted    PACK_CPU   PACK_LAUNCHED      PACK_GPU          PACK_RAN
 *   (waits for CPU)                                           PACK_SEEN
 *
 * It holds the CPU of its process from PACK_CPU until PACK_LAUNCHED, or, if the
 * process waits for the end, until PACK_SEEN. The kernels of a GPU run one
 * after the other. In host memory its process's CPU copies, from PACK_CPU until
 * PACK_SEEN, through the memory of the socket at the socket's copy_Bps; if that
 * is not given, at the rate of a message between two cores of its socket,
 * because such a message is a copy. It adds one buffer after the other to the
 * first, each at the socket's reduce_Bps, or, if that is not given, at the
 * latter rate. Bytes that are in no cache take uncached_s_per_B longer.
 */
#include "sim/transport/transport.h"

enum stage { PACK_CPU, PACK_LAUNCHED, PACK_GPU, PACK_RAN, PACK_SEEN };

static struct server *pack_kernels(const struct transfer *t)
{
    return &t->f->kernels[fabric_real_gpu(t->f, t->from_gpu)];
}

static double pack_kernel_s(const struct transfer *t)
{
    double Bps = t->f->m->gpu.memory_Bps;

    return Bps > 0 ? (t->inputs + 1) * (double)t->bytes / Bps : 0;
}

/* Returns the time until its process has the GPU, if processes use it in turn.
 */
static double pack_switch_s(const struct transfer *t)
{
    return fabric_contexts(t->f) ? fabric_switch_s(t) : 0;
}

/* Returns the rate of its process's CPU, 0 if there is no limit. */
static double pack_host_Bps(const struct transfer *t)
{
    const struct machine *m = t->f->m;
    const struct device *socket =
        machine_socket(m, machine_core_socket(m, fabric_core(t->f, t->from)));
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, ON_SOCKET, t->bytes);

    double Bps = t->inputs > 1 ? socket->reduce_Bps : socket->copy_Bps;
    double s_per_B = Bps > 0 ? 1 / Bps : s ? s->beta_s_per_B : 0;
    s_per_B += t->f->own_share * socket->uncached_s_per_B;
    return s_per_B > 0 ? 1 / s_per_B : 0;
}

static void pack_in_host(struct transfer *t)
{
    unsigned passes = t->inputs > 1 ? t->inputs - 1 : 1;
    uint32_t here = fabric_process(t->f, t->from);
    double Bps = pack_host_Bps(t);

    if (Bps <= 0)
        transfer_later(t, 0, PACK_SEEN);
    else
        transfer_flow(t, PACK_SEEN, here, here, passes * (double)t->bytes, Bps,
                      NIC_OF_SOCKET);
}

static void pack_end(struct transfer *t)
{
    transfer_ended(t);
    transfer_done(t);
}

static void pack_ran(struct transfer *t)
{
    transfer_release(t, pack_kernels(t));
    if (t->synced)
        transfer_later(t, t->f->m->gpu.sync_s, PACK_SEEN);
    else
        pack_end(t);
}

void pack_go(struct transfer *t)
{
    switch ((enum stage)t->stage) {
    case PACK_CPU:
        transfer_began(t);
        if (t->from_gpu == NO_GPU)
            pack_in_host(t);
        else
            transfer_later(t, t->f->m->gpu.launch_s, PACK_LAUNCHED);
        break;
    case PACK_LAUNCHED:
        if (!t->synced)
            transfer_release_cpu(t, t->from);
        transfer_take(t, pack_kernels(t), PACK_GPU, CAUSE_KERNEL);
        break;
    case PACK_GPU:
        transfer_later(t, pack_switch_s(t) + pack_kernel_s(t), PACK_RAN);
        break;
    case PACK_RAN:
        pack_ran(t);
        break;
    case PACK_SEEN:
        transfer_release_cpu(t, t->from);
        pack_end(t);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the time of operations by the sources of the numbers behind it. */
#include "sim/plan/rests_on.h"

#include "platforms/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void path_context_init(struct path_context *w, const struct machine *m,
                       const struct plan *p, const struct exec_result *x)
{
    *w = (struct path_context){
        .m = m,
        .p = p,
        .x = x,
        .nic = xcalloc(m->ncores + m->ngpus + 1, sizeof *w->nic)};
    machine_nearest_nics(m, w->nic);
}

void path_context_clear(struct path_context *w)
{
    free(w->nic);
    w->nic = NULL;
}

const char *const path_use_names[NPATH_USES] = {
    "off_node_latency", "off_node_bytes", "on_node_messages", "host_copies",
    "peer_copies",      "kernels",        "matching",         "work"};

/* An end of an operation: a device of its node, and its index among those that
 * have a nearest NIC. */
struct path_end {
    unsigned device, place;
};

static struct path_end gpu_end(const struct machine *m, uint32_t gpu)
{
    const struct device *d = machine_gpu(m, gpu % m->ngpus);

    return (struct path_end){(unsigned)(d - m->devices),
                             m->ncores + gpu % m->ngpus};
}

static struct path_end rank_end(const struct path_context *w, uint32_t rank)
{
    unsigned core = plan_core(w->p, rank);
    const struct device *d =
        machine_socket(w->m, machine_core_socket(w->m, core));

    return (struct path_end){(unsigned)(d - w->m->devices), core};
}

/* Messages and copies have an alpha and a beta of equal keys. */
#define SEGMENT_KEY(member) KEY_OF(segment_keys, struct segment, member)

/* A limit of bandwidth: its source, NULL if none is given, and the name of its
 * number. */
struct limit {
    const struct number_source *source;
    const char *number;
    double Bps;
};

/* Returns the limit between two devices: the narrowest wire, or, inside a
 * socket, its memory. */
static struct limit narrowest(const struct machine *m, unsigned from,
                              unsigned to)
{
    unsigned hops[16];
    bool reversed[16];
    int n = machine_route(m, from, to, hops, reversed);
    struct limit least = {
        NULL, KEY_OF(wire_type_keys, struct wire, bandwidth_Bps), INFINITY};

    if (from == to && m->devices[from].memory_Bps > 0)
        return (struct limit){m->devices[from].source,
                              KEY_OF(device_keys, struct device, memory_Bps),
                              m->devices[from].memory_Bps};
    for (int i = 0; i < n; i++)
        if (m->wires[hops[i]].bandwidth_Bps < least.Bps) {
            least.Bps = m->wires[hops[i]].bandwidth_Bps;
            least.source = m->wires[hops[i]].source;
        }
    return least;
}

/* Returns the limit from a device out of a node through a NIC, and in the
 * network. */
static struct limit narrowest_out(const struct path_context *w,
                                  struct path_end from, int nic)
{
    unsigned by = nic == NIC_OF_SOCKET ? w->nic[from.place] : (unsigned)nic;
    const struct limit network = {
        w->m->network.source,
        KEY_OF(network_keys, struct network, bandwidth_Bps),
        w->m->network.bandwidth_Bps};

    if (!w->m->nnics)
        return network;
    const struct device *d = machine_nic(w->m, by);
    struct limit least =
        narrowest(w->m, from.device, (unsigned)(d - w->m->devices));
    return network.Bps < least.Bps || !least.source ? network : least;
}

/* Returns alpha's part of s, of which alpha and the time of the bytes have no
 * more than their sum. */
static double alpha_part(double s, double alpha_s, double bytes_s)
{
    double both_s = alpha_s + bytes_s;

    return both_s > 0 ? fmin(s, both_s) * alpha_s / both_s : 0;
}

/* Divides s by alpha and beta * bytes; the time beyond both is added to
 * `rest`. */
static void divide(struct rests_on *r, double s, double alpha_s, double bytes_s,
                   const struct number_source *source, struct limit rest)
{
    double own_s = fmin(s, alpha_s + bytes_s);
    double of_alpha_s = alpha_part(s, alpha_s, bytes_s);

    if (!rest.source)
        rest = (struct limit){source, SEGMENT_KEY(beta_s_per_B), 0};
    r->s[source_kind(source, SEGMENT_KEY(alpha_s))] += of_alpha_s;
    r->s[source_kind(source, SEGMENT_KEY(beta_s_per_B))] += own_s - of_alpha_s;
    r->s[source_kind(rest.source, rest.number)] += s - own_s;
}

static void add_copy(struct rests_on *r, const struct path_context *w,
                     const struct op *o, double s)
{
    const struct copy_cost *row = machine_copy(
        w->m, (enum copy_dir)o->dir, plan_locality(w->p, w->m, o), 1, o->bytes);
    struct path_end a = gpu_end(w->m, o->src_gpu);
    struct path_end b =
        o->dir == D2D ? gpu_end(w->m, o->dst_gpu) : rank_end(w, o->src);

    if (!row) { /* because D2D without a row of its own is a kernel */
        r->s[source_kind(w->m->copies.engine_source,
                         KEY_OF(copies_keys, struct copy_table, engine_s))] +=
            s;
        return;
    }
    divide(r, s, row->alpha_s, row->beta_s_per_B * (double)o->bytes,
           row->source, narrowest(w->m, a.device, b.device));
}

/* Adds a message of a runtime with a communication thread: the part of the wire
 * by its table, the rest by its threads' times. */
static void add_host_message(struct rests_on *r, const struct path_context *w,
                             const struct segment *segment, const struct op *o,
                             double s)
{
    divide(r, s, segment_latency_s(segment),
           segment_wire_s_per_B(segment) * (double)o->bytes, segment->source,
           (struct limit){w->m->costs[w->p->runtime].source, NULL, 0});
}

static void add_message(struct rests_on *r, const struct path_context *w,
                        const struct op *o, double s)
{
    enum locality where = plan_locality(w->p, w->m, o);
    const struct segment *segment = machine_segment(
        w->m, w->p->runtime, plan_path(w->m, o), where, o->bytes);
    bool gpu = o->src_gpu != NO_GPU;
    struct path_end a = gpu ? gpu_end(w->m, o->src_gpu) : rank_end(w, o->src);
    struct path_end b = gpu ? gpu_end(w->m, o->dst_gpu) : rank_end(w, o->dst);

    if (!segment) {
        r->s[PROVENANCE_ASSUMED] += s;
        return;
    }
    if (w->m->costs[w->p->runtime].source) {
        add_host_message(r, w, segment, o, s);
        return;
    }
    double bytes_s = segment->beta_s_per_B * (double)o->bytes;
    divide(r, s, segment->alpha_s, bytes_s, segment->source,
           where == OFF_NODE
               ? narrowest_out(w, a,
                               machine_nic_between(w->m, segment,
                                                   plan_node(w->p, o->src),
                                                   plan_node(w->p, o->dst)))
               : narrowest(w->m, a.device, b.device));
    if (s < (segment->alpha_s + bytes_s) * 0.999 &&
        source_split_assumed(segment->source))
        r->split_s += s;
}

/* Returns the kind of a number, because a machine made in code may have numbers
 * without a source. */
static enum provenance own_kind(const struct number_source *source,
                                const struct number_source *otherwise,
                                const char *number)
{
    return source_kind(source ? source : otherwise, number);
}

/* Adds a kernel's launch, its bytes and the synchronisation after it, or a copy
 * by a rank. Any time beyond these was a wait for other kernels. */
static void add_pack(struct rests_on *r, const struct path_context *w,
                     const struct op *o, double s)
{
    const struct gpu_model *gpu = &w->m->gpu;
    const struct segment *segment =
        machine_segment(w->m, RUNTIME_MPI, PATH_HOST, ON_SOCKET, o->bytes);
    const struct device *socket = machine_socket(
        w->m, machine_core_socket(w->m, plan_core(w->p, o->src)));
    unsigned inputs = o->kind == OP_REDUCE ? o->inputs : 1;

    if (o->src_gpu == NO_GPU && inputs > 1) {
        /* If it has no rate of its own, it has a copy's, which is assumed. */
        r->s[socket->reduce_Bps > 0 && socket->source
                 ? source_kind(socket->source,
                               KEY_OF(device_keys, struct device, reduce_Bps))
                 : PROVENANCE_ASSUMED] += s;
        return;
    }
    if (o->src_gpu == NO_GPU) {
        r->s[segment ? source_kind(segment->source, SEGMENT_KEY(beta_s_per_B))
                     : PROVENANCE_ASSUMED] += s;
        return;
    }
    /* If the stretch is only a part, it is the end of the operation's time. */
    double kernel_s = gpu->memory_Bps > 0
                          ? (inputs + 1) * (double)o->bytes / gpu->memory_Bps
                          : 0;
    double sync_s = o->synced ? fmin(s, gpu->sync_s) : 0;
    double launch_s = fmin(fmax(s - sync_s - kernel_s, 0), gpu->launch_s);
    r->s[own_kind(gpu->launch_source, gpu->source,
                  KEY_OF(gpu_keys, struct gpu_model, launch_s))] += launch_s;
    r->s[own_kind(gpu->sync_source, gpu->source,
                  KEY_OF(gpu_keys, struct gpu_model, sync_s))] += sync_s;
    r->s[source_kind(gpu->source, KEY_OF(gpu_keys, struct gpu_model,
                                         memory_Bps))] += s - launch_s - sync_s;
}

void rests_on_matching(struct rests_on *r, const struct path_context *w,
                       double s)
{
    if (!(s > 0))
        return;
    r->total_s += s;
    r->used_s[PATH_MATCHING] += s;
    r->s[source_kind(w->m->matching.source, NULL)] += s;
}

/* Adds a message by use: its latency is at most its alpha; the rest is the time
 * of its bytes, or their waits. */
static void use_message(struct rests_on *r, const struct path_context *w,
                        const struct op *o, double s)
{
    enum locality where = plan_locality(w->p, w->m, o);
    const struct segment *segment = machine_segment(
        w->m, w->p->runtime, plan_path(w->m, o), where, o->bytes);

    if (where != OFF_NODE) {
        r->used_s[PATH_ON_NODE_MESSAGE] += s;
        return;
    }
    double alpha_s = segment ? segment->alpha_s : s;
    double bytes_s = segment ? segment->beta_s_per_B * (double)o->bytes : 0;
    double latency_s = alpha_part(s, alpha_s, bytes_s);
    r->used_s[PATH_OFF_NODE_LATENCY] += latency_s;
    r->used_s[PATH_OFF_NODE_BYTES] += s - latency_s;
}

static void use_add(struct rests_on *r, const struct path_context *w,
                    const struct op *o, double s)
{
    bool kernel =
        (o->kind == OP_PACK || o->kind == OP_REDUCE) && o->src_gpu != NO_GPU;

    if (o->kind == OP_COPY)
        r->used_s[o->dir == D2D ? PATH_PEER_COPY : PATH_HOST_COPY] += s;
    else if (plan_sends(o))
        use_message(r, w, o, s);
    else
        r->used_s[kernel ? PATH_KERNEL : PATH_WORK] += s;
}

void rests_on_add(struct rests_on *r, const struct path_context *w, uint32_t op,
                  double s)
{
    const struct op *o = &w->p->ops[op];

    if (!(s > 0))
        return;
    r->total_s += s;
    if (o->kind == OP_RECV && w->x->partner && w->x->partner[op] != NO_OP)
        o = &w->p->ops[w->x->partner[op]];
    use_add(r, w, o, s);
    if (o->kind == OP_COPY)
        add_copy(r, w, o, s);
    else if (o->kind == OP_PACK || o->kind == OP_REDUCE)
        add_pack(r, w, o, s);
    else if (plan_sends(o))
        add_message(r, w, o, s);
    /* Because it is a rank's work, or an unmatched receive. */
    else
        r->work_s += s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the operations of a simulated plan on tracks, by the resource that does
 * the work: the CPUs of ranks, the copy engines and kernels of GPUs; and counts
 * the messages that each NIC has under way. */
#include "sim/plan/timeline.h"

#include <math.h>
#include <stdlib.h>

/* Spans are at least this long, because an arrow cannot begin at an empty
 * one. */
static const double shortest_s = 1e-9;

/* --- tracks: ranks, then kernels and copy engines of each GPU ------------- */

enum gpu_track { KERNELS, ENGINE_H2D, ENGINE_D2H, ENGINE_D2D, NGPU_TRACKS };

static uint32_t track_of_gpu(const struct timeline *t, uint32_t gpu,
                             enum gpu_track which)
{
    return t->ranks + gpu * NGPU_TRACKS + which;
}

enum timeline_resource timeline_resource(const struct timeline *t,
                                         uint32_t track)
{
    if (track < t->ranks)
        return RESOURCE_CPU;
    return (track - t->ranks) % NGPU_TRACKS == KERNELS ? RESOURCE_KERNELS
                                                       : RESOURCE_ENGINE;
}

uint32_t timeline_node(const struct timeline *t, uint32_t track)
{
    return track < t->ranks ? plan_node(t->p, track)
                            : (track - t->ranks) / NGPU_TRACKS / t->m->ngpus;
}

void timeline_name(char *text, size_t room, const struct timeline *t,
                   uint32_t track)
{
    static const char *const names[NGPU_TRACKS] = {
        "kernels", "copies from the host", "copies to the host",
        "copies between GPUs"};
    uint32_t gpu = (track - t->ranks) / NGPU_TRACKS;

    if (track < t->ranks)
        snprintf(text, room, "rank %u, core %u", track, plan_core(t->p, track));
    else
        snprintf(text, room, "GPU %u, %s", gpu,
                 names[(track - t->ranks) % NGPU_TRACKS]);
}

/* --- messages ------------------------------------------------------------- */

bool timeline_message(struct timeline_message *one, const struct timeline *t,
                      uint32_t op)
{
    const struct op *o = &t->p->ops[op];
    uint32_t send = op;

    if (o->kind == OP_RECV && t->x->partner)
        send = t->x->partner[op];
    if ((o->kind != OP_MSG && o->kind != OP_RECV) || send == NO_OP ||
        (o->kind == OP_RECV && send == op))
        return false;
    *one = (struct timeline_message){send, op, t->x->ops[send].start_s,
                                     t->x->ops[op].end_s};
    return t->p->ops[send].src != o->dst;
}

static const struct segment *segment_of(const struct timeline *t,
                                        const struct op *o)
{
    return machine_segment(t->m, t->p->runtime, plan_path(t->m, o),
                           plan_locality(t->p, t->m, o), o->bytes);
}

/* Returns the occupancy of an end's CPU. */
static double cpu_s(const struct timeline *t, const struct op *o, bool receives)
{
    const struct segment *s = segment_of(t, o);

    if (!s)
        return shortest_s;
    struct occupancies cpus = segment_occupancies(s, o->bytes);
    return fmax(shortest_s, receives ? cpus.recv.s : cpus.send.s);
}

/* Under a runtime with a communication thread a message waits again after it is
 * sent; this returns the cause of its wait before that. */
enum cause timeline_cause(const struct timeline *t, uint32_t op)
{
    const struct op_times *times = &t->x->ops[op];
    const struct op_wait *w = waits_until(
        &t->x->waits, op, t->x->hosts ? times->start_s : times->end_s);

    return w ? (enum cause)w->cause : CAUSE_NONE;
}

/* --- spans ---------------------------------------------------------------- */

static void add_span(struct timeline *t, uint32_t track, uint32_t op,
                     double from_s, double to_s)
{
    t->spans[t->n++] =
        (struct timeline_span){track, op, fmax(from_s, 0), to_s, 0};
}

/* Adds the spans of the ends' CPUs, at the beginning and at the end of a
 * message. */
static void span_message(struct timeline *t, uint32_t op)
{
    const struct op *o = &t->p->ops[op];
    double from = t->x->ops[op].start_s, to = t->x->ops[op].end_s;

    if (o->kind != OP_RECV)
        add_span(t, o->src, op, from,
                 fmin(fmax(to, from + shortest_s), from + cpu_s(t, o, false)));
    if (o->kind == OP_SEND || (o->kind == OP_MSG && o->src == o->dst))
        return;
    if (o->kind == OP_RECV && t->x->partner && t->x->partner[op] != NO_OP)
        o = &t->p->ops[t->x->partner[op]];
    add_span(t, t->p->ops[op].dst, op, fmax(from, to - cpu_s(t, o, true)), to);
}

static void span_of(struct timeline *t, uint32_t op)
{
    static const enum gpu_track engines[NCOPY_DIRS] = {
        [H2D] = ENGINE_H2D, [D2H] = ENGINE_D2H, [D2D] = ENGINE_D2D};
    const struct op *o = &t->p->ops[op];
    double from = t->x->ops[op].start_s, to = t->x->ops[op].end_s;
    bool kernel =
        (o->kind == OP_PACK || o->kind == OP_REDUCE) && o->src_gpu != NO_GPU;

    if (o->kind == OP_MSG || o->kind == OP_SEND || o->kind == OP_RECV) {
        span_message(t, op);
        return;
    }
    if (o->kind == OP_COPY)
        add_span(t, track_of_gpu(t, o->src_gpu, engines[o->dir]), op, from, to);
    else if (kernel)
        add_span(t, track_of_gpu(t, o->src_gpu, KERNELS), op, from, to);
    if (!kernel || o->synced)
        add_span(t, o->src, op, from, to);
}

/* --- NICs ----------------------------------------------------------------- */

static int by_counter_and_time(const void *a, const void *b)
{
    const struct timeline_change *x = a, *y = b;

    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    return x->by - y->by;
}

static size_t change_nic(struct timeline_change *list, const struct timeline *t,
                         const struct timeline_message *one, bool receives)
{
    const struct op *o = &t->p->ops[one->send];
    uint32_t rank = receives ? o->dst : o->src;
    uint32_t gpu = receives ? o->dst_gpu : o->src_gpu;
    const struct segment *s = segment_of(t, o);
    int nic = s ? machine_nic_between(t->m, s, plan_node(t->p, o->src),
                                      plan_node(t->p, o->dst))
                : NIC_OF_SOCKET;
    unsigned by = nic != NIC_OF_SOCKET ? (unsigned)nic
                  : gpu != NO_GPU
                      ? t->context.nic[t->m->ncores + gpu % t->m->ngpus]
                      : t->context.nic[plan_core(t->p, rank)];
    uint32_t counter =
        (plan_node(t->p, rank) * t->m->nnics + by) * 2 + receives;

    list[0] = (struct timeline_change){counter, one->from_s, 1};
    list[1] = (struct timeline_change){counter, one->to_s, -1};
    return 2;
}

struct timeline_change *timeline_nics(const struct timeline *t, size_t *n)
{
    struct timeline_change *list = xcalloc(4 * t->p->nops + 1, sizeof *list);
    struct timeline_message one;

    *n = 0;
    for (uint32_t i = 0; i < t->p->nops && t->m->nnics; i++) {
        if (!timeline_message(&one, t, i) ||
            plan_locality(t->p, t->m, &t->p->ops[one.send]) != OFF_NODE)
            continue;
        *n += change_nic(list + *n, t, &one, false);
        *n += change_nic(list + *n, t, &one, true);
    }
    qsort(list, *n, sizeof *list, by_counter_and_time);
    return list;
}

/* --- the whole ------------------------------------------------------------ */

void timeline_make(struct timeline *t, const struct machine *m,
                   const struct plan *p, const struct exec_result *x)
{
    *t = (struct timeline){.m = m,
                           .p = p,
                           .x = x,
                           .ranks = p->nodes * p->ranks_per_node,
                           .spans = xcalloc(2 * p->nops + 1, sizeof *t->spans)};
    path_context_init(&t->context, m, p, x);
    for (uint32_t i = 0; i < p->nops; i++)
        span_of(t, i);
    t->lanes = timeline_lanes(t->spans, t->n);
}

void timeline_clear(struct timeline *t)
{
    path_context_clear(&t->context);
    free(t->spans);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a simulated plan as a trace for Perfetto, by what does the work: the
 * CPUs of ranks, the copy engines and kernels of GPUs; messages under way, and
 * how many of them each NIC has. */
#include "sim/plan/timeline.h"

#include "base/outfile.h"
#include "sim/plan/report.h"
#include "sim/plan/rests_on.h"

#include <math.h>
#include <stdlib.h>

/* What shows nothing would have nothing that an arrow could begin at. */
static const double shortest_s = 1e-9;

struct timeline {
    FILE *to;
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    struct path_ways ways;
    uint32_t ranks;
    struct timeline_span *spans;
    size_t n;
    uint32_t lanes; /* of the track with most of them */
};

/* --- tracks: ranks, then kernels and copy engines of each GPU ------------- */

enum gpu_track { KERNELS, ENGINE_H2D, ENGINE_D2H, ENGINE_D2D, NGPU_TRACKS };

static uint32_t track_of_gpu(const struct timeline *t, uint32_t gpu,
                             enum gpu_track which)
{
    return t->ranks + gpu * NGPU_TRACKS + which;
}

static uint32_t track_node(const struct timeline *t, uint32_t track)
{
    return track < t->ranks ? plan_node(t->p, track)
                            : (track - t->ranks) / NGPU_TRACKS / t->m->ngpus;
}

static void track_name(char *text, size_t room, const struct timeline *t,
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

/* What sends and what receives it: the same operation, or two. */
struct timeline_message {
    uint32_t send, recv;
    double from_s, to_s;
};

/* False: the operation ends no message between two processes. */
static bool timeline_message(struct timeline_message *one,
                             const struct timeline *t, uint32_t op)
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

/* For how long an end's CPU has to do with it. */
static double cpu_s(const struct timeline *t, const struct op *o, bool receives)
{
    const struct segment *s = segment_of(t, o);

    if (!s)
        return shortest_s;
    struct occupancies cpus = segment_occupancies(s, o->bytes);
    return fmax(shortest_s, receives ? cpus.recv.s : cpus.send.s);
}

/* --- spans ---------------------------------------------------------------- */

static void add_span(struct timeline *t, uint32_t track, uint32_t op,
                     double from_s, double to_s)
{
    t->spans[t->n++] =
        (struct timeline_span){track, op, fmax(from_s, 0), to_s, 0};
}

/* What the ends' CPUs do at its beginning and at its end. */
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

/* --- writing -------------------------------------------------------------- */

static void name_processes(const struct timeline *t)
{
    fprintf(t->to, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                   "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":"
                   "{\"name\":\"node 0\"}}");
    for (unsigned node = 1; node < t->p->nodes; node++)
        fprintf(t->to,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"node %u\"}}",
                node, node);
}

/* Tracks on which something is. */
static void name_tracks(const struct timeline *t)
{
    for (size_t i = 0; i < t->n;) {
        uint32_t track = t->spans[i].track, most = 0;
        char name[64];
        for (; i < t->n && t->spans[i].track == track; i++)
            if (t->spans[i].lane > most)
                most = t->spans[i].lane;
        track_name(name, sizeof name, t, track);
        for (uint32_t lane = 0; lane <= most; lane++)
            timeline_name_lane(t->to, track_node(t, track),
                               track * t->lanes + lane, name, lane);
    }
}

static void write_span(const struct timeline *t, const struct timeline_span *e)
{
    char what[128];
    const struct op *o = &t->p->ops[e->what];
    const struct op_times *times = &t->x->ops[e->what];
    /* Under a runtime with a communication thread a message waits again on its
     * way: what it waited for before it was sent is told. */
    const struct op_wait *w = waits_until(
        &t->x->waits, e->what, t->x->hosts ? times->start_s : times->end_s);
    bool receives = o->kind == OP_MSG && e->track == o->dst && o->src != o->dst;

    op_describe(what, sizeof what, t->m, t->p, e->what);
    fprintf(t->to,
            ",\n{\"name\":\"%s%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,"
            "\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f,\"args\":{\"op\":%u,"
            "\"ready_us\":%.6f,\"start_us\":%.6f,\"end_us\":%.6f,"
            "\"waited_for\":\"%s\"}}",
            what, receives ? " (receives)" : "", phase_names[o->phase],
            track_node(t, e->track), e->track * t->lanes + e->lane,
            e->from_s * 1e6, (e->to_s - e->from_s) * 1e6, e->what,
            times->ready_s * 1e6, times->start_s * 1e6, times->end_s * 1e6,
            cause_names[w ? w->cause : CAUSE_NONE]);
}

/* A message from its first moment to its last, one row for all of a kind in
 * the node that it leaves. */
static void write_under_way(const struct timeline *t,
                            const struct timeline_message *one)
{
    const struct op *o = &t->p->ops[one->send];
    const char *where = locality_names[plan_locality(t->p, t->m, o)];
    char what[128];

    op_describe(what, sizeof what, t->m, t->p, one->send);
    fprintf(t->to,
            ",\n{\"name\":\"messages %s\",\"cat\":\"message\",\"ph\":\"b\","
            "\"id\":%u,\"pid\":%u,\"tid\":0,\"ts\":%.6f,\"args\":{\"what\":"
            "\"%s\"}},\n{\"name\":\"messages %s\",\"cat\":\"message\","
            "\"ph\":\"e\",\"id\":%u,\"pid\":%u,\"tid\":0,\"ts\":%.6f}",
            where, one->recv, plan_node(t->p, o->src), one->from_s * 1e6, what,
            where, one->recv, plan_node(t->p, o->src), one->to_s * 1e6);
}

/* Spans of messages, by operation: the first of who sends, the last of who
 * receives. */
static void write_arrow(const struct timeline *t,
                        const struct timeline_span *const *sends,
                        const struct timeline_span *const *recvs,
                        const struct timeline_message *one)
{
    const struct timeline_span *from = sends[one->send], *to = recvs[one->recv];

    if (!from || !to || from == to)
        return;
    fprintf(t->to,
            ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\","
            "\"id\":%u,\"pid\":%u,\"tid\":%u,\"ts\":%.6f},\n{\"name\":"
            "\"message\",\"cat\":\"message\",\"ph\":\"f\",\"bp\":\"e\","
            "\"id\":%u,\"pid\":%u,\"tid\":%u,\"ts\":%.6f}",
            one->recv, track_node(t, from->track),
            from->track * t->lanes + from->lane, from->from_s * 1e6, one->recv,
            track_node(t, to->track), to->track * t->lanes + to->lane,
            to->from_s * 1e6);
}

/* --- NICs ----------------------------------------------------------------- */

struct nic_change {
    uint32_t counter; /* (node * NICs + NIC) * 2, + 1: receives */
    double at_s;
    int by;
};

static int by_counter_and_time(const void *a, const void *b)
{
    const struct nic_change *x = a, *y = b;

    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    return x->by - y->by;
}

static size_t change_nic(struct nic_change *list, const struct timeline *t,
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
                      ? t->ways.nic[t->m->ncores + gpu % t->m->ngpus]
                      : t->ways.nic[plan_core(t->p, rank)];
    uint32_t counter =
        (plan_node(t->p, rank) * t->m->nnics + by) * 2 + receives;

    list[0] = (struct nic_change){counter, one->from_s, 1};
    list[1] = (struct nic_change){counter, one->to_s, -1};
    return 2;
}

/* How many messages each NIC has under way. */
static void write_nics(const struct timeline *t)
{
    struct nic_change *list = xcalloc(4 * t->p->nops + 1, sizeof *list);
    struct timeline_message one;
    size_t n = 0;
    int now = 0;

    for (uint32_t i = 0; i < t->p->nops && t->m->nnics; i++) {
        if (!timeline_message(&one, t, i) ||
            plan_locality(t->p, t->m, &t->p->ops[one.send]) != OFF_NODE)
            continue;
        n += change_nic(list + n, t, &one, false);
        n += change_nic(list + n, t, &one, true);
    }
    qsort(list, n, sizeof *list, by_counter_and_time);
    for (size_t i = 0; i < n; i++) {
        uint32_t nic = list[i].counter / 2;
        now += list[i].by;
        if (i + 1 < n && list[i + 1].counter == list[i].counter &&
            list[i + 1].at_s <= list[i].at_s)
            continue;
        fprintf(t->to,
                ",\n{\"name\":\"NIC %u, messages %s\",\"ph\":\"C\","
                "\"pid\":%u,\"ts\":%.6f,\"args\":{\"messages\":%d}}",
                nic % t->m->nnics, list[i].counter % 2 ? "in" : "out",
                nic / t->m->nnics, list[i].at_s * 1e6, now);
    }
    free(list);
}

/* --- all ------------------------------------------------------------------ */

static void write_messages(const struct timeline *t)
{
    const struct timeline_span **ends =
        xcalloc(2 * t->p->nops + 1, sizeof *ends);
    const struct timeline_span **recvs = ends + t->p->nops;
    struct timeline_message one;

    for (size_t i = 0; i < t->n; i++) {
        const struct timeline_span *e = &t->spans[i];
        if (e->track == t->p->ops[e->what].src)
            ends[e->what] = e;
        if (e->track == t->p->ops[e->what].dst)
            recvs[e->what] = e;
    }
    for (uint32_t i = 0; i < t->p->nops; i++) {
        if (!timeline_message(&one, t, i))
            continue;
        write_under_way(t, &one);
        write_arrow(t, ends, recvs, &one);
    }
    free(ends);
}

void timeline_write(FILE *to, const struct machine *m, const struct plan *p,
                    const struct exec_result *x)
{
    struct timeline t = {.to = to,
                         .m = m,
                         .p = p,
                         .x = x,
                         .ranks = p->nodes * p->ranks_per_node,
                         .spans = xcalloc(2 * p->nops + 1, sizeof *t.spans)};

    path_ways_init(&t.ways, m, p, x);
    for (uint32_t i = 0; i < p->nops; i++)
        span_of(&t, i);
    t.lanes = timeline_lanes(t.spans, t.n);
    name_processes(&t);
    name_tracks(&t);
    for (size_t i = 0; i < t.n; i++)
        write_span(&t, &t.spans[i]);
    write_messages(&t);
    write_nics(&t);
    fprintf(to, "\n]}\n");
    path_ways_clear(&t.ways);
    free(t.spans);
}

int timeline_save(const char *path, const struct machine *m,
                  const struct plan *p, const struct exec_result *x,
                  struct err *err)
{
    struct outfile f;

    if (outfile_open(&f, path, err) < 0)
        return -1;
    timeline_write(f.stream, m, p, x);
    return outfile_close(&f, err);
}

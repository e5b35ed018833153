/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a simulated plan as a trace for Perfetto, overlapping spans on lanes
 * of their own. */
#include "sim/plan/timeline.h"

#include "base/outfile.h"
#include "sim/plan/report.h"

#include <stdlib.h>

static int by_track_and_start(const void *a, const void *b)
{
    const struct timeline_span *x = a, *y = b;

    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->from_s != y->from_s)
        return x->from_s < y->from_s ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}

/* An operation as each of its ranks sees it. */
static size_t list_events(struct timeline_span *events, const struct plan *p,
                          const struct exec_result *x)
{
    size_t n = 0;

    for (uint32_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        double from = x->ops[i].start_s, to = x->ops[i].end_s;
        events[n++] = (struct timeline_span){o->src, i, from, to, 0};
        if (o->dst != o->src && o->kind != OP_SEND)
            events[n++] = (struct timeline_span){o->dst, i, from, to, 0};
    }
    return n;
}

/* The first lane of the track that is free. */
uint32_t timeline_lanes(struct timeline_span *spans, size_t n)
{
    double *busy_until = xcalloc(n, sizeof *busy_until);
    uint32_t used = 0, most = 0;

    qsort(spans, n, sizeof *spans, by_track_and_start);
    for (size_t i = 0; i < n; i++) {
        uint32_t lane = 0;
        if (i == 0 || spans[i].track != spans[i - 1].track)
            used = 0;
        while (lane < used && busy_until[lane] > spans[i].from_s)
            lane++;
        if (lane == used)
            used++;
        busy_until[lane] = spans[i].to_s;
        spans[i].lane = lane;
        if (used > most)
            most = used;
    }
    free(busy_until);
    return most;
}

void timeline_name_lane(FILE *to, uint32_t process, uint32_t thread,
                        const char *track, uint32_t lane)
{
    char which[32] = "";

    if (lane)
        snprintf(which, sizeof which, " (%u)", lane + 1);
    fprintf(to,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
            "\"args\":{\"name\":\"%s%s\"}}",
            process, thread, track, which);
}

static void name_lanes(FILE *to, const struct plan *p,
                       const struct timeline_span *events, size_t n,
                       uint32_t lanes)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    size_t at = 0;

    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t most = 0;
        for (; at < n && events[at].track == rank; at++)
            if (events[at].lane > most)
                most = events[at].lane;
        char track[48];
        snprintf(track, sizeof track, "rank %u, core %u", rank,
                 plan_core(p, rank));
        for (uint32_t lane = 0; lane <= most; lane++)
            timeline_name_lane(to, plan_node(p, rank), rank * lanes + lane,
                               track, lane);
    }
}

static void timeline_write_event(FILE *to, const struct machine *m,
                                 const struct plan *p,
                                 const struct exec_result *x,
                                 const struct timeline_span *e, uint32_t lanes)
{
    char what[128];
    const struct op *o = &p->ops[e->what];
    const struct op_times *t = &x->ops[e->what];
    /* Under a runtime with a communication thread a message waits again on its
     * way: what it waited for before it was sent is told. */
    const struct op_wait *w =
        waits_until(&x->waits, e->what, x->hosts ? t->start_s : t->end_s);

    op_describe(what, sizeof what, m, p, e->what);
    fprintf(to,
            ",\n{\"name\":\"%s%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,"
            "\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f,\"args\":{\"op\":%u,"
            "\"ready_us\":%.6f,\"waited_for\":\"%s\"}}",
            what, e->track == o->src ? "" : " (receives)",
            phase_names[o->phase], plan_node(p, e->track),
            e->track * lanes + e->lane, e->from_s * 1e6,
            (e->to_s - e->from_s) * 1e6, e->what, t->ready_s * 1e6,
            cause_names[w ? w->cause : CAUSE_NONE]);
}

void timeline_write(FILE *to, const struct machine *m, const struct plan *p,
                    const struct exec_result *x)
{
    struct timeline_span *events = xcalloc(2 * p->nops, sizeof *events);
    size_t n = list_events(events, p, x);
    uint32_t lanes = timeline_lanes(events, n);

    fprintf(to, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":"
                "{\"name\":\"node 0\"}}");
    for (unsigned node = 1; node < p->nodes; node++)
        fprintf(to,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"node %u\"}}",
                node, node);
    name_lanes(to, p, events, n, lanes);
    for (size_t i = 0; i < n; i++)
        timeline_write_event(to, m, p, x, &events[i], lanes);
    fprintf(to, "\n]}\n");
    free(events);
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

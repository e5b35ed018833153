/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the timeline of a traversal for Perfetto. */
#include "apps/agents/traverse_timeline.h"

#include "base/outfile.h"
#include "sim/plan/timeline.h"
#include "apps/agents/traverse_trace.h"

#include <stdlib.h>

static uint32_t process_of(const struct traverse_input *in,
                           const struct task_trace_tracks *tracks,
                           struct track k)
{
    return k.kind == TRACK_STEPS ? k.from / in->m->ngpus : tracks->nodes;
}

static void name_track(char *text, size_t room, struct track k)
{
    if (k.kind == TRACK_STEPS)
        snprintf(text, room, "GPU %u", k.from);
    else if (k.kind == TRACK_GPUS)
        snprintf(text, room, "GPU %u to %u", k.from, k.to);
    else if (k.kind == TRACK_NODES)
        snprintf(text, room, "CPUs of node %u to %u", k.from, k.to);
    else
        snprintf(text, room, "GPU %u and its host", k.from);
}

static void traverse_timeline_write_event(FILE *to, uint32_t process,
                                          uint32_t thread, bool is_step,
                                          const struct task_trace_event *e)
{
    const char *what = is_step ? "step" : "transfer";
    char name[64];

    if (e->n > 1)
        snprintf(name, sizeof name, "%u %ss", e->n, what);
    else if (is_step)
        snprintf(name, sizeof name, "step");
    else
        snprintf(name, sizeof name, "%llu B", (unsigned long long)e->amount);
    fprintf(to,
            ",\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,"
            "\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f,\"args\":{\"%ss\":%u,\"%s\":"
            "%llu,\"%s\":%llu}}",
            name, what, process, thread, e->from_s * 1e6,
            (e->to_s - e->from_s) * 1e6, what, e->n,
            is_step ? "visits" : "bytes", (unsigned long long)e->amount,
            is_step ? "edges" : "wire_bytes", (unsigned long long)e->more);
}

/* Writes the spans of one track, on as many threads as they need from `thread`
 * on; returns how many. */
static uint32_t write_track(FILE *to, const struct traverse_input *in,
                            const struct task_trace_report *trace,
                            const struct timeline_span *spans, size_t n,
                            uint32_t thread)
{
    struct track k = track_of_number(&trace->tracks, spans->track);
    uint32_t process = process_of(in, &trace->tracks, k), lanes = 0;
    char name[64];

    name_track(name, sizeof name, k);
    for (size_t i = 0; i < n; i++) {
        if (spans[i].lane == lanes)
            timeline_name_lane(to, process, thread + lanes++, name,
                               spans[i].lane);
        traverse_timeline_write_event(to, process, thread + spans[i].lane,
                                      k.kind == TRACK_STEPS,
                                      &trace->events[spans[i].what]);
    }
    return lanes;
}

static void write_tracks(FILE *to, const struct traverse_input *in,
                         const struct task_trace_report *trace)
{
    struct timeline_span *spans = xcalloc(trace->n, sizeof *spans);
    uint32_t thread = 1;
    size_t end = 0;

    for (size_t i = 0; i < trace->n; i++) {
        const struct task_trace_event *e = &trace->events[i];
        spans[i] = (struct timeline_span){e->track, (uint32_t)i, e->from_s,
                                          e->to_s, 0};
    }
    timeline_lanes(spans, trace->n);
    for (size_t i = 0; i < trace->n; i = end) {
        while (end < trace->n && spans[end].track == spans[i].track)
            end++;
        thread += write_track(to, in, trace, &spans[i], end - i, thread);
    }
    free(spans);
}

/* Writes a counter by parts of the whole time, if it changes; 0 at the end. */
static void write_counter(FILE *to, const char *name, uint32_t process,
                          const char *unit, const double *parts, double scale,
                          double time_s)
{
    double before = -1;

    for (int i = 0; i <= TRACE_PARTS; i++) {
        double now = i < TRACE_PARTS ? parts[i] * scale : 0;
        if (now == before)
            continue;
        fprintf(to,
                ",\n{\"name\":\"%s\",\"ph\":\"C\",\"pid\":%u,\"ts\":%.6f,"
                "\"args\":{\"%s\":%.6g}}",
                name, process, time_s * 1e6 * i / TRACE_PARTS, unit, now);
        before = now;
    }
}

static void write_counters(FILE *to, const struct traverse_input *in,
                           const struct traverse_result *r)
{
    const struct task_trace_report *trace = r->trace;
    char name[64];

    for (uint32_t i = 0; i < r->ngpus; i++) {
        snprintf(name, sizeof name, "queue of GPU %u", i);
        write_counter(to, name, i / in->m->ngpus, "vertices",
                      &trace->queued[(size_t)i * TRACE_PARTS], 1, r->time_s);
    }
    write_counter(to, "on the wire", trace->tracks.nodes, "GB/s", trace->used_B,
                  TRACE_PARTS / r->time_s / 1e9, r->time_s);
}

void traverse_timeline_write(FILE *to, const struct traverse_input *in,
                             const struct traverse_result *r)
{
    fprintf(to,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{"
            "\"steps_merged_within_us\":\"%.6g\","
            "\"transfers_merged_within_us\":\"%.6g\"},\"traceEvents\":[\n"
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":"
            "{\"name\":\"network\"}}",
            r->trace->steps_s * 1e6, r->trace->merged_s * 1e6,
            r->trace->tracks.nodes);
    for (unsigned node = 0; node < r->trace->tracks.nodes; node++)
        fprintf(to,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"node %u\"}}",
                node, node);
    write_tracks(to, in, r->trace);
    if (r->time_s > 0)
        write_counters(to, in, r);
    fprintf(to, "\n]}\n");
}

int traverse_timeline_save(const char *path, const struct traverse_input *in,
                           const struct traverse_result *r, struct err *err)
{
    struct outfile f;

    if (outfile_open(&f, path, err) < 0)
        return -1;
    traverse_timeline_write(f.stream, in, r);
    return outfile_close(&f, err);
}

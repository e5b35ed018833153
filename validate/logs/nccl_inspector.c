/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl_inspector.c - the JSON of NCCL's profiler plugin "inspector" (NCCL
 * 2.28, ext-profiler/inspector): objects with "header" (ranks, nodes) and
 * "coll_perf"; newer ones state the header in an object before those of the
 * calls. Its message size of an allgather and of a reduce-scatter is that of a
 * rank's block, of which its busbw has n. The time is that of the kernels.
 */
#include "validate/logs/lines.h"
#include "validate/logs/objects.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS                                                                \
    "header.n_ranks, header.nnodes, coll_perf.coll, "                          \
    "coll_perf.coll_msg_size_bytes, coll_perf.coll_exec_time_us"

static bool nccl_inspector_is(const char *begin, const char *end)
{
    struct scan line = {begin, end};

    return log_has(line, "\"coll_perf\"") || log_has(line, "\"p2p_perf\"") ||
           log_has(line, "\"inspector_output_format_version\"");
}

static uint32_t inspector_count(const struct json *o, const char *key)
{
    uint32_t n = 0;

    (void)log_set_count(&n, json_number(json_member(o, key)));
    return n;
}

/* Begins a run if the header differs from that of the last one. */
static void inspector_header(struct log *l, const struct json *o)
{
    const struct json *header = json_member(o, "header");
    uint32_t ranks = inspector_count(header ? header : o, "n_ranks");
    uint32_t nodes = inspector_count(header ? header : o, "nnodes");
    struct log_facts *f = l->nruns ? &l->runs[l->nruns - 1] : NULL;

    if (f && (!ranks || (f->ranks == ranks && (!nodes || f->nodes == nodes))))
        return;
    f = log_add_run(l);
    if (ranks)
        f->ranks = ranks;
    if (nodes)
        f->nodes = nodes;
    snprintf(f->library, sizeof f->library, "NCCL");
    for (int i = 0; i < 2; i++)
        snprintf(f->memory[i], sizeof f->memory[i], "device");
}

/* Sets "RING/SIMPLE" if the object has both names. */
static void inspector_algorithm(struct log_row *row, const struct json *perf)
{
    const char *algorithm = json_string(json_member(perf, "coll_algo"));
    const char *protocol = json_string(json_member(perf, "coll_proto"));
    char text[64];

    if (!algorithm || !protocol || !strcmp(algorithm, "unknown"))
        return;
    snprintf(text, sizeof text, "%s/%s", algorithm, protocol);
    log_copy(row->algorithm, sizeof row->algorithm,
             (struct scan){text, text + strlen(text)});
}

static void inspector_row(struct log *l, const struct json *perf, unsigned line)
{
    const char *name = json_string(json_member(perf, "coll"));
    double bytes = json_number(json_member(perf, "coll_msg_size_bytes"));
    double us = json_number(json_member(perf, "coll_exec_time_us"));
    struct log_row row = {.line = line, .time_s = us / 1e6};
    const struct log_facts *f = &l->runs[l->nruns - 1];

    if (!name || !(bytes >= 1) || bytes > 0x1p43) {
        log_note(l, line, "no name or no size of the collective");
        return;
    }
    log_operation(row.operation, sizeof row.operation, name);
    row.bytes = (uint64_t)bytes;
    if (!strcmp(row.operation, "allgather") ||
        !strcmp(row.operation, "reduce_scatter"))
        row.bytes *= f->ranks;
    inspector_algorithm(&row, perf);
    (void)log_add_row(l, &row);
}

static int nccl_inspector_read(struct log *l, const struct input *in,
                               struct err *err)
{
    struct log_objects objects = log_objects_of(in);
    struct json *o;

    (void)err; /* never fails */
    while ((o = log_object(l, &objects))) {
        const struct json *perf = json_member(o, "coll_perf");
        inspector_header(l, o);
        if (perf)
            inspector_row(l, perf, objects.line);
        else if (json_member(o, "p2p_perf"))
            log_note(l, objects.line, "sends and receives: not simulated");
        json_free(o);
    }
    return 0;
}

const struct log_format nccl_inspector_log = {
    .name = "nccl-inspector",
    .summary = "JSON of NCCL Inspector, the profiler plugin of NCCL",
    .columns = COLUMNS,
    .is = nccl_inspector_is,
    .read = nccl_inspector_read,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a plan and its halo as text for sluice-native. */
#include "workloads/plan_file.h"

#include "workloads/plan_file_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* This file only writes; plan_file_read.c reads. */

const char *const plan_file_phases[NPHASES] = {"pack",    "copy_out", "on_node",
                                               "gather",  "off_node", "scatter",
                                               "copy_in", "unpack",   "work"};

static const char *mode_of(uint32_t dep)
{
    if (dep & FOR_RECEIVE)
        return dep & AFTER_SENT ? "posted_sent" : "posted";
    return dep & AFTER_SENT ? "sent" : "after";
}

static void write_deps(FILE *f, const struct plan *p, size_t op)
{
    const char *mode = "";

    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++) {
        uint32_t dep = p->deps[i];
        if (strcmp(mode, mode_of(dep)) != 0) {
            mode = mode_of(dep);
            fprintf(f, " %s", mode);
        }
        fprintf(f, " %u", dep & DEP_OP);
    }
}

static void write_pieces(FILE *f, const struct plan *p, size_t op)
{
    if (plan_npieces(p, op))
        fprintf(f, " carries");
    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++) {
        const struct piece *piece = &p->pieces[i];
        fprintf(f, " %u %" PRIu64 " %" PRIu64, piece->class_id, piece->first,
                piece->count);
    }
}

/* The number that means "any" is the largest of its type. */
static void write_or_any(FILE *f, uint64_t number, uint64_t any)
{
    if (number == any)
        fprintf(f, " any");
    else
        fprintf(f, " %" PRIu64, number);
}

static void write_context(FILE *f, struct op_match by)
{
    if (by.context)
        fprintf(f, " context %u", by.context);
}

static void write_recv(FILE *f, const struct op *o, struct op_match by)
{
    fprintf(f, "recv %s %u", plan_file_phases[o->phase], o->dst);
    write_or_any(f, by.peer, ANY_RANK);
    write_or_any(f, by.tag, ANY_TAG);
    write_or_any(f, o->bytes, UINT64_MAX);
    if (o->dst_gpu != NO_GPU)
        fprintf(f, " gpu %u", o->dst_gpu);
    write_context(f, by);
}

static void write_op(FILE *f, const struct plan *p, size_t op)
{
    const struct op *o = &p->ops[op];
    const char *phase = plan_file_phases[o->phase];

    switch (o->kind) {
    case OP_COPY:
        fprintf(f, "copy %s %s %u %u %u %" PRIu64, phase,
                copy_dir_names[o->dir], o->src, o->src_gpu, o->dst_gpu,
                o->bytes);
        break;
    case OP_MSG:
        fprintf(f, "msg %s %u %u %" PRIu64, phase, o->src, o->dst, o->bytes);
        if (o->src_gpu != NO_GPU)
            fprintf(f, " gpus %u %u", o->src_gpu, o->dst_gpu);
        if (o->channels)
            fprintf(f, " channels %u", (unsigned)o->channels);
        break;
    case OP_SEND:
        fprintf(f, "send %s %u %u %u %" PRIu64, phase, o->src, o->dst,
                p->match[op].tag, o->bytes);
        if (o->src_gpu != NO_GPU)
            fprintf(f, " gpus %u %u", o->src_gpu, o->dst_gpu);
        if (o->synced)
            fprintf(f, " synced");
        write_context(f, p->match[op]);
        break;
    case OP_PROBE:
        fprintf(f, "probe %s %u", phase, o->dst);
        write_or_any(f, p->match[op].peer, ANY_RANK);
        write_or_any(f, p->match[op].tag, ANY_TAG);
        write_context(f, p->match[op]);
        break;
    case OP_RECV:
        write_recv(f, o, p->match[op]);
        break;
    case OP_PACK:
        fprintf(f, "pack %s %u %" PRIu64, phase, o->src, o->bytes);
        if (o->src_gpu != NO_GPU)
            fprintf(f, " gpu %u", o->src_gpu);
        if (o->synced)
            fprintf(f, " synced");
        break;
    case OP_REDUCE:
        fprintf(f, "reduce %s %u %" PRIu64 " %u", phase, o->src, o->bytes,
                o->inputs);
        if (o->src_gpu != NO_GPU)
            fprintf(f, " gpu %u", o->src_gpu);
        if (o->synced)
            fprintf(f, " synced");
        break;
    default:
        fprintf(f, "work %u %.17g", o->src, o->work_s);
        if (o->lane)
            fprintf(f, " lane %u", (unsigned)o->lane);
    }
}

/* Writes a name without line ends, which a name from a file may have. */
static void write_name(FILE *f, const char *key, const char *name)
{
    fprintf(f, "%s ", key);
    for (const char *c = name; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, f);
    fprintf(f, "\n");
}

/* Writes the times for each byte, and that of a message if there is one. */
static void write_channel_work(FILE *f, const struct channel_work *w)
{
    if (!(w->beside_s_per_B > 0 || w->after_s_per_B > 0 || w->after_s > 0))
        return;
    fprintf(f, "channel_work %.17g %.17g", w->beside_s_per_B, w->after_s_per_B);
    if (w->after_s > 0)
        fprintf(f, " %.17g", w->after_s);
    fprintf(f, "\n");
}

static void write_head(FILE *f, const struct plan *p, const struct machine *m)
{
    fprintf(f, "sluice-plan 1\n");
    write_name(f, "name", p->name);
    write_name(f, "machine", m->name);
    fprintf(f, "nodes %u\ngpus_per_node %u\nranks_per_node %u\ncores", p->nodes,
            m->ngpus, p->ranks_per_node);
    for (unsigned i = 0; i < p->ranks_per_node; i++)
        fprintf(f, " %u", p->core[i]);
    fprintf(f, "\n");
    if (p->runtime != RUNTIME_MPI)
        fprintf(f, "runtime %s\n", runtime_words[p->runtime]);
    if (p->begin_s > 0)
        fprintf(f, "begin %.17g\n", p->begin_s);
    write_channel_work(f, &p->channel_work);
    if (p->working_set_B > 0)
        fprintf(f, "working_set %.17g\n", p->working_set_B);
    if (p->issued)
        fprintf(f, "issued\n");
}

int plan_file_write(FILE *f, const struct plan *p, const struct machine *m,
                    const struct halo *halo, struct err *err)
{
    static const struct halo none;

    if (p->window_B || p->new_share)
        return fail(err,
                    "%s: a plan with %s of its own cannot be written to a file",
                    p->name, p->window_B ? "windows" : "shares of new memory");
    if (!halo)
        halo = &none;
    write_head(f, p, m);
    fprintf(f, "halo %u %u %u\n", halo->ngpus, halo->value_bytes,
            halo->nclasses);
    for (uint32_t i = 0; i < halo->nclasses; i++) {
        const struct halo_class *c = &halo->classes[i];
        fprintf(f, "%u %u", c->src, c->dst_node);
        for (uint32_t bit = 0; bit < halo->gpus_per_node; bit += 32)
            fprintf(f, " %" PRIu32, (uint32_t)(c->dst_mask >> bit));
        fprintf(f, " %" PRIu64 "\n", c->count);
    }
    fprintf(f, "ops %zu\n", p->nops);
    for (size_t i = 0; i < p->nops; i++) {
        write_op(f, p, i);
        write_deps(f, p, i);
        if (halo->nclasses) /* because pieces are parts of its classes */
            write_pieces(f, p, i);
        fprintf(f, "\n");
    }
    fprintf(f, "end\n");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an operation of a plan as one line. */
#include "sim/plan/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void describe_receive(char *text, size_t room, const char *what,
                             uint32_t rank, struct op_match by)
{
    char from[24], tag[24];

    snprintf(from, sizeof from, by.peer == ANY_RANK ? "any rank" : "rank %u",
             by.peer);
    snprintf(tag, sizeof tag, by.tag == ANY_TAG ? "any tag" : "tag %u", by.tag);
    snprintf(text, room, "%s, rank %u from %s, %s", what, rank, from, tag);
}

static void describe_reduction(char *text, size_t room, const struct op *o)
{
    char gpu[32] = "";

    if (o->src_gpu != NO_GPU)
        snprintf(gpu, sizeof gpu, ", GPU %u", o->src_gpu);
    snprintf(text, room, "reduction%s of %u, rank %u%s, %" PRIu64 " B",
             *gpu ? " kernel" : "", o->inputs, o->src, gpu, o->bytes);
}

static void describe_op(char *text, size_t room, const struct machine *m,
                        const struct plan *p, uint32_t op)
{
    const struct op *o = &p->ops[op];
    unsigned long long bytes = o->bytes;

    if (o->kind == OP_COPY)
        snprintf(text, room, "%s copy, rank %u, GPU %u, %llu B",
                 copy_dir_names[o->dir], o->src, o->src_gpu, bytes);
    else if (o->kind == OP_PACK && o->src_gpu != NO_GPU)
        snprintf(text, room, "%s kernel, rank %u, GPU %u, %llu B",
                 phase_names[o->phase], o->src, o->src_gpu, bytes);
    else if (o->kind == OP_PACK)
        snprintf(text, room, "%s, rank %u, %llu B", phase_names[o->phase],
                 o->src, bytes);
    else if (o->kind == OP_REDUCE)
        describe_reduction(text, room, o);
    else if (o->kind == OP_WORK)
        snprintf(text, room, "work, rank %u", o->src);
    else if (o->kind == OP_PROBE)
        describe_receive(text, room, "probe", o->dst, p->match[op]);
    else if (o->kind == OP_RECV)
        describe_receive(text, room, "receive", o->dst, p->match[op]);
    else if (o->kind == OP_SEND)
        snprintf(text, room, "send, rank %u to %u, tag %u, %llu B", o->src,
                 o->dst, p->match[op].tag, bytes);
    else if (o->src_gpu != NO_GPU)
        snprintf(text, room, "message, GPU %u to %u, %llu B, %s", o->src_gpu,
                 o->dst_gpu, bytes, locality_names[plan_locality(p, m, o)]);
    else
        snprintf(text, room, "message, rank %u to %u, %llu B, %s", o->src,
                 o->dst, bytes, locality_names[plan_locality(p, m, o)]);
}

void op_describe(char *text, size_t room, const struct machine *m,
                 const struct plan *p, uint32_t op)
{
    describe_op(text, room, m, p, op);
    size_t used = strlen(text);
    if (p->origin && used + 3 < room) {
        plan_origin_say(text + used + 2, room - used - 2, p->origin, op,
                        p->ops[op].src);
        if (text[used + 2])
            memcpy(text + used, ", ", 2);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a plan as a GOAL schedule for LogGOPSim. */
#include "sim/export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* An operation's part on a rank: itself, or the receive of a plan_msg(). */
struct part {
    uint32_t op;
    bool receive;
};

struct goal {
    FILE *f;
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *run;
    bool *wild;         /* for each rank: it has a wildcard receive */
    unsigned *nic;      /* for each core, then GPU, of a node */
    struct part *parts; /* rank r has first[r] to before first[r + 1] */
    size_t *first;
    /* Places in the file of an operation, and of the receive of a plan_msg():
     * they are labels and tags, because then a plan that is read from the file
     * has the same ones. */
    uint32_t *place, *received;
    uint32_t places; /* includes a calc of each rank that has no operation */
};

static uint32_t ranks_of(const struct plan *p)
{
    return p->nodes * p->ranks_per_node;
}

/* --- limits of the format ------------------------------------------------- */

static void find_wildcards(struct goal *g)
{
    for (size_t i = 0; i < g->p->nops; i++) {
        const struct op *o = &g->p->ops[i];
        if (o->kind == OP_RECV &&
            (g->p->match[i].peer == ANY_RANK || g->p->match[i].tag == ANY_TAG))
            g->wild[o->dst] = true;
    }
}

static int export_goal_check(const struct goal *g, struct err *err)
{
    if (export_check(g->p, "GOAL", err) < 0)
        return -1;
    for (size_t i = 0; i < g->p->nops; i++) {
        const struct op *o = &g->p->ops[i];
        if (o->kind == OP_MSG && g->wild[o->dst])
            return fail(err,
                        "%s: operation %zu: rank %u has wildcard receives, "
                        "which in GOAL would take this message too",
                        g->p->name, i, o->dst);
        if ((o->kind == OP_SEND || o->kind == OP_RECV) && g->wild[o->dst] &&
            g->p->match[i].context)
            return fail(err,
                        "%s: operation %zu: rank %u has wildcard receives, "
                        "which in GOAL would take messages of all "
                        "communicators",
                        g->p->name, i, o->dst);
    }
    return 0;
}

/* --- the parts of each rank, by number of their operation ----------------- */

static void count_part(struct goal *g, uint32_t rank)
{
    g->first[rank + 2]++;
}

static void put_part(struct goal *g, uint32_t rank, uint32_t op, bool receive)
{
    g->parts[g->first[rank + 1]++] = (struct part){op, receive};
}

static void sort_parts(struct goal *g)
{
    const struct plan *p = g->p;
    uint32_t ranks = ranks_of(p);

    g->first = xcalloc((size_t)ranks + 2, sizeof *g->first);
    g->parts = xcalloc(2 * p->nops, sizeof *g->parts);
    for (uint32_t i = 0; i < p->nops; i++) {
        count_part(g, p->ops[i].src);
        if (p->ops[i].kind == OP_MSG)
            count_part(g, p->ops[i].dst);
    }
    for (uint32_t r = 0; r < ranks; r++)
        g->first[r + 1] += g->first[r];
    for (uint32_t i = 0; i < p->nops; i++) {
        put_part(g, p->ops[i].src, i, false);
        if (p->ops[i].kind == OP_MSG)
            put_part(g, p->ops[i].dst, i, true);
    }
}

static void number_parts(struct goal *g)
{
    uint32_t ranks = ranks_of(g->p);

    g->place = xcalloc(g->p->nops, sizeof *g->place);
    g->received = xcalloc(g->p->nops, sizeof *g->received);
    for (uint32_t r = 0; r < ranks; r++) {
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++) {
            struct part part = g->parts[i];
            *(part.receive ? &g->received[part.op] : &g->place[part.op]) =
                g->places++;
        }
        g->places += g->first[r] == g->first[r + 1];
    }
}

/* --- lines ---------------------------------------------------------------- */

/* Writes "s7", "r7" or "c7": a send, a receive, a calc. */
static void label(const struct goal *g, char text[16], uint32_t op,
                  bool receive)
{
    const struct op *o = &g->p->ops[op];
    const char *kind = receive || o->kind == OP_RECV ? "r"
                       : plan_sends(o)               ? "s"
                                                     : "c";

    snprintf(text, 16, "%s%" PRIu32, kind,
             receive ? g->received[op] : g->place[op]);
}

/* Writes the NIC by which a message leaves, or enters, if there is a choice. */
static void write_nic(const struct goal *g, const struct op *o, bool receive)
{
    const struct machine *m = g->m;
    uint32_t rank = receive ? o->dst : o->src;
    uint32_t gpu = receive ? o->dst_gpu : o->src_gpu;
    const struct segment *s =
        machine_segment(m, g->p->runtime, plan_path(m, o), OFF_NODE, o->bytes);

    if (m->nnics < 2 || !s ||
        plan_node(g->p, o->src) == plan_node(g->p, o->dst))
        return;
    int nic = machine_nic_between(m, s, plan_node(g->p, o->src),
                                  plan_node(g->p, o->dst));
    fprintf(g->f, " nic %u",
            nic != NIC_OF_SOCKET ? (unsigned)nic
            : gpu == NO_GPU      ? g->nic[plan_core(g->p, rank)]
                                 : g->nic[m->ncores + gpu % m->ngpus]);
}

static void write_tag(const struct goal *g, uint32_t msg)
{
    fprintf(g->f, " tag %" PRIu32,
            g->wild[g->p->ops[msg].dst] ? g->p->match[msg].tag : g->place[msg]);
}

static void write_receive(const struct goal *g, struct part part)
{
    const struct op *o = &g->p->ops[part.op];
    uint32_t msg = exported_message(g->p, g->run, part.op);
    const struct op *sent = &g->p->ops[msg];
    char name[16];

    label(g, name, part.op, part.receive);
    fprintf(g->f, "%s: recv %" PRIu64 "b from ", name, sent->bytes);
    if (o->kind == OP_RECV && g->p->match[part.op].peer == ANY_RANK)
        fprintf(g->f, "-1");
    else
        fprintf(g->f, "%" PRIu32, sent->src);
    if (o->kind == OP_RECV && g->p->match[part.op].tag == ANY_TAG)
        fprintf(g->f, " tag -1");
    else
        write_tag(g, msg);
    write_nic(g, sent, true);
    fprintf(g->f, "\n");
}

static void write_send(const struct goal *g, uint32_t op)
{
    const struct op *o = &g->p->ops[op];

    fprintf(g->f, "s%" PRIu32 ": send %" PRIu64 "b to %" PRIu32, g->place[op],
            o->bytes, o->dst);
    write_tag(g, op);
    write_nic(g, o, false);
    fprintf(g->f, "\n");
}

static void write_calc(const struct goal *g, uint32_t op)
{
    const struct op *o = &g->p->ops[op];
    const struct op_times *t = &g->run->ops[op];
    double s = o->kind == OP_WORK ? o->work_s : t->end_s - t->start_s;

    if (o->kind == OP_COPY)
        fprintf(g->f, "// %s, GPU %" PRIu32 ", %" PRIu64 " B\n",
                copy_dir_names[o->dir], o->src_gpu, o->bytes);
    if (o->kind == OP_PACK)
        fprintf(g->f, "// %s, %" PRIu64 " B\n", phase_names[o->phase],
                o->bytes);
    if (o->kind == OP_REDUCE)
        fprintf(g->f, "// reduction of %u, %" PRIu64 " B\n", o->inputs,
                o->bytes);
    if (o->kind == OP_WORK && round(s * 1e9) / 1e9 != s)
        fprintf(g->f, "// exactly %.17g s\n", s);
    fprintf(g->f, "c%" PRIu32 ": calc %.0f", g->place[op], round(s * 1e9));
    if (o->kind == OP_WORK && o->lane)
        fprintf(g->f, " cpu %u", (unsigned)o->lane);
    fprintf(g->f, "\n");
}

static void write_deps(const struct goal *g, struct part part)
{
    char who[16], whom[16];

    label(g, who, part.op, part.receive);
    for (uint32_t i = plan_first_dep(g->p, part.op);
         i < plan_end_dep(g->p, part.op); i++) {
        uint32_t dep = g->p->deps[i], before = dep & DEP_OP;
        if (!!(dep & FOR_RECEIVE) != part.receive)
            continue;
        label(g, whom, before,
              g->p->ops[before].kind == OP_MSG && !(dep & AFTER_SENT));
        fprintf(g->f, "%s requires %s\n", who, whom);
    }
}

static void write_part(const struct goal *g, struct part part)
{
    const struct op *o = &g->p->ops[part.op];

    if (plan_sends(o) && o->src_gpu != NO_GPU)
        fprintf(g->f, "// memory of GPU %" PRIu32 "\n",
                part.receive ? o->dst_gpu : o->src_gpu);
    if (part.receive || o->kind == OP_RECV)
        write_receive(g, part);
    else if (plan_sends(o))
        write_send(g, part.op);
    else
        write_calc(g, part.op);
    write_deps(g, part);
}

static void write_ranks(const struct goal *g)
{
    uint32_t ranks = ranks_of(g->p);

    fprintf(g->f,
            "// sluice " SLUICE_VERSION ": %" PRIu32 " operations, %.3f us\n"
            "// sizes in bytes, calc in ns; a copy or work keeps its rank's "
            "CPU busy\nnum_ranks %" PRIu32 "\n",
            g->places, g->run->time_s * 1e6, ranks);
    uint32_t place = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        fprintf(g->f, "\nrank %" PRIu32 " {\n", r);
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            write_part(g, g->parts[i]);
        place += (uint32_t)(g->first[r + 1] - g->first[r]);
        if (g->first[r] == g->first[r + 1])
            fprintf(g->f, "c%" PRIu32 ": calc 0\n", place++);
        fprintf(g->f, "}\n");
    }
}

int export_goal(FILE *f, const struct exported *x, struct err *err)
{
    struct goal g = {.f = f, .m = x->m, .p = x->p, .run = x->run};

    g.wild = xcalloc(ranks_of(g.p), sizeof *g.wild);
    g.nic = xcalloc((size_t)g.m->ncores + g.m->ngpus, sizeof *g.nic);
    machine_nearest_nics(g.m, g.nic);
    find_wildcards(&g);
    int result = export_goal_check(&g, err);
    if (result == 0) {
        sort_parts(&g);
        number_parts(&g);
        write_ranks(&g);
    }
    free(g.wild);
    free(g.nic);
    free(g.parts);
    free(g.first);
    free(g.place);
    free(g.received);
    return result;
}

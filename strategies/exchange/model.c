/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed-form times of the strategies (Lockhart et al. 2022, section 4). */
#include "strategies/exchange/model.h"

#include "strategies/exchange/split.h"

#include <math.h>
#include <string.h>

double model_postal(struct postal off, double m, double s)
{
    return off.alpha_s * m + off.beta_s_per_B * s;
}

double model_max_rate(struct postal off, double m, double s, double node_s,
                      double injection_Bps)
{
    return off.alpha_s * m + fmax(node_s / injection_Bps, s * off.beta_s_per_B);
}

double model_on_node(struct postal on_socket, struct postal on_node,
                     unsigned gpus, unsigned gps, double s)
{
    return (gps - 1.0) * model_postal(on_socket, 1, s) +
           (double)(gpus - gps) * model_postal(on_node, 1, s);
}

double model_on_split(struct postal on_socket, struct postal on_node,
                      unsigned ppn, unsigned pps, unsigned ppg, double s)
{
    return ((double)pps / ppg - 1) * model_postal(on_socket, 1, s) +
           (double)(ppn - pps) / ppg * model_postal(on_node, 1, s);
}

/* What one prediction needs, and whether the machine had it. */
struct context {
    const struct machine *m;
    const struct model_input *in;
    bool corrected;
    enum msg_path path;
    const char *missing; /* the first parameter that the machine lacks */
};

static uint64_t whole_bytes(double s)
{
    return s > 0 ? (uint64_t)ceil(s) : 0;
}

static struct postal message(struct context *c, enum locality where, double s)
{
    const struct segment *segment =
        machine_segment(c->m, c->path, where, whole_bytes(s));

    if (!segment) {
        c->missing = c->missing ? c->missing : locality_names[where];
        return (struct postal){0};
    }
    return (struct postal){segment->alpha_s, segment->beta_s_per_B};
}

static double copy(struct context *c, enum copy_dir dir, double s,
                   unsigned processes)
{
    const struct copy_cost *row = machine_copy(c->m, dir, ON_SOCKET, processes,
                                               whole_bytes(s / processes));

    if (!row) {
        c->missing = c->missing ? c->missing : copy_dir_names[dir];
        return 0;
    }
    return row->alpha_s + row->beta_s_per_B * s / processes;
}

/* Eq 4.5. */
static double copies(struct context *c, double sent, double received,
                     unsigned processes)
{
    if (!c->corrected)
        return copy(c, H2D, sent, processes) +
               copy(c, D2H, received, processes);
    return copy(c, D2H, sent, processes) + copy(c, H2D, received, processes);
}

/* Eq 4.3 or 4.4: m messages that have s bytes together, on a node that sends
 * node_s; the protocol is that of one of them. */
static double off_node(struct context *c, double m, double s, double node_s)
{
    struct postal off = message(c, OFF_NODE, m > 0 ? s / m : 0);

    if (c->path != PATH_HOST)
        return model_postal(off, m, s);
    return model_max_rate(off, m, s, node_s, machine_injection_Bps(c->m));
}

static unsigned per_socket(const struct machine *m, unsigned n)
{
    return (n + m->nsockets - 1) / m->nsockets;
}

/* A cost that counts nothing need not be known: duo has one socket, one GPU. */
static struct postal message_if(struct context *c, bool any,
                                enum locality where, double s)
{
    return any ? message(c, where, s) : (struct postal){0};
}

static double on_node(struct context *c, double s)
{
    unsigned gpus = c->m->ngpus, gps = per_socket(c->m, gpus);

    return model_on_node(message_if(c, gps > 1, ON_SOCKET, s),
                         message_if(c, gpus > gps, ON_NODE, s), gpus, gps, s);
}

static void standard(struct context *c, struct model_time *t)
{
    const struct model_input *in = c->in;
    double node_s =
        c->corrected ? in->s_node_standard : c->m->ngpus * in->s_proc_standard;

    t->off_node_s =
        off_node(c, in->messages_per_gpu, in->s_proc_standard, node_s);
    if (c->path == PATH_HOST)
        t->copy_s = copies(c, in->s_proc_standard, in->s_proc_standard, 1);
}

static void three_step(struct context *c, struct model_time *t)
{
    const struct model_input *in = c->in;
    double m = ceil(in->m_node / c->m->ngpus); /* of the GPU with most turns */
    double s = c->corrected ? m * in->s_node_to_node : in->s_node_to_node;
    struct postal off = message(c, OFF_NODE, in->s_node_to_node);

    t->off_node_s =
        c->path == PATH_HOST
            ? model_max_rate(off, m, s, in->s_node, machine_injection_Bps(c->m))
            : model_postal(off, m, s);
    t->on_node_s = 2 * on_node(c, in->s_node_to_node);
    if (c->path == PATH_HOST)
        t->copy_s = copies(c, in->s_proc, in->s_node_to_node, 1);
}

static void two_step_to(struct context *c, struct model_time *t, double m)
{
    const struct model_input *in = c->in;

    t->off_node_s = off_node(c, m, in->s_proc, in->s_node);
    t->on_node_s = on_node(c, in->s_proc);
    if (c->path == PATH_HOST)
        t->copy_s = copies(c, in->s_proc, in->s_node_to_node, 1);
}

static void two_step(struct context *c, struct model_time *t)
{
    two_step_to(c, t, c->in->m_proc_to_node);
}

static void two_step_1(struct context *c, struct model_time *t)
{
    two_step_to(c, t, ceil(c->in->m_node / c->m->ngpus));
}

/* The messages that a node sends; all pairs of nodes count as equal. Algorithm
 * 1 cuts what each node sends for itself, so 16 nodes with 2.5 caps each make
 * 48 messages, not 40. */
static double split_messages(const struct model_input *in)
{
    struct split_volumes v = {whole_bytes(in->s_node),
                              whole_bytes(in->s_node_to_node),
                              (uint32_t)in->m_node};
    uint64_t cap = split_message_cap(&v, in->message_cap_B, in->ppn);

    if (cap == UINT64_MAX || in->m_node <= 0)
        return in->m_node;
    return in->m_node * fmax(1, ceil(in->s_node / in->m_node / (double)cap));
}

static void split(struct context *c, struct model_time *t, unsigned ppg)
{
    const struct model_input *in = c->in;
    double ppn = in->ppn, messages = split_messages(in);
    double active = c->corrected ? fmin(ppn, messages) : ppn;
    unsigned pps = per_socket(c->m, in->ppn);

    if (messages <= 0)
        return;
    double share = c->corrected ? in->s_proc / active : in->s_node / ppg;
    t->off_node_s = model_max_rate(message(c, OFF_NODE, in->s_node / messages),
                                   ceil(messages / ppn), in->s_node / active,
                                   in->s_node, machine_injection_Bps(c->m));
    t->on_node_s = 2 * active / ppn *
                   model_on_split(message_if(c, pps > ppg, ON_SOCKET, share),
                                  message_if(c, in->ppn > pps, ON_NODE, share),
                                  in->ppn, pps, ppg, share);
    t->copy_s = copies(c, in->s_proc, in->s_node_to_node, ppg);
}

static void split_md(struct context *c, struct model_time *t)
{
    split(c, t, 1);
}

static void split_dd(struct context *c, struct model_time *t)
{
    split(c, t, c->in->ppg);
}

static const struct {
    const char *name;
    bool device;
    void (*predict)(struct context *c, struct model_time *t);
} models[] = {
    {"standard/staged", false, standard},
    {"standard/device", true, standard},
    {"3-step/staged", false, three_step},
    {"3-step/device", true, three_step},
    {"2-step/staged", false, two_step},
    {"2-step/device", true, two_step},
    {"2-step-1/staged", false, two_step_1},
    {"2-step-1/device", true, two_step_1},
    {"split+md", false, split_md},
    {"split+dd", false, split_dd},
};

int model_predict(struct model_time *out, const struct machine *m,
                  const struct model_input *in, const char *strategy,
                  enum model_reading reading, struct err *err)
{
    struct context c = {
        .m = m, .in = in, .corrected = reading == MODEL_CORRECTED};

    *out = (struct model_time){0};
    if (in->m_node <= 0)
        return fail(err,
                    "%s: no message leaves a node, and the closed forms are of "
                    "those that do",
                    strategy);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        if (strcmp(models[i].name, strategy) != 0)
            continue;
        if (models[i].device)
            c.path = machine_gpu_path(m);
        models[i].predict(&c, out);
        if (c.missing)
            return fail(err, "%s: %s lacks the cost of %s", strategy, m->name,
                        c.missing);
        out->total_s = out->off_node_s + out->on_node_s + out->copy_s;
        return 0;
    }
    return fail(err, "%s: no closed form for this strategy", strategy);
}

void model_input_ranks(struct model_input *in, const struct machine *m,
                       const struct strategy_options *options)
{
    in->ppn = options->ranks_per_node ? options->ranks_per_node : m->ncores;
    in->ppg = options->processes_per_gpu ? options->processes_per_gpu : 4;
    /* As in split.c: a GPU has no more processes than ranks. */
    unsigned share = per_socket(m, in->ppn) / per_socket(m, m->ngpus);
    if (in->ppg > share)
        in->ppg = share ? share : 1;
    in->message_cap_B = options->message_cap_B ? options->message_cap_B
                                               : machine_rendezvous_limit(m);
}

void model_input_from_scenario(struct model_input *in, const struct machine *m,
                               const struct model_scenario *scenario,
                               const struct strategy_options *options)
{
    double all = scenario->messages * scenario->bytes;
    double once =
        options->keep_duplicates ? all : all * (1 - scenario->duplicates);

    *in = (struct model_input){
        .messages_per_gpu = ceil((double)scenario->messages / m->ngpus),
        .s_proc_standard = all / m->ngpus,
        .s_node_standard = all,
        .s_proc = once / m->ngpus,
        .s_node = once,
        .s_node_to_node = once / scenario->nodes,
        .m_proc_to_node = scenario->nodes,
        .m_node = scenario->nodes,
    };
    model_input_ranks(in, m, options);
}

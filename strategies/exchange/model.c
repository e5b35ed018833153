/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations of Lockhart et al. 2022, section 4, and common functions of the
 * strategies' closed forms. */
#include "strategies/exchange/model.h"

#include <math.h>

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

uint64_t model_whole_bytes(double s)
{
    return s > 0 ? (uint64_t)ceil(s) : 0;
}

struct postal model_message(struct model *c, enum locality where, double s)
{
    const struct segment *segment = machine_segment(
        c->m, RUNTIME_MPI, c->path, where, model_whole_bytes(s));

    if (!segment) {
        c->missing = c->missing ? c->missing : locality_names[where];
        return (struct postal){0};
    }
    return (struct postal){segment->alpha_s, segment->beta_s_per_B};
}

static double model_copy(struct model *c, enum copy_dir dir, double s,
                         unsigned processes)
{
    const struct copy_cost *row = machine_copy(
        c->m, dir, ON_SOCKET, processes, model_whole_bytes(s / processes));

    if (!row) {
        c->missing = c->missing ? c->missing : copy_dir_names[dir];
        return 0;
    }
    return row->alpha_s + row->beta_s_per_B * s / processes;
}

double model_copies(struct model *c, double sent, double received,
                    unsigned processes)
{
    if (!c->corrected)
        return model_copy(c, H2D, sent, processes) +
               model_copy(c, D2H, received, processes);
    return model_copy(c, D2H, sent, processes) +
           model_copy(c, H2D, received, processes);
}

double model_off_node(struct model *c, double m, double s, double node_s)
{
    struct postal off = model_message(c, OFF_NODE, m > 0 ? s / m : 0);

    if (c->path != PATH_HOST)
        return model_postal(off, m, s);
    return model_max_rate(off, m, s, node_s, machine_injection_Bps(c->m));
}

unsigned model_per_socket(const struct machine *m, unsigned n)
{
    return (n + m->nsockets - 1) / m->nsockets;
}

struct postal model_message_if(struct model *c, bool any, enum locality where,
                               double s)
{
    return any ? model_message(c, where, s) : (struct postal){0};
}

double model_on_gpus(struct model *c, double s)
{
    unsigned gpus = c->m->ngpus, gps = model_per_socket(c->m, gpus);

    return model_on_node(model_message_if(c, gps > 1, ON_SOCKET, s),
                         model_message_if(c, gpus > gps, ON_NODE, s), gpus, gps,
                         s);
}

int model_predict(struct model_time *out, const struct machine *m,
                  const struct model_input *in, const struct strategy *s,
                  enum model_reading reading, struct err *err)
{
    struct model c = {.m = m,
                      .in = in,
                      .corrected = reading == MODEL_CORRECTED,
                      .path =
                          s->device_aware ? machine_gpu_path(m) : PATH_HOST};

    *out = (struct model_time){0};
    if (!s->predict)
        return fail(err, "%s: no closed form for this strategy", s->name);
    if (in->m_node <= 0)
        return fail(err,
                    "%s: no message leaves a node, and the closed forms are of "
                    "those that do",
                    s->name);
    s->predict(&c, out);
    if (c.missing)
        return fail(err, "%s: %s lacks the cost of %s", s->name, m->name,
                    c.missing);
    out->total_s = out->off_node_s + out->on_node_s + out->copy_s;
    return 0;
}

void model_input_ranks(struct model_input *in, const struct machine *m,
                       const struct strategy_options *options)
{
    in->ppn = options->ranks_per_node ? options->ranks_per_node : m->ncores;
    in->ppg = options->processes_per_gpu ? options->processes_per_gpu : 4;
    /* As in split.c, a GPU has no more processes than ranks. */
    unsigned share =
        model_per_socket(m, in->ppn) / model_per_socket(m, m->ngpus);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the inputs of the closed forms from a halo, and sums its rounds. */
#include "strategies/exchange/model.h"

void model_input_from_halo(struct model_input *in, const struct machine *m,
                           const struct halo *halo,
                           const struct strategy_options *options)
{
    struct halo_stats stats;
    bool all = options->keep_duplicates;

    halo_stats(halo, &stats);
    uint64_t proc = all ? stats.max_off_node_values_per_gpu
                        : stats.max_off_node_values_per_gpu_dedup;
    uint64_t node =
        all ? stats.max_values_per_node : stats.max_values_per_node_dedup;
    uint64_t pair = all ? stats.max_values_node_to_node
                        : stats.max_values_node_to_node_dedup;

    double bytes = halo->value_bytes;
    *in = (struct model_input){
        .messages_per_gpu = (double)stats.max_off_node_messages_per_gpu,
        .s_proc_standard = (double)stats.max_off_node_values_per_gpu * bytes,
        .s_node_standard = (double)stats.max_values_per_node * bytes,
        .s_proc = (double)proc * bytes,
        .s_node = (double)node * bytes,
        .s_node_to_node = (double)pair * bytes,
        .m_proc_to_node = (double)stats.max_nodes_per_gpu,
        .m_node = (double)stats.max_nodes_per_node,
    };
    model_input_ranks(in, m, options);
}

static void model_add(struct model_time *sum, const struct model_time *t)
{
    sum->off_node_s += t->off_node_s;
    sum->on_node_s += t->on_node_s;
    sum->copy_s += t->copy_s;
    sum->total_s += t->total_s;
}

int model_predict_rounds(struct model_time *out, const struct machine *m,
                         const struct halo *halo,
                         const struct strategy_options *options,
                         const struct strategy *s, enum model_reading reading,
                         struct err *err)
{
    *out = (struct model_time){0};
    for (uint32_t k = 0; k < halo_rounds(halo); k++) {
        const struct halo *round = halo->nrounds ? &halo->rounds[k] : halo;
        struct model_input in;
        struct model_time t;
        model_input_from_halo(&in, m, round, options);
        if (model_predict(&t, m, &in, s, reading, err) < 0)
            return -1;
        model_add(out, &t);
    }
    return 0;
}

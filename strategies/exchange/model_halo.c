/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the inputs of the closed forms from a halo. */
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

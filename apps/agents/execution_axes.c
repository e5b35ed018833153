/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of an execution's axes, and the error for a word that is none of
 * them. */
#include "apps/agents/execution_axes.h"

#include "apps/agents/execution.h"

#include <stdlib.h>
#include <string.h>

const struct axis kernel_axis = {
    .key = "kernel",
    .words =
        {[KERNEL_DISCRETE] = "discrete", [KERNEL_PERSISTENT] = "persistent"},
    .n = NKERNELS};
const struct axis launch_axis = {
    .key = "launch",
    .words = {[LAUNCH_IN_TURN] = "in_turn", [LAUNCH_OVERLAPPED] = "overlapped"},
    .n = NLAUNCHES,
    .optional = true};
const struct axis schedule_axis = {
    .key = "schedule",
    .words = {[SCHEDULE_ASYNCHRONOUS] = "asynchronous",
              [SCHEDULE_BULK_SYNCHRONOUS] = "bulk_synchronous"},
    .n = NSCHEDULES,
    .older_key = "steps",
    .older_words = {[SCHEDULE_BULK_SYNCHRONOUS] = "supersteps"}};
const struct axis control_axis = {
    .key = "control",
    .words = {[CONTROL_GPU] = "gpu", [CONTROL_CPU] = "cpu"},
    .n = NCONTROLS};
const struct axis forwarding_axis = {
    .key = "transfer",
    .words = {[FORWARDING_DIRECT] = "direct", [FORWARDING_RING] = "ring"},
    .n = NWAYS,
    .optional = true};
/* The runtimes for graphs on GPUs are the first ones of the list. */
const struct axis runtime_axis = {.key = "runtime",
                                  .words = {[RUNTIME_MPI] = "mpi",
                                            [RUNTIME_SHMEM] = "shmem",
                                            [RUNTIME_CPU_COPY] = "cpu_copy"},
                                  .n = RUNTIME_NCCL_SIMPLE};
const struct axis direction_axis = {
    .key = "direction",
    .words = {[DIRECTION_PUSH] = "push",
              [DIRECTION_OPTIMISED] = "optimised",
              [DIRECTION_GUNROCK] = "gunrock"},
    .n = NDIRECTIONS,
    .optional = true};
const struct axis pagerank_axis = {.key = "pagerank",
                                   .words = {[PAGERANK_RESIDUAL] = "residual",
                                             [PAGERANK_TOPOLOGY] = "topology",
                                             [PAGERANK_SWEEP] = "sweep"},
                                   .n = NPAGERANK_VARIANTS,
                                   .optional = true};
/* Any other word is the name of a strategy. */
const struct axis exchange_axis = {.key = "exchange",
                                   .words = {[EXCHANGE_COPIES] = "copies"},
                                   .n = NEXCHANGES};
const struct axis residues_axis = {.key = "residues",
                                   .words = {[RESIDUES_SUMMED] = "summed",
                                             [RESIDUES_EACH] = "each",
                                             [RESIDUES_ABOVE] = "above"},
                                   .n = NRESIDUES,
                                   .optional = true};
const struct axis receive_axis = {
    .key = "receive",
    .words = {[RECEIVE_SHARED] = "shared", [RECEIVE_PER_GPU] = "per_gpu"},
    .n = NRECEIVE_QUEUES,
    .optional = true};
const struct axis order_axis = {
    .key = "order",
    .words = {[ORDER_FIFO] = "fifo", [ORDER_PRIORITY] = "priority"},
    .n = NORDERS};
const struct axis received_axis = {.key = "received",
                                   .words = {[RECEIVED_IN_ORDER] = "in_order",
                                             [RECEIVED_CHECKED] = "checked",
                                             [RECEIVED_BYPASS] = "bypass"},
                                   .n = NRECEIVED,
                                   .optional = true};
const struct axis scope_axis = {
    .key = "scope",
    .words = {[SCOPE_GPU] = "gpu", [SCOPE_ALL] = "all"},
    .n = NSCOPES,
    .optional = true};
const struct axis scan_axis = {.key = "scan",
                               .words = {[SCAN_ALL_IDLE] = "all_idle",
                                         [SCAN_SOME_IDLE] = "some_idle",
                                         [SCAN_NONE] = "none"},
                               .n = NSCANS,
                               .optional = true};
const struct axis group_axis = {
    .key = "group",
    .words = {[BATCH_PER_GPU] = "gpu", [BATCH_PER_NODE] = "node"},
    .n = NBATCH_GROUPS,
    .optional = true};

static int fail_word(const struct axis *axis, const char *key, const char *got,
                     struct err *err)
{
    char *list = xasprintf("\"%s\"", axis->words[0]);

    for (unsigned i = 1; i < axis->n; i++) {
        char *longer =
            xasprintf("%s%s\"%s\"", list, i + 1 < axis->n ? ", " : " or ",
                      axis->words[i]);
        free(list);
        list = longer;
    }
    err_set(err, ERR_INPUT, __FILE__, __LINE__, "%s: expected %s, got \"%s\"",
            key, list, got);
    free(list);
    return -1;
}

int axis_find(const struct axis *axis, const char *word)
{
    for (unsigned i = 0; i < axis->n; i++) {
        const char *older = axis->older_words[i];
        if (!strcmp(word, axis->words[i]) || (older && !strcmp(word, older)))
            return (int)i;
    }
    return -1;
}

int read_axis(const struct json *o, const struct axis *axis, struct err *err)
{
    const char *key = axis->key, *word;

    if (axis->older_key && !json_member(o, key) &&
        json_member(o, axis->older_key))
        key = axis->older_key;
    if (axis->optional && !json_member(o, key))
        return 0;
    if (json_get_string(o, key, &word, err) < 0)
        return -1;
    int found = axis_find(axis, word);
    return found < 0 ? fail_word(axis, key, word, err) : found;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_file.h - a plan as a text file, to be run by other programs: what
 * `sluice export --plan` writes and `sluice-native run` reads.
 *
 * Lines; those that begin with # are comments. First, in this order:
 *   sluice-plan 1
 *   name NAME
 *   machine NAME            that it was made for
 *   nodes N
 *   gpus_per_node N
 *   ranks_per_node N
 *   cores C...              of each rank of a node: a core of the node
 * after these what the plan has beside its operations, each where it has it:
 *   runtime NAME            of its messages, where that is not mpi
 *   begin SECONDS           nothing begins before
 *   channel_work S S        for each byte of messages that kernels send: beside
 *                           them, and after them
 *   working_set BYTES       that a rank uses again and again
 *   issued                  its copies take no alpha
 * then
 *   halo GPUS BYTES CLASSES whose values are carried, of so many bytes each;
 *                           0 0 0: none
 * then a line SRC NODE MASK... COUNT for each class (halo.h), with a MASK for
 * each 32 GPUs of a node, then
 *   ops N
 * and a line for each operation, which are numbered from 0 on:
 *   copy PHASE DIRECTION RANK GPU GPU BYTES    from the first, to the second
 *   msg PHASE RANK RANK BYTES [gpus GPU GPU] [channels N]
 *                     without GPUs: between host memory; channels: of a kernel
 *   work RANK SECONDS [lane LANE]              lane: beside the rank's CPU
 *   send PHASE RANK RANK TAG BYTES [gpus GPU GPU] [synced] [context CONTEXT]
 *   recv PHASE RANK FROM TAG BYTES [gpu GPU] [context CONTEXT]
 *   probe PHASE RANK FROM TAG [context CONTEXT]     FROM, TAG, BYTES: or "any";
 *                                                   context: a communicator's
 *   pack PHASE RANK BYTES [gpu GPU] [synced]   without: in host memory; synced:
 *                                              the rank waits for its kernel
 *   reduce PHASE RANK BYTES INPUTS [gpu GPU] [synced]  of so many buffers
 * (PHASE: pack, unpack, copy_out, on_node, gather, off_node, scatter, copy_in,
 * work; DIRECTION: H2D, D2H, D2D), each optionally followed by what it waits
 * for, which are earlier operations that end on its rank, after OP... these are
 * finished: a message has been received sent OP...         the buffers of these
 * messages may be used again posted OP...       a msg: its receive waits for
 * these posted_sent OP...  a msg: its receive waits for these buffers and by
 * the values that it carries, carries CLASS FIRST COUNT ... The last line is
 * "end". Ranks and GPUs are numbered through all nodes.
 */
#ifndef WORKLOADS_PLAN_FILE_H
#define WORKLOADS_PLAN_FILE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdio.h>

struct plan_file {
    struct plan plan;
    char *machine; /* its name */
    unsigned gpus_per_node;
    struct halo halo; /* ngpus 0: none. The rows of the GPUs are not kept: 0 */
};

/* halo: NULL when the plan carries no values. Errors of the stream are found
 * when it is closed; -1: the plan says of its ranks' windows, or of new memory,
 * what the file has no words for. */
int plan_file_write(FILE *f, const struct plan *p, const struct machine *m,
                    const struct halo *halo, struct err *err) MUST_CHECK;
/* Refuses what the plan's functions (plan.h) would not have made, with the file
 * and line; also gzipped. */
int plan_file_load(struct plan_file *f, const char *path,
                   struct err *err) MUST_CHECK;
/* The same of a workload's words "plan:FILE", as its plan on a machine whose
 * nodes have as many GPUs; *ranks: all. */
int plan_file_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                      const char *words, struct err *err) MUST_CHECK;
void plan_file_clear(struct plan_file *f);

#endif

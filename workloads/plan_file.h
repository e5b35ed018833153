/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_file.h - a plan as a text file, so that other programs can run it:
 * `sluice export --plan` writes it, and `sluice-native run` reads it.
 *
 * Lines that begin with # are comments. The other lines are, in this order:
 *
 *   sluice-plan 1
 *   name NAME
 *   machine NAME            the machine for which it was made
 *   nodes N
 *   gpus_per_node N
 *   ranks_per_node N
 *   cores C...              for each rank of a node, its core
 *
 * then the plan's other properties, each only if it is not the default:
 *
 *   runtime NAME            of its messages; default mpi
 *   begin SECONDS           no operation begins before
 *   channel_work S S [S]    time per byte of messages that kernels send: beside
 *                           them, and after them; and after each message
 *   working_set BYTES       memory that a rank uses again and again
 *   issued                  its copies cost no alpha
 *
 * then the halo whose values are carried, in values of BYTES; 0 0 0 if there is
 * none:
 *
 *   halo GPUS BYTES CLASSES
 *   SRC NODE MASK... COUNT  for each class (halo.h), one MASK per 32 GPUs of a
 *                           node
 *
 * then a line for each operation; these are numbered from 0:
 *
 *   ops N
 *   copy PHASE DIRECTION RANK GPU GPU BYTES   from the first GPU to the second
 *   msg PHASE RANK RANK BYTES [gpus GPU GPU] [channels N]
 *                     without gpus: between host memory; channels: by a kernel
 *   work RANK SECONDS [lane LANE]             lane: beside the rank's CPU
 *   send PHASE RANK RANK TAG BYTES [gpus GPU GPU] [synced] [context CONTEXT]
 *   recv PHASE RANK FROM TAG BYTES [gpu GPU] [context CONTEXT]
 *   probe PHASE RANK FROM TAG [context CONTEXT]  FROM, TAG, BYTES may be "any";
 *                                                context: a communicator
 *   pack PHASE RANK BYTES [gpu GPU] [synced]  without gpu: in host memory;
 *                                             synced: the rank waits for its
 *                                             kernel
 *   reduce PHASE RANK BYTES INPUTS [gpu GPU] [synced]   of INPUTS buffers
 *
 * PHASE is pack, unpack, copy_out, on_node, gather, off_node, scatter, copy_in
 * or work; DIRECTION is H2D, D2H or D2D. Each line may go on with its
 * dependencies, which are earlier operations that end on its rank:
 *
 *   after OP...        these are finished: a message has been received
 *   sent OP...         the buffers of these messages may be used again
 *   posted OP...       for a msg: its receive waits for these
 *   posted_sent OP...  for a msg: its receive waits for these buffers
 *
 * and then with the values that it carries:
 *
 *   carries CLASS FIRST COUNT ...
 *
 * The last line is "end". Ranks and GPUs are numbered through all nodes.
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
    char *machine; /* name of the machine */
    unsigned gpus_per_node;
    /* Ngpus is 0 if there is none; rows per GPU are not stored, and are 0. */
    struct halo halo;
};

/* Writes a plan. halo is NULL if the plan carries no values. Errors of the
 * stream are found when it is closed. Returns -1 if the plan has windows of its
 * ranks, or shares of new memory, because the file has no words for them. */
int plan_file_write(FILE *f, const struct plan *p, const struct machine *m,
                    const struct halo *halo, struct err *err) MUST_CHECK;
/* Reads a file, which may be gzipped. It refuses plans that the functions of
 * plan.h would not make; errors name file and line. The caller clears the
 * result. */
int plan_file_load(struct plan_file *f, const char *path,
                   struct err *err) MUST_CHECK;
/* Reads the file of a workload "plan:FILE" as a plan for a machine, whose nodes
 * must have as many GPUs. *ranks is the number of all ranks. */
int plan_file_to_plan(struct plan *p, uint32_t *ranks, const struct machine *m,
                      const char *words, struct err *err) MUST_CHECK;
void plan_file_clear(struct plan_file *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_slurm.h - hands the parts of a space to Slurm, as an array job. */
#ifndef CLI_SWEEP_SLURM_H
#define CLI_SWEEP_SLURM_H

#include "base/opts.h"
#include "strategies/explore/space.h"

struct sweep_slurm {
    const struct space *space;
    const char *folder; /* of the parts' databases, and what they need */
    unsigned parts;
    const struct texts *sbatch; /* options for sbatch, as they are */
    const char *const *options; /* of each part's sweep */
    size_t noptions;
};

/*
 * Makes FOLDER/space.json and FOLDER/part.sh, and calls sbatch (no shell: names
 * are arguments). Task I writes FOLDER/I.db, and what it says to FOLDER/I.log.
 * The job's number goes to standard output.
 */
int sweep_submit(const struct sweep_slurm *s, struct err *err) MUST_CHECK;

#endif

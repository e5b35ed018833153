/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_slurm.h - submits the parts of a space to Slurm, as an array job. */
#ifndef CLI_SWEEP_SLURM_H
#define CLI_SWEEP_SLURM_H

#include "base/opts.h"
#include "study/explore/space.h"

struct sweep_slurm {
    const struct space *space;
    const char *folder; /* for the parts' databases and their input */
    unsigned parts;
    const struct texts *sbatch; /* options for sbatch, unchanged */
    const char *const *options; /* options for the sweep of each part */
    size_t noptions;
};

/*
 * Makes FOLDER/space.json and FOLDER/part.sh, and calls sbatch without a shell,
 * so that names are only arguments. Task I writes FOLDER/I.db, and its output
 * to FOLDER/I.log. The job's number is printed on standard output.
 */
int sweep_submit(const struct sweep_slurm *s, struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_parts.h - NCCL's numbers, or RCCL's, by the architecture of the GPUs:
 * parts/nccl-*, parts/rccl-*. */
#ifndef PLATFORMS_NCCL_PARTS_H
#define PLATFORMS_NCCL_PARTS_H

#include "base/err.h"
#include "base/json.h"

/* The generations of GPUs that NCCL, or RCCL, tells apart. */
enum nccl_generation {
    NCCL_VOLTA, /* and older ones */
    NCCL_AMPERE,
    NCCL_HOPPER,
    NCCL_BLACKWELL,
    RCCL_MI200, /* AMD's from here on */
    RCCL_MI300,
    RCCL_MI350,
    NNCCL_GENERATIONS,
    NCCL_NO_GENERATION = NNCCL_GENERATIONS /* unknown */
};
/* Returns the generation by gpu.arch, which may be NULL. */
enum nccl_generation nccl_generation_by(const char *arch);
/* Returns the name of the part for such GPUs, or NULL if there is none. */
const char *nccl_part_by(const char *arch);
/* Adds `nccl` and `runtimes.nccl_*` to the document of a machine with GPUs of a
 * known generation; numbers of the document itself remain. A document whose
 * `nccl` is complete stays as it is, and so does one that says nothing of NCCL
 * but names an MPI or libraries. */
int nccl_parts_add(struct json *doc, struct err *err) MUST_CHECK;
/* Makes `nccl.version` a text if it is a number of the form 2.N or 2.NN,
 * because
 * --set reads 2.18 as a number. */
void nccl_version_as_text(struct json *doc);

#endif

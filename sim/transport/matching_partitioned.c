/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching by several matrices at the same time, with the sources divided among
 * them, so that no receive may take any source. The laws are those of
 * matching_matrix.c. */
#include "sim/transport/matcher.h"

const struct match_engine partitioned_matcher = {
    .summary = "matrices side by side, by source rank",
    .on_gpu = true,
    .partitions = true,
    .forbids = 1u << FORBID_ANY_SOURCE,
};

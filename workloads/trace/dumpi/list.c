/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that translate the calls of calls.def, by the number of the
 * call. */
#include "workloads/trace/dumpi/rank.h"

int (*const dumpi_meanings[DUMPI_CALLS])(struct dumpi_rank *r,
                                         struct err *err) = {
#define DUMPI_CALL(name, args, meaning) dumpi_##meaning,
#include "workloads/trace/dumpi/calls.def"
#undef DUMPI_CALL
};

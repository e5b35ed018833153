/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of libraries, and of the models of time that NCCL and RCCL choose
 * by. */
#include "strategies/collective/libraries/library.h"
#include "strategies/collective/libraries/nccl_choice.h"

#include <assert.h>

#define LIBRARY(x) &x##_library,
const struct collective_library *const libraries[] = {
#include "strategies/collective/libraries/list.def"
};
#undef LIBRARY
enum { NLIBRARIES = sizeof libraries / sizeof libraries[0] };
const size_t nlibraries = NLIBRARIES;
static_assert((int)NLIBRARIES <= (int)MOST_LIBRARIES, "they all fit");

nccl_tuner *const nccl_tuners[] = {nccl_tune, rccl_tune};

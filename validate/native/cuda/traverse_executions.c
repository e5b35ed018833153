/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all native executions of graph algorithms. */
#include "validate/native/cuda/traverse_execution.h"

const struct traverse_execution *const traverse_executions[] = {
#define EXECUTION(x) &x##_execution,
#include "validate/native/cuda/traverse_executions.def"
#undef EXECUTION
    NULL};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of traces of list.def. */
#include "workloads/trace/trace.h"

#define TRACE_FORMAT(x) &x##_format,
const struct trace_format *const trace_formats[] = {
#include "workloads/trace/list.def"
    NULL};
#undef TRACE_FORMAT
const size_t ntrace_formats =
    sizeof trace_formats / sizeof trace_formats[0] - 1;

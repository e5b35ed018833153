/* SPDX-License-Identifier: GPL-3.0-or-later */
/* readers.h - the readers of the module, each of which has its own file. */
#ifndef WORKLOADS_TRACE_FOREIGN_READERS_H
#define WORKLOADS_TRACE_FOREIGN_READERS_H

#include "workloads/trace/trace.h"

extern const struct trace_format otf2_reader, chakra_reader, kineto_reader,
    nsys_reader;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports the readers whose libraries were there when sluice was built. */
#include "workloads/trace/foreign/readers.h"

#include "workloads/trace/foreign.h"

__attribute__((
    visibility("default"))) extern const struct trace_module sluice_traces;

const struct trace_module sluice_traces = {
#ifdef SLUICE_OTF2
    .otf2 = &otf2_reader,
#endif
#ifdef SLUICE_PROTOBUF
    .chakra = &chakra_reader,
#endif
#ifdef SLUICE_YAJL
    .kineto = &kineto_reader,
#endif
#ifdef SLUICE_SQLITE
    .nsys = &nsys_reader,
#endif
};

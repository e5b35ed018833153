/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign.h - what the module sluice_traces.so holds: the formats of traces
 * that are read by libraries of others (OTF2, protobuf-c, yajl, SQLite), which
 * take longer to load than most commands. workloads/trace/foreign.c stands for
 * them in the program, sees their files, and loads the module when one is
 * opened.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_H
#define WORKLOADS_TRACE_FOREIGN_H

#include "workloads/trace/trace.h"

/* Said by both the program's format and the module's. */
#define OTF2_SUMMARY "Open Trace Format 2, as Score-P writes it"
#define CHAKRA_SUMMARY "Chakra execution traces, of ASTRA-sim and PyTorch"
#define KINETO_SUMMARY "profiles of PyTorch, JSON of its profiler Kineto"
#define NSYS_SUMMARY "reports of Nsight Systems, exported as SQLite"

/* What the module has under the name sluice_traces. A format is NULL where its
 * library was not there when sluice was built. */
struct trace_module {
    const struct trace_format *otf2, *chakra, *kineto, *nsys;
};

#endif

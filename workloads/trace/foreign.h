/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign.h - the contents of the module sluice_traces.so: readers of traces
 * that need foreign libraries (OTF2, protobuf-c, yajl, SQLite). They are a
 * module because these libraries take longer to load than most commands run.
 * workloads/trace/foreign.c stands for the readers in the program: it
 * recognises their files, and loads the module when a trace of one is opened.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_H
#define WORKLOADS_TRACE_FOREIGN_H

#include "workloads/trace/trace.h"

/* The summaries, which the program's format and the module's share. */
#define OTF2_SUMMARY "Open Trace Format 2, as Score-P writes it"
#define CHAKRA_SUMMARY "Chakra execution traces, of ASTRA-sim and PyTorch"
#define KINETO_SUMMARY "profiles of PyTorch, JSON of its profiler Kineto"
#define NSYS_SUMMARY "reports of Nsight Systems, exported as SQLite"

/* The module exports one of these as sluice_traces. A format is NULL if its
 * library was missing when sluice was built. */
struct trace_module {
    const struct trace_format *otf2, *chakra, *kineto, *nsys;
};

#endif

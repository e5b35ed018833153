/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.h - the kinds of `sluice show`, one file each. argv[0] is the kind. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "base/err.h"

int show_platform(int argc, char **argv, struct err *err);
int show_matrix(int argc, char **argv, struct err *err);
int show_graph(int argc, char **argv, struct err *err);
int show_trace(int argc, char **argv, struct err *err);
int show_strategy(int argc, char **argv, struct err *err);
int show_workload(int argc, char **argv, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_file_words.h - what the writer and the reader of plan files share. */
#ifndef WORKLOADS_PLAN_FILE_WORDS_H
#define WORKLOADS_PLAN_FILE_WORDS_H

#include "sim/plan/plan.h"

extern const char *const plan_file_phases[NPHASES];

#endif

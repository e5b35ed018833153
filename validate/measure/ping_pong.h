/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ping_pong.h - the plan of a message between two ranks, which several
 * benchmarks have. */
#ifndef VALIDATE_MEASURE_PING_PONG_H
#define VALIDATE_MEASURE_PING_PONG_H

#include "validate/measure/experiment.h"

experiment_planner ping_pong_plan;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mult_pong_time.h - what one rank takes to send n blocking messages to n ranks
 * of another node and to receive as many from them, without a simulation. */
#ifndef VALIDATE_CALIBRATE_MULT_PONG_TIME_H
#define VALIDATE_CALIBRATE_MULT_PONG_TIME_H

#include "platforms/machine.h"

/*
 * Half of the round, as BenchPress prints it: n sends one after the other, then
 * n receives, each posted when the one before is done. The simulator's message
 * (docs/model.md) where nothing but this rank's CPU, its link and the match is
 * waited for: link_Bps is what all its messages together may send (INFINITY:
 * nothing bounds that).
 */
double mult_pong_s(const struct segment *s, double link_Bps, uint64_t bytes,
                   unsigned messages);

#endif

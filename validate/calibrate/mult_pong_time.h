/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mult_pong_time.h - the time in which one rank sends n blocking messages to n
 * ranks of another node and receives as many from them, without a
 * simulation. */
#ifndef VALIDATE_CALIBRATE_MULT_PONG_TIME_H
#define VALIDATE_CALIBRATE_MULT_PONG_TIME_H

#include "platforms/machine.h"

/* Returns half of the round, as BenchPress prints it: n sends one after the
 * other, then n receives, each posted once the one before is done. It is the
 * simulator's law of a message (docs/model.md) if nothing but this rank's CPU,
 * its link and the match has to be waited for. link_Bps is the most that all
 * its messages together may send (INFINITY if there is no limit). */
double mult_pong_s(const struct segment *s, double link_Bps, uint64_t bytes,
                   unsigned messages);

#endif

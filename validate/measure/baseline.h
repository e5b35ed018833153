/* SPDX-License-Identifier: GPL-3.0-or-later */
/* baseline.h - what an experiment would take without a simulator, so that its
 * error has something to be compared with. */
#ifndef VALIDATE_MEASURE_BASELINE_H
#define VALIDATE_MEASURE_BASELINE_H

#include "validate/measure/measured.h"

/*
 * Of one message or copy: what lies between the two nearest measured sizes of
 * the same file, on a line of the logarithms. Of pairs and copies at once: one
 * of them alone. Of all others: "n times a ping-pong", the messages and copies
 * of the busiest rank one after the other, each for alpha + beta * bytes;
 * sends and receives are counted apart, since a ping-pong's time has both ends.
 * NAN: there is none.
 */
double baseline_s(const struct measured *f, size_t point,
                  const struct machine *m, const struct plan *p);

#endif

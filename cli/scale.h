/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.h - numbers in the units in which tables print them. */
#ifndef CLI_SCALE_H
#define CLI_SCALE_H

/* Returns a part of a whole in percent; 0 if there is no whole. */
static inline double percent(double part, double all)
{
    return all > 0 ? 100 * part / all : 0;
}

/* Returns seconds in microseconds. */
static inline double us(double s)
{
    return s * 1e6;
}

#endif

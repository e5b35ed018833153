/* SPDX-License-Identifier: GPL-3.0-or-later */
/* percent.h - a part in percent of the whole; 0 if there is no whole. */
#ifndef CLI_PERCENT_H
#define CLI_PERCENT_H

static inline double percent(double part, double all)
{
    return all > 0 ? 100 * part / all : 0;
}

#endif

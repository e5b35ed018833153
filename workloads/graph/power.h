/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power.h - logarithms and powers by +, -, * and / alone, whose last bit is
 * equal on every machine. Those of libm differ, but a generated graph must
 * not. */
#ifndef WORKLOADS_GRAPH_POWER_H
#define WORKLOADS_GRAPH_POWER_H

double power_log2(double x);                /* x above 0; accurate to 1e-15 */
double power_exp2(double y);                /* relative error 1e-15 */
double power_of(double x, double exponent); /* x above 0 */

#endif

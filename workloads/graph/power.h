/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power.h - logarithms and powers of +, -, * and / alone, whose last bit is
 * equal on every machine. That of libm's is not, and a generated graph must be.
 */
#ifndef WORKLOADS_GRAPH_POWER_H
#define WORKLOADS_GRAPH_POWER_H

double power_log2(double x);                /* x above 0; good to 1e-15 */
double power_exp2(double y);                /* good to 1e-15 of the result */
double power_of(double x, double exponent); /* x above 0 */

#endif

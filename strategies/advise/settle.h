/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settle.h - the measurement that a number of a machine comes from. */
#ifndef STRATEGIES_ADVISE_SETTLE_H
#define STRATEGIES_ADVISE_SETTLE_H

/* The benchmark of sluice-native that shows a parameter, by its key
 * ("mult_pong"); "all" where none does alone. */
const char *settle_benchmark(const char *key);
/* The commands that measure it and make a platform of what was measured; the
 * caller frees. `platform` is the name or file that is known now. */
char *settle_commands(const char *key, const char *platform);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrapolates.h - beyond which nodes, sizes and ranks of what was measured on
 * a machine an answer lies. */
#ifndef STRATEGIES_ADVISE_EXTRAPOLATES_H
#define STRATEGIES_ADVISE_EXTRAPOLATES_H

#include "strategies/run/run.h"

enum { EXTRAPOLATES_ROOM = 160 };

/* What an answer is about; 0: it is not known. */
struct answered {
    unsigned nodes, ranks_per_node;
    uint64_t largest_B; /* of the messages */
};
/* Of all ways that a job was carried out in. */
struct answered answered_by(const struct job *j, const struct outcome *list,
                            size_t n);

/*
 * Says beyond which ends an answer lies, "nodes 32 > 4 measured, bytes 4 MiB >
 * 1 MiB measured"; "" if beyond none. The ends are those of the measurements
 * that the machine's file names (its key measured), or those of the measured
 * decisions of the machine (model_error.h) if these are wider. If neither says
 * anything: "no range of what was measured on NAME is known".
 */
void extrapolates(char words[EXTRAPOLATES_ROOM], const struct machine *m,
                  const struct answered *a);

/* Adds "WHAT 32 > 4 measured" to the words if `asked` is beyond the range; of
 * bytes in KiB, MiB ... */
void extrapolates_add(char *words, size_t room, const char *what,
                      uint64_t asked, struct measured_range range);

#endif

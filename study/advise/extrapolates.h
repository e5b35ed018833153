/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrapolates.h - the ends of the measured ranges of nodes, sizes and ranks of
 * a machine beyond which an answer lies. */
#ifndef STUDY_ADVISE_EXTRAPOLATES_H
#define STUDY_ADVISE_EXTRAPOLATES_H

#include "study/run/run.h"

enum { EXTRAPOLATES_ROOM = 160 };

/* The request of an answer; a field is 0 if it is not known. */
struct answered {
    unsigned nodes, ranks_per_node;
    uint64_t largest_B; /* size of the largest message */
};
/* Returns the maximum over all candidates that a job was run with. */
struct answered answered_by(const struct job *j, const struct outcome *list,
                            size_t n);

/*
 * Writes the ends beyond which an answer lies, as "nodes 32 > 4 measured, bytes
 * 4 MiB > 1 MiB measured"; "" if it lies beyond none. The ends are those of the
 * measurements that the machine's file names (its key measured), or those of
 * the measured decisions of the machine (model_error.h) if these are wider. If
 * neither states a range, it writes that none is known.
 */
void extrapolates(char words[EXTRAPOLATES_ROOM], const struct machine *m,
                  const struct answered *a);

#endif

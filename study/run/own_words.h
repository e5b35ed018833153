/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_words.h - options that only one workload has, or it and a few others:
 * they may stand among its words, "pagerank:GRAPH,damping=0.9", as the keys of
 * an experiment. */
#ifndef STUDY_RUN_OWN_WORDS_H
#define STUDY_RUN_OWN_WORDS_H

#include "study/run/request.h"

/* Makes a request with the options that stand among the words of the workload
 * of r, unless r gives them, and with the words without them, which
 * request_unsplit() frees; unknown words stay as they are. Fails if an option
 * is of another workload, or has a bad value. */
int request_split(struct request *own, const struct request *r,
                  struct err *err) MUST_CHECK;
void request_unsplit(struct request *own);

/* Refuses an option that belongs to other workloads by a sentence that names
 * them; returns 0 if it is of no workload alone. */
int request_refuse_owned(const char *option, const struct workload *w,
                         struct err *err) MUST_CHECK;

#endif

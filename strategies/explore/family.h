/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.h - one workload on machines of one or several shapes: loaded and
 * planned once for each shape, by whichever thread comes first. */
#ifndef STRATEGIES_EXPLORE_FAMILY_H
#define STRATEGIES_EXPLORE_FAMILY_H

#include "strategies/run/job_again.h"

struct family;
struct family_member; /* of one shape */

struct family *family_new(void);
void family_free(struct family *f); /* NULL: nothing */

/*
 * The job of a request on a machine: *on is as of job_on_machine(); what of its
 * ways cannot be done is left out. family_leave(), also with NULL, after its
 * last use, with which *member is given back.
 */
int family_join(struct family *f, struct job *on, struct family_member **member,
                const struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
void family_leave(struct family_member *member);

#endif

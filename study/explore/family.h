/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family.h - one workload on machines of one or several shapes: it is loaded
 * and planned once per shape, by the first thread that needs it.
 * Thread-safe. */
#ifndef STUDY_EXPLORE_FAMILY_H
#define STUDY_EXPLORE_FAMILY_H

#include "study/run/job_again.h"

struct family;
struct family_member; /* a job of one shape */

struct family *family_new(void);
void family_free(struct family *f); /* NULL is allowed */

/* Makes *on the job of a request on a machine, as job_on_machine() does;
 * candidates that the machine cannot do are left out. The caller calls
 * family_leave() after its last use, which gives *member back and also accepts
 * NULL. */
int family_join(struct family *f, struct job *on, struct family_member **member,
                const struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
void family_leave(struct family_member *member);

#endif

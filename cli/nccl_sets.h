/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_sets.h - settings of NCCL of a command, and of a log, as values of a
 * platform. */
#ifndef CLI_NCCL_SETS_H
#define CLI_NCCL_SETS_H

#include "base/opts.h"
#include "platforms/nccl_settings.h"
#include "validate/logs/log.h"

struct nccl_sets {
    /* Settings come first, so that others override them. */
    struct texts sets;
    char *own[2 * TEXTS];
    size_t nown;
};

/* Joins the settings of a log that have a model, and a value that the platform
 * takes, with the command's settings and other sets; says on standard error
 * which are taken and which are left out. The log may be NULL.
 * nccl_sets_clear() frees the result in any case. */
int nccl_sets_join(struct nccl_sets *s, const struct log *log,
                   const char *platform, const struct texts *nccl,
                   const struct texts *others, struct err *err) MUST_CHECK;
/* Says which settings of a log that have a model are left out, because it is
 * not the only file. */
void nccl_sets_tell(const struct log *log);
void nccl_sets_clear(struct nccl_sets *s);

#endif

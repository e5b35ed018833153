/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_platform.h - parts of what `sluice show platform` prints. */
#ifndef CLI_SHOW_PLATFORM_H
#define CLI_SHOW_PLATFORM_H

#include "platforms/machine.h"

struct notes;

/* "any", or so many bytes, in buf. */
const char *show_platform_limit(uint64_t bytes, char *buf, size_t size);
void show_platform_messages(const struct machine *m, struct notes *notes);
/* Nothing of a runtime that the machine has no costs of. */
void show_platform_runtime(const struct machine *m, enum runtime by,
                           struct notes *notes);
void show_platform_matching(const struct matching *l, struct notes *notes);

#endif

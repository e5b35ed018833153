/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.h - the end of a measured range beyond which a request lies, in
 * words. */
#ifndef STUDY_ADVISE_BEYOND_H
#define STUDY_ADVISE_BEYOND_H

#include "platforms/machine.h"

/* Appends "NAME 32 > 4 measured" to the words if `asked` is beyond the range,
 * with the name in `what`. Bytes are in KiB, MiB ... */
void extrapolates_add(char *words, size_t room, const char *what,
                      uint64_t asked, struct measured_range range);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_sources.h - what of a platform no measurement of the machine
 * determines. */
#ifndef CLI_CALIBRATE_SOURCES_H
#define CLI_CALIBRATE_SOURCES_H

#include "base/json.h"

/* Prints, below a line with the counts, each place of the document whose source
 * says that it is assumed or taken over, or that a part of it is. */
void undetermined_print(const struct json *doc);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_sources.h - the numbers of a platform that no measurement of the
 * machine determines. */
#ifndef CLI_CALIBRATE_SOURCES_H
#define CLI_CALIBRATE_SOURCES_H

#include "base/json.h"

/* Prints a line with the counts, and below it each place of the document whose
 * source is assumed or taken over, wholly or in part. */
void undetermined_print(const struct json *doc);

#endif

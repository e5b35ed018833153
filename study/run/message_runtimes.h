/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_runtimes.h - the runtimes that --runtime can name: those that carry
 * messages of processes. */
#ifndef STUDY_RUN_MESSAGE_RUNTIMES_H
#define STUDY_RUN_MESSAGE_RUNTIMES_H

#include "platforms/machine.h"

#include <stddef.h>

extern const enum runtime message_runtimes[];
extern const size_t nmessage_runtimes;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* here.h - reads this machine by libhwloc and Linux' /sys. */
#ifndef PLATFORMS_DISCOVER_HERE_H
#define PLATFORMS_DISCOVER_HERE_H

#include "base/err.h"

struct found;

/* Returns the XML that lstopo would write, and the host's name; the caller
 * frees both. */
char *here_xml(char **host, struct err *err);
/* Sets the rates of this machine's NICs, if the kernel knows them. */
void here_ports(struct found *f);

#endif

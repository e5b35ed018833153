/* SPDX-License-Identifier: GPL-3.0-or-later */
/* here.h - this machine, by libhwloc and Linux' /sys. */
#ifndef PLATFORMS_DISCOVER_HERE_H
#define PLATFORMS_DISCOVER_HERE_H

#include "base/err.h"

struct found;

/* What lstopo would write, and the host's name; the caller frees both. */
char *here_xml(char **host, struct err *err);
/* The speeds of this machine's NICs, as the kernel tells them. */
void here_ports(struct found *f);

#endif

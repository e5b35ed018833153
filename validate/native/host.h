/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.h - the sockets, NUMA domains and caches of this host, from sysfs.
 * Sockets are numbered from 0 in the order of the system's own numbers, which
 * may have gaps. */
#ifndef VALIDATE_NATIVE_HOST_H
#define VALIDATE_NATIVE_HOST_H

#include <stdint.h>

/* Of the cores that this process may run on, if it is one; else 0. */
unsigned host_own_socket(void);
/* The system's number of the NUMA domain of the cores that this process may run
 * on, if it is one; else 0. */
unsigned host_own_numa(void);
/* Bytes of a core's cache of level 2 or 3; where the system does not say, 2 MiB
 * and 64 MiB. */
uint64_t host_cache(int level);
/* The socket that a PCI device ("0000:3b:00.0") is attached to, or -1 when the
 * system does not say. */
int host_pci_socket(const char *address);

#endif

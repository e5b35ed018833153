/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.h - the sockets, NUMA domains and caches of this host, from sysfs.
 * Sockets are numbered from 0 in the order of the system's own numbers, which
 * may have gaps. */
#ifndef VALIDATE_NATIVE_HOST_H
#define VALIDATE_NATIVE_HOST_H

#include <stdint.h>

/* Returns the socket of the cores that this process may run on, if it is one;
 * otherwise 0. */
unsigned host_own_socket(void);
/* Returns the system's number of the NUMA domain of the cores that this process
 * may run on, if it is one; otherwise 0. */
unsigned host_own_numa(void);
/* Returns the bytes of a core's cache of level 2 or 3; 2 MiB and 64 MiB if the
 * system does not say. */
uint64_t host_cache(int level);
/* Returns the socket of a PCI device ("0000:3b:00.0"); -1 if the system does
 * not say. */
int host_pci_socket(const char *address);

#endif

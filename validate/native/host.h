/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.h - the sockets of this host, from sysfs. Numbered from 0 in the order
 * of the system's own numbers, which may have gaps. */
#ifndef VALIDATE_NATIVE_HOST_H
#define VALIDATE_NATIVE_HOST_H

/* Of the cores that this process may run on, if it is one; else 0. */
unsigned host_own_socket(void);
/* The socket that a PCI device ("0000:3b:00.0") is attached to, or -1 when the
 * system does not say. */
int host_pci_socket(const char *address);

#endif

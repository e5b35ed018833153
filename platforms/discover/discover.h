/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discover.h - the skeleton of a platform from what a machine says of itself:
 * hwloc (this machine, or XML of lstopo), NCCL's topology XML, InfraGraph YAML.
 */
#ifndef PLATFORMS_DISCOVER_DISCOVER_H
#define PLATFORMS_DISCOVER_DISCOVER_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>

struct discover_options {
    const char *name;  /* of the platform; NULL: of the file or host */
    const char *costs; /* the platform whose messages and copies are taken over;
                          NULL: one with GPUs of the same maker, or none */
    unsigned nodes;    /* of the machine; 0: 2, or 1 without a NIC */
    bool numa;         /* NUMA domains are the sockets, though there are several
                          packages */
};

/*
 * The document of a platform that platform_read() takes, from a file or (path
 * NULL) from this machine. Its structure and the rates of its wires are what
 * the source or a specification says; other numbers are assumed or taken over
 * from `costs`, and say so. json_free() frees it. NULL and an error when the
 * file is of no known kind, is broken, or the library for it was not there when
 * sluice was built.
 */
struct json *discover(const char *path, const struct discover_options *options,
                      struct err *err);

/* What the module sluice_discover.so has under the name sluice_discover. */
struct discover_module {
    struct json *(*discover)(const char *path,
                             const struct discover_options *options,
                             struct err *err);
};

#endif

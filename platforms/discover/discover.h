/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discover.h - makes the skeleton of a platform from a machine's description of
 * itself: hwloc (this machine, or XML of lstopo), NCCL's topology XML or
 * InfraGraph YAML. */
#ifndef PLATFORMS_DISCOVER_DISCOVER_H
#define PLATFORMS_DISCOVER_DISCOVER_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>

struct discover_options {
    const char *name;  /* the platform's; NULL: the file's or the host's */
    const char *costs; /* the platform whose messages and copies are taken over;
                          NULL: one with GPUs of the same maker, if there is */
    unsigned nodes;    /* the machine's; 0: 2, or 1 if there is no NIC */
    bool numa;         /* NUMA domains are the sockets, even if there are
                          several packages */
};

/*
 * Returns a document that platform_read() takes, of a file or, if path is NULL,
 * of this machine; json_free() frees it. Its structure and the rates of its
 * wires come from the source or a specification; other numbers are assumed or
 * taken over from `costs`, and their sources say so. NULL and an error if the
 * file is of no known kind or broken, or if sluice was built without the
 * library that reads it.
 */
struct json *discover(const char *path, const struct discover_options *options,
                      struct err *err);

/* The module sluice_discover.so has one under the name sluice_discover, because
 * its libraries are loaded only if they are needed. */
struct discover_module {
    struct json *(*discover)(const char *path,
                             const struct discover_options *options,
                             struct err *err);
};

#endif

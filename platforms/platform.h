/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.h - machines described in JSON: found, changed, read, checked. The
 * format is explained in platforms/README.md. */
#ifndef PLATFORMS_PLATFORM_H
#define PLATFORMS_PLATFORM_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/machine.h"

/*
 * Reads and checks a machine. A bare name ("lassen") is looked up as NAME.json
 * in $SLUICE_PLATFORMS, in platforms/ two folders above the program, and in the
 * source tree; what has a '/' or ends in .json is a path. Each of `sets` is
 * "network.bandwidth_GBps=50", or a factor, also of a group of numbers
 * (settings.h): it changes the JSON before it is read, and the source of a
 * changed number says so. On an error the machine is empty; else
 * machine_clear() frees it.
 */
int platform_load(struct machine *m, const char *name_or_path,
                  const char *const *sets, size_t nsets,
                  struct err *err) MUST_CHECK;

/* The same of a file whose document has been read (platform_document()), which
 * stays as it is; path stands in errors. */
int platform_load_document(struct machine *m, const char *path,
                           const struct json *doc, const char *const *sets,
                           size_t nsets, struct err *err) MUST_CHECK;
/* Reads a file and those that it extends; json_free() frees. */
struct json *platform_document(const char *path, struct err *err);

/* The two steps of it: the changed document (json_free), and its reading. */
struct json *platform_json(const char *name_or_path, const char *const *sets,
                           size_t nsets, struct err *err);
int platform_read(struct machine *m, const struct json *doc,
                  struct err *err) MUST_CHECK;

/* The file that a name or path stands for; the caller frees. NULL: unknown. */
char *platform_path(const char *name_or_path, struct err *err);
/* The file of a name (or of a part, "parts/NAME") in the folders of platforms;
 * the caller frees. NULL, without an error: there is none. */
char *platform_find(const char *name);

struct platform_entry {
    char *name;  /* of the file, without .json */
    char *about; /* or why it cannot be read */
};

struct platform_list {
    struct platform_entry *entries; /* by name */
    size_t n;
};

/* All that a bare name can stand for. */
void platform_list(struct platform_list *list);
void platform_list_clear(struct platform_list *list);

#endif

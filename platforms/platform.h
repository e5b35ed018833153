/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.h - finds, changes, reads and checks machines that are described in
 * JSON. platforms/README.md explains the format. */
#ifndef PLATFORMS_PLATFORM_H
#define PLATFORMS_PLATFORM_H

#include "base/err.h"
#include "base/json.h"
#include "platforms/machine.h"

/* Reads and checks a machine. A bare name ("lassen") is looked up as NAME.json
 * in $SLUICE_PLATFORMS, in platforms/ two folders above the program, and in the
 * source tree; a name that has a '/' or ends in .json is a path. Each of `sets`
 * is "network.bandwidth_GBps=50", or a factor, also of a group of numbers
 * (settings.h): it changes the JSON before it is read, and the source of a
 * changed number says so. If there is an error the machine is empty; otherwise
 * machine_clear() frees it. */
int platform_load(struct machine *m, const char *name_or_path,
                  const char *const *sets, size_t nsets,
                  struct err *err) MUST_CHECK;

/* Does the same with a file whose document has been read (platform_document())
 * and stays as it is; errors name `path`. */
int platform_load_document(struct machine *m, const char *path,
                           const struct json *doc, const char *const *sets,
                           size_t nsets, struct err *err) MUST_CHECK;
/* Reads a file and those that it extends; json_free() frees the document. */
struct json *platform_document(const char *path, struct err *err);

/* Are the two steps of platform_load(): the first returns the changed document,
 * which json_free() frees, and the second reads it. */
struct json *platform_json(const char *name_or_path, const char *const *sets,
                           size_t nsets, struct err *err);
int platform_read(struct machine *m, const struct json *doc,
                  struct err *err) MUST_CHECK;

/* Returns the file that a name or path stands for; the caller frees it. NULL
 * and an error if it is unknown. */
char *platform_path(const char *name_or_path, struct err *err);
/* Returns the file of a name (or of a part, "parts/NAME") in the folders of
 * platforms; the caller frees it. NULL without an error if there is none,
 * because a caller may look elsewhere. */
char *platform_find(const char *name);

/* Returns whether a platform is that of a machine whose name measurements have:
 * lassen-paper is for lassen too, and deltaai for deltaAI, but lassen2 is not
 * for lassen. A machine without a name is every platform's. */
bool platform_stands_for(const char *platform, const char *machine);

struct platform_entry {
    char *name;  /* name of the file, without .json */
    char *about; /* or the reason if it cannot be read */
};

struct platform_list {
    struct platform_entry *entries; /* sorted by name */
    size_t n;
};

/* Lists all platforms that a bare name can stand for. */
void platform_list(struct platform_list *list);
void platform_list_clear(struct platform_list *list);

#endif

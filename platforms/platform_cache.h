/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_cache.h - keeps documents of platforms, which are read once for all
 * points of a sweep, in all its threads. */
#ifndef PLATFORMS_PLATFORM_CACHE_H
#define PLATFORMS_PLATFORM_CACHE_H

#include "base/err.h"
#include "platforms/machine.h"

struct platform_cache;

struct platform_cache *platform_cache_new(void);
void platform_cache_free(struct platform_cache *c); /* NULL does nothing */

/* Does as platform_load() does. If a file changes while the cache is there, it
 * is not read again, because all points of a sweep are to have the same
 * machine. If the cache is NULL, it is platform_load(). */
int platform_cache_load(struct machine *m, struct platform_cache *c,
                        const char *name_or_path, const char *const *sets,
                        size_t nsets, struct err *err) MUST_CHECK;

#endif

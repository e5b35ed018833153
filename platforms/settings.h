/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the settings of --set: KEY=VALUE, and GROUP=xF, which
 * multiplies every number of a group by F. */
#ifndef PLATFORMS_SETTINGS_H
#define PLATFORMS_SETTINGS_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/* A group of numbers is named by a path, each step of which may be several keys
 * ("send_us+recv_us", "0+1") or all there are ("*"); an object is skipped if it
 * has none of them. A key alone is such a path, too. SETTINGS_NIC is a group of
 * several paths: all bandwidths of a node's NICs, and with the inverse factor
 * the times of a byte between nodes, because time and rate are inverse. */
#define SETTINGS_NIC "nic"

struct group_path {
    char *path;
    bool inverse; /* divided by the factor */
};

struct group {
    struct group_path *paths;
    size_t n;
};

/* Makes the group of this name in a platform's document; group_clear() frees
 * it. */
void group_init(struct group *g, const struct json *doc, const char *name);
void group_clear(struct group *g);
/* Returns the path of the group that a number's own path
 * ("copies.rows.0.alpha_us") matches; SIZE_MAX if it is not one of the
 * group. */
size_t group_find(const struct group *g, const char *path);

/* Reads the factor after "=x" of "copies.rows.0.alpha_us=x1.01". Returns false
 * if there is none, because the setting is a value. */
bool setting_factor(const char *setting, double *factor);
/* Returns the settings of single numbers, "KEY=VALUE" each, for which a setting
 * with a factor stands; the caller frees the list and its texts. NULL and an
 * error if the name matches no number. */
char **settings_scaled(size_t *n, const struct json *doc, const char *setting,
                       struct err *err) MUST_CHECK;

#endif

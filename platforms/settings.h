/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the settings of --set: KEY=VALUE, and GROUP=xF, which
 * multiplies every number of a group by F. */
#ifndef PLATFORMS_SETTINGS_H
#define PLATFORMS_SETTINGS_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A group of numbers is named by a path of which each step may be several keys
 * ("send_us+recv_us", "0+1") or all there are ("*"); a step that has them not
 * is passed over. A key alone is such a path, too. SETTINGS_NIC is a group of
 * several paths: all bandwidths of a node's NICs, and with the inverse factor
 * the times of a byte between nodes.
 */
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
/* The path that a number's own path ("copies.rows.0.alpha_us") is of; SIZE_MAX:
 * it is not one of the group. */
size_t group_find(const struct group *g, const char *path);

/* The factor behind "=x" of "copies.rows.0.alpha_us=x1.01"; false: it has none,
 * and is a value. */
bool setting_factor(const char *setting, double *factor);
/*
 * The settings of single numbers, "KEY=VALUE" each, that one with a factor
 * stands for: the caller frees the list and its texts. NULL: there is no such
 * number, or it is none (err).
 */
char **settings_scaled(size_t *n, const struct json *doc, const char *setting,
                       struct err *err) MUST_CHECK;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names a fitted platform, and writes the numbers of a fit as JSON. */
#include "cli/calibrate_rows.h"

#include <stdlib.h>
#include <string.h>

void calibrate_rename(struct json *platform, const struct calibrate_to *to)
{
    static const char from[] = "calibrated from ";
    const char *name = json_string(json_member(platform, "name"));
    const char *about = json_string(json_member(platform, "about"));

    if (!name || !strcmp(name, to->name))
        return;
    if (about && strncmp(about, from, sizeof from - 1) != 0) {
        char *text = xasprintf("%s%s: %s", from, name, about);
        json_replace(platform, "about", json_new_string(text));
        free(text);
    }
    json_replace(platform, "name", json_new_string(to->name));
}

void calibrate_rows_json(struct json *to, const struct fit_row *rows, size_t n)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        const struct fit_row *r = &rows[i];
        struct json *o = json_new_object();
        json_add_string(o, "parameter", r->path);
        json_add_number(o, "old", r->old);
        json_add_number(o, "fitted", r->kept ? r->old : r->fitted.value);
        if (r->kept)
            json_add_string(o, "kept", r->kept);
        if (r->to > 0) {
            json_add_number(o, "from_bytes", r->from);
            json_add_number(o, "to_bytes", r->to);
        } else if (!r->kept) {
            json_add_number(o, "interval", r->fitted.half);
        }
        json_add_number(o, "points", (double)r->points);
        json_add_number(o, "residual", r->residual);
        json_append(list, o);
    }
    json_add(to, "numbers", list);
}

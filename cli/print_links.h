/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_links.h - what links carried, as every kind of run tells it. */
#ifndef CLI_PRINT_LINKS_H
#define CLI_PRINT_LINKS_H

#include "sim/network/engine.h"
#include "base/json.h"

/* How many of the busiest, where not all of them are asked for. */
#define BUSIEST_LINKS 5

/* time_s: of the whole run, of which a link was in use for a part. */
void print_links(const struct link_use *links, size_t n, double time_s);
struct json *links_json(const struct link_use *links, size_t n, double time_s);

#endif

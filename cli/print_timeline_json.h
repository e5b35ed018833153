/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_timeline_json.h - the timeline of a run as JSON. */
#ifndef CLI_PRINT_TIMELINE_JSON_H
#define CLI_PRINT_TIMELINE_JSON_H

#include "base/json.h"
#include "sim/plan/timeline_kept.h"

/* Returns columns of numbers rather than objects (docs/outputs.md). */
struct json *timeline_json(const struct kept_timeline *k);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matching engines by number, and the time of each for a whole load. */
#include "sim/transport/matcher.h"

#include <math.h>

#define MATCHER(upper, lower) extern const struct match_engine lower##_matcher;
#include "platforms/matchers.def"
#undef MATCHER

const struct match_engine *const matchers[NMATCHERS] = {
#define MATCHER(upper, lower) [MATCHER_##upper] = &lower##_matcher,
#include "platforms/matchers.def"
#undef MATCHER
};

/* Returns the time of a load divided evenly among the queues. */
static double load_queues_s(const struct matching *l, struct match_load load,
                            unsigned queues, bool compact)
{
    struct match_load part = {load.messages / queues, load.receives / queues,
                              load.matched / queues, load.order};
    struct match_layout how = match_layout(l, queues, part.messages);
    struct match_search s = match_search(part, how.rows);

    return match_matrix_s(l, how, &s, 1, compact);
}

double match_load_s(const struct matching *l, struct match_load load,
                    bool compact)
{
    switch (l->engine) {
    case MATCHER_LIST:
        return match_list_s(l, load.receives, match_list_entries(load));
    case MATCHER_MATRIX:
        return load_queues_s(l, load, 1, compact);
    case MATCHER_PARTITIONED:
        return load_queues_s(l, load, l->queues, compact);
    case MATCHER_HASH:
        return match_hash_s(l, load.messages, load.receives, 1);
    case MATCHER_NONE:
    case NMATCHERS:
        break;
    }
    return NAN;
}

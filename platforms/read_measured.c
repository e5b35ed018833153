/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads over which nodes, sizes and ranks a machine was measured. */
#include "platforms/read.h"

#include "base/number.h"

/* [least, most], both whole and above 0, if the key is there. */
static int read_range(struct measured_range *r, const struct json *o,
                      const char *key, struct err *err)
{
    const struct json *pair = json_member(o, key);
    uint64_t *const ends[] = {&r->least, &r->most};

    if (!pair)
        return 0;
    if (!json_is_array(pair) || json_size(pair) != 2)
        return fail(err, "%s: expected [least, most]", key);
    for (size_t i = 0; i < 2; i++) {
        const struct json *end = json_at(pair, i);
        double v = json_is_number(end) ? json_number(end) : 0;
        if (!(v >= 1 && v < (double)NUMBER_EXACT_END) ||
            v != (double)(uint64_t)v)
            return fail(err, "%s[%zu]: expected a whole number of at least 1",
                        key, i);
        *ends[i] = (uint64_t)v;
    }
    if (r->least > r->most)
        return fail(err, "%s: expected the least first, got [%llu, %llu]", key,
                    (unsigned long long)r->least, (unsigned long long)r->most);
    return 0;
}

int read_measured(struct machine *m, const struct json *o, struct err *err)
{
    struct measured_ranges *r = &m->measured;

    if (ONLY_KEYS(o, err, "nodes", "bytes", "ranks_per_node", "source") < 0 ||
        read_range(&r->nodes, o, "nodes", err) < 0 ||
        read_range(&r->bytes, o, "bytes", err) < 0 ||
        read_range(&r->ranks_per_node, o, "ranks_per_node", err) < 0)
        return -1;
    if (!r->nodes.most)
        return fail(err, "nodes: expected [least, most], got nothing");
    return source_read(&r->source, o, "source", err);
}

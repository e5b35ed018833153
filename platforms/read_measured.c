/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads over which nodes, sizes and ranks a machine was measured. */
#include "base/number.h"
#include "platforms/keys.h"
#include "platforms/read.h"

static const struct key rows[] = {
    {"nodes", KEY_OTHER, .needed = KEY_ALWAYS, .help = "[least, most] nodes"},
    {"bytes", KEY_OTHER, .help = "[least, most] bytes of a message"},
    {"ranks_per_node", KEY_OTHER,
     .help = "[least, most] ranks of a node that sent at once"},
    {"source", KEY_SOURCE, offsetof(struct measured_ranges, source), KEY_ALWAYS,
     .help = "the files that say so"},
};
const struct key_table measured_keys = {
    "measured",
    "the range in which the machine was measured, which calibrate writes; run "
    "and advise say if an answer lies beyond it",
    KEY_ROWS(rows), KEY_NO_CASES, .benchmark = NULL};

/* Reads [least, most], both whole and above 0, if the key is there. */
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

    if (keys_read(&measured_keys, r, o, 0, err) < 0 ||
        read_range(&r->nodes, o, "nodes", err) < 0 ||
        read_range(&r->bytes, o, "bytes", err) < 0 ||
        read_range(&r->ranks_per_node, o, "ranks_per_node", err) < 0)
        return -1;
    return r->nodes.most
               ? 0
               : fail(err, "nodes: expected [least, most], got nothing");
}

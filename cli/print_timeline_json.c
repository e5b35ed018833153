/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the times of a run's operations as JSON: a column for each of their
 * numbers, and each word only once. */
#include "cli/print_timeline_json.h"

#include <stddef.h>
#include <stdlib.h>

/* Rounds to as many digits as a person or a picture can use, so that numbers
 * are short. */
static double with_digits(double x, int digits)
{
    char text[40];

    snprintf(text, sizeof text, "%.*g", digits, x);
    return strtod(text, NULL);
}

enum { TIME_DIGITS = 9, RATE_DIGITS = 4 };

static void append_time(struct json *list, double s)
{
    json_append(list, json_new_number(with_digits(s, TIME_DIGITS)));
}

static struct json *words_json(const char *const *words, size_t n)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_append(list, json_new_string(words[i]));
    return list;
}

/* --- operations ----------------------------------------------------------- */

/* Returns -1 if there is no GPU. */
static double gpu_number(uint32_t gpu)
{
    return gpu == NO_GPU ? -1.0 : (double)gpu;
}

/* Returns the number of a row in one column. */
static double op_number(const struct kept_op *o, size_t column)
{
    const double numbers[] = {
        o->op,
        o->kind,
        o->phase,
        o->src,
        o->dst,
        gpu_number(o->src_gpu),
        gpu_number(o->dst_gpu),
        (double)o->bytes,
        o->between ? o->locality : -1.0,
        o->cause,
        with_digits(o->times.ready_s, TIME_DIGITS),
        with_digits(o->times.start_s, TIME_DIGITS),
        with_digits(o->times.end_s, TIME_DIGITS),
    };

    return numbers[column];
}

static struct json *ops_json(const struct kept_timeline *k)
{
    static const char *const columns[] = {
        "number",   "kind",    "phase", "from_rank", "to_rank",
        "from_gpu", "to_gpu",  "bytes", "locality",  "waited_for",
        "ready_s",  "start_s", "end_s"};
    struct json *o = json_new_object();

    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        struct json *list = json_new_array();
        for (size_t i = 0; i < k->nops; i++)
            json_append(list, json_new_number(op_number(&k->ops[i], c)));
        json_add(o, columns[c], list);
    }
    return o;
}

/* --- tracks --------------------------------------------------------------- */

static struct json *tracks_json(const struct kept_timeline *k)
{
    static const char *const resources[] = {[RESOURCE_CPU] = "cpu",
                                            [RESOURCE_KERNELS] = "kernels",
                                            [RESOURCE_ENGINE] = "copy_engine"};
    struct json *list = json_new_array();

    for (size_t i = 0; i < k->ntracks; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", k->tracks[i].name);
        json_add_number(o, "node", k->tracks[i].node);
        json_add_string(o, "resource", resources[k->tracks[i].resource]);
        json_append(list, o);
    }
    return list;
}

static struct json *spans_json(const struct kept_timeline *k)
{
    struct json *o = json_new_object();
    struct json *track = json_new_array(), *lane = json_new_array();
    struct json *op = json_new_array();
    struct json *from = json_new_array(), *to = json_new_array();

    for (size_t i = 0; i < k->nspans; i++) {
        const struct timeline_span *s = &k->spans[i];
        json_append(track, json_new_number(s->track));
        json_append(lane, json_new_number(s->lane));
        json_append(op, json_new_number(s->what));
        append_time(from, s->from_s);
        append_time(to, s->to_s);
    }
    json_add(o, "track", track);
    json_add(o, "lane", lane);
    json_add(o, "operation", op);
    json_add(o, "from_s", from);
    json_add(o, "to_s", to);
    return o;
}

/* --- counters ------------------------------------------------------------- */

static struct json *counters_json(const struct kept_timeline *k,
                                  const struct kept_counter *counters, size_t n,
                                  const char *unit)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object(), *values = json_new_array();
        json_add_string(o, "name", counters[i].name);
        if (counters[i].node != NODE_NONE)
            json_add_number(o, "node", counters[i].node);
        for (size_t b = 0; b < k->nbins; b++)
            json_append(values, json_new_number(with_digits(
                                    counters[i].values[b], RATE_DIGITS)));
        json_add(o, unit, values);
        json_append(list, o);
    }
    return list;
}

struct json *timeline_json(const struct kept_timeline *k)
{
    struct json *o = json_new_object();

    json_add_number(o, "operations_all", (double)k->nops_all);
    json_add(o, "kinds", words_json((const char *const *)k->kinds, k->nkinds));
    json_add(o, "phases", words_json(phase_names, NPHASES));
    json_add(o, "localities", words_json(locality_names, NLOCALITIES));
    json_add(o, "causes", words_json(cause_names, NCAUSES));
    json_add(o, "operations", ops_json(k));
    json_add(o, "tracks", tracks_json(k));
    json_add(o, "spans", spans_json(k));
    json_add_number(o, "bin_s", k->bin_s);
    json_add_number(o, "nics_all", (double)k->nnics_all);
    json_add(o, "nics", counters_json(k, k->nics, k->nnics, "messages"));
    json_add_number(o, "links_all", (double)k->nlinks_all);
    json_add(o, "links", counters_json(k, k->links, k->nlinks, "rate_Bps"));
    return o;
}

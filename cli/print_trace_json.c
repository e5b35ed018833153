/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the statistics of a trace as JSON. */
#include "base/json.h"
#include "cli/document.h"
#include "cli/show_trace.h"

#include <stdio.h>

static struct json *names_json(const struct trace_stats *s)
{
    struct json *all = json_new_object();

    for (size_t i = 0; i < s->nnames; i++) {
        const struct trace_name *name = &s->names[i];
        struct json *o = json_new_object(), *as = json_new_array();
        json_add_number(o, "calls", (double)name->calls);
        if (s->has_clock)
            json_add_number(o, "time_s", name->time_s);
        for (int call = 0; call < NTRACE_CALLS; call++)
            if (name->as & 1u << call)
                json_append(as, json_new_string(trace_call_names[call]));
        json_add(o, "read_as", as);
        json_add(all, name->name, o);
    }
    return all;
}

static struct json *wildcards_json(const struct trace_wildcards *w)
{
    struct json *o = json_new_object();

    json_add_number(o, "source", (double)w->source);
    json_add_number(o, "tag", (double)w->tag);
    json_add_number(o, "both", (double)w->both);
    return o;
}

static struct json *stats_sizes_json(const struct trace_stats *s)
{
    struct json *all = json_new_array();

    for (int i = 0; i < TRACE_SIZES; i++) {
        if (!s->sizes[i])
            continue;
        struct json *o = json_new_object();
        json_add_number(o, "from_bytes", (double)trace_size_from(i));
        json_add_number(o, "messages", (double)s->sizes[i]);
        json_add_number(o, "bytes", (double)s->size_bytes[i]);
        json_append(all, o);
    }
    return all;
}

static struct json *tags_json(const struct trace_stats *s)
{
    struct json *all = json_new_array();

    for (size_t i = 0; i < s->ntags; i++) {
        struct json *o = json_new_object();
        json_add_number(o, "tag", (double)(int32_t)s->tags[i].tag);
        json_add_number(o, "messages", (double)s->tags[i].messages);
        json_append(all, o);
    }
    return all;
}

static struct json *messages_json(const struct trace_stats *s)
{
    struct json *o = json_new_object();

    json_add_number(o, "messages", (double)s->messages);
    json_add_number(o, "bytes", (double)s->bytes);
    json_add_number(o, "smallest_bytes", (double)s->smallest);
    json_add_number(o, "largest_bytes", (double)s->largest);
    json_add_number(o, "synchronous", (double)s->synchronous);
    json_add_number(o, "in_gpu", (double)s->in_gpu);
    json_add_number(o, "blocking_sends", (double)s->blocking_sends);
    json_add_number(o, "receives", (double)s->of[TRACE_RECV]);
    json_add_number(o, "blocking_receives", (double)s->blocking_recvs);
    json_add_number(o, "rank_pairs", (double)s->pairs);
    json_add(o, "receives_with_wildcards", wildcards_json(&s->recvs));
    json_add(o, "probes_with_wildcards", wildcards_json(&s->probes));
    json_add_number(o, "pairs_that_disagree", (double)s->odd_pairs);
    json_add_number(o, "messages_without_receive", (double)s->unreceived);
    json_add_number(o, "receives_without_message", (double)s->unsent);
    json_add(o, "sizes", stats_sizes_json(s));
    json_add(o, "tags", tags_json(s));
    return o;
}

static struct json *collectives_json(const struct trace_stats *s)
{
    struct json *all = json_new_object();

    for (int kind = 0; kind < NTRACE_COLLECTIVES; kind++) {
        const struct trace_collective_stats *k = &s->collectives[kind];
        if (!k->calls)
            continue;
        struct json *o = json_new_object();
        json_add_number(o, "calls", (double)k->calls);
        json_add_number(o, "operations", (double)k->operations);
        json_add_number(o, "bytes", (double)k->bytes);
        json_add_number(o, "fewest_members", k->least);
        json_add_number(o, "most_members", k->most);
        if (s->has_clock)
            json_add_number(o, "time_s", k->time_s);
        json_add(all, trace_collective_names[kind], o);
    }
    return all;
}

static struct json *comms_json(const struct trace_stats *s)
{
    static const char *const how[] = {[TRACE_DUP] = "duplicate",
                                      [TRACE_SPLIT] = "split",
                                      [TRACE_MEMBERS] = "members",
                                      [TRACE_KNOWN] = "known"};
    struct json *all = json_new_array();

    for (uint32_t i = 0; i < trace_comms_n(s->comms); i++) {
        const struct trace_comm *comm = trace_comms_get(s->comms, i);
        struct json *o = json_new_object();
        json_add_string(o, "how", i == TRACE_WORLD ? "world" : how[comm->how]);
        json_add_number(o, "parent", comm->parent);
        json_add_number(o, "members", comm->n);
        json_add_number(o, "messages", (double)s->comm[i].messages);
        json_add_number(o, "bytes", (double)s->comm[i].bytes);
        json_add_number(o, "collective_calls", (double)s->comm[i].collectives);
        json_append(all, o);
    }
    return all;
}

static struct json *ranks_json(const struct trace_stats *s)
{
    struct json *all = json_new_array();

    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        const struct trace_rank_stats *k = &s->rank[r];
        struct json *o = json_new_object();
        json_add_number(o, "rank", r);
        json_append(all, o);
        json_add_bool(o, "missing", s->trace->rank[r].missing);
        if (s->trace->rank[r].missing)
            continue;
        json_add_number(o, "events", (double)k->events);
        json_add_number(o, "calls", (double)k->calls);
        json_add_number(o, "sends", (double)k->sends);
        json_add_number(o, "send_bytes", (double)k->send_bytes);
        json_add_number(o, "receives", (double)k->recvs);
        json_add_number(o, "collectives", (double)k->collectives);
        json_add_number(o, "peers", (double)k->peers);
        json_add_known(o, "begin_s", k->begin_s);
        json_add_known(o, "end_s", k->end_s);
        json_add_number(o, "computing_s", k->compute_s);
        if (s->has_clock)
            json_add_number(o, "in_calls_s", k->in_calls_s);
        json_add_number(o, "flops", k->flops);
        json_add_known(o, "most_frequent_tuple_share", trace_tuple_share(k));
        json_add_bool(o, "finalized", k->finalized);
    }
    return all;
}

void trace_stats_print_json(const struct trace_stats *s)
{
    const struct trace *t = s->trace;
    struct json *doc = document_new("show trace"), *remarks = json_new_array();

    json_add_string(doc, "trace", t->path);
    json_add_string(doc, "format", t->format->name);
    json_add_number(doc, "ranks", t->ranks);
    json_add_number(doc, "missing_ranks", s->missing);
    json_add_number(doc, "file_bytes", (double)trace_file_bytes(t));
    json_add_bool(doc, "has_clock", s->has_clock);
    json_add_number(doc, "events", (double)s->events);
    json_add_number(doc, "computes", (double)s->of[TRACE_COMPUTE]);
    json_add_number(doc, "calls_not_understood", (double)s->of[TRACE_UNKNOWN]);
    json_add_number(doc, "ranks_cut_off", trace_cut_off(s));
    json_add_number(doc, "calls_in_unknown_communicators",
                    (double)s->unknown_comm);
    json_add(doc, "calls", names_json(s));
    json_add(doc, "point_to_point", messages_json(s));
    json_add_number(doc, "puts", (double)s->puts);
    json_add_number(doc, "put_bytes", (double)s->put_bytes);
    json_add_number(doc, "gets", (double)s->gets);
    json_add_number(doc, "get_bytes", (double)s->get_bytes);
    json_add(doc, "collectives", collectives_json(s));
    json_add(doc, "communicators", comms_json(s));
    json_add(doc, "per_rank", ranks_json(s));
    for (size_t i = 0; i < t->nremarks; i++)
        json_append(remarks, json_new_string(t->remarks[i]));
    json_add(doc, "remarks", remarks);
    document_print(doc);
}

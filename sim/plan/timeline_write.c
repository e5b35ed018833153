/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a timeline for Perfetto: tracks, messages under way with arrows from
 * sender to receiver, and counters of NICs and links. */
#include "sim/plan/timeline.h"

#include "base/json.h"
#include "base/outfile.h"
#include "sim/plan/describe.h"

#include <stdlib.h>

/* The most changes of links' rates, because more are too many for viewers, and
 * some 10 MB. */
enum { MOST_RATES = 100000 };

/* --- tracks --------------------------------------------------------------- */

static void name_processes(FILE *to, const struct timeline *t)
{
    fprintf(to, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":"
                "{\"name\":\"node 0\"}}");
    if (t->x->rates.n)
        fprintf(to,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"network\"}}",
                t->p->nodes);
    for (unsigned node = 1; node < t->p->nodes; node++)
        fprintf(to,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                "\"args\":{\"name\":\"node %u\"}}",
                node, node);
}

/* Writes the names of tracks that have spans. */
static void name_tracks(FILE *to, const struct timeline *t)
{
    for (size_t i = 0; i < t->n;) {
        uint32_t track = t->spans[i].track, most = 0;
        char name[64];
        for (; i < t->n && t->spans[i].track == track; i++)
            if (t->spans[i].lane > most)
                most = t->spans[i].lane;
        timeline_name(name, sizeof name, t, track);
        for (uint32_t lane = 0; lane <= most; lane++)
            timeline_name_lane(to, timeline_node(t, track),
                               track * t->lanes + lane, name, lane);
    }
}

static void write_span(FILE *to, const struct timeline *t,
                       const struct timeline_span *e)
{
    char what[128];
    const struct op *o = &t->p->ops[e->what];
    const struct op_times *times = &t->x->ops[e->what];
    bool receives = o->kind == OP_MSG && e->track == o->dst && o->src != o->dst;

    op_describe(what, sizeof what, t->m, t->p, e->what);
    fprintf(to,
            ",\n{\"name\":\"%s%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,"
            "\"tid\":%u,\"ts\":%.6f,\"dur\":%.6f,\"args\":{\"op\":%u,"
            "\"ready_us\":%.6f,\"start_us\":%.6f,\"end_us\":%.6f,"
            "\"waited_for\":\"%s\"}}",
            what, receives ? " (receives)" : "", phase_names[o->phase],
            timeline_node(t, e->track), e->track * t->lanes + e->lane,
            e->from_s * 1e6, (e->to_s - e->from_s) * 1e6, e->what,
            times->ready_s * 1e6, times->start_s * 1e6, times->end_s * 1e6,
            cause_names[timeline_cause(t, e->what)]);
}

/* Writes a message from its first moment to its last, in one row for all of its
 * locality in the node that it leaves. */
static void write_under_way(FILE *to, const struct timeline *t,
                            const struct timeline_message *one)
{
    const struct op *o = &t->p->ops[one->send];
    const char *where = locality_names[plan_locality(t->p, t->m, o)];
    char what[128];

    op_describe(what, sizeof what, t->m, t->p, one->send);
    fprintf(to,
            ",\n{\"name\":\"messages %s\",\"cat\":\"message\",\"ph\":\"b\","
            "\"id\":%u,\"pid\":%u,\"tid\":0,\"ts\":%.6f,\"args\":{\"what\":"
            "\"%s\"}},\n{\"name\":\"messages %s\",\"cat\":\"message\","
            "\"ph\":\"e\",\"id\":%u,\"pid\":%u,\"tid\":0,\"ts\":%.6f}",
            where, one->recv, plan_node(t->p, o->src), one->from_s * 1e6, what,
            where, one->recv, plan_node(t->p, o->src), one->to_s * 1e6);
}

/* Writes an arrow from the first span of the sender to the last of the
 * receiver; spans of messages are by operation. */
static void write_arrow(FILE *to, const struct timeline *t,
                        const struct timeline_span *const *sends,
                        const struct timeline_span *const *recvs,
                        const struct timeline_message *one)
{
    const struct timeline_span *first = sends[one->send],
                               *last = recvs[one->recv];

    if (!first || !last || first == last)
        return;
    fprintf(to,
            ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"s\","
            "\"id\":%u,\"pid\":%u,\"tid\":%u,\"ts\":%.6f},\n{\"name\":"
            "\"message\",\"cat\":\"message\",\"ph\":\"f\",\"bp\":\"e\","
            "\"id\":%u,\"pid\":%u,\"tid\":%u,\"ts\":%.6f}",
            one->recv, timeline_node(t, first->track),
            first->track * t->lanes + first->lane, first->from_s * 1e6,
            one->recv, timeline_node(t, last->track),
            last->track * t->lanes + last->lane, last->from_s * 1e6);
}

static void write_messages(FILE *to, const struct timeline *t)
{
    const struct timeline_span **ends =
        xcalloc(2 * t->p->nops + 1, sizeof *ends);
    const struct timeline_span **recvs = ends + t->p->nops;
    struct timeline_message one;

    for (size_t i = 0; i < t->n; i++) {
        const struct timeline_span *e = &t->spans[i];
        if (e->track == t->p->ops[e->what].src)
            ends[e->what] = e;
        if (e->track == t->p->ops[e->what].dst)
            recvs[e->what] = e;
    }
    for (uint32_t i = 0; i < t->p->nops; i++) {
        if (!timeline_message(&one, t, i))
            continue;
        write_under_way(to, t, &one);
        write_arrow(to, t, ends, recvs, &one);
    }
    free(ends);
}

/* --- counters ------------------------------------------------------------- */

/* Writes the number of messages that each NIC has under way. */
static void write_nics(FILE *to, const struct timeline *t)
{
    size_t n;
    struct timeline_change *list = timeline_nics(t, &n);
    int now = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t nic = list[i].counter / 2;
        now += list[i].by;
        if (i + 1 < n && list[i + 1].counter == list[i].counter &&
            list[i + 1].at_s <= list[i].at_s)
            continue;
        fprintf(to,
                ",\n{\"name\":\"NIC %u, messages %s\",\"ph\":\"C\","
                "\"pid\":%u,\"ts\":%.6f,\"args\":{\"messages\":%d}}",
                nic % t->m->nnics, list[i].counter % 2 ? "in" : "out",
                nic / t->m->nnics, list[i].at_s * 1e6, now);
    }
    free(list);
}

static void write_rate(FILE *to, const struct link_use *l, uint32_t process,
                       double at_s, double Bps)
{
    fprintf(to, ",\n{\"name\":");
    json_print_string(l->name, to);
    fprintf(to,
            ",\"ph\":\"C\",\"pid\":%u,\"ts\":%.9f,\"args\":{"
            "\"bytes_per_second\":%.9g}}",
            process, at_s * 1e6, Bps);
}

/* Writes a link's rate if it changes, and 0 at the end. Returns the number of
 * changes, even if `to` is NULL and nothing is written. */
static size_t write_link(FILE *to, const struct timeline *t,
                         const struct link_rates *r, size_t link)
{
    const struct link_use *l = &r->links[link];
    uint32_t process = l->node == NODE_NONE ? t->p->nodes : l->node;
    double before = 0;
    size_t n = 0;

    for (size_t b = 0; b <= r->nbins; b++) {
        double now = b < r->nbins ? link_rates_of(r, link, b) : 0;
        if (now == before)
            continue;
        if (to)
            write_rate(to, l, process, b ? link_rates_to_s(r, b - 1) : 0, now);
        before = now;
        n++;
    }
    return n;
}

static size_t write_links(FILE *to, const struct timeline *t,
                          const struct link_rates *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += write_link(to, t, r, i);
    return n;
}

/* Writes the rates in bins that are as wide as needed to keep their number
 * small. */
static void write_rates(FILE *to, const struct timeline *t)
{
    struct link_rates r = link_rates_copy(&t->x->rates);

    while (r.nbins > 1 && write_links(NULL, t, &r) > MOST_RATES)
        link_rates_halve(&r);
    write_links(to, t, &r);
    link_rates_clear(&r);
}

/* --- the whole ------------------------------------------------------------ */

void timeline_write(FILE *to, const struct timeline *t)
{
    name_processes(to, t);
    name_tracks(to, t);
    for (size_t i = 0; i < t->n; i++)
        write_span(to, t, &t->spans[i]);
    write_messages(to, t);
    write_nics(to, t);
    write_rates(to, t);
    fprintf(to, "\n]}\n");
}

int timeline_save(const char *path, const struct timeline *t, struct err *err)
{
    struct outfile f;

    if (outfile_open(&f, path, err) < 0)
        return -1;
    timeline_write(f.stream, t);
    return outfile_close(&f, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the statistics of a trace as text: a screen, or all of it. */
#include "base/binary_size.h"
#include "base/printable.h"
#include "cli/scale.h"
#include "cli/show_trace.h"
#include "cli/volume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_NAMES = 12, SHOWN_TAGS = 5, BAR = 24 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static uint32_t present(const struct trace_stats *s)
{
    return s->trace->ranks - s->missing;
}

/* --- ranks, events, time -------------------------------------------------- */

static double rank_calls(const struct trace_rank_stats *k)
{
    return (double)k->calls;
}

static double rank_share(const struct trace_rank_stats *k)
{
    return 100 * trace_computing_share(k);
}

static double rank_peers(const struct trace_rank_stats *k)
{
    return (double)k->peers;
}

static double rank_tuple(const struct trace_rank_stats *k)
{
    return 100 * trace_tuple_share(k);
}

static double sum_of(const struct trace_stats *s,
                     double (*of)(const struct trace_rank_stats *))
{
    return trace_stats_range(s, of).mean * present(s);
}

static double rank_compute(const struct trace_rank_stats *k)
{
    return k->compute_s;
}

static double rank_flops(const struct trace_rank_stats *k)
{
    return k->flops;
}

static double rank_in_calls(const struct trace_rank_stats *k)
{
    return k->in_calls_s;
}

/* Prints text such as "7 to 26, mean 20.1". */
static void print_range(struct trace_range range, const char *format)
{
    printf(format, range.least);
    if (range.most > range.least) {
        printf(" to ");
        printf(format, range.most);
        printf(", mean %.*f", range.mean < 1000 ? 1 : 0, range.mean);
    }
}

static void print_times(const struct trace_stats *s)
{
    double begin_s = INFINITY, end_s = -INFINITY;

    for (uint32_t r = 0; r < s->trace->ranks; r++)
        if (!s->trace->rank[r].missing && !isnan(s->rank[r].begin_s)) {
            begin_s = fmin(begin_s, s->rank[r].begin_s);
            end_s = fmax(end_s, s->rank[r].end_s);
        }
    if (end_s >= begin_s) {
        double compute_s = sum_of(s, rank_compute),
               in_calls_s = sum_of(s, rank_in_calls);
        printf("%-20s %.6f s from the first call to the end of the last\n",
               "time", end_s - begin_s);
        printf("%-20s %.1f %% (of a rank ", "  computing",
               percent(compute_s, compute_s + in_calls_s));
        print_range(trace_stats_range(s, rank_share), "%.1f");
        printf(")\n%-20s %.1f %%\n", "  in calls",
               percent(in_calls_s, compute_s + in_calls_s));
        return;
    }
    printf("%-20s the trace has no clock", "time");
    if (s->of[TRACE_COMPUTE] && sum_of(s, rank_flops) > 0)
        printf("; computes of %.4g flops in all", sum_of(s, rank_flops));
    else if (s->of[TRACE_COMPUTE])
        printf("; computes of %.6g s in all", sum_of(s, rank_compute));
    printf("\n");
}

/* Returns "" for a format that a module of its own reads, because only the list
 * has its summary. */
static const char *format_summary(const char *name)
{
    for (size_t i = 0; i < ntrace_formats; i++)
        if (!strcmp(trace_formats[i]->name, name))
            return trace_formats[i]->summary;
    return "";
}

static void print_head(const struct trace_stats *s)
{
    const struct trace *t = s->trace;

    printf("%-20s %s\n", "trace", t->path);
    printf("%-20s %s: %s\n", "format", t->format->name,
           format_summary(t->format->name));
    printf("%-20s %u", "ranks", t->ranks);
    if (s->missing)
        printf(", of which %u have no events", s->missing);
    printf("\n%-20s %llu: %.0f call%s and %llu compute%s\n", "events",
           (unsigned long long)s->events, sum_of(s, rank_calls),
           plural((uint64_t)sum_of(s, rank_calls)),
           (unsigned long long)s->of[TRACE_COMPUTE],
           plural(s->of[TRACE_COMPUTE]));
    printf("%-20s ", "  calls of a rank");
    print_range(trace_stats_range(s, rank_calls), "%.0f");
    printf("\n");
    print_times(s);
}

/* --- calls ---------------------------------------------------------------- */

/* Returns text such as "send, receive, wait". */
static const char *read_as(char text[160], uint32_t as)
{
    size_t n = 0;

    text[0] = '\0';
    for (int call = 0; call < NTRACE_CALLS; call++)
        if (as & 1u << call)
            n += (size_t)snprintf(text + n, 160 - n, "%s%s", n ? ", " : "",
                                  trace_call_names[call]);
    return text;
}

static bool is_compute(const struct trace_name *name)
{
    return name->as == 1u << TRACE_COMPUTE;
}

static void print_name(const struct trace_stats *s,
                       const struct trace_name *name, double all_s)
{
    char text[64], as[160];

    printf("  %-24s %12llu", printable_escape(text, sizeof text, name->name),
           (unsigned long long)name->calls);
    if (s->has_clock)
        printf(" %13.6f %6.1f %%", name->time_s, percent(name->time_s, all_s));
    printf("  %s\n", read_as(as, name->as));
}

static void print_names(const struct trace_stats *s, bool details)
{
    double all_s = sum_of(s, rank_compute) + sum_of(s, rank_in_calls);
    size_t shown = 0, others = 0;
    uint64_t left = 0;

    printf("\n%-26s %12s", "calls", "number");
    if (s->has_clock)
        printf(" %13s %8s", "s of ranks", "of all");
    printf("  read as\n");
    for (size_t i = 0; i < s->nnames; i++) {
        if (is_compute(&s->names[i]))
            continue;
        if (shown == SHOWN_NAMES && !details) {
            others++;
            left += s->names[i].calls;
            continue;
        }
        print_name(s, &s->names[i], all_s);
        shown++;
    }
    if (others)
        printf("  %-24s %12llu\n", others == 1 ? "one other" : "others",
               (unsigned long long)left);
}

/* --- messages ------------------------------------------------------------- */

static void print_sizes(const struct trace_stats *s)
{
    uint64_t most = 1;
    int first = TRACE_SIZES, last = 0;
    char from[32], to[32], bytes[32];

    for (int i = 0; i < TRACE_SIZES; i++)
        if (s->sizes[i]) {
            most = s->sizes[i] > most ? s->sizes[i] : most;
            first = i < first ? i : first;
            last = i;
        }
    printf("\n%-26s %12s %8s %12s\n", "message sizes", "messages", "share",
           "volume");
    for (int i = first; i <= last; i++) {
        int bar = (int)(BAR * s->sizes[i] / most);
        char range[72];
        binary_size(from, trace_size_from(i));
        if (i + 1 < TRACE_SIZES && i > 0)
            snprintf(range, sizeof range, "%s, below %s", from,
                     binary_size(to, trace_size_from(i + 1)));
        else
            snprintf(range, sizeof range, "%s", from);
        printf("  %-24s %12llu %6.1f %% %12s", range,
               (unsigned long long)s->sizes[i],
               percent((double)s->sizes[i], (double)s->messages),
               volume(bytes, (double)s->size_bytes[i]));
        printf("%s%.*s\n", s->sizes[i] ? "  " : "",
               s->sizes[i] && !bar ? 1 : bar, "########################");
    }
}

static void print_tags(const struct trace_stats *s, bool details)
{
    size_t n = details || s->ntags < SHOWN_TAGS ? s->ntags : SHOWN_TAGS;

    printf("%-20s %zu", "  tags", s->ntags);
    if (s->ntags > 1)
        printf("; the most frequent");
    for (size_t i = 0; i < n; i++)
        printf("%s %lld (%.1f %%)", i || s->ntags == 1 ? "," : "",
               (long long)(int32_t)s->tags[i].tag,
               percent((double)s->tags[i].messages, (double)s->messages));
    printf("\n");
}

static void print_wildcards(const struct trace_stats *s)
{
    const struct trace_wildcards *w = &s->recvs;
    uint64_t any = w->source + w->tag + w->both;

    printf("%-20s ", "  wildcards");
    if (!any)
        printf("none in %llu receives\n",
               (unsigned long long)s->of[TRACE_RECV]);
    else
        printf("source in %llu, tag in %llu, both in %llu of %llu receives\n",
               (unsigned long long)w->source, (unsigned long long)w->tag,
               (unsigned long long)w->both,
               (unsigned long long)s->of[TRACE_RECV]);
    any = s->probes.source + s->probes.tag + s->probes.both;
    if (s->of[TRACE_PROBE])
        printf("%-20s %llu, %llu of them with wildcards\n", "  probes",
               (unsigned long long)s->of[TRACE_PROBE], (unsigned long long)any);
}

static void print_tuples(const struct trace_stats *s)
{
    bool known = false;

    for (uint32_t r = 0; r < s->trace->ranks; r++)
        known |= s->rank[r].messages_to > 0 && !s->trace->rank[r].missing;
    if (!known)
        return;
    printf("%-20s the most frequent is of ", "  (source, tag)");
    print_range(trace_stats_range(s, rank_tuple), "%.1f");
    printf(" %% of the messages to its rank\n");
}

static void print_messages(const struct trace_stats *s, bool details)
{
    char all[32], least[32], most[32];

    if (!s->messages && !s->of[TRACE_RECV])
        return;
    printf("\n%-20s %llu, %s", "messages", (unsigned long long)s->messages,
           volume(all, (double)s->bytes));
    if (s->messages)
        printf("; of %s", volume(least, (double)s->smallest));
    if (s->largest > s->smallest)
        printf(" to %s", volume(most, (double)s->largest));
    if (s->synchronous)
        printf("; %llu synchronous", (unsigned long long)s->synchronous);
    if (s->in_gpu)
        printf("; %llu from GPU memory", (unsigned long long)s->in_gpu);
    printf("\n%-20s %llu, each with its direction\n", "  pairs of ranks",
           (unsigned long long)s->pairs);
    printf("%-20s ", "  peers of a rank");
    print_range(trace_stats_range(s, rank_peers), "%.0f");
    printf("\n");
    print_tags(s, details);
    print_tuples(s);
    print_wildcards(s);
    if (s->messages)
        print_sizes(s);
}

static void print_one_sided(const struct trace_stats *s)
{
    char put[32], got[32];

    if (s->puts || s->gets)
        printf("\n%-20s %llu puts of %s, %llu gets of %s\n", "one-sided",
               (unsigned long long)s->puts, volume(put, (double)s->put_bytes),
               (unsigned long long)s->gets, volume(got, (double)s->get_bytes));
}

/* --- collectives, communicators ------------------------------------------- */

static void print_collective(const struct trace_stats *s, int kind)
{
    const struct trace_collective_stats *k = &s->collectives[kind];
    char members[32], bytes[32], times[32];

    if (k->least == k->most)
        snprintf(members, sizeof members, "%u", k->most);
    else
        snprintf(members, sizeof members, "%u to %u", k->least, k->most);
    snprintf(times, sizeof times, "%llu", (unsigned long long)k->operations);
    printf("  %-24s %12s %12llu %14s %12s", trace_collective_names[kind],
           k->operations ? times : "-", (unsigned long long)k->calls,
           k->most ? members : "-", volume(bytes, (double)k->bytes));
    if (s->has_clock)
        printf(" %13.6f", k->time_s);
    printf("\n");
}

static void print_collectives(const struct trace_stats *s)
{
    if (!s->of[TRACE_COLLECTIVE])
        return;
    printf("\n%-26s %12s %12s %14s %12s", "collectives", "operations", "calls",
           "members", "they bring");
    if (s->has_clock)
        printf(" %13s", "s of ranks");
    printf("\n");
    for (int kind = 0; kind < NTRACE_COLLECTIVES; kind++)
        if (s->collectives[kind].calls)
            print_collective(s, kind);
}

/* Communicators that were made in the same manner, with equal numbers of
 * members. */
struct comm_group {
    uint8_t how;
    uint32_t members, n;
    bool world;
    struct trace_comm_stats sum;
};

static int group_order(const void *a, const void *b)
{
    const struct comm_group *x = a, *y = b;

    if (x->world != y->world)
        return x->world ? -1 : 1;
    if (x->how != y->how)
        return x->how < y->how ? -1 : 1;
    return x->members > y->members ? -1 : x->members < y->members;
}

static size_t group_comms(const struct trace_stats *s,
                          struct comm_group *groups)
{
    size_t n = 0;

    for (uint32_t i = 0; i < trace_comms_n(s->comms); i++) {
        const struct trace_comm *comm = trace_comms_get(s->comms, i);
        groups[n++] = (struct comm_group){comm->how, comm->n, 1,
                                          i == TRACE_WORLD, s->comm[i]};
    }
    qsort(groups, n, sizeof *groups, group_order);
    size_t last = 0;
    for (size_t i = 1; i < n; i++) {
        if (group_order(&groups[last], &groups[i])) {
            groups[++last] = groups[i];
            continue;
        }
        groups[last].n++;
        groups[last].sum.messages += groups[i].sum.messages;
        groups[last].sum.bytes += groups[i].sum.bytes;
        groups[last].sum.collectives += groups[i].sum.collectives;
    }
    return last + 1;
}

static void print_comms(const struct trace_stats *s)
{
    static const char *const how[] = {[TRACE_DUP] = "duplicates",
                                      [TRACE_SPLIT] = "splits",
                                      [TRACE_MEMBERS] = "lists of members",
                                      [TRACE_KNOWN] = "known from the start"};
    uint32_t all = trace_comms_n(s->comms);
    struct comm_group *groups = xcalloc(all, sizeof *groups);
    size_t n = group_comms(s, groups);
    char members[32], bytes[32];

    printf("\n%-26s %12s %12s %14s %12s %13s\n", "communicators", "number",
           "members", "messages", "volume", "collectives");
    for (size_t i = 0; i < n; i++) {
        const struct comm_group *g = &groups[i];
        snprintf(members, sizeof members, "%u", g->members);
        printf("  %-24s %12u %12s %14llu %12s %13llu\n",
               g->world ? "the world" : how[g->how], g->n,
               g->members ? members : "not known",
               (unsigned long long)g->sum.messages,
               volume(bytes, (double)g->sum.bytes),
               (unsigned long long)g->sum.collectives);
    }
    free(groups);
}

/* --- all ------------------------------------------------------------------ */

void trace_stats_print(const struct trace_stats *s, bool details)
{
    print_head(s);
    print_names(s, details);
    print_messages(s, details);
    print_one_sided(s);
    print_collectives(s);
    print_comms(s);
    trace_stats_print_lacks(s);
    if (details)
        trace_stats_print_ranks(s);
}

static void print_speed(const char *what, const struct trace_stats *s,
                        double cpu_s)
{
    printf("%-20s %.3f CPU s: %.2f million events/s, %.1f MB/s of the files as "
           "they are\n",
           what, cpu_s, (double)s->events / cpu_s / 1e6,
           (double)trace_file_bytes(s->trace) / cpu_s / 1e6);
}

void trace_stats_print_speed(const struct trace_stats *s, double read_s,
                             double count_s)
{
    printf("\n");
    print_speed("read in", s, read_s);
    print_speed("and counted in", s, count_s);
}

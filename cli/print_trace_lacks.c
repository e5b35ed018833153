/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the parts that a trace lacks or that are not understood, and the
 * counts of each of its ranks. */
#include "base/printable.h"
#include "cli/show_trace.h"
#include "cli/volume.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_unknown_calls(const struct trace_stats *s)
{
    const char *comma = "";
    char text[64];

    if (!s->of[TRACE_UNKNOWN])
        return;
    printf("  %llu calls are not understood:",
           (unsigned long long)s->of[TRACE_UNKNOWN]);
    for (size_t i = 0; i < s->nnames; i++)
        if (s->names[i].as & 1u << TRACE_UNKNOWN) {
            printf("%s %s", comma,
                   printable_escape(text, sizeof text, s->names[i].name));
            comma = ",";
        }
    printf("\n");
}

static void print_not_agreeing(const struct trace_stats *s)
{
    uint64_t unresolved = 0, open = 0;

    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        unresolved += s->rank[r].unresolved;
        if (s->rank[r].begun > s->rank[r].waited)
            open += s->rank[r].begun - s->rank[r].waited;
    }
    if (s->odd_pairs)
        printf("  %llu pairs of ranks do not agree: %llu messages that nobody "
               "receives, %llu receives\n  without a message\n",
               (unsigned long long)s->odd_pairs,
               (unsigned long long)s->unreceived,
               (unsigned long long)s->unsent);
    if (unresolved)
        printf("  %llu receives from a rank that the trace does not say\n",
               (unsigned long long)unresolved);
    if (open && !s->of[TRACE_CANCEL])
        printf("  %llu requests that nothing waits for\n",
               (unsigned long long)open);
    if (s->unknown_comm)
        printf("  %llu calls in communicators that the trace does not say: "
               "%s\n",
               (unsigned long long)s->unknown_comm, s->unknown_comm_first);
}

static bool any_lack(const struct trace_stats *s)
{
    bool any = s->missing || trace_cut_off(s) || s->of[TRACE_UNKNOWN] ||
               s->odd_pairs || s->unknown_comm || s->trace->nremarks;

    for (uint32_t r = 0; r < s->trace->ranks; r++)
        any |= s->rank[r].unresolved ||
               (s->rank[r].begun > s->rank[r].waited && !s->of[TRACE_CANCEL]);
    return any;
}

/* Returns whether the reader has reported the missing end already; it may know
 * more about it. */
static bool says_cut_off(const struct trace *t)
{
    for (size_t i = 0; i < t->nremarks; i++)
        if (strstr(t->remarks[i], "MPI_Finalize"))
            return true;
    return false;
}

void trace_stats_print_lacks(const struct trace_stats *s)
{
    const struct trace *t = s->trace;
    uint32_t cut = says_cut_off(t) ? 0 : trace_cut_off(s);

    if (!any_lack(s))
        return;
    printf("\nnot in the trace, or not understood\n");
    if (s->missing)
        printf("  %u of %u ranks are missing\n", s->missing, t->ranks);
    if (cut)
        printf("  no MPI_Finalize in %u of %u ranks: the trace is cut off, or "
               "of a part of the run\n",
               cut, t->ranks - s->missing);
    print_unknown_calls(s);
    print_not_agreeing(s);
    for (size_t i = 0; i < t->nremarks; i++)
        printf("  %s\n", t->remarks[i]);
}

void trace_stats_print_ranks(const struct trace_stats *s)
{
    char bytes[32];

    printf("\n%-8s %12s %12s %12s %12s %12s %8s %14s %14s\n", "rank", "calls",
           "sends", "volume", "receives", "collectives", "peers",
           s->trace->has_flops ? "Mflop" : "computing s", "in calls s");
    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        const struct trace_rank_stats *k = &s->rank[r];
        if (s->trace->rank[r].missing)
            continue;
        printf("%-8u %12llu %12llu %12s %12llu %12llu %8llu %14.6f", r,
               (unsigned long long)k->calls, (unsigned long long)k->sends,
               volume(bytes, (double)k->send_bytes),
               (unsigned long long)k->recvs, (unsigned long long)k->collectives,
               (unsigned long long)k->peers,
               s->trace->has_flops ? k->flops / 1e6 : k->compute_s);
        if (isnan(k->begin_s))
            printf(" %14s\n", "-");
        else
            printf(" %14.6f\n", k->in_calls_s);
    }
}

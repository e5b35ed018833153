/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show trace: the contents of a trace, as text, JSON or CSV. */
#include "cli/show_trace.h"

#include "base/json.h"
#include "base/seconds.h"
#include "cli/cli.h"
#include "cli/print_trace_queues.h"
#include "cli/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    bool json, csv, details, timings, queues;
};

uint64_t trace_file_bytes(const struct trace *t)
{
    uint64_t bytes = 0;
    const char *last = NULL;

    for (uint32_t r = 0; r < t->ranks; r++) {
        const char *file = t->rank[r].file ? t->rank[r].file : t->path;
        struct stat st;
        if (t->rank[r].missing || (last && !strcmp(last, file)))
            continue;
        last = file;
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode))
            bytes += (uint64_t)st.st_size;
    }
    return bytes;
}

uint32_t trace_cut_off(const struct trace_stats *s)
{
    bool mpi = s->of[TRACE_INIT] || s->of[TRACE_FINALIZE];
    uint32_t n = 0;

    for (size_t i = 0; i < s->nnames; i++)
        mpi |= !strncmp(s->names[i].name, "MPI_", 4);
    for (uint32_t r = 0; r < s->trace->ranks && mpi; r++)
        n += !s->trace->rank[r].missing && !s->rank[r].finalized;
    return n;
}

double trace_computing_share(const struct trace_rank_stats *k)
{
    return k->compute_s / (k->end_s - k->begin_s);
}

double trace_tuple_share(const struct trace_rank_stats *k)
{
    return (double)k->top_tuple / (double)k->messages_to;
}

void trace_stats_print_csv(const struct trace_stats *s)
{
    puts("rank,events,calls,sends,send_bytes,receives,collectives,peers,"
         "begin_s,end_s,computing_s,in_calls_s,flops,"
         "most_frequent_tuple_share,finalized");
    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        const struct trace_rank_stats *k = &s->rank[r];
        if (s->trace->rank[r].missing)
            continue;
        printf("%u,%llu,%llu,%llu,%llu,%llu,%llu,%llu,", r,
               (unsigned long long)k->events, (unsigned long long)k->calls,
               (unsigned long long)k->sends, (unsigned long long)k->send_bytes,
               (unsigned long long)k->recvs, (unsigned long long)k->collectives,
               (unsigned long long)k->peers);
        if (!isnan(k->begin_s))
            printf("%.9f,%.9f,%.9f,%.9f,", k->begin_s, k->end_s, k->compute_s,
                   k->in_calls_s);
        else
            printf(",,%.9f,,", k->compute_s);
        printf("%.9g,", k->flops);
        if (k->messages_to)
            printf("%.6f", trace_tuple_share(k));
        printf(",%d\n", k->finalized);
    }
}

/* Measures the CPU seconds to read all events, without use of them. */
static int show_trace_reads(const char *words, double *read_s, struct err *err)
{
    struct trace t;
    struct trace_event e;
    double from_s = cpu_seconds();
    int more = 0;

    if (trace_open(&t, words, err) < 0)
        return -1;
    for (uint32_t r = 0; r < t.ranks && more >= 0; r++)
        while (!t.rank[r].missing && (more = trace_next(&t, r, &e, err)) > 0)
            ;
    trace_close(&t);
    *read_s = cpu_seconds() - from_s;
    return more;
}

static int show_trace_read(const char *words, const struct request *r,
                           struct err *err)
{
    struct trace t;
    struct trace_stats s;
    double read_s = 0;

    if (r->timings && show_trace_reads(words, &read_s, err) < 0)
        return -1;
    double from_s = cpu_seconds();
    if (trace_open(&t, words, err) < 0)
        return -1;
    if (trace_stats_read(&s, &t, err) < 0) {
        trace_close(&t);
        return -1;
    }
    double count_s = cpu_seconds() - from_s;
    if (r->json)
        trace_stats_print_json(&s);
    else if (r->csv)
        trace_stats_print_csv(&s);
    else
        trace_stats_print(&s, r->details);
    if (r->timings)
        trace_stats_print_speed(&s, read_s, count_s);
    trace_stats_clear(&s);
    trace_close(&t);
    return 0;
}

static int show_trace_queues(const char *words, const struct request *r,
                             struct err *err)
{
    struct trace_queues q;
    struct trace t;
    int result;

    if (trace_open(&t, words, err) < 0)
        return -1;
    if ((result = trace_queues(&q, &t, err)) == 0) {
        if (r->csv)
            trace_queues_print_csv(&q, &t);
        else
            trace_queues_print(&q, &t, r->details);
        trace_queues_clear(&q);
    }
    trace_close(&t);
    return result;
}

static const struct opts_page page = {
    .usage = "show trace FILE|FORMAT:FILE [OPTIONS]",
    .about =
        "Shows calls, messages, peers, sizes, tags, wildcards, collectives and "
        "communicators of a trace, and the parts that could not be read. "
        "`sluice list formats` lists the formats; without FORMAT the file "
        "itself is examined.\n",
    .examples = {{"Show the queues of message matching",
                  "sluice show trace workloads/data/halo.ti --queues"}},
};

int show_trace(int argc, char **argv, struct err *err)
{
    struct request r = {0};
    const struct opt opts[] = {
        {"details", OPT_FLAG, &r.details, NULL,
         "all names of calls, tags and ranks"},
        {"json", OPT_FLAG, &r.json, NULL, "results as JSON"},
        {"csv", OPT_FLAG, &r.csv, NULL, "a line for each rank, as CSV"},
        {"queues", OPT_FLAG, &r.queues, NULL,
         "lengths of the posted and the unexpected queue, instead"},
        {"timings", OPT_FLAG, &r.timings, NULL,
         "also report the time to read the trace, alone and with all "
         "statistics"},
    };
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "show trace: expected one file, got %d", noperands);
    if (r.json + r.csv + r.details > 1)
        return fail(err, "show trace: expected one of --json, --csv and "
                         "--details");
    if (r.timings && (r.json || r.csv))
        return fail(err, "--timings: expected without --json and --csv");
    if (r.queues && (r.json || r.timings))
        return fail(err, "--queues: expected without --json and --timings");
    if (r.queues)
        return show_trace_queues(argv[1], &r, err);
    return show_trace_read(argv[1], &r, err);
}

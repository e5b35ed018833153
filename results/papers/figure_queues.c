/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of traces: figures 2 and 6a and tables I and II of Klenk et al. 2017,
 * for the traces at hand. */
#include "results/papers/figure.h"

#include "base/csv.h"
#include "results/papers/matching_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- 2 and 6a: one box per trace ------------------------------------------ */

static void print_box(FILE *csv, const struct queue_trace *t, const char *what,
                      const double *v)
{
    double sum = 0;

    for (unsigned i = 0; i < t->n; i++)
        sum += v[i];
    fprintf(csv, "%s,%s,%s,", t->name, t->origin, what);
    for (int i = 0; i <= 4; i++)
        fprintf(csv, "%.6g,", matching_quantile(v, t->n, i / 4.0));
    fprintf(csv, "%.6g\n", sum / t->n);
}

/* Prints the boxes of traces that have all of their ranks. */
static int print_boxes(FILE *csv, bool shares, struct err *err)
{
    struct matching_study s;

    if (matching_study_open(&s, NULL, 0, err) < 0)
        return -1;
    fprintf(csv, "trace,origin,what,least,quarter,median,three_quarters,most,"
                 "mean\n");
    for (size_t i = 0; i < s.ntraces; i++) {
        const struct queue_trace *t = &s.traces[i];
        if (t->missing)
            continue;
        if (shares) {
            print_box(csv, t, "share", t->share);
        } else {
            print_box(csv, t, "umq", t->umq);
            print_box(csv, t, "prq", t->prq);
        }
    }
    matching_study_close(&s);
    return 0;
}

int figure_klenk_2(FILE *csv, FILE *vars, const struct figure_input *in,
                   struct err *err)
{
    (void)vars;
    (void)in;
    return print_boxes(csv, false, err);
}

int figure_klenk_6a(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err)
{
    (void)vars;
    (void)in;
    return print_boxes(csv, true, err);
}

/* --- table I -------------------------------------------------------------- */

static const struct queue_trace *trace_at_hand(const struct matching_study *s,
                                               const char *application)
{
    for (size_t i = 0; i < s->ntraces; i++)
        if (!strcmp(s->traces[i].application, application))
            return &s->traces[i];
    return NULL;
}

/* Returns the text, or "-" if the paper has none. */
static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

static void table_ours(FILE *csv, FILE *md, const struct queue_trace *t)
{
    if (!t) {
        fprintf(csv, ",,,,,,\n");
        fprintf(md, " not at hand | | | | | |\n");
        return;
    }
    fprintf(csv, "%s,%u,%u,%.0f,%.0f,%u,%u,%u\n", t->name, t->n, t->ranks,
            t->any_source, t->any_tag, t->communicators, t->peers, t->tags);
    fprintf(md, " %u of %u ranks |", t->n, t->ranks);
    if (t->receives <= 0 && t->messages <= 0)
        fprintf(md, " no sends or receives | | | | |\n");
    else
        fprintf(md, " %s | %s | %u | %u | %u |\n",
                t->any_source > 0 ? "yes" : "no", t->any_tag > 0 ? "yes" : "no",
                t->communicators, t->peers, t->tags);
}

static void table_row(FILE *csv, FILE *md, const struct csv *t, size_t row,
                      const struct matching_study *s)
{
    static const char *const printed[] = {"src_wildcard", "tag_wildcard",
                                          "communicators_count", "peers_count",
                                          "tags_count"};
    const char *name = csv_text(t, row, "application");

    csv_print_text(csv, name);
    fprintf(md, "| %s | ", name);
    for (int i = 0; i < 5; i++) {
        const char *text = or_dash(csv_text(t, row, printed[i]));
        fprintf(csv, ",%s", text);
        fprintf(md, "%s%s", i ? ", " : "", text);
    }
    fputc(',', csv);
    fprintf(md, " |");
    table_ours(csv, md, trace_at_hand(s, name));
}

static void other_row(FILE *csv, FILE *md, const struct queue_trace *t)
{
    csv_print_text(csv, t->application);
    fprintf(csv, ",,,,,,");
    fprintf(md, "| %s (%s, not of the paper) | |", t->application, t->origin);
    table_ours(csv, md, t);
}

int figure_klenk_table_1(FILE *csv, FILE *md, const struct figure_input *in,
                         struct err *err)
{
    struct matching_study s;
    struct csv t;

    (void)in;
    if (csv_load_data(&t, "results/klenk/table1.csv", err) < 0)
        return -1;
    if (matching_study_open(&s, NULL, 0, err) < 0) {
        csv_clear(&t);
        return -1;
    }
    fprintf(csv, "application,printed_src_wildcard,printed_tag_wildcard,"
                 "printed_communicators,printed_peers,printed_tags,trace,"
                 "ranks_there,ranks,receives_of_any_source,receives_of_any_tag,"
                 "communicators,peers,tags\n");
    fprintf(md,
            "Printed, the mean over configurations of each one's maximum: "
            "source wildcard, tag wildcard, communicators, peers, tags. Ours, "
            "of one configuration: the most of a rank; tags of all.\n\n"
            "| application | printed | at hand | src WC | tag WC | "
            "communicators | peers | tags |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t row = 0; row < t.nrows; row++)
        table_row(csv, md, &t, row, &s);
    for (size_t i = 0; i < s.ntraces; i++)
        if (strcmp(s.traces[i].origin, "paper") != 0)
            other_row(csv, md, &s.traces[i]);
    matching_study_close(&s);
    csv_clear(&t);
    return 0;
}

/* --- table II ------------------------------------------------------------- */

static const struct level {
    const char *wildcards, *order, *unexpected, *partitions, *structure;
    const char *printed;
    const char *preset;
    enum matcher engine;
    bool compact;
} levels[] = {
    {"yes", "yes", "yes", "no", "matrix", "< 6", "mpi", MATCHER_MATRIX, true},
    {"yes", "yes", "no", "no", "matrix", "~ 6", "mpi-expected", MATCHER_MATRIX,
     false},
    {"no", "yes", "yes", "yes", "matrix", "< 60", "by-source",
     MATCHER_PARTITIONED, true},
    {"no", "yes", "no", "yes", "matrix", "~ 60", "by-source-expected",
     MATCHER_PARTITIONED, false},
    {"no", "no", "yes", "yes", "hash table", "< 500", "unordered", MATCHER_HASH,
     true},
    {"no", "no", "no", "yes", "hash table", "~ 500", "unordered-expected",
     MATCHER_HASH, false},
};

/* Prints one level: 512 messages, 16 queues, one CTA; if messages can be
 * unexpected, nine tenths are matched. */
static void level_row(FILE *csv, FILE *md, const struct matching_study *s,
                      const struct level *l)
{
    struct matching_case c = {
        .engine = l->engine,
        .n = 512,
        .matched = l->compact ? 0.9 : 1,
        .order = MATCH_RANDOM,
        .queues = l->engine == MATCHER_PARTITIONED ? 16 : 1,
        .compact = l->compact && l->engine != MATCHER_HASH};
    double gtx = matching_rate(s, ON_GTX1080, 0, c);
    double h200 = matching_rate(s, ON_H200, 0, c);
    double seen = l->compact ? NAN : matching_measured(s, c, 0);

    fprintf(csv, "%s,%s,%s,%s,%s,%s,%s,%.6g,%.6g,", l->preset, l->wildcards,
            l->order, l->unexpected, l->partitions, l->structure, l->printed,
            gtx, h200);
    fprintf(md, "| %s | %s | %s | %s | %s | `%s` | %s | %.1f | %.1f | ",
            l->wildcards, l->order, l->unexpected, l->partitions, l->structure,
            l->preset, l->printed, gtx / 1e6, h200 / 1e6);
    if (isnan(seen))
        fprintf(md, "- |\n");
    else
        fprintf(md, "%.1f |\n", seen / 1e6);
    if (!isnan(seen))
        fprintf(csv, "%.6g", seen);
    fputc('\n', csv);
}

int figure_klenk_table_2(FILE *csv, FILE *md, const struct figure_input *in,
                         struct err *err)
{
    struct matching_study s;

    (void)in;
    if (matching_study_open(&s, NULL, 0, err) < 0)
        return -1;
    fprintf(csv, "preset,wildcards,ordering,unexpected,partitions,structure,"
                 "printed_Mps,gtx1080_per_s,h200_per_s,h200_measured_per_s\n");
    fprintf(md,
            "Matches in millions a second: printed for the GTX 1080; by the "
            "laws for 512 messages, 16 queues, one CTA, where unexpected means "
            "that a tenth fits no receive; measured on an H200.\n\n"
            "| wildcards | ordering | unexpected | partitions | structure | "
            "`--matching` | printed | GTX 1080 | H200 | H200, measured |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        level_row(csv, md, &s, &levels[i]);
    matching_study_close(&s);
    return 0;
}

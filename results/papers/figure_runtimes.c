/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dang et al. 2018: graph algorithms on hosts under three runtimes. Tables II
 * and IV compared with print, with their scores, figures 1 and 3 to 6, and the
 * points at which the order of the runtimes changes. */
#include "results/papers/figure.h"

#include "platforms/platform.h"
#include "results/papers/runtime_burst.h"
#include "results/papers/runtime_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prints a number, or `none` if it is NAN. */
static void print_or_none(FILE *to, int digits, double value, const char *none)
{
    if (isnan(value))
        fputs(none, to);
    else
        fprintf(to, "%.*f", digits, value);
}

static void runtime_table_row(FILE *csv, FILE *md,
                              const struct runtime_study *s,
                              struct runtime_row row)
{
    double printed[NSTUDY_RUNTIMES], time_s[NSTUDY_RUNTIMES];

    fprintf(md, "| %s | %s |", row.application, row.platform);
    for (int r = 0; r < NSTUDY_RUNTIMES; r++) {
        enum study_runtime by = (enum study_runtime)r;
        const struct runtime_cell *c = runtime_cell_of(s, row, by);
        printed[r] = runtime_printed_s(s, row, by, "default");
        time_s[r] = c ? c->time_s : NAN;
        fprintf(csv, "%s,%s,%s,%s,", row.application, row.graph, row.platform,
                study_runtimes[r]);
        print_or_none(csv, 2, printed[r], "");
        fputc(',', csv);
        print_or_none(csv, 4, time_s[r], "");
        fputc(',', csv);
        print_or_none(csv, 4, c ? c->compute_s : NAN, "");
        fputc(',', csv);
        print_or_none(csv, 2, c ? c->windows_s : NAN, "");
        fputc('\n', csv);
        fputc(' ', md);
        print_or_none(md, 2, time_s[r], "-");
        fprintf(md, " (%.2f) |", printed[r]);
    }
    for (int r = BY_PROBE; r < NSTUDY_RUNTIMES; r++) {
        fputc(' ', md);
        print_or_none(md, 2, time_s[r] / time_s[BY_LCI], "-");
        fprintf(md, " (%.2f)%s |", printed[r] / printed[BY_LCI],
                runtime_is_fitted(row, (enum study_runtime)r) ? " fit" : "");
    }
    fputc('\n', md);
}

static void print_runtime_score(FILE *md, const char *what,
                                struct runtime_score score)
{
    fprintf(md, "| %s | %u of %u (%.0f %%) | %u of %u (%.0f %%) |\n", what,
            score.ordered, score.pairs, score.order_p, score.near, score.ratios,
            score.ratio_p);
}

/* Prints PageRank with and without the communication thread's cost of a
 * byte. */
static void print_runtime_ablation(FILE *md, const struct runtime_study *s)
{
    fprintf(md, "\n| PageRank of 100 rounds, stampede2 | LCI | MPI-Probe | "
                "MPI-RMA |\n| --- | --- | --- | --- |\n");
    for (int without = 0; without < 2; without++) {
        fprintf(md, "| %s |",
                without ? "bytes cost MPI-Probe's communication thread nothing"
                        : "as it is");
        for (int r = 0; r < NSTUDY_RUNTIMES; r++)
            for (size_t i = 0; i < s->ncells; i++) {
                const struct runtime_cell *c = &s->cells[i];
                if (!strcmp(c->set, "ablation") && (int)c->runtime == r &&
                    (*c->change != 0) == without)
                    fprintf(md, " %.2f |", c->time_s);
            }
        fputc('\n', md);
    }
}

static int runtime_table(FILE *csv, FILE *md, const char *graph,
                         struct err *err)
{
    struct runtime_study s;

    if (runtime_study_open(&s, NULL, err) < 0)
        return -1;
    fprintf(csv, "application,graph,platform,runtime,printed_s,predicted_s,"
                 "compute_s,windows_s\n");
    fprintf(md,
            "Seconds on 128 hosts, predicted (printed); windows apart. Ratios "
            "are over LCI.\n\n"
            "| application | platform | LCI | MPI-Probe | MPI-RMA | "
            "Probe / LCI | RMA / LCI |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < nruntime_rows; i++)
        if (!strcmp(runtime_rows[i].graph, graph))
            runtime_table_row(csv, md, &s, runtime_rows[i]);
    fprintf(md,
            "\nScores of what is predicted: pairs of runtimes in the order "
            "of print (within %d %% is a tie), ratios within 1.3 of "
            "print.\n\n| cells | order | ratio |\n| --- | --- | --- |\n",
            RUNTIME_TIE_PERCENT);
    print_runtime_score(md, "this table",
                        runtime_scores(&s, graph, NULL, false));
    print_runtime_score(md, "tables II and IV",
                        runtime_scores(&s, NULL, NULL, false));
    print_runtime_score(md, "with the fitted pairs",
                        runtime_scores(&s, NULL, NULL, true));
    if (!strcmp(graph, "rmat28"))
        print_runtime_ablation(md, &s);
    runtime_study_close(&s);
    return 0;
}

int figure_runtime_table_2(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err)
{
    (void)in;
    return runtime_table(csv, md, "rmat28", err);
}

int figure_runtime_table_4(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err)
{
    (void)in;
    return runtime_table(csv, md, "kron30", err);
}

/* --- 1: messages ---------------------------------------------------------- */

static int burst_rows(FILE *csv, const struct machine *m, const char *what,
                      struct burst x, struct err *err)
{
    static const enum runtime by[] = {RUNTIME_LCI, RUNTIME_MPI,
                                      RUNTIME_MPI_PROBE};
    static const char *const names[] = {"lci", "send-receive", "mpi-probe"};

    for (int i = 0; i < 3; i++) {
        struct burst_result b;
        if (burst_run(&b, m, by[i], x, err) < 0)
            return -1;
        fprintf(csv, "%s,%s,%llu,%u,%.6g\n", what, names[i],
                (unsigned long long)x.bytes, x.messages, b.time_s);
    }
    return 0;
}

int figure_runtime_1(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    int result = 0;

    (void)vars;
    fprintf(csv, "what,interface,bytes,window,time_s\n");
    for (uint64_t bytes = 1; bytes <= 1 << 20 && result == 0; bytes *= 2)
        result = burst_rows(csv, in->m, "latency",
                            (struct burst){2, 1, bytes, false}, err);
    for (unsigned window = 1; window <= 256 && result == 0; window *= 2)
        result = burst_rows(csv, in->m, "rate",
                            (struct burst){2, window, 64, false}, err);
    return result;
}

/* --- cells ---------------------------------------------------------------- */

/* Prints the cells of a set, for one graph or, if `graph` is NULL, for all. */
static int runtime_cells(FILE *csv, const char *set, const char *graph,
                         struct err *err)
{
    struct runtime_study s;

    if (runtime_study_open(&s, NULL, err) < 0)
        return -1;
    fprintf(csv, "application,graph,platform,runtime,hosts,threads,vertices,"
                 "time_s,compute_s,message_B,windows_s,least_B,most_B,"
                 "reserved_B\n");
    for (size_t i = 0; i < s.ncells; i++) {
        const struct runtime_cell *c = &s.cells[i];
        if (strcmp(c->set, set) != 0 || (graph && strcmp(c->graph, graph) != 0))
            continue;
        fprintf(csv,
                "%s,%s,%s,%s,%u,%u,%.0f,%.6g,%.6g,%.0f,%.6g,%.0f,%.0f,"
                "%.0f\n",
                c->application, c->graph, c->platform,
                study_runtimes[c->runtime], c->hosts, c->threads, c->vertices,
                c->time_s, c->compute_s,
                c->messages > 0 ? c->bytes / c->messages : 0, c->windows_s,
                c->least_B, c->most_B, c->reserved_B);
    }
    runtime_study_close(&s);
    return 0;
}

int figure_runtime_3(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return runtime_cells(csv, "hosts", NULL, err);
}

int figure_runtime_4(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return runtime_cells(csv, "gemini", NULL, err);
}

/* Figures 5 and 6 show other columns of the same cells. */
int figure_runtime_5(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    (void)vars;
    (void)in;
    return runtime_cells(csv, "tables", "kron30", err);
}

int figure_runtime_order(FILE *csv, FILE *vars, const struct figure_input *in,
                         struct err *err)
{
    (void)vars;
    (void)in;
    return runtime_cells(csv, "order", NULL, err);
}

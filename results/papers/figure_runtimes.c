/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables II and IV of Dang et al. 2018: graph algorithms on 128 hosts under
 * three runtimes, predicted beside print, and their scores. */
#include "results/papers/figure.h"

#include "results/papers/runtime_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number, or nothing where there is none. */
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
    print_runtime_score(md, "with the fitted pair",
                        runtime_scores(&s, NULL, NULL, true));
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

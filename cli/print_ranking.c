/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the ranking of `sluice run` as text and CSV, in which an outcome
 * without a value has "-" or nothing. */
#include "cli/print_run.h"

#include "base/csv.h"
#include "study/run/fields.h"
#include "study/run/lists.h"
#include "study/run/sweep.h"
#include "workloads/load/seed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text ----------------------------------------------------------------- */

/* Returns whether the text has the column: some outcome has a value, and a
 * comparison has another outcome to compare with. */
static bool is_shown(enum run_field f, const struct run_results *r)
{
    if (!run_fields[f].text.heading || (f == FIELD_times_best && r->n == 1))
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (!isnan(run_fields[f].get(&r->list[i])))
            return true;
    return false;
}

static void print_ranking_row(const struct outcome *o, const bool *shown)
{
    for (enum run_field f = 0; f < NFIELDS; f++) {
        const struct field_text *t = &run_fields[f].text;
        double v = run_fields[f].get(o);
        if (shown[f] && isnan(v))
            printf("%s%*s", t->before, t->width, "-");
        else if (shown[f])
            printf("%s%*.*f", t->before, t->width, t->decimals, v * t->scale);
    }
    printf("\n");
}

int ranking_width(const struct run_results *r)
{
    size_t width = 17;

    for (size_t i = 0; i < r->n; i++)
        if (strlen(r->list[i].name) > width)
            width = strlen(r->list[i].name);
    return (int)width;
}

void print_ranking(const struct run_results *r)
{
    int width = ranking_width(r);
    bool shown[NFIELDS];

    printf("%-*s", width,
           r->job->workload->collective ? "algorithm" : "strategy");
    for (enum run_field f = 0; f < NFIELDS; f++) {
        const struct field_text *t = &run_fields[f].text;
        shown[f] = is_shown(f, r);
        if (shown[f])
            printf("%s%*s", t->before, t->width, t->heading);
    }
    printf("\n");
    for (size_t i = 0; i < r->n; i++) {
        printf("%-*s", width, r->list[i].name);
        print_ranking_row(&r->list[i], shown);
    }
}

void print_tie(const struct run_results *r)
{
    size_t tied = outcomes_tied(r->list, r->n);

    if (tied < 2)
        return;
    printf("a tie of %zu: ", tied);
    for (size_t i = 0; i < tied; i++)
        printf("%s%s", i ? ", " : "", r->list[i].name);
    printf("\n");
}

/* --- CSV ------------------------------------------------------------------ */

void print_csv_place(const struct run_results *r, const struct outcome *o)
{
    csv_print_cell(stdout, r->job->machine->name);
    putchar(',');
    csv_print_cell(stdout, r->job->words);
    printf(",%u,", r->job->load.nodes);
    if (r->job->load.gpus)
        printf("%u", r->job->load.gpus);
    printf(",%s", o->name);
}

void print_csv_origin_head(void)
{
    printf(",times_best,partition,seed,sluice");
}

void print_csv_origin(double times_best, const char *words,
                      const char *partition)
{
    uint64_t seed;

    csv_print_number(times_best);
    putchar(',');
    csv_print_cell(stdout, partition ? partition : "");
    putchar(',');
    if (workload_seed(&seed, words))
        printf("%" PRIu64, seed);
    printf(",%s", SLUICE_VERSION);
}

void print_run_csv_head(const struct run_results *r)
{
    struct sized s;
    char key[LIST_LABEL];

    printf("platform,workload,nodes,gpus,strategy");
    FOR_FIELDS (f, IN_RUN_CSV)
        printf(",%s", run_fields[f].key);
    for (size_t ph = 0; ph < PHASE_WORK; ph++) {
        phase_key(key, ph);
        printf(",%s_wall_s", key);
    }
    if (job_sized(&s, r->job))
        printf(",size_bytes,count,type,algbw_Bps,busbw_Bps");
    if (r->job->load.collective.place == COLLECTIVE_BOTH_PLACES)
        printf(",in_place_s,in_place_algbw_Bps,in_place_busbw_Bps");
    if (r->judged && r->judged->library)
        printf(",regret,library,library_takes");
    print_csv_origin_head();
    printf("\n");
}

static void print_ranking_sized(const struct sized *s, const struct outcome *o)
{
    char *type = sized_type(s->element_B);

    printf(",%llu,%llu,%s", (unsigned long long)s->bytes,
           (unsigned long long)s->count, type);
    csv_print_number(sized_algbw(s, o->time_s));
    csv_print_number(sized_busbw(s, o->time_s));
    free(type);
    if (isnan(o->in_place_s))
        return;
    csv_print_number(o->in_place_s);
    csv_print_number(sized_algbw(s, o->in_place_s));
    csv_print_number(sized_busbw(s, o->in_place_s));
}

/* Prints the excess over the best, for every algorithm and for the library's
 * choice. */
static void print_ranking_judged(const struct judged *j,
                                 const struct outcome *o)
{
    csv_print_number(j->best_s > 0 ? o->time_s / j->best_s - 1 : NAN);
    printf(",%s,%s", j->library, j->takes ? j->takes : "");
}

void print_run_csv_rows(const struct run_results *r)
{
    const struct load *l = &r->job->load;
    struct sized s;
    bool sized = job_sized(&s, r->job);

    for (size_t i = 0; i < r->n; i++) {
        const struct outcome *o = &r->list[i];
        print_csv_place(r, o);
        FOR_FIELDS (f, IN_RUN_CSV)
            csv_print_number(run_fields[f].get(o));
        for (size_t ph = 0; ph < PHASE_WORK; ph++)
            csv_print_number(
                o->graph || o->in_steps ? NAN : o->report.phases[ph].wall_s);
        if (sized)
            print_ranking_sized(&s, o);
        if (r->judged && r->judged->library)
            print_ranking_judged(r->judged, o);
        print_csv_origin(o->times_best, r->job->words, l->partition);
        printf("\n");
    }
}

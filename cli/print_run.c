/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of `sluice run` as text: the workload, the ranking, and
 * the phases, links and critical path of the fastest. */
#include "cli/print_run.h"

#include "cli/list_columns.h"
#include "cli/print_extrapolates.h"
#include "cli/print_phases.h"
#include "cli/print_sizes.h"
#include "cli/print_trace.h"
#include "cli/scale.h"
#include "study/run/shapes.h"
#include "study/run/totals.h"

#include <math.h>
#include <string.h>

size_t shown_links(const struct run_results *r, const struct outcome *o)
{
    return r->details || o->nlinks < BUSIEST_LINKS ? o->nlinks : BUSIEST_LINKS;
}

/* --- the workload --------------------------------------------------------- */

static void print_graph_heading(const struct run_results *r)
{
    const struct job *j = r->job;
    const struct load *l = &j->load;

    printf("; %u vertices, %llu arcs", l->graph.n,
           (unsigned long long)graph_arcs(&l->graph));
    if (j->edge_s > 0)
        printf(", %.3g ns an edge (--edge-ns)", j->edge_s * 1e9);
    printf("\n");
    if (opt_in_list(j->workload->options, "source"))
        printf("from vertex %u, ", l->source);
    if (opt_in_list(j->workload->options, "damping"))
        printf("damping %g, ", l->damping);
    if (opt_in_list(j->workload->options, "threshold"))
        printf("threshold %g, ", l->threshold);
    printf("%llu reached; every result agrees with a plain computation",
           (unsigned long long)r->list->graph->reached);
}

static void print_halo_heading(const struct job *j)
{
    const struct load *l = &j->load;

    if (l->halo.nrounds)
        printf(", %u rounds", l->halo.nrounds);
    if (l->halo.value_bytes != (l->partition ? 8 : 1))
        printf(", values of %u bytes", l->halo.value_bytes);
    if (j->no_packing)
        printf(", not packed (%s)", j->no_packing);
}

/* Returns the outcome without a strategy, or else the first. */
static const struct outcome *as_given(const struct run_results *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->list[i].name, "as-given"))
            return &r->list[i];
    return r->list;
}

void print_run_heading(const struct run_results *r, const char *words)
{
    const struct load *l = &r->job->load;
    double accuracy = 0;

    for (size_t i = 0; i < r->n; i++)
        accuracy = fmax(accuracy, r->list[i].accuracy);
    printf("%s on %s: ", words, r->job->machine->name);
    if (r->job->workload->collective)
        printf("%u ranks, %s memory, ", l->ranks,
               collective_memory_names[l->collective.memory]);
    else if (l->gpus)
        printf("%u GPUs, ", l->gpus);
    else
        printf("%u ranks, %llu messages, ", l->ranks,
               (unsigned long long)outcome_messages(as_given(r)));
    printf("%u node%s", l->nodes, l->nodes == 1 ? "" : "s");
    if (l->partition) {
        printf(", ");
        print_partition(l->partition,
                        r->job->workload->algorithm ? "vertices" : "rows");
    }
    if (job_shape(r->job)->closed_forms)
        print_halo_heading(r->job);
    if (r->job->repeat > 1)
        printf("; %u times", r->job->repeat);
    printf("; engine %s", engine_kind_names[exec_engine(r->job->exec)]);
    if (accuracy > 0)
        printf(", accuracy %g where not exact", accuracy);
    if (job_shape(r->job)->executions)
        print_graph_heading(r);
    printf("\n\n");
}

/* --- plans ---------------------------------------------------------------- */

/* Returns whether a phase is shown; packing only if some outcome has it. */
static bool shows_phase(const struct run_results *r, size_t ph)
{
    bool any = ph != PHASE_PACK && ph != PHASE_UNPACK;

    for (size_t i = 0; i < r->n; i++)
        any |= r->list[i].report.phases[ph].nops > 0;
    return any;
}

static void print_phase(const struct outcome *o, size_t ph)
{
    char text[64] = "-";

    if (run_lists[LIST_phases].has(o, ph))
        list_entry_text(text, sizeof text, LIST_phases, o, ph);
    printf(" %15s", text);
}

static void print_phases(const struct run_results *r)
{
    printf("\nus of each phase, from its first operation to its last, and the "
           "most that one rank was at it\n");
    printf("%-17s", "strategy");
    for (size_t ph = 0; ph < PHASE_WORK; ph++)
        if (shows_phase(r, ph))
            printf(" %15s", phase_names[ph]);
    printf("\n");
    for (size_t i = 0; i < r->n; i++) {
        printf("%-17s", r->list[i].name);
        for (size_t ph = 0; ph < PHASE_WORK; ph++)
            if (shows_phase(r, ph))
                print_phase(&r->list[i], ph);
        printf("\n");
    }
}

static void print_links(const struct run_results *r, const struct outcome *o)
{
    size_t n = shown_links(r, o);

    if (!n)
        return;
    printf("%s: the busiest links (%zu of %zu)\n", o->name, n, o->links_used);
    for (size_t i = 0; i < n; i++) {
        printf("  %-40s", o->links[i].name);
        list_print_line(LIST_links, o, i);
    }
}

static void print_durations(const struct outcome *o)
{
    const struct list *l = &run_lists[LIST_durations];
    char words[LIST_LABEL], text[64];

    printf("%s: messages take %.3f us on average", o->name,
           us(o->durations.mean));
    FOR_ENTRIES (q, l, o) {
        l->words(words, o, q);
        list_entry_text(text, sizeof text, LIST_durations, o, q);
        printf("%s %s%s", q ? "," : ";", words, text);
    }
    printf(" us\n");
}

static void print_path(const struct outcome *o)
{
    printf("%s: the end of the critical path\n", o->name);
    for (size_t i = 0; i < o->report.npath; i++) {
        const struct path_step *s = &o->report.path[i];
        printf("  %9.2f to %9.2f us  ", us(s->from_s), us(s->to_s));
        if (s->cause == CAUSE_NONE)
            printf("%s\n", o->path[i]);
        else
            printf("%-52s after %s\n", o->path[i], cause_names[s->cause]);
    }
}

/* Prints the shares of the critical path by the provenance of their numbers. */
static void print_rests_on(const struct outcome *o)
{
    static const struct {
        enum provenance is;
        const char *words;
    } parts[] = {{PROVENANCE_ASSUMED, "assumed numbers"},
                 {PROVENANCE_TAKEN_OVER, "numbers of another machine"},
                 {PROVENANCE_SET, "numbers of --set"},
                 {PROVENANCE_PUBLISHED, "published ones"},
                 {PROVENANCE_SPECIFICATION, "specified ones"},
                 {PROVENANCE_FIT, "fitted ones"},
                 {PROVENANCE_MEASURED, "measured ones"}};
    const struct rests_on *r = &o->report.rests_on;

    if (!(r->total_s > 0))
        return;
    printf("%s: of the whole critical path %.0f %% rests on %s", o->name,
           100 * r->s[PROVENANCE_ASSUMED] / r->total_s, parts[0].words);
    for (size_t i = 1; i < sizeof parts / sizeof parts[0]; i++)
        if (r->s[parts[i].is] > 0)
            printf(", %.0f %% on %s", 100 * r->s[parts[i].is] / r->total_s,
                   parts[i].words);
    if (r->work_s > 0)
        printf(", %.0f %% is the workload's", 100 * r->work_s / r->total_s);
    if (r->split_s > 0)
        printf("; how a message's cost parts is assumed for %.0f %%",
               100 * r->split_s / r->total_s);
    printf("\n");
}

/* --- graphs --------------------------------------------------------------- */

static void print_sizes(const struct traverse_result *r)
{
    const char *comma = "";

    if (!r->transfers)
        return;
    printf("  transfers by size:");
    for (int i = 0; i < TRAVERSE_SIZES; i++)
        if (r->sizes[i]) {
            printf("%s %llu below %.0f B", comma,
                   (unsigned long long)r->sizes[i], ldexp(2, i));
            comma = ",";
        }
    printf("\n");
}

/* Prints the aggregator's work and buffers, if there is one; with details those
 * of each GPU. */
static void print_aggregator(const struct traverse_result *r, bool details)
{
    uint64_t most = 0, buffers = 0;

    for (uint32_t i = 0; i < r->ngpus; i++) {
        const struct traverse_gpu *g = &r->gpus[i];
        most = g->gathered_most_B > most ? g->gathered_most_B : most;
        buffers = g->buffers_B > buffers ? g->buffers_B : buffers;
    }
    if (!buffers)
        return;
    printf("  batches of the aggregator: %llu full, %llu waited; on one GPU at "
           "most %.1f kB gathered, %.1f kB of buffers\n",
           (unsigned long long)r->flushed_full,
           (unsigned long long)r->flushed_waited, (double)most / 1e3,
           (double)buffers / 1e3);
    for (uint32_t i = 0; i < r->ngpus && details; i++)
        printf("    GPU %-5u at most %10.1f kB gathered, %10.1f kB of "
               "buffers\n",
               i, (double)r->gpus[i].gathered_most_B / 1e3,
               (double)r->gpus[i].buffers_B / 1e3);
}

/* --- all ------------------------------------------------------------------ */

static void print_details(const struct run_results *r, const struct outcome *o)
{
    printf("\n");
    if (o->graph) {
        print_gpus(o);
        print_sizes(o->graph);
        print_aggregator(o->graph, r->details);
    } else if (!o->in_steps && (r->details || job_shape(r->job)->as_given)) {
        print_durations(o);
    }
    if (o->ranks)
        print_rank_times(o, r->details);
    print_hosts(r, o);
    print_links(r, o);
    if (o->graph || o->in_steps)
        return;
    print_matching(r, o);
    print_path(o);
    print_rests_on(o);
}

void print_run(const struct run_results *r)
{
    struct answered answered = answered_by(r->job, r->list, r->n);

    print_run_heading(r, r->job->words);
    print_sizes_table(r);
    print_ranking(r);
    print_tie(r);
    print_extrapolates(r->job->machine, &answered);
    print_untold(r->job);
    print_trace_phases(r->job);
    print_compared(&r->job->load, r->compared, r->list->time_s);
    if (r->job->repeat > 1)
        print_repeat(r);
    else if (r->job->workload->collective)
        print_collective_steps(r);
    else if (job_shape(r->job)->closed_forms)
        print_phases(r);
    for (size_t i = 0; i < (r->details ? r->n : 1); i++)
        print_details(r, &r->list[i]);
}

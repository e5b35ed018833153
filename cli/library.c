/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libsluice: implements the public interface of sluice.h on jobs and their
 * outcomes. */
#include "cli/library.h"

#include "base/number.h"
#include "platforms/platform.h"
#include "study/run/fields.h"
#include "study/run/lists.h"
#include "study/run/run.h"
#include "workloads/load/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sluice_plan {
    struct plan room;        /* empty if the plan is the workload's own */
    const struct plan *plan; /* &room, or the workload's */
};

void library_tell(struct sluice_error *out, const struct err *err)
{
    if (!out)
        return;
    out->code = err->kind == ERR_WORK ? 1 : 2;
    snprintf(out->text, sizeof out->text, "%s", err->text);
}

int library_lacks(const char *what, struct err *err)
{
    return fail(err, "%s: expected one, got NULL", what);
}

const char *sluice_version(void)
{
    return SLUICE_VERSION;
}

/* --- machines ------------------------------------------------------------- */

static int check_sets(const char *const *sets, size_t nsets, struct err *err)
{
    if (nsets && !sets)
        return library_lacks("sets", err);
    for (size_t i = 0; i < nsets; i++)
        if (!sets[i])
            return fail(err, "sets[%zu]: expected KEY=VALUE, got NULL", i);
    return 0;
}

/* Loads the machine with those of the sets that are not of executions, which
 * are kept. */
static int load_machine(struct sluice_machine *m, const char *name,
                        const char *const *sets, size_t nsets, struct err *err)
{
    const char *of_machine[TEXTS];
    size_t n = 0;

    if (!name)
        return library_lacks("platform", err);
    if (check_sets(sets, nsets, err) < 0)
        return -1;
    if (nsets > TEXTS)
        return fail(err, "sets: expected at most %d, got %zu", TEXTS, nsets);
    for (size_t i = 0; i < nsets; i++)
        if (!strncmp(sets[i], "execution.", strlen("execution.")))
            m->executions.items[m->executions.n++] = xstrdup(sets[i]);
        else
            of_machine[n++] = sets[i];
    return platform_load(&m->m, name, of_machine, n, err);
}

static void free_executions(struct sluice_machine *m)
{
    for (size_t i = 0; i < m->executions.n; i++)
        free((char *)m->executions.items[i]);
}

struct sluice_machine *sluice_machine_load(const char *name,
                                           const char *const *sets,
                                           size_t nsets,
                                           struct sluice_error *error)
{
    struct sluice_machine *m = xcalloc(1, sizeof *m);
    struct err err = {0};

    if (load_machine(m, name, sets, nsets, &err) == 0)
        return m;
    library_tell(error, &err);
    free_executions(m);
    free(m);
    return NULL;
}

void sluice_machine_free(struct sluice_machine *machine)
{
    if (machine) {
        machine_clear(&machine->m);
        free_executions(machine);
    }
    free(machine);
}

const char *sluice_machine_name(const struct sluice_machine *m)
{
    return m ? m->m.name : NULL;
}

unsigned sluice_machine_nodes(const struct sluice_machine *m)
{
    return m ? m->m.network.nodes : 0;
}

unsigned sluice_machine_gpus(const struct sluice_machine *m)
{
    return m ? m->m.ngpus : 0;
}

unsigned sluice_machine_cores(const struct sluice_machine *m)
{
    return m ? m->m.ncores : 0;
}

/* --- workloads ------------------------------------------------------------ */

static int make_workload(struct sluice_workload *w,
                         const struct sluice_machine *m, const char *words,
                         const struct sluice_options *o, struct err *err)
{
    struct request r;

    if (!m || !words)
        return library_lacks(m ? "workload" : "machine", err);
    request_init(&r);
    r.work.words = words;
    r.work.gpus = o->gpus;
    r.work.nodes = o->nodes;
    r.work.partition = o->partition;
    r.work.value_bytes = o->value_bytes;
    r.work.ranks_per_node = o->ranks_per_node;
    r.options.message_cap_B = o->message_cap_bytes;
    r.options.keep_duplicates = o->keep_duplicates != 0;
    r.no_packing = o->no_packing != 0;
    r.sets = m->executions;
    r.strategy = o->strategies;
    if (o->threshold > 0)
        r.work.threshold = o->threshold;
    if (o->source && !number_real(o->source, &r.work.source))
        return fail(err, "source: expected a number, got '%s'", o->source);
    w->exec = exec_defaults;
    if (exec_options_read(&w->exec, o->engine, o->accuracy, err) < 0)
        return -1;
    r.exec = &w->exec;
    return job_load_on(&w->job, &m->m, &r, err);
}

struct sluice_workload *
sluice_workload_make(const struct sluice_machine *machine, const char *words,
                     const struct sluice_options *options,
                     struct sluice_error *error)
{
    struct sluice_workload *w = xcalloc(1, sizeof *w);
    const struct sluice_options defaults = {0};
    struct err err = {0};

    if (make_workload(w, machine, words, options ? options : &defaults, &err) ==
        0)
        return w;
    library_tell(error, &err);
    free(w);
    return NULL;
}

void sluice_workload_free(struct sluice_workload *workload)
{
    if (workload)
        job_clear(&workload->job);
    free(workload);
}

unsigned sluice_workload_gpus(const struct sluice_workload *w)
{
    return w ? w->job.load.gpus : 0;
}

unsigned sluice_workload_nodes(const struct sluice_workload *w)
{
    return w ? w->job.load.nodes : 0;
}

int sluice_workload_seed(const struct sluice_workload *w, uint64_t *seed)
{
    return w && seed ? workload_seed(seed, w->job.words) : 0;
}

size_t sluice_workload_strategies(const struct sluice_workload *w)
{
    return w ? w->job.nchoices : 0;
}

const char *sluice_workload_strategy(const struct sluice_workload *w, size_t i)
{
    return w && i < w->job.nchoices ? w->job.choices[i].name : NULL;
}

static const struct choice *find_choice(const struct sluice_workload *w,
                                        const char *name, struct err *err)
{
    if (!w || !name) {
        (void)library_lacks(w ? "strategy" : "workload", err);
        return NULL;
    }
    const struct job *j = &w->job;
    const char **names = xcalloc(j->nchoices, sizeof *names);
    const struct choice *found = NULL;

    for (size_t i = 0; i < j->nchoices; i++) {
        names[i] = j->choices[i].name;
        if (!strcmp(name, names[i]))
            found = &j->choices[i];
    }
    const char *near = found ? NULL : nearest_word(name, names, j->nchoices);
    if (near)
        (void)fail(err, "%s: unknown strategy (did you mean %s?)", name, near);
    else if (!found)
        (void)fail(err, "%s: unknown strategy for %s", name, j->words);
    free(names);
    return found;
}

/* --- plans ---------------------------------------------------------------- */

struct sluice_plan *sluice_plan_make(const struct sluice_workload *workload,
                                     const char *strategy,
                                     struct sluice_error *error)
{
    struct sluice_plan *p = xcalloc(1, sizeof *p);
    struct err err = {0};
    const struct choice *c = find_choice(workload, strategy, &err);

    if (c)
        p->plan = job_plan(&p->room, &workload->job, c, &err);
    if (p->plan)
        return p;
    library_tell(error, &err);
    free(p);
    return NULL;
}

void sluice_plan_free(struct sluice_plan *plan)
{
    if (plan)
        plan_clear(&plan->room);
    free(plan);
}

size_t sluice_plan_operations(const struct sluice_plan *plan)
{
    return plan ? plan->plan->nops : 0;
}

struct sluice_operation sluice_plan_operation(const struct sluice_plan *plan,
                                              size_t i)
{
    static const enum sluice_operation_kind kinds[] = {
        [OP_COPY] = SLUICE_COPY,     [OP_MSG] = SLUICE_MESSAGE,
        [OP_WORK] = SLUICE_WORK,     [OP_SEND] = SLUICE_SEND,
        [OP_RECV] = SLUICE_RECEIVE,  [OP_PACK] = SLUICE_PACK,
        [OP_REDUCE] = SLUICE_REDUCE, [OP_PROBE] = SLUICE_PROBE,
    };
    if (i >= sluice_plan_operations(plan))
        return (struct sluice_operation){.from = SLUICE_NO_RANK,
                                         .to = SLUICE_NO_RANK,
                                         .from_gpu = SLUICE_NO_GPU,
                                         .to_gpu = SLUICE_NO_GPU};
    const struct op *o = &plan->plan->ops[i];
    struct sluice_operation out = {
        .kind = kinds[o->kind],
        .from = op_matches(o->kind) ? plan->plan->match[i].peer : o->src,
        .to = o->dst,
        .from_gpu = SLUICE_NO_GPU,
        .to_gpu = SLUICE_NO_GPU,
        .bytes = o->kind == OP_WORK ? 0 : o->bytes,
    };

    if (o->kind == OP_PACK || o->kind == OP_REDUCE) {
        out.from_gpu = out.to_gpu = o->src_gpu;
    } else if (o->kind == OP_COPY && o->dir == H2D) {
        out.to_gpu = o->src_gpu;
    } else if (o->kind == OP_COPY || o->kind == OP_MSG || o->kind == OP_SEND) {
        out.from_gpu = o->src_gpu;
        if (o->kind != OP_COPY || o->dir == D2D)
            out.to_gpu = o->dst_gpu;
    }
    return out;
}

/* --- simulations ---------------------------------------------------------- */

/* Returns the i-th field of the library; NULL if there are fewer. */
static const struct field *library_field(size_t i)
{
    FOR_FIELDS (f, IN_RUN_CSV)
        if (!i--)
            return &run_fields[f];
    return NULL;
}

size_t sluice_fields(void)
{
    size_t n = 0;

    FOR_FIELDS (f, IN_RUN_CSV)
        n++;
    return n;
}

const char *sluice_field(size_t i)
{
    const struct field *f = library_field(i);

    return f ? f->key : NULL;
}

const char *sluice_field_unit(size_t i)
{
    const struct field *f = library_field(i);

    return f ? f->unit : NULL;
}

static const struct list *library_list(size_t i)
{
    return i < NLISTS ? &run_lists[i] : NULL;
}

/* Returns a column of a list; NULL if there are fewer. */
static const struct list_column *library_column(size_t i, size_t column)
{
    if (i < NLISTS)
        FOR_KEYS (c, &run_lists[i])
            if (!column--)
                return c;
    return NULL;
}

size_t sluice_lists(void)
{
    return NLISTS;
}

const char *sluice_list(size_t i)
{
    return library_list(i) ? library_list(i)->name : NULL;
}

const char *sluice_list_label(size_t i)
{
    return library_list(i) ? library_list(i)->label : NULL;
}

size_t sluice_list_columns(size_t i)
{
    return library_list(i) ? list_keys(library_list(i)) : 0;
}

const char *sluice_list_column(size_t i, size_t column)
{
    const struct list_column *c = library_column(i, column);

    return c ? c->key : NULL;
}

const char *sluice_list_unit(size_t i, size_t column)
{
    const struct list_column *c = library_column(i, column);

    return c ? c->unit : NULL;
}

static void copy_lists(struct sluice_result *r, const struct outcome *o)
{
    r->lists = xcalloc(NLISTS, sizeof *r->lists);
    for (size_t i = 0; i < NLISTS; i++) {
        struct list_copy c;
        list_copy_make(&c, &run_lists[i], o);
        r->lists[i] = (struct sluice_entries){c.n, c.names, c.values};
    }
}

static void copy_links(struct sluice_result *r, const struct outcome *o)
{
    r->links = xcalloc(o->nlinks, sizeof *r->links);
    r->nlinks = o->nlinks;
    for (size_t i = 0; i < o->nlinks; i++) {
        struct sluice_link *l = &r->links[i];
        snprintf(l->name, sizeof l->name, "%s", o->links[i].name);
        l->bandwidth_Bps = o->links[i].bandwidth_Bps;
        l->bytes = o->links[i].bytes;
        l->flows = o->links[i].flows;
    }
}

static uint64_t named_count(const struct outcome *o, enum run_field f)
{
    double value = run_fields[f].get(o);

    return isnan(value) ? 0 : (uint64_t)value;
}

static void copy_values(struct sluice_result *r, const struct outcome *o)
{
    size_t i = 0;

    r->values = xcalloc(NFIELDS, sizeof *r->values);
    FOR_FIELDS (f, IN_RUN_CSV)
        r->values[i++] = run_fields[f].get(o);
}

static void copy_result(struct sluice_result *r, const struct outcome *o)
{
    *r = (struct sluice_result){
        .time_s = o->time_s,
        .model_s = o->model_s,
        .accuracy = o->accuracy,
        .off_node_messages = named_count(o, FIELD_off_node_messages),
        .off_node_bytes = named_count(o, FIELD_off_node_bytes),
        .on_node_messages = named_count(o, FIELD_on_node_messages),
        .on_node_bytes = named_count(o, FIELD_on_node_bytes),
        .copies = named_count(o, FIELD_copies),
        .copied_bytes = named_count(o, FIELD_copied_bytes),
        .transfers = named_count(o, FIELD_transfers),
        .transfer_bytes = named_count(o, FIELD_transfer_bytes)};
    copy_values(r, o);
    copy_links(r, o);
    copy_lists(r, o);
    r->noperations = o->ops ? o->nops : 0;
    r->start_s = xcalloc(r->noperations, sizeof *r->start_s);
    r->end_s = xcalloc(r->noperations, sizeof *r->end_s);
    for (size_t i = 0; i < r->noperations; i++) {
        r->start_s[i] = o->ops[i].start_s;
        r->end_s[i] = o->ops[i].end_s;
    }
}

int sluice_simulate(struct sluice_result *result,
                    const struct sluice_workload *workload,
                    const char *strategy, struct sluice_error *error)
{
    const struct run_options keep = {.keep_times = true};
    struct err err = {0};
    struct outcome o;

    if (!result) {
        (void)library_lacks("result", &err);
        library_tell(error, &err);
        return -1;
    }
    *result = (struct sluice_result){0};
    const struct choice *c = find_choice(workload, strategy, &err);
    if (!c || job_run_one(&o, &workload->job, c, &keep, &err) < 0) {
        library_tell(error, &err);
        return -1;
    }
    copy_result(result, &o);
    outcome_clear(&o);
    return 0;
}

void sluice_result_clear(struct sluice_result *result)
{
    if (!result)
        return;
    free(result->links);
    free(result->start_s);
    free(result->end_s);
    free(result->values);
    for (size_t i = 0; result->lists && i < NLISTS; i++) {
        free(result->lists[i].names);
        free(result->lists[i].values);
    }
    free(result->lists);
    *result = (struct sluice_result){0};
}

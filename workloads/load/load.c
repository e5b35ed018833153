/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the halo, messages or partitioned graph from a workload's words. */
#include "workloads/load/load.h"

#include "workloads/load/load_cache.h"
#include "workloads/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void load_clear(struct load *l)
{
    halo_clear(&l->halo);
    halo_clear(&l->compared_halo);
    free(l->partition);
    free(l->compared);
    free(l->compared_why);
    plan_clear(&l->plan);
    loop_clear(&l->loop);
    graph_clear(&l->graph);
    free(l->part);
    memset(l, 0, sizeof *l);
}

/* Returns the number of GPUs in *gpus: that of the request, or all GPUs of its
 * nodes. */
static int count_gpus(unsigned *gpus, const struct machine *m,
                      const struct workload_request *r, unsigned default_nodes,
                      struct err *err)
{
    if (r->gpus && r->nodes)
        return fail(err, "--gpus and --nodes: say one of them");
    if (!m->ngpus)
        return fail(err, "%s has no GPUs", m->name);
    unsigned nodes = r->nodes                           ? r->nodes
                     : default_nodes < m->network.nodes ? default_nodes
                                                        : m->network.nodes;
    *gpus = r->gpus ? r->gpus : nodes * m->ngpus;
    if (nodes > m->network.nodes ||
        *gpus > (uint64_t)m->network.nodes * m->ngpus)
        return fail(err, "%s has %u nodes of %u GPUs; %u %s wanted", m->name,
                    m->network.nodes, m->ngpus, r->gpus ? r->gpus : nodes,
                    r->gpus ? "GPUs" : "nodes");
    return 0;
}

static int make_halo(struct halo *h, const struct matrix *matrix,
                     const char *how, unsigned gpus, const struct machine *m,
                     const struct workload_request *r, struct err *err)
{
    if (matrix_halo_by(h, matrix, how, gpus, m->ngpus, err) < 0)
        return -1;
    return halo_set_value_bytes(h, r->value_bytes, err);
}

/* Makes the halo of the partition for comparison, unless it is the same
 * partition. */
static int load_compared(struct load *l, const struct matrix *matrix,
                         const struct machine *m,
                         const struct workload_request *r, struct err *err)
{
    struct err why;
    int result;

    if (!workload_compares(r) || !strcmp(r->compared, l->partition))
        return 0;
    l->compared = xstrdup(r->compared);
    l->compared_unasked = r->compared_nnz > 0;
    if (r->compared_nnz && matrix->row_ptr[matrix->rows] > r->compared_nnz)
        result = fail(&why,
                      "not tried on %llu nonzeros (--compare-partition "
                      "%s does)",
                      (unsigned long long)matrix->row_ptr[matrix->rows],
                      r->compared);
    else
        result = make_halo(&l->compared_halo, matrix, r->compared, l->gpus, m,
                           r, &why);
    if (result < 0 && l->compared_unasked) {
        l->compared_why = xcalloc(1, sizeof *l->compared_why);
        *l->compared_why = why;
        return 0;
    }
    if (result < 0) {
        *err = why;
        return fail_in(err, "--compare-partition");
    }
    return 0;
}

static void load_count(struct load *l)
{
    l->nodes = halo_nodes(&l->halo);
    for (uint32_t c = 0; c < l->halo.nclasses; c++)
        l->bytes += (double)l->halo.classes[c].count * l->halo.value_bytes *
                    gpu_set_count(l->halo.classes[c].dst_mask);
}

static int load_halo(struct load *l, const struct machine *m,
                     const struct workload_request *r, struct err *err)
{
    struct matrix matrix;

    if (count_gpus(&l->gpus, m, r, 16, err) < 0)
        return -1;
    if (partition_check(r->partition, err) < 0)
        return fail_in(err, "--partition");
    if (workload_compares(r) && partition_check(r->compared, err) < 0)
        return fail_in(err, "--compare-partition");
    l->max_iterations = r->max_iterations;
    l->partition = xstrdup(r->partition ? r->partition : "contiguous");
    if (r->cache && !workload_compares(r)) {
        if (load_cache_halo(&l->halo, r->cache, r->words, l->partition, l->gpus,
                            m->ngpus, err) < 0 ||
            halo_set_value_bytes(&l->halo, r->value_bytes, err) < 0)
            return -1;
        load_count(l);
        return 0;
    }
    if (matrix_from_workload(&matrix, r->words, err) < 0)
        return -1;
    int result = make_halo(&l->halo, &matrix, l->partition, l->gpus, m, r, err);
    if (result == 0)
        result = load_compared(l, &matrix, m, r, err);
    matrix_clear(&matrix);
    if (result < 0)
        return -1;
    load_count(l);
    return 0;
}

/* Returns the highest GPU that takes part. */
static uint32_t load_last_gpu(const struct halo *h)
{
    uint32_t last = 0;

    for (uint32_t c = 0; c < h->nclasses; c++) {
        const struct halo_class *class = &h->classes[c];
        uint32_t dst =
            class->dst_node * h->gpus_per_node + gpu_set_last(class->dst_mask);
        last = class->src > last ? class->src : last;
        last = dst > last ? dst : last;
    }
    return last;
}

static int load_traffic(struct load *l, const struct workload *w,
                        const struct machine *m,
                        const struct workload_request *r, struct err *err)
{
    bool named = w->names_gpus && !r->gpus && !r->nodes;
    struct halo *h = &l->halo;

    if (count_gpus(&l->gpus, m, r, named ? m->network.nodes : 16, err) < 0 ||
        w->traffic(h, l->gpus, m->ngpus, r->words + strlen(w->prefix), err) < 0)
        return -1;
    if (named) {
        l->gpus = h->ngpus = load_last_gpu(h) + 1;
        for (uint32_t k = 0; k < h->nrounds; k++)
            h->rounds[k].ngpus = h->ngpus;
    }
    load_count(l);
    return 0;
}

static int load_messages(struct load *l, const struct workload *w,
                         const struct machine *m,
                         const struct workload_request *r, struct err *err)
{
    struct plan *p = w->loop ? &l->loop.body : &l->plan;

    if ((w->loop ? w->loop(&l->loop, &l->ranks, m, r->words, err)
                 : w->messages(&l->plan, &l->ranks, m, r->words, err)) < 0)
        return -1;
    if ((r->nodes || r->ranks_per_node) &&
        plan_place(p, m, l->ranks, r->nodes, r->ranks_per_node, err) < 0)
        return -1;
    l->nodes = p->nodes;
    for (size_t i = 0; i < p->nops; i++)
        if (plan_sends(&p->ops[i]))
            l->bytes += (double)p->ops[i].bytes;
    if (w->loop)
        l->bytes *= l->loop.steps;
    return 0;
}

/* Places the ranks of a trace, but does not read its events, because these are
 * read when it is planned. */
static int load_trace(struct load *l, const struct workload *w,
                      const struct machine *m, const struct workload_request *r,
                      struct err *err)
{
    const struct placement *at = r->placed;
    struct trace t;

    if (trace_open(&t, r->words + strlen(w->prefix), err) < 0)
        return -1;
    const char *slash = strrchr(t.path, '/');
    plan_init(&l->plan, m, slash ? slash + 1 : t.path, 1, m->ncores, NULL);
    l->ranks = t.ranks;
    l->ranks_are_gpus = (t.ranks_are_gpus || r->ranks_are_gpus) && m->ngpus;
    trace_close(&t);
    if (at && at->ranks != l->ranks)
        return fail(err, "--placement %s: %u ranks; the trace has %u",
                    at->path ? at->path : "", at->ranks, l->ranks);
    unsigned nodes = at ? at->nodes : r->nodes;
    unsigned each = at ? at->ranks_per_node : r->ranks_per_node;
    if (!nodes && !each && l->ranks_are_gpus)
        each = m->ngpus;
    if (plan_place(&l->plan, m, l->ranks, nodes, each, err) < 0)
        return -1;
    l->nodes = l->plan.nodes;
    l->ranks_per_node = l->plan.ranks_per_node;
    l->bytes = NAN;
    return 0;
}

static int choose_source(struct load *l, double source, struct err *err)
{
    if (isnan(source)) {
        l->source = graph_hub(&l->graph);
        return 0;
    }
    if (!(source >= 0 && source < l->graph.n) || source != floor(source))
        return fail(err, "--source: %s has %u vertices, from 0; got %.15g",
                    l->graph.name, l->graph.n, source);
    l->source = (uint32_t)source;
    return 0;
}

static int load_graph(struct load *l, const struct workload *w,
                      const struct machine *m, const struct workload_request *r,
                      struct err *err)
{
    if (count_gpus(&l->gpus, m, r, 1, err) < 0 ||
        graph_partition_check(r->partition, err) < 0 ||
        graph_from_words(&l->graph, r->words + strlen(w->prefix), err) < 0 ||
        choose_source(l, r->source, err) < 0)
        return -1;
    l->nodes = (l->gpus + m->ngpus - 1) / m->ngpus;
    l->bytes = NAN;
    l->damping = isnan(r->damping) ? PAGERANK_DAMPING : r->damping;
    l->threshold = isnan(r->threshold) ? PAGERANK_THRESHOLD : r->threshold;
    l->partition = xstrdup(r->partition ? r->partition : "contiguous");
    l->part = xcalloc(l->graph.n, sizeof *l->part);
    return graph_partition_by(l->part, &l->graph, l->gpus, l->partition, 1,
                              err);
}

/* Sets the ranks in host memory, which fill the cores of the request's
 * nodes. */
static int load_host_ranks(struct load *l, const struct machine *m,
                           const struct workload_request *r, struct err *err)
{
    unsigned most = m->network.nodes;

    if (r->gpus)
        return fail(err, "--gpus: not in host memory: say --nodes");
    if (l->collective.per_gpu > 1)
        return fail(err,
                    "%s: per_gpu=: not in host memory: say "
                    "--ranks-per-node",
                    r->words);
    l->nodes = r->nodes ? r->nodes : most < 16 ? most : 16;
    l->ranks_per_node = r->ranks_per_node ? r->ranks_per_node : m->ncores;
    if (l->nodes > most || l->ranks_per_node > m->ncores)
        return fail(err, "%s has %u nodes of %u cores; %u of %u ranks wanted",
                    m->name, most, m->ncores, l->nodes, l->ranks_per_node);
    l->ranks = l->nodes * l->ranks_per_node;
    return 0;
}

static int load_gpu_ranks(struct load *l, const struct machine *m,
                          const struct workload_request *r, struct err *err)
{
    unsigned per_gpu = l->collective.per_gpu;

    if (r->ranks_per_node)
        return fail(err, "--ranks-per-node: not in GPU memory, where per_gpu= "
                         "says how many ranks a GPU has");
    if (count_gpus(&l->gpus, m, r, 16, err) < 0)
        return -1;
    unsigned of_node = l->gpus < m->ngpus ? l->gpus : m->ngpus;
    l->ranks_per_node = of_node * per_gpu;
    l->nodes = (l->gpus + m->ngpus - 1) / m->ngpus;
    l->ranks = l->gpus * per_gpu;
    if (l->ranks_per_node > m->ncores)
        return fail(err,
                    "%s has %u cores a node; %u ranks wanted, %u on each "
                    "GPU",
                    m->name, m->ncores, l->ranks_per_node, per_gpu);
    return 0;
}

/* Sets as many ranks on as many nodes as the placement has. */
static int load_placed_ranks(struct load *l, const struct machine *m,
                             const struct workload_request *r, struct err *err)
{
    const struct placement *p = r->placed;
    bool host = l->collective.memory == COLLECTIVE_HOST;
    unsigned per_gpu = l->collective.per_gpu;
    unsigned most = host ? m->ncores : m->ngpus * per_gpu;

    if (r->gpus)
        return fail(err, "--placement says how many ranks there are: leave out "
                         "--gpus");
    if (p->ranks_per_node > most)
        return fail(err, "--placement %s: %u ranks on a node of %u %s", p->path,
                    p->ranks_per_node, host ? m->ncores : m->ngpus,
                    host ? "cores" : "GPUs");
    l->nodes = p->nodes;
    l->ranks_per_node = p->ranks_per_node;
    l->ranks = p->ranks;
    l->gpus = host ? 0 : (p->ranks + per_gpu - 1) / per_gpu;
    return 0;
}

static int load_ranks(struct load *l, const struct machine *m,
                      const struct workload_request *r, struct err *err)
{
    if (r->placed)
        return load_placed_ranks(l, m, r, err);
    return l->collective.memory == COLLECTIVE_HOST
               ? load_host_ranks(l, m, r, err)
               : load_gpu_ranks(l, m, r, err);
}

/* Rounds the size down to whole elements: of each rank if each has a block. */
static int collective_round(struct collective_words *c, uint32_t ranks,
                            const char *words, struct err *err)
{
    uint64_t unit = collective_unit(c, ranks);

    if (c->bytes < unit && unit > c->element_B)
        return fail(err,
                    "%s: %llu bytes are less than an element of %u B for each "
                    "of %u ranks",
                    words, (unsigned long long)c->bytes, c->element_B, ranks);
    if (c->bytes < unit)
        return fail(err, "%s: %llu bytes are less than an element of %u B",
                    words, (unsigned long long)c->bytes, c->element_B);
    c->bytes -= c->bytes % unit;
    return 0;
}

static int load_collective(struct load *l, const struct workload *w,
                           const struct machine *m,
                           const struct workload_request *r, struct err *err)
{
    struct collective_words *c = &l->collective;

    if (collective_words_read(c, w->kind, r->words, err) < 0)
        return -1;
    if (!c->memory_said)
        c->memory = m->ngpus ? COLLECTIVE_DEVICE : COLLECTIVE_HOST;
    if (load_ranks(l, m, r, err) < 0)
        return -1;
    if (c->root >= l->ranks)
        return fail(err, "%s: root %u of %u ranks", r->words, c->root,
                    l->ranks);
    if (collective_round(c, l->ranks, r->words, err) < 0)
        return -1;
    l->bytes = (double)c->bytes;
    return 0;
}

int load_make(struct load *l, const struct workload *w, const struct machine *m,
              const struct workload_request *r, struct err *err)
{
    int result;

    *l = (struct load){.shape = workload_shape(w)};
    if (!r->words[strlen(w->prefix)])
        return fail(err, "%s: expected %s", r->words, w->words);
    if (w->traffic)
        result = load_traffic(l, w, m, r, err);
    else if (w->matrix)
        result = load_halo(l, m, r, err);
    else if (w->trace)
        result = load_trace(l, w, m, r, err);
    else if (w->collective)
        result = load_collective(l, w, m, r, err);
    else
        result = (w->algorithm ? load_graph : load_messages)(l, w, m, r, err);
    if (result < 0)
        load_clear(l);
    return result;
}

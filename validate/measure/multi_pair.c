/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of ranks that ping-pong at once, in domains of a node or between those
 * of two nodes. */
#include "validate/measure/benchmark.h"
#include "validate/measure/pairs.h"

#include <stdio.h>
#include <string.h>

/* Sets the ranks of a node and of a domain. */
static int domains_of(struct row *r, struct experiment *x, const char *domain,
                      struct err *err)
{
    const struct machine *m = r->m;
    unsigned node = survey_domain(r->survey, r->t, r->row, "node");
    unsigned most = x->pairs, of_gpu = 0;

    /* The domain is a GPU's share, or one of several domains that are all in
     * use. */
    if (x->domains > 1)
        most = node;
    if (!node)
        node = m->ncores;
    int got = row_ranks_per_node(r, node, &x->ranks_per_node, err);
    if (got)
        return got;
    if (m->ngpus)
        of_gpu = x->ranks_per_node / m->ngpus;
    x->domain_ranks = !strcmp(domain, "node")  ? x->ranks_per_node
                      : !strcmp(domain, "gpu") ? of_gpu
                      : x->domains > 1
                          ? x->ranks_per_node / x->domains
                          : survey_domain(r->survey, r->t, r->row, domain);
    if (!x->domain_ranks)
        x->domain_ranks = 2 * most;
    return 0;
}

/* Reads the columns of the experiment. */
static int multi_pair_cells(struct row *r, struct experiment *x, unsigned *each,
                            const char **where, const char **domain,
                            struct err *err)
{
    static const char *const places[] = {"on_socket", "on_node", "off_node",
                                         NULL};
    static const char *const names[] = {"numa", "socket", "gpu", "node", NULL};
    const struct csv *t = r->t;

    if (cell_word(t, r->row, "locality", places, where, err) < 0 ||
        cell_word(t, r->row, "domain", names, domain, err) < 0 ||
        cell_device(t, r->row, &x->gpu, err) < 0 ||
        cell_small(t, r->row, "domains_active", &x->domains, err) < 0 ||
        cell_small(t, r->row, "pairs_per_domain", each, err) < 0 ||
        cell_small(t, r->row, "pairs_total", &x->pairs, err) < 0 ||
        csv_count(t, r->row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    x->two_nodes = !strcmp(*where, "off_node");
    x->staged = cell_is(t, r->row, "method", "copy_to_cpu");
    return x->pairs && (uint64_t)*each * x->domains == x->pairs
               ? 0
               : fail(err,
                      "%s:%u: pairs_total: %u domains of %u pairs have not %u",
                      t->path, t->lines[r->row], x->domains, *each, x->pairs);
}

/* Sets the ranks of the domains; leaves the row out if this machine has not so
 * many nodes, GPUs or cores. */
static int multi_pair_fits(struct row *r, struct experiment *x, unsigned each,
                           const char *domain, struct err *err)
{
    const struct machine *m = r->m;
    bool of_gpus = !strcmp(domain, "gpu");

    if (x->two_nodes && m->network.nodes < 2)
        return leave_out(r, "%s has one node", m->name);
    if ((x->gpu || of_gpus) && !m->ngpus)
        return leave_out(r, "%s has no GPU", m->name);
    if (of_gpus && x->domains > m->ngpus)
        return leave_out(r, "%s has %u GPUs a node, not %u", m->name, m->ngpus,
                         x->domains);
    int got = row_partition(r);
    if (got == 0)
        got = domains_of(r, x, domain, err);
    if (got)
        return got;
    unsigned taken = x->two_nodes ? each : 2 * each;
    if (taken > x->domain_ranks ||
        (uint64_t)x->domains * x->domain_ranks > m->ncores)
        return leave_out(r, "%s has %u cores a node: not so many pairs",
                         m->name, m->ncores);
    return 0;
}

static int multi_pair_row(struct measured_point *out, struct row *r,
                          struct err *err)
{
    struct experiment *x = &out->x;
    const char *where, *domain;
    unsigned each;

    if (cell_is(r->t, r->row, "method", "rccl"))
        return leave_out(r, "rccl: a GPU library's messages, not MPI's");
    if (cell_blank(r->t, r->row, "locality"))
        return leave_out(r, "locality is empty");
    if (multi_pair_cells(r, x, &each, &where, &domain, err) < 0)
        return -1;
    int got = multi_pair_fits(r, x, each, domain, err);
    if (got)
        return got;
    snprintf(out->group, sizeof out->group, "multi_pair/%s%s/%s/%s%s",
             x->gpu ? "gpu" : "cpu", x->staged ? "_staged" : "", where,
             x->domains > 1 ? "every_" : "one_", domain);
    snprintf(out->label, sizeof out->label, "%u x %u pairs, %llu B", x->domains,
             each, (unsigned long long)x->bytes);
    if (!x->gpu)
        return 0;
    snprintf(out->decision, sizeof out->decision, "%s, %s, %s", where, domain,
             out->label);
    snprintf(out->choice, sizeof out->choice, "%s",
             x->staged ? "copy_to_cpu" : "gpu_aware");
    out->aware = !x->staged;
    return 0;
}

const struct benchmark multi_pair_benchmark = {
    .file =
        {.name = "multi_pair",
         .columns = {"pairs_per_domain", "domains_active", "domain"},
         .time = "time_s",
         .read = multi_pair_row,
         .simulated =
             "device method locality domain domains_active pairs_per_domain "
             "pairs_total pairs_socket0 bytes_per_message"},
    .plan = pairs_plan,
    .measure = pairs_measure,
    .alone_s = pairs_alone_s,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rows of pairs that are active at once: maxrate, inj_bw, node_pong,
 * multi_pair_ping_pong. */
#include "validate/measure/measured_rows.h"

#include <stdio.h>
#include <string.h>

/* Sets the GPUs that the pairs use: one each; or, in files that mark pairs
 * which are spread over all GPUs, all GPUs for these and the first for the
 * others. */
static int pairs_on_gpus(struct row *r, struct experiment *x)
{
    const char *config = csv_text(r->t, r->row, "config");
    unsigned ngpus = r->m->ngpus;

    x->pairs_per_gpu = 1;
    if (r->survey->even_gpus)
        x->pairs_per_gpu = config && strstr(config, "even_gpus")
                               ? (x->pairs + ngpus - 1) / ngpus
                               : x->pairs;
    if (x->pairs > ngpus * x->pairs_per_gpu)
        return leave_out(r, "%s has %u GPUs a node, too few for %u pairs",
                         r->m->name, ngpus, x->pairs);
    return 0;
}

/* Sets the decision: the number of pairs by which a volume is sent. */
static int split_decision(struct measured_point *out, const struct row *r,
                          struct err *err)
{
    const struct experiment *x = &out->x;
    uint64_t total;

    if (csv_count(r->t, r->row, "total_bytes", &total, err) < 0)
        return -1;
    snprintf(out->decision, sizeof out->decision, "node_pong, %s, %llu B%s",
             x->gpu ? "gpu" : "cpu", (unsigned long long)total, rack(x));
    snprintf(out->choice, sizeof out->choice, "%u pairs", x->pairs);
    return 0;
}

int read_pairs(struct measured_point *out, struct row *r, struct err *err)
{
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const struct machine *m = r->m;
    const char *kind = csv_column(t, "total_bytes") >= 0 ? "node_pong"
                       : csv_column(t, "fill") >= 0      ? "inj_bw"
                                                         : "maxrate";

    x->kind = EXPERIMENT_PAIRS;
    x->two_nodes = true;
    if ((csv_column(t, "device") >= 0 &&
         cell_device(t, r->row, &x->gpu, err) < 0) ||
        cell_small(t, r->row, "active_pairs", &x->pairs, err) < 0 ||
        csv_count(t, r->row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    if (cell_blank(t, r->row, "pairs_socket0"))
        return leave_out(r, "pairs_socket0 is empty");
    if (cell_small(t, r->row, "pairs_socket0", &x->socket0_pairs, err) < 0)
        return -1;
    if (x->pairs == 0 || x->socket0_pairs > x->pairs)
        return fail(err,
                    "%s:%u: active_pairs: %u pairs, %u of them on socket 0",
                    t->path, t->lines[r->row], x->pairs, x->socket0_pairs);
    if (m->network.nodes < 2)
        return leave_out(r, "%s has one node", m->name);
    if (x->pairs > m->ncores)
        return leave_out(r, "%s has %u cores a node, too few for %u pairs",
                         m->name, m->ncores, x->pairs);
    int got = row_partition(r);
    if (got == 0 && x->gpu)
        got = pairs_on_gpus(r, x);
    if (got)
        return got;
    if (!x->gpu && x->socket0_pairs < x->pairs && m->nsockets < 2)
        return leave_out(r, "%s has one socket, some pairs are on another",
                         m->name);
    x->other_rack = cell_is(t, r->row, "same_rack", "0");
    snprintf(out->group, sizeof out->group, "%s/%s", kind,
             x->gpu ? "gpu" : "cpu");
    snprintf(out->label, sizeof out->label,
             "%u pairs (%u on socket 0), %llu B%s", x->pairs, x->socket0_pairs,
             (unsigned long long)x->bytes, rack(x));
    return strcmp(kind, "node_pong") ? 0 : split_decision(out, r, err);
}

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

int read_multi_pair(struct measured_point *out, struct row *r, struct err *err)
{
    static const char *const places[] = {"on_socket", "on_node", "off_node",
                                         NULL};
    static const char *const names[] = {"numa", "socket", "gpu", "node", NULL};
    struct experiment *x = &out->x;
    const struct csv *t = r->t;
    const struct machine *m = r->m;
    const char *where, *domain;
    unsigned each;

    x->kind = EXPERIMENT_PAIRS;
    if (cell_is(t, r->row, "method", "rccl"))
        return leave_out(r, "rccl: a GPU library's messages, not MPI's");
    if (cell_blank(t, r->row, "locality"))
        return leave_out(r, "locality is empty");
    if (cell_word(t, r->row, "locality", places, &where, err) < 0 ||
        cell_word(t, r->row, "domain", names, &domain, err) < 0 ||
        cell_device(t, r->row, &x->gpu, err) < 0 ||
        cell_small(t, r->row, "domains_active", &x->domains, err) < 0 ||
        cell_small(t, r->row, "pairs_per_domain", &each, err) < 0 ||
        cell_small(t, r->row, "pairs_total", &x->pairs, err) < 0 ||
        csv_count(t, r->row, "bytes_per_message", &x->bytes, err) < 0)
        return -1;
    if (!x->pairs || (uint64_t)each * x->domains != x->pairs)
        return fail(err,
                    "%s:%u: pairs_total: %u domains of %u pairs have not %u",
                    t->path, t->lines[r->row], x->domains, each, x->pairs);
    x->two_nodes = !strcmp(where, "off_node");
    x->staged = cell_is(t, r->row, "method", "copy_to_cpu");
    if (x->two_nodes && m->network.nodes < 2)
        return leave_out(r, "%s has one node", m->name);
    if ((x->gpu || !strcmp(domain, "gpu")) && !m->ngpus)
        return leave_out(r, "%s has no GPU", m->name);
    if (!strcmp(domain, "gpu") && x->domains > m->ngpus)
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
    snprintf(out->group, sizeof out->group, "multi_pair/%s%s/%s/%s%s",
             x->gpu ? "gpu" : "cpu", x->staged ? "_staged" : "", where,
             x->domains > 1 ? "every_" : "one_", domain);
    snprintf(out->label, sizeof out->label, "%u x %u pairs, %llu B", x->domains,
             each, (unsigned long long)x->bytes);
    if (x->gpu) {
        snprintf(out->decision, sizeof out->decision, "%s, %s, %s", where,
                 domain, out->label);
        snprintf(out->choice, sizeof out->choice, "%s",
                 x->staged ? "copy_to_cpu" : "gpu_aware");
        out->aware = !x->staged;
    }
    return 0;
}

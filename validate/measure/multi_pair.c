/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of ranks that ping-pong at once, in domains of a node or between those
 * of two nodes. */
#include "validate/measure/benchmark.h"
#include "validate/measure/pairs.h"

#include <stdio.h>
#include <stdlib.h>
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

/* --- points of sluice-native ---------------------------------------------- */

/* The domain of the pairs: they are within such a domain; or between the nodes,
 * spread over such domains. */
enum domain { NUMA, SOCKET, NODE, NDOMAINS };
static const char *const domain_names[NDOMAINS] = {"numa", "socket", "node"};

struct pairing {
    const struct sweep *s;
    const char *method;
    struct experiment x; /* staged, two_nodes, and `domains` active ones */
    enum domain domain;
    unsigned each;   /* pairs per domain */
    unsigned *ranks; /* buffer for the ranks of a domain */
    unsigned *ends;  /* of all pairs */
};

static unsigned domain_of(const struct sweep *s, enum domain d, unsigned rank)
{
    return d == NUMA ? s->numas[rank] : d == SOCKET ? s->sockets[rank] : 0;
}

/* Sets *first to the first rank of the index-th domain of the first node;
 * returns false if there are fewer. */
static bool first_of(unsigned *first, const struct sweep *s, enum domain d,
                     unsigned index)
{
    for (unsigned r = 0; r < s->m->ncores; r++) {
        bool seen = false;
        for (unsigned before = 0; before < r && !seen; before++)
            seen = domain_of(s, d, before) == domain_of(s, d, r);
        *first = r;
        if (!seen && index-- == 0)
            return true;
    }
    return false;
}

static unsigned count_domains(const struct sweep *s, enum domain d)
{
    unsigned count = 0, first;

    while (first_of(&first, s, d, count))
        count++;
    return count;
}

/* Lists the ranks of a domain, one part of it after the other, so that the two
 * halves of the list are in different parts; returns their number. */
static unsigned domain_ranks(const struct pairing *p, unsigned index)
{
    enum domain part = p->domain == NODE ? SOCKET : NUMA;
    const struct sweep *s = p->s;
    unsigned n = 0, first = 0, head;

    (void)first_of(&first, s, p->domain, index);
    for (unsigned i = 0; first_of(&head, s, part, i); i++)
        for (unsigned r = 0; r < s->m->ncores; r++)
            if (domain_of(s, part, r) == domain_of(s, part, head) &&
                domain_of(s, p->domain, r) == domain_of(s, p->domain, first))
                p->ranks[n++] = r;
    return n;
}

/* Returns the most pairs that each of the active domains can have. */
static unsigned most_pairs(const struct pairing *p)
{
    unsigned least = p->s->m->ncores;

    for (unsigned i = 0; i < p->x.domains; i++) {
        unsigned ranks = domain_ranks(p, i);
        unsigned pairs = p->x.two_nodes ? ranks : ranks / 2;
        least = pairs < least ? pairs : least;
    }
    return least;
}

/* Sets the ranks of all pairs; returns how many begin on socket 0. */
static unsigned pair_up(struct pairing *p)
{
    unsigned near = 0, *end = p->ends;

    for (unsigned i = 0; i < p->x.domains; i++) {
        unsigned n = domain_ranks(p, i);
        for (unsigned k = 0; k < p->each; k++) {
            near += p->s->sockets[p->ranks[k]] == 0;
            *end++ = p->ranks[k];
            *end++ = p->x.two_nodes ? p->ranks[k] + p->s->m->ncores
                                    : p->ranks[n / 2 + k];
        }
    }
    p->x.pairs = p->x.domains * p->each;
    return near;
}

static void pairing_sizes(struct pairing *p)
{
    const struct sweep *s = p->s;
    unsigned near = pair_up(p), last = 2 * (p->x.pairs - 1);
    unsigned from = p->ends[last], to = p->ends[last + 1];
    bool same = !p->x.two_nodes && s->numas[from] == s->numas[to];
    struct experiment *x = &p->x;

    for (int b = 0; b < NBUFFERS; b++) {
        x->buffers = (enum buffers)b;
        for (x->bytes = s->sizes.from;
             x->bytes <= s->sizes.to && (s->wanted >> b & 1);
             x->bytes *= s->sizes.factor)
            if (b != BUFFERS_COLD || x->bytes >= LEAST_COLD_B)
                sweep_point(
                    s, x, "%s,%s,%s,%d,%s,%u,%u,%u,%u,%llu,%s", sweep_device(s),
                    p->method, sweep_locality(s, from, to), same,
                    domain_names[p->domain], x->domains, p->each, x->pairs,
                    near, (unsigned long long)x->bytes, buffer_names[b]);
    }
}

/* Measures 1, 2, 4, ... and the most pairs of so many domains. */
static void pairing_counts(struct pairing *p, enum domain domain, bool off_node,
                           unsigned active)
{
    p->domain = domain;
    p->x.two_nodes = off_node;
    p->x.domains = active;
    unsigned most = most_pairs(p);
    for (unsigned pairs = 1, before = 0; before < most; pairs *= 2) {
        p->each = before = pairs < most ? pairs : most;
        pairing_sizes(p);
    }
}

static void pairing_domains(struct pairing *p, bool off_node)
{
    unsigned count[NDOMAINS];

    for (int d = NUMA; d < NDOMAINS; d++)
        count[d] = count_domains(p->s, (enum domain)d);
    if (off_node)
        pairing_counts(p, NODE, true, 1);
    for (int d = NUMA; d < NDOMAINS; d++) {
        /* A socket with one NUMA domain, and a node with one socket, have no
         * pairs that are further apart. */
        if (d != NUMA && count[d] == count[d - 1])
            continue;
        if (!off_node)
            pairing_counts(p, (enum domain)d, false, 1);
        if (count[d] > 1)
            pairing_counts(p, (enum domain)d, off_node, count[d]);
    }
}

static void multi_pair_method(const struct sweep *s, const char *method,
                              bool staged, bool far)
{
    struct pairing p = {
        .s = s,
        .method = method,
        .x = {.iteration = true, .gpu = s->gpu, .staged = staged}};

    p.ranks = xcalloc(s->m->ncores, sizeof *p.ranks);
    p.x.ends = p.ends = xcalloc(2 * (size_t)s->m->ncores, sizeof *p.ends);
    pairing_domains(&p, false);
    if (far && s->m->network.nodes > 1)
        pairing_domains(&p, true);
    free(p.ends);
    free(p.ranks);
}

static void multi_pair_sweep(const struct sweep *s)
{
    multi_pair_method(s,
                      !s->gpu  ? "mpi"
                      : s->far ? "gpu_aware"
                               : "ipc",
                      false, s->far);
    if (s->gpu)
        multi_pair_method(s, "copy_to_cpu", true, true);
}

static const char *const multi_pair_notes[] = {
    "pairs_total pairs do ping-pongs at once, not synchronised after the "
    "start; all other ranks sleep; time_s is ONE-WAY: elapsed/(2*"
    "iterations), maximum over all ranks; one row a batch, after two that "
    "do not count",
    "domains_active domains have pairs_per_domain pairs each: within a "
    "NUMA domain, between those of a socket, between sockets of a node; "
    "off_node: rank k of node 0 with rank k of node 1, pairs_per_domain "
    "of each domain; pairs_socket0: pairs that begin on socket 0",
    "method: mpi: host memory; gpu_aware: GPU memory that the MPI sends; "
    "ipc (where it does not): the sender copies into the receiver's "
    "memory (CUDA IPC), then sends an empty message; copy_to_cpu: copy "
    "to the host, message, copy to the GPU, each waited for",
    BUFFERS_NOTE, NULL};

static const struct benchmark_command multi_pair_commands[] = {
    {.name = "multi_pair",
     .summary = "ping-pongs of pairs in a NUMA domain, socket, node",
     .about = "1, 2, 4, ... and all pairs of ranks of a NUMA domain, of a "
              "socket, of a node and of two nodes do ping-pongs at once; the "
              "time is one way, of the slowest pair.\n",
     .measured = "multi_pair: ping-pongs of pairs of ranks at once",
     .notes = multi_pair_notes,
     .columns = "device,method,locality,same_numa,domain,domains_active,"
                "pairs_per_domain,pairs_total,pairs_socket0,"
                "bytes_per_message,buffers",
     .sizes = {4, 4u << 20, 4},
     .ipc = true,
     .buffers = true,
     BUFFERS_WORDS,
     .sweep = multi_pair_sweep},
    {0}};

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
    .commands = multi_pair_commands,
    .round_trip = true,
};

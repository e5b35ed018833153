/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a machine as a SimGrid platform and hostfile whose SMPI costs
 * approximate ours. */
#include "sim/export/export.h"

#include "sim/network/routes.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* links between two ranks, because a torus has long routes */
enum { MAX_ROUTE = 256 };

/* The part of the cost that each flow of a locality has for itself. */
struct wire_cost {
    const struct segment *segment; /* NULL if there are no such messages here */
    double latency_s, rate_Bps;
};

struct platform {
    FILE *f;
    const struct machine *m;
    const struct plan *p;
    struct routes *routes;
    uint32_t links_per_node;
    enum msg_path path;
    struct wire_cost cost[NLOCALITIES];
    enum locality outermost; /* the outermost locality of the plan's messages */
    uint32_t *gpu; /* for each rank the GPU from whose memory it sends */
};

/* --- the places of ranks, and their messages ------------------------------ */

/* Places a rank in host memory or at a GPU; called for both ends of every
 * message. */
static int place_rank(struct platform *x, bool *known, uint32_t rank,
                      uint32_t gpu, struct err *err)
{
    if (known[rank] && x->gpu[rank] != gpu)
        return fail(err,
                    "%s: rank %" PRIu32 " sends or receives in two places, "
                    "host memory or GPUs: a host of SimGrid is at one",
                    x->p->name, rank);
    known[rank] = true;
    x->gpu[rank] = gpu;
    return 0;
}

static int place_ranks(struct platform *x, struct err *err)
{
    uint32_t ranks = x->p->nodes * x->p->ranks_per_node;
    bool *known = xcalloc(ranks, sizeof *known);
    int result = 0;

    x->gpu = xmalloc(ranks * sizeof *x->gpu);
    for (uint32_t r = 0; r < ranks; r++)
        x->gpu[r] = NO_GPU;
    for (size_t i = 0; i < x->p->nops && result == 0; i++) {
        const struct op *o = &x->p->ops[i];
        if (!plan_sends(o))
            continue;
        x->path = plan_path(x->m, o);
        result = place_rank(x, known, o->src, o->src_gpu, err);
        if (result == 0)
            result = place_rank(x, known, o->dst, o->dst_gpu, err);
    }
    free(known);
    return result;
}

static int export_simgrid_by_size(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* Finds the size of the plan's median message there; returns false if there is
 * none. */
static bool median(const struct platform *x, enum locality where,
                   uint64_t *bytes)
{
    uint64_t *sizes = xcalloc(x->p->nops, sizeof *sizes);
    size_t n = 0;

    for (size_t i = 0; i < x->p->nops; i++)
        if (plan_sends(&x->p->ops[i]) &&
            plan_locality(x->p, x->m, &x->p->ops[i]) == where)
            sizes[n++] = x->p->ops[i].bytes;
    qsort(sizes, n, sizeof *sizes, export_simgrid_by_size);
    *bytes = n ? sizes[n / 2] : UINT64_MAX;
    free(sizes);
    return n > 0;
}

static void find_costs(struct platform *x)
{
    for (int where = 0; where < NLOCALITIES; where++) {
        uint64_t bytes;
        if (median(x, (enum locality)where, &bytes))
            x->outermost = (enum locality)where;
        const struct segment *s = machine_segment(x->m, RUNTIME_MPI, x->path,
                                                  (enum locality)where, bytes);
        if (!s)
            continue;
        double beta = segment_wire_s_per_B(s);
        x->cost[where] = (struct wire_cost){
            .segment = s,
            .latency_s = segment_latency_s(s),
            .rate_Bps = beta > 1e-18 ? 1 / beta : 1e15,
        };
    }
}

/* --- options of SMPI ------------------------------------------------------ */

static void option(const struct platform *x, const char *key, const char *value)
{
    fprintf(x->f, "    <prop id=\"%s\" value=\"%s\"/>\n", key, value);
}

/* Writes "0:A:B;1000:A:B", which is A + B * bytes above that many bytes. */
static void cpu_option(const struct platform *x, const char *key, bool send)
{
    const struct message_table *t =
        &x->m->messages[RUNTIME_MPI][x->path][x->outermost];
    uint64_t above = 0;

    fprintf(x->f, "    <prop id=\"%s\" value=\"", key);
    for (size_t i = 0; i < t->nsegments; i++) {
        const struct segment *s = &t->segments[i];
        fprintf(x->f, "%s%" PRIu64 ":%.12g:%.12g", i ? ";" : "", above,
                send ? s->send_s : s->recv_s,
                send ? s->send_s_per_B : s->recv_s_per_B);
        above = s->up_to_B;
    }
    fprintf(x->f, "\"/>\n");
}

/* Returns the size below which messages are eager; SMPI counts it in an int. */
static int eager_below(const struct platform *x)
{
    const struct message_table *t =
        &x->m->messages[RUNTIME_MPI][x->path][x->outermost];
    uint64_t limit = 0;

    for (size_t i = 0; i < t->nsegments; i++)
        if (t->segments[i].protocol != PROTOCOL_RENDEZVOUS)
            limit = t->segments[i].up_to_B;
        else if (i == 0)
            return 0;
    return limit < INT_MAX ? (int)limit + 1 : INT_MAX;
}

static void write_options(const struct platform *x)
{
    char below[16];

    snprintf(below, sizeof below, "%d", eager_below(x));
    fprintf(x->f, "  <config>\n");
    option(x, "network/bandwidth-factor", "1");
    option(x, "network/crosstraffic", "no");
    option(x, "network/latency-factor", "1");
    option(x, "network/optim", "Full");
    option(x, "network/TCP-gamma", "1e20");
    option(x, "network/weight-S", "0");
    option(x, "smpi/bw-factor", "0:1");
    option(x, "smpi/lat-factor", "0:1");
    option(x, "smpi/async-small-thresh", below);
    option(x, "smpi/send-is-detached-thresh", below);
    option(x, "smpi/simulate-computation", "no");
    option(x, "smpi/host-speed", "1Gf");
    if (x->m->messages[RUNTIME_MPI][x->path][x->outermost].nsegments) {
        cpu_option(x, "smpi/os", true);
        cpu_option(x, "smpi/ois", true);
        cpu_option(x, "smpi/or", false);
    }
    fprintf(x->f, "  </config>\n");
}

/* --- links ---------------------------------------------------------------- */

static void write_name(const struct platform *x, uint32_t link)
{
    char name[64];

    routes_name(x->routes, link, name, sizeof name);
    for (const char *c = name; *c; c++)
        if (strchr("<>&\"", *c))
            fprintf(x->f, "&#%d;", *c);
        else
            fputc(*c, x->f);
}

static void write_link(const struct platform *x, uint32_t link)
{
    fprintf(x->f, "<link id=\"");
    write_name(x, link);
    fprintf(x->f, "\" bandwidth=\"%.12gBps\" latency=\"0s\"/>\n",
            routes_bandwidth(x->routes, link));
}

static void write_cap(const struct platform *x, const char *name, double rate,
                      double latency_s)
{
    fprintf(x->f,
            "<link id=\"%s\" bandwidth=\"%.12gBps\" latency=\"%.12gs\" "
            "sharing_policy=\"FATPIPE\"/>\n",
            name, rate, latency_s);
}

static void write_hops(const struct platform *x, const uint32_t *links,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(x->f, "<link_ctn id=\"");
        write_name(x, links[i]);
        fprintf(x->f, "\"/>");
    }
}

/* --- a node --------------------------------------------------------------- */

static uint32_t endpoint(const struct platform *x, uint32_t rank)
{
    uint32_t gpu = x->gpu[rank];

    if (gpu == NO_GPU)
        return engine_core(x->m, plan_node(x->p, rank), plan_core(x->p, rank));
    return engine_gpu(x->m, gpu / x->m->ngpus, gpu % x->m->ngpus);
}

/* Returns the locality of a message between two ranks, from GPU memory if they
 * have any. */
static enum locality locality(const struct platform *x, uint32_t a, uint32_t b)
{
    struct op o = {.kind = OP_MSG,
                   .src = a,
                   .dst = b,
                   .src_gpu = x->gpu[a],
                   .dst_gpu = x->gpu[b]};

    if (o.src_gpu == NO_GPU || o.dst_gpu == NO_GPU)
        o.src_gpu = o.dst_gpu = NO_GPU;
    return plan_locality(x->p, x->m, &o);
}

static void write_route(const struct platform *x, uint32_t a, uint32_t b)
{
    enum locality where = locality(x, a, b);
    uint32_t links[MAX_ROUTE];

    if (!x->cost[where].segment)
        return;
    size_t n = routes_find(x->routes, endpoint(x, a), endpoint(x, b),
                           NIC_OF_SOCKET, links, MAX_ROUTE);
    fprintf(x->f,
            "<route src=\"rank%" PRIu32 "\" dst=\"rank%" PRIu32
            "\" symmetrical=\"NO\"><link_ctn id=\"node%u.%s\"/>",
            a, b, plan_node(x->p, a), locality_names[where]);
    write_hops(x, links, n);
    fprintf(x->f, "</route>\n");
}

static bool of_node(const struct platform *x, uint32_t link, unsigned node)
{
    return link >= node * x->links_per_node &&
           link < (node + 1) * x->links_per_node;
}

static int off_node_nic(const struct platform *x)
{
    const struct segment *s = x->cost[OFF_NODE].segment;

    /* A gate belongs to one node, so it knows no other. */
    return s && s->nic != NIC_OF_NODES ? s->nic : NIC_OF_SOCKET;
}

/* Writes the route from a rank to the network, and from there to it: the first
 * links, and the last, of its routes to and from any rank of another node. */
static void write_gate(const struct platform *x, uint32_t rank, uint32_t other)
{
    unsigned node = plan_node(x->p, rank);
    uint32_t links[MAX_ROUTE];
    size_t n = routes_find(x->routes, endpoint(x, rank), endpoint(x, other),
                           off_node_nic(x), links, MAX_ROUTE);
    size_t own = 0;

    while (own < n && of_node(x, links[own], node))
        own++;
    fprintf(x->f,
            "<route src=\"rank%" PRIu32 "\" dst=\"node%u\" "
            "symmetrical=\"NO\">",
            rank, node);
    write_hops(x, links, own);
    n = routes_find(x->routes, endpoint(x, other), endpoint(x, rank),
                    off_node_nic(x), links, MAX_ROUTE);
    for (own = n; own > 0 && of_node(x, links[own - 1], node);)
        own--;
    fprintf(x->f,
            "</route>\n<route src=\"node%u\" dst=\"rank%" PRIu32
            "\" symmetrical=\"NO\">",
            node, rank);
    write_hops(x, links + own, n - own);
    fprintf(x->f, "</route>\n");
}

static void write_node(const struct platform *x, unsigned node)
{
    uint32_t n = x->p->ranks_per_node, first = node * n;
    /* any rank of another node */
    uint32_t other = node ? 0 : n;

    fprintf(x->f, "<zone id=\"zone%u\" routing=\"Full\">\n", node);
    for (uint32_t r = first; r < first + n; r++)
        fprintf(x->f, "<host id=\"rank%" PRIu32 "\" speed=\"1Gf\"/>\n", r);
    fprintf(x->f, "<router id=\"node%u\"/>\n", node);
    for (uint32_t l = 0; l < x->links_per_node; l++)
        write_link(x, node * x->links_per_node + l);
    for (int where = 0; where < OFF_NODE; where++) {
        char name[64];
        if (!x->cost[where].segment)
            continue;
        snprintf(name, sizeof name, "node%u.%s", node, locality_names[where]);
        write_cap(x, name, x->cost[where].rate_Bps, x->cost[where].latency_s);
    }
    for (uint32_t a = first; a < first + n; a++)
        for (uint32_t b = first; b < first + n; b++)
            write_route(x, a, b);
    for (uint32_t r = first; x->p->nodes > 1 && r < first + n; r++)
        write_gate(x, r, other);
    fprintf(x->f, "</zone>\n");
}

/* --- the network ---------------------------------------------------------- */

/* Finds the links between two nodes, without the nodes' own. */
static size_t between(const struct platform *x, unsigned a, unsigned b,
                      uint32_t links[MAX_ROUTE])
{
    size_t n = routes_find(x->routes, endpoint(x, a * x->p->ranks_per_node),
                           endpoint(x, b * x->p->ranks_per_node),
                           off_node_nic(x), links, MAX_ROUTE);
    uint32_t own = x->p->nodes * x->links_per_node;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (links[i] >= own)
            links[kept++] = links[i];
    return kept;
}

static void write_zone_route(const struct platform *x, unsigned a, unsigned b)
{
    uint32_t links[MAX_ROUTE];
    size_t n = between(x, a, b, links);

    fprintf(x->f,
            "<zoneRoute src=\"zone%u\" dst=\"zone%u\" gw_src=\"node%u\" "
            "gw_dst=\"node%u\" symmetrical=\"NO\"><link_ctn id=\"%s\"/>",
            a, b, a, b,
            machine_same_rack(x->m, a, b) ? "off_node" : "other_rack");
    write_hops(x, links, n);
    fprintf(x->f, "</zoneRoute>\n");
}

/* Writes the links of the network before the routes over them, as the format
 * requires. They are known only once all routes have been asked for, because
 * that creates them. */
static void write_network(const struct platform *x)
{
    const struct wire_cost *c = &x->cost[OFF_NODE];
    uint32_t links[MAX_ROUTE];
    unsigned nodes = x->p->nodes;

    if (!c->segment)
        return;
    write_cap(x, "off_node", c->rate_Bps, c->latency_s);
    write_cap(x, "other_rack", c->rate_Bps,
              c->latency_s +
                  x->m->messages[RUNTIME_MPI][x->path][OFF_NODE].other_rack_s);
    for (unsigned a = 0; a < nodes; a++)
        for (unsigned b = 0; b < nodes; b++)
            if (a != b)
                between(x, a, b, links);
    for (uint32_t l = nodes * x->links_per_node; l < routes_links(x->routes);
         l++)
        write_link(x, l);
    for (unsigned a = 0; a < nodes; a++)
        for (unsigned b = 0; b < nodes; b++)
            if (a != b)
                write_zone_route(x, a, b);
}

static void export_simgrid_write_all(const struct platform *x)
{
    fprintf(x->f, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                  "\"https://simgrid.org/simgrid.dtd\">\n"
                  "<!-- sluice " SLUICE_VERSION " -->\n"
                  "<platform version=\"4.1\">\n");
    write_options(x);
    fprintf(x->f, "<zone id=\"machine\" routing=\"Full\">\n");
    for (unsigned n = 0; n < x->p->nodes; n++)
        write_node(x, n);
    if (x->p->nodes > 1)
        write_network(x);
    fprintf(x->f, "</zone>\n</platform>\n");
}

static int write_platform(struct platform *x, struct err *err)
{
    x->routes = routes_new(x->m, NULL, x->p->nodes, err);
    if (!x->routes)
        return -1;
    routes_number_nodes(x->routes);
    x->links_per_node = (uint32_t)(routes_links(x->routes) / x->p->nodes);
    export_simgrid_write_all(x);
    routes_free(x->routes);
    if (fflush(x->f) || ferror(x->f))
        return fail_work(err, "cannot be written: %s", strerror(errno));
    return 0;
}

/* Fails if a platform file cannot describe the network, because it has one
 * route from a node to another, and one latency for all routes. */
static int check_network(const struct machine *m, struct err *err)
{
    const struct network *n = &m->network;

    if (n->routing != ROUTING_MINIMAL)
        return fail(err,
                    "%s: network.routing %s: a SimGrid platform has one way "
                    "from a node to another",
                    m->name, routing_names[n->routing]);
    if (n->rails > 1)
        return fail(err,
                    "%s: network.rails %u: a SimGrid platform has one way from "
                    "a node to another",
                    m->name, n->rails);
    if (n->hop_s > 0)
        return fail(err,
                    "%s: network.hop_ns: a SimGrid platform has one latency "
                    "of all ways between nodes",
                    m->name);
    return 0;
}

int export_simgrid(FILE *f, const struct exported *x, struct err *err)
{
    struct platform platform = {.f = f, .m = x->m, .p = x->p};
    int result =
        check_network(x->m, err) < 0 ? -1 : place_ranks(&platform, err);

    if (result == 0) {
        find_costs(&platform);
        result = write_platform(&platform, err);
    }
    free(platform.gpu);
    return result;
}

void export_hosts(FILE *f, const struct exported *x)
{
    for (uint32_t r = 0; r < x->p->nodes * x->p->ranks_per_node; r++)
        fprintf(f, "rank%" PRIu32 "\n", r);
}

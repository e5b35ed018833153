/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_graph.c - NCCL's search of a node's topology for channels, as formulas:
 * the wires carry so many channels of each speed. The search itself tries all
 * orders of GPUs; between GPUs that a switch or equal wires join, it finds as
 * many as the wires can carry. */
#include "strategies/collective/nccl_graph.h"

#include "platforms/nccl_settings.h"
#include "strategies/collective/nccl_wires.h"
#include "strategies/collective/rccl_rings.h"

#include <math.h>

enum nccl_place { INTRA, INTER, NPLACES };
enum {
    MOST_SPEEDS = 24,
    MOST_FOUND = 32, /* half of NCCL's channels, because they are doubled */
    MOST_HEADS = 32
};

static const struct {
    struct {
        double specified_GBps, raw_GBps, counted_GBps;
    } link[NNCCL_GENERATIONS];
    double speeds_GBps[NNCCL_GENERATIONS][NPLACES][MOST_SPEEDS];
} numbers = {
#define NCCL_LINK(generation, specified, raw, counted)                         \
    .link[generation] = {specified, raw, counted},
#define NCCL_SPEEDS(generation, place, ...)                                    \
    .speeds_GBps[generation][place] = {__VA_ARGS__},
#include "strategies/collective/nccl_graph.def"
};

/* The numbers of earlier versions for GPUs before Hopper, the oldest first. */
static const struct older {
    unsigned before;
    double counted_GBps, speeds_GBps[NPLACES][MOST_SPEEDS];
} older[] = {
#define NCCL_LIST(...)                                                         \
    {                                                                          \
        __VA_ARGS__                                                            \
    }
#define NCCL_OLDER(before, counted, intra, inter)                              \
    {before, counted, {[INTRA] = intra, [INTER] = inter}},
#include "strategies/collective/nccl_graph_older.def"
};

/* --- the machine from NCCL's view ----------------------------------------- */

static bool is_nic(const struct machine *m, unsigned device)
{
    return device != NO_GPU && m->devices[device].kind == DEVICE_NIC;
}

static bool near_nic(const struct machine *m, unsigned gpu)
{
    for (size_t i = 0; i < m->nwires; i++) {
        unsigned to = nccl_far_end(&m->wires[i], gpu);
        if (is_nic(m, to))
            return true;
        if (to == NO_GPU || m->devices[to].kind != DEVICE_SWITCH)
            continue;
        for (size_t k = 0; k < m->nwires; k++)
            if (is_nic(m, nccl_far_end(&m->wires[k], to)))
                return true;
    }
    return false;
}

/* Returns the numbers that were in place of today's, or NULL. */
static const struct older *older_of(const struct nccl_system *s)
{
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
        if (s->generation < NCCL_HOPPER && s->version < older[i].before)
            return &older[i];
    return NULL;
}

double nccl_link_GBps(const struct nccl_system *s)
{
    const struct older *was = older_of(s);

    return was ? was->counted_GBps : numbers.link[s->generation].counted_GBps;
}

/* Returns the bandwidth of a wire between GPUs, as NCCL counts its NVLinks. The
 * wire has the specified rate of whole links or the raw one. */
static double nvlink_GBps(const struct nccl_system *s, const struct wire *w)
{
    double GBps = w->bandwidth_Bps / 1e9;
    double links = GBps / numbers.link[s->generation].specified_GBps;
    double raw = GBps / numbers.link[s->generation].raw_GBps;

    if (fabs(raw - round(raw)) < fabs(links - round(links)))
        links = raw;
    links = round(links);
    return links >= 1 ? links * nccl_link_GBps(s) : GBps;
}

/* Returns whether the job has the GPU that this device is or belongs to. */
static bool of_job(const struct nccl_system *s, const struct machine *m,
                   unsigned device)
{
    const struct device *d = &m->devices[device];

    if (s->per_node < 2)
        return true;
    if (d->kind == DEVICE_GPU)
        return d->index < s->per_node;
    for (unsigned i = 0; i < m->ngpus && d->kind == DEVICE_SOCKET; i++)
        if (nccl_port(m, i) == device)
            return i < s->per_node;
    return d->kind != DEVICE_SOCKET;
}

/* Sets the bandwidth from the first GPU to the others of the job and to their
 * switches; if it has no such wires, the bandwidth to its socket. */
static void see_gpu(struct nccl_system *s, const struct machine *m)
{
    unsigned gpu = (unsigned)(machine_gpu(m, 0) - m->devices);
    unsigned port = nccl_port(m, 0);
    double by_pci = 0;

    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        unsigned to = nccl_far_end(w, port);
        if (to == NO_GPU || to == gpu || m->devices[to].kind == DEVICE_NIC)
            continue;
        bool sw = m->devices[to].kind == DEVICE_SWITCH;
        if (port == gpu && machine_is_pcie(m, to)) {
            by_pci += w->bandwidth_Bps / 1e9;
            continue;
        }
        /* Without P2P it goes through the memory of a socket. */
        if (s->set.no_p2p || !of_job(s, m, to))
            continue;
        s->gpu_GBps += nvlink_GBps(s, w);
        s->switched |= sw;
        s->adds |= sw && (w->reduces || s->generation >= NCCL_HOPPER);
    }
    s->near_nic = near_nic(m, port);
    s->nvlink = s->gpu_GBps > 0;
    if (!s->nvlink)
        s->gpu_GBps = by_pci;
}

static void see_nics(struct nccl_system *s, const struct machine *m)
{
    double sum = 0;

    for (size_t i = 0; i < m->nwires; i++)
        for (int end = 0; end < 2; end++)
            if (is_nic(m, m->wires[i].ends[end])) {
                sum += m->wires[i].bandwidth_Bps / 1e9;
                s->nics++;
            }
    s->inter_GBps = fmin(sum, m->network.bandwidth_Bps / 1e9);
    s->nic_GBps = s->nics ? s->inter_GBps / s->nics : s->inter_GBps;
    if (!s->nics)
        s->nics = 1;
}

struct nccl_system nccl_system_of(const struct machine *m,
                                  const struct collective *c)
{
    struct nccl_system s = {.generation = nccl_generation_of(m),
                            .version =
                                m->nccl.version ? m->nccl.version : NCCL_NEWEST,
                            .ranks = collective_ranks(c),
                            .nodes = c->nodes,
                            .per_node = c->ranks_per_node,
                            .set = m->nccl.settings};

    if (s.generation == NCCL_NO_GENERATION)
        s.generation = NCCL_VOLTA;
    see_gpu(&s, m);
    if (s.set.no_nvls)
        s.adds = false;
    s.net_adds = m->network.reduces && s.set.collnet && c->nodes > 1;
    see_nics(&s, m);
    if (nccl_is_rccl(s.generation) && s.per_node > 1)
        s.listed = rccl_rings_of(m, &s);
    return s;
}

/* --- the search ----------------------------------------------------------- */

/* Returns how many channels of a speed the wires carry. In a chain one GPU of
 * n does not send, so that channels that begin at all of them load each GPU's
 * links less. */
static unsigned fits(const struct nccl_system *s, enum nccl_pattern pattern,
                     double speed_GBps)
{
    double n = s->per_node, most = MOST_FOUND;

    if (s->per_node > 1) {
        double all =
            pattern == NCCL_TREE ? s->gpu_GBps * n / (n - 1) : s->gpu_GBps;
        most = fmin(most, floor(all / speed_GBps + 1e-9));
    }
    if (s->nodes > 1)
        most = fmin(most, s->nics * floor(s->nic_GBps / speed_GBps + 0.03));
    return (unsigned)most;
}

static struct nccl_graph search_channels(const struct nccl_system *s,
                                         const double *speeds_GBps)
{
    struct nccl_graph best = {0};

    for (int i = 0; i < MOST_SPEEDS && speeds_GBps[i] > 0; i++) {
        double speed = speeds_GBps[i];
        unsigned n = fits(s, NCCL_RING, speed);
        if (best.channels && speed < 0.49 * best.inter_GBps)
            break;
        if (n * speed > best.channels * best.inter_GBps)
            best = (struct nccl_graph){n, speed, speed};
    }
    return best;
}

/* Doubles fast channels, because each gets more threads then. */
static void double_channels(struct nccl_graph *g, enum nccl_generation gen)
{
    if (g->intra_GBps < 25 ||
        (gen >= NCCL_HOPPER && g->intra_GBps < 50 && g->channels > 4) ||
        2 * g->channels > MOST_FOUND)
        return;
    g->channels *= 2;
    g->intra_GBps /= 2;
    g->inter_GBps /= 2;
}

/* Searches for channels that all GPUs of a node share evenly, one for each
 * head. */
static struct nccl_graph search_heads(const struct nccl_system *s,
                                      const double *speeds_GBps)
{
    unsigned n = s->per_node < MOST_HEADS ? s->per_node : MOST_HEADS;

    if (s->per_node < 2)
        return (struct nccl_graph){0};
    for (int i = 0; i < MOST_SPEEDS && speeds_GBps[i] > 0; i++) {
        double speed = speeds_GBps[i];
        unsigned heads = s->nodes > 1 && s->nics < n ? s->nics : n;
        bool net = s->nodes == 1 || s->nic_GBps * 1.03 >= speed;
        if (!net || heads * speed > s->gpu_GBps)
            continue;
        double inter =
            i && s->nodes > 1 && s->nic_GBps * 1.03 >= speeds_GBps[i - 1]
                ? speeds_GBps[i - 1]
                : speed;
        return (struct nccl_graph){heads, speed, inter};
    }
    return (struct nccl_graph){0};
}

/* Returns a tree for each ring, with the greatest speeds at which they fit. On
 * two nodes a tree loads links in a node up to twice as much as those between
 * nodes, so that these can be slower. */
static struct nccl_graph search_trees(const struct nccl_system *s,
                                      unsigned rings, const double *speeds_GBps)
{
    struct nccl_graph g = {rings, 0.1, 0.1};
    struct nccl_system node = *s;

    node.nodes = 1;
    for (int i = MOST_SPEEDS - 1; i >= 0; i--) {
        double speed = speeds_GBps[i];
        if (!speed)
            continue;
        if (fits(s, NCCL_TREE, speed) >= rings)
            g.intra_GBps = g.inter_GBps = speed;
        else if (s->nodes > 1 && g.intra_GBps < 2 * g.inter_GBps &&
                 fits(&node, NCCL_TREE, speed) >= rings)
            g.intra_GBps = speed;
    }
    return g;
}

static struct nccl_graph search_rings(const struct nccl_system *s,
                                      const double *speeds_GBps)
{
    struct nccl_graph g = search_channels(s, speeds_GBps);

    if (!g.channels) /* as NCCL: the order of the GPUs, very slow */
        return (struct nccl_graph){1, 0.1, 0.1};
    double_channels(&g, s->generation);
    return g;
}

/* Returns the rings of RCCL's list, which share a GPU's links. Its trees are
 * chains of the same channels. */
static struct nccl_graph listed_channels(const struct nccl_system *s)
{
    unsigned n = s->listed->copies * rccl_different(s->listed);

    return (struct nccl_graph){n, s->gpu_GBps / n, s->gpu_GBps / n};
}

struct nccl_graph nccl_search(const struct nccl_system *s,
                              enum nccl_pattern pattern)
{
    const struct older *was = older_of(s);
    enum nccl_place place = s->nodes > 1 ? INTER : INTRA;
    const double *speeds_GBps = was ? was->speeds_GBps[place]
                                    : numbers.speeds_GBps[s->generation][place];

    if (pattern == NCCL_DIRECT || (pattern == NCCL_HEADS && s->adds))
        return search_heads(s, speeds_GBps);
    if (pattern == NCCL_HEADS)
        return (struct nccl_graph){0};
    if (s->listed)
        return listed_channels(s);
    struct nccl_graph rings = search_rings(s, speeds_GBps);
    return pattern == NCCL_RING ? rings
                                : search_trees(s, rings.channels, speeds_GBps);
}

unsigned nccl_channels_of(const struct nccl_system *s)
{
    struct nccl_graph rings = nccl_search(s, NCCL_RING);
    unsigned n = 2 * rings.channels;

    if (nccl_is_rccl(s->generation))
        return rccl_channels(s, rings.channels);
    /* Four channels for each that the search found, if a node has few GPUs. */
    return s->generation >= NCCL_HOPPER && s->nodes > 1 &&
                   rings.intra_GBps > 45 && n < 16
               ? 2 * n
               : n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 2.5: one message between two CPU processes. */
#include "results/papers/figure.h"

#include "validate/measure/figure_points.h"

#include <inttypes.h>

enum { SMALLEST_B = 4, LARGEST_B = 4 << 20 };

/* Returns whether the machine distinguishes cores that share a cache from
 * others of the socket. */
static bool shared_cache_differs(const struct machine *m)
{
    for (uint64_t bytes = SMALLEST_B; bytes <= LARGEST_B; bytes *= 2) {
        const struct segment *a =
            machine_segment(m, RUNTIME_MPI, PATH_HOST, SHARED_CACHE, bytes);
        const struct segment *b =
            machine_segment(m, RUNTIME_MPI, PATH_HOST, ON_SOCKET, bytes);
        if (a && b &&
            (a->alpha_s != b->alpha_s || a->beta_s_per_B != b->beta_s_per_B))
            return true;
    }
    return false;
}

/* Returns a core at this locality from core 0 of its own node; -1 if there is
 * none, or the machine has no such message. */
static int partner(const struct machine *m, enum locality where)
{
    if (!m->messages[RUNTIME_MPI][PATH_HOST][where].nsegments)
        return -1;
    if (where == SHARED_CACHE && !shared_cache_differs(m))
        return -1;
    if (where == OFF_NODE)
        return m->network.nodes > 1 ? 0 : -1;
    for (unsigned core = 1; core < m->ncores; core++)
        if (machine_core_locality(m, 0, 0, 0, core) == where)
            return (int)core;
    return -1;
}

static int ping_figure_add_points(struct points *p, const struct machine *m,
                                  enum locality where, struct err *err)
{
    int core = partner(m, where);

    for (uint64_t bytes = SMALLEST_B; core >= 0 && bytes <= LARGEST_B;
         bytes *= 2) {
        struct experiment x = {.kind = EXPERIMENT_PING_PONG,
                               .bytes = bytes,
                               .two_nodes = where == OFF_NODE,
                               .core = {0, (unsigned)core}};
        if (points_add_experiment(p, m, &x, err) < 0)
            return -1;
    }
    return 0;
}

static size_t ping_figure_print_rows(FILE *csv, const struct points *p,
                                     size_t at, const struct machine *m,
                                     enum locality where)
{
    if (partner(m, where) < 0)
        return at;
    for (uint64_t bytes = SMALLEST_B; bytes <= LARGEST_B; bytes *= 2) {
        const struct segment *s =
            machine_segment(m, RUNTIME_MPI, PATH_HOST, where, bytes);
        fprintf(csv, "%s,%s,%" PRIu64 ",%.9g,%.9g\n", locality_names[where],
                protocol_names[s->protocol], bytes, p->times_s[at++],
                segment_alone_s(s, bytes));
    }
    return at;
}

/* Prints the sizes at which some locality changes its protocol, and the
 * protocols off node between them. */
static void print_limits(FILE *vars, const struct machine *m)
{
    char names[128] = "", limits[256] = "";
    size_t nnames = 0, nlimits = 0;

    for (uint64_t bytes = SMALLEST_B; bytes <= LARGEST_B; bytes *= 2) {
        bool limit = bytes == LARGEST_B;
        for (enum locality l = 0; l < NLOCALITIES; l++)
            limit |=
                partner(m, l) >= 0 &&
                machine_segment(m, RUNTIME_MPI, PATH_HOST, l, bytes)
                        ->protocol !=
                    machine_segment(m, RUNTIME_MPI, PATH_HOST, l, bytes + 1)
                        ->protocol;
        if (!limit)
            continue;
        nlimits += (size_t)snprintf(limits + nlimits, sizeof limits - nlimits,
                                    "%" PRIu64 " ", bytes);
        const struct segment *s =
            machine_segment(m, RUNTIME_MPI, PATH_HOST, OFF_NODE, bytes);
        nnames += (size_t)snprintf(names + nnames, sizeof names - nnames, "%s ",
                                   s ? protocol_names[s->protocol] : "-");
    }
    fprintf(vars, "limits = '%s'\nprotocols = '%s'\nlocalities = '", limits,
            names);
    for (enum locality l = 0; l < NLOCALITIES; l++)
        if (partner(m, l) >= 0)
            fprintf(vars, "%s ", locality_names[l]);
    fprintf(vars, "'\n");
}

int figure_ping(FILE *csv, FILE *vars, const struct figure_input *in,
                struct err *err)
{
    struct points p = {0};
    size_t at = 0;
    int result = 0;

    for (enum locality l = 0; result == 0 && l < NLOCALITIES; l++)
        result = ping_figure_add_points(&p, in->m, l, err);
    if (result == 0)
        result = points_time(&p, in->m, NULL, err);
    if (result == 0) {
        fprintf(csv, "locality,protocol,bytes,simulated_s,model_s\n");
        for (enum locality l = 0; l < NLOCALITIES; l++)
            at = ping_figure_print_rows(csv, &p, at, in->m, l);
        print_limits(vars, in->m);
    }
    points_clear(&p);
    return result;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partners and rows of the points that sluice-native measures. */
#include "validate/measure/sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const sweep_localities[NSWEEP_LOCALITIES] = {"on_socket", "on_node",
                                                         "off_node"};

const char *const buffer_names[NBUFFERS] = {"same", "written", "cold"};

void sweep_point(const struct sweep *s, const struct experiment *x,
                 const char *format, ...)
{
    char cells[256];
    va_list args;

    va_start(args, format);
    vsnprintf(cells, sizeof cells, format, args);
    va_end(args);
    s->point(s->arg, x, cells);
}

const char *sweep_device(const struct sweep *s)
{
    return s->gpu ? "gpu" : "cpu";
}

const char *sweep_locality(const struct sweep *s, unsigned a, unsigned b)
{
    if (a / s->m->ncores != b / s->m->ncores)
        return "off_node";
    return s->sockets[a] == s->sockets[b] ? "on_socket" : "on_node";
}

unsigned sweep_reach(const struct sweep *s)
{
    return (s->far && s->m->network.nodes > 1 ? 2 : 1) * s->m->ncores;
}

void sweep_partners(const struct sweep *s, const char *locality,
                    unsigned *first, unsigned *last)
{
    *first = *last = 0;
    for (unsigned r = 1; r < sweep_reach(s); r++)
        if (!strcmp(sweep_locality(s, 0, r), locality)) {
            *first = *first ? *first : r;
            *last = r;
        }
}

struct experiment sweep_pair(const struct sweep *s, unsigned first,
                             unsigned second)
{
    unsigned cores = s->m->ncores, gpus = s->m->ngpus;
    struct experiment x = {.iteration = true,
                           .gpu = s->gpu,
                           .two_nodes = second >= cores,
                           .core = {first, second % cores}};

    for (int i = 0; i < 2 && gpus; i++)
        x.device[i] = x.core[i] % gpus;
    return x;
}

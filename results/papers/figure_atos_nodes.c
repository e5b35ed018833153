/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 6: the GPUs of a node and their links. */
#include "results/papers/figure.h"

#include "platforms/platform.h"

#include <string.h>

struct place {
    const char *id;
    double x, y;
};

/* Places as in the paper's drawing: Daisy's GPUs at the corners of a square,
 * Summit's in two triangles, each at its CPU. */
static const struct drawing {
    const char *machine;
    struct place places[8];
} drawings[] = {
    {"daisy", {{"gpu0", 0, 1}, {"gpu1", 1, 1}, {"gpu2", 0, 0}, {"gpu3", 1, 0}}},
    {"summit",
     {{"gpu0", 0, 1},
      {"gpu1", 0, 0},
      {"gpu2", 0.45, 0.5},
      {"cpu0", 1, 0.5},
      {"cpu1", 1.6, 0.5},
      {"gpu3", 2.15, 0.5},
      {"gpu4", 2.6, 1},
      {"gpu5", 2.6, 0}}},
};
enum { NDRAWINGS = sizeof drawings / sizeof drawings[0], NPLACES = 8 };

static const struct place *atos_nodes_place(const struct drawing *d,
                                            const char *id)
{
    for (int i = 0; i < NPLACES && d->places[i].id; i++)
        if (!strcmp(d->places[i].id, id))
            return &d->places[i];
    return NULL;
}

/* Prints the wires between drawn devices, which NICs and PCIe switches are
 * not. */
static void print_wires(FILE *csv, const struct drawing *d,
                        const struct machine *m)
{
    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        const struct place *a = atos_nodes_place(d, m->devices[w->ends[0]].id);
        const struct place *b = atos_nodes_place(d, m->devices[w->ends[1]].id);
        if (a && b)
            fprintf(csv, "%s,wire,%s-%s,%g,%g,%g,%g,%g\n", d->machine, a->id,
                    b->id, a->x, a->y, b->x - a->x, b->y - a->y,
                    w->bandwidth_Bps / 1e9);
    }
}

static int print_machine(FILE *csv, const struct drawing *d, struct err *err)
{
    struct machine m;

    if (platform_load(&m, d->machine, NULL, 0, err) < 0)
        return -1;
    print_wires(csv, d, &m);
    for (size_t i = 0; i < m.ndevices; i++) {
        const struct place *p = atos_nodes_place(d, m.devices[i].id);
        if (p)
            fprintf(csv, "%s,device,%s,%g,%g,0,0,\n", d->machine, p->id, p->x,
                    p->y);
    }
    machine_clear(&m);
    return 0;
}

int figure_atos_nodes(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    (void)in;
    fprintf(csv, "machine,what,name,x,y,dx,dy,GBps\n");
    for (int i = 0; i < NDRAWINGS; i++)
        if (print_machine(csv, &drawings[i], err) < 0)
            return -1;
    fprintf(vars, "machines = 'daisy summit'\n");
    return 0;
}

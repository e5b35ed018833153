/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the least values of the places of a picture, work by work. */
#include "cli/sweep_least.h"

#include <math.h>
#include <stdlib.h>

struct placed_list placed_new(size_t most)
{
    return (struct placed_list){xcalloc(most + 1, sizeof(struct placed)), 0};
}

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->work != y->work)
        return x->work < y->work ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

size_t placed_least(double *least, size_t nplaces, struct placed_list *l)
{
    size_t most = 0, works = 0;
    double product = 0;

    for (size_t i = 0; i < nplaces; i++)
        least[i] = NAN;
    if (l->n)
        qsort(l->items, l->n, sizeof *l->items, by_place);
    for (size_t i = 0; i < l->n; i++) {
        const struct placed *v = &l->items[i];
        bool same = i && v->place == v[-1].place;
        if (same && v->work == v[-1].work)
            continue;
        works = same ? works + 1 : 1;
        product = (same ? product : 0) + log(v->value);
        least[v->place] = works == 1 ? v->value : exp(product / (double)works);
        most = works > most ? works : most;
    }
    free(l->items);
    return most;
}

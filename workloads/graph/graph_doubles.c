/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves for the numbers of ends that give the wanted degrees although
 * duplicates are dropped. */
#include "workloads/graph/graph_doubles.h"

#include "workloads/graph/power.h"

#include <math.h>
#include <string.h>

/* Returns the bin of rank r, from the binary logarithms of r + 1 and of its
 * square. */
static int bin_of(uint64_t r)
{
    uint64_t x = r + 1, octave = 0;

    while (x >> octave > 1)
        octave++;
    return (int)(2 * octave + (x * x >> octave >> octave >= 2));
}

void graph_doubles_init(struct graph_doubles *d, const struct log_normal *l)
{
    memset(d, 0, sizeof *d);
    for (uint64_t r = 0; r < (uint64_t)l->vertices; r++) {
        int b = bin_of(r);
        d->vertices[b]++;
        d->wanted[b] += log_normal_degree(l, r);
    }
    for (int b = 0; b < DOUBLES_BINS; b++) {
        if (d->vertices[b] > 0)
            d->wanted[b] /= d->vertices[b];
        d->drawn[b] = d->wanted[b];
    }
}

static double ends_of(const struct graph_doubles *d)
{
    double sum = 0;

    for (int b = 0; b < DOUBLES_BINS; b++)
        sum += d->vertices[b] * d->drawn[b];
    return sum;
}

/* Returns the probability that there is an arc if x draws of it are
 * expected. */
static double once(double x)
{
    const double log2_e = 1.4426950408889634;

    return x < 1e-4 ? x : 1 - power_exp2(-x * log2_e);
}

struct blocks {
    double n;   /* number of communities */
    double far; /* share of the ends that are drawn from all vertices */
};

/* Returns the expected degree of a vertex that draws this many ends. */
static double degree_of(double drawn, const struct graph_doubles *others,
                        double ends, const struct blocks *c)
{
    double sum = 0;

    for (int b = 0; b < DOUBLES_BINS; b++) {
        double x = drawn * others->drawn[b] / ends;
        double mine = once(x * ((1 - c->far) * c->n + c->far));
        double other = once(x * c->far);
        sum += others->vertices[b] * (mine / c->n + other * (1 - 1 / c->n));
    }
    return sum;
}

/* Moves all bins by half of the step in the logarithm, because the other side
 * is moved, too. Returns the largest relative error. */
static double graph_doubles_move(struct graph_doubles *d,
                                 const struct graph_doubles *others,
                                 double ends, const struct blocks *c)
{
    double most = 0;
    double next[DOUBLES_BINS];

    for (int b = 0; b < DOUBLES_BINS; b++) {
        next[b] = d->drawn[b];
        if (!(d->wanted[b] > 0))
            continue;
        double off = d->wanted[b] / degree_of(d->drawn[b], others, ends, c);
        next[b] *= sqrt(off);
        most = fabs(off - 1) > most ? fabs(off - 1) : most;
        if (next[b] > 16 * d->wanted[b]) /* there are not as many vertices */
            next[b] = 16 * d->wanted[b];
    }
    memcpy(d->drawn, next, sizeof next);
    return most;
}

void graph_doubles_solve(struct graph_doubles *tails,
                         struct graph_doubles *heads, uint64_t communities,
                         double mix)
{
    double n = (double)communities;
    struct blocks c = {n, communities > 1 ? mix * n / (n - 1) : 1};

    for (int i = 0; i < 100; i++) {
        double off = graph_doubles_move(tails, heads, ends_of(heads), &c);
        if (heads != tails) {
            double other = graph_doubles_move(heads, tails, ends_of(heads), &c);
            off = other > off ? other : off;
        }
        if (off < 1e-3)
            break;
    }
    /* Both sides must have the same number of ends. */
    double ratio = ends_of(tails) / ends_of(heads);
    for (int b = 0; b < DOUBLES_BINS; b++)
        heads->drawn[b] *= ratio;
}

double graph_doubles_factor(const struct graph_doubles *d, uint64_t r)
{
    int b = bin_of(r);

    return d->wanted[b] > 0 ? d->drawn[b] / d->wanted[b] : 1;
}

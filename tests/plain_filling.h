/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_filling.h - max-min fair rates by the textbook's progressive filling,
 * for comparison. */
#ifndef TESTS_PLAIN_FILLING_H
#define TESTS_PLAIN_FILLING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LINKS = 20, FLOWS = 60, ROUTE = 5 };

struct wanted {
    uint32_t links[ROUTE];
    unsigned nlinks;
    double cap, rate;
    uint32_t number;
    bool there;
};

/* Computes rates by progressive filling: all rates rise together, and a flow
 * stops at its cap or at a full link. There are at most FLOWS flows and LINKS
 * links. */
static inline void fill_plainly(struct wanted *f, int flows,
                                const double *bandwidth, int links)
{
    bool fixed[FLOWS];
    double left[LINKS];

    memcpy(left, bandwidth, (size_t)links * sizeof left[0]);
    for (int i = 0; i < flows; i++) {
        fixed[i] = !f[i].there;
        f[i].rate = 0;
    }
    for (;;) {
        double step = INFINITY;
        unsigned n[LINKS] = {0}, open = 0;
        for (int i = 0; i < flows; i++)
            if (!fixed[i]) {
                open++;
                if (f[i].cap > 0)
                    step = fmin(step, f[i].cap - f[i].rate);
                for (unsigned k = 0; k < f[i].nlinks; k++)
                    n[f[i].links[k]]++;
            }
        if (!open)
            return;
        for (int l = 0; l < links; l++)
            if (n[l])
                step = fmin(step, left[l] / n[l]);
        for (int l = 0; l < links && !isinf(step); l++)
            left[l] -= step * n[l];
        for (int i = 0; i < flows; i++) {
            if (fixed[i])
                continue;
            f[i].rate += step;
            if (f[i].cap > 0 && f[i].rate >= f[i].cap * (1 - 1e-12))
                fixed[i] = true;
            for (unsigned k = 0; k < f[i].nlinks; k++)
                if (left[f[i].links[k]] <= 1e-9 * bandwidth[f[i].links[k]] &&
                    !isinf(bandwidth[f[i].links[k]]))
                    fixed[i] = true;
            if (isinf(step))
                fixed[i] = true;
        }
    }
}

#endif

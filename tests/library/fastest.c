/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the fastest strategy for a stencil's halo, using only libsluice. */
#include <sluice.h>

#include <stdio.h>

int main(void)
{
    const char *faster[] = {"network.bandwidth_GBps=50"};
    const struct sluice_options on = {.nodes = 2};
    struct sluice_error error;
    struct sluice_result r;
    const char *best = NULL;
    double best_s = 1e9;

    struct sluice_machine *m = sluice_machine_load("lassen", faster, 1, &error);
    struct sluice_workload *w =
        m ? sluice_workload_make(m, "stencil:9pt:400x400", &on, &error) : NULL;
    for (size_t i = 0; w && i < sluice_workload_strategies(w); i++) {
        const char *name = sluice_workload_strategy(w, i);
        if (sluice_simulate(&r, w, name, &error) < 0)
            break;
        if (r.time_s < best_s) {
            best_s = r.time_s;
            best = name;
        }
        sluice_result_clear(&r);
    }
    if (best)
        printf("%s %.17g\n", best, best_s);
    else
        fprintf(stderr, "%s\n", error.text);
    sluice_workload_free(w);
    sluice_machine_free(m);
    return best ? 0 : error.code;
}

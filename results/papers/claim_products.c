/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates and predicts the exchanges of sparse products like those of Fig
 * 5.1. */
#include "results/papers/claim_lab.h"

#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

const char *const stand_ins[NMATRICES] = {
    "surrogate:audikw_1", "surrogate:Serena",  "surrogate:ldoor",
    "surrogate:thermal2", "surrogate:bone010", "surrogate:Geo_1438",
};
const unsigned node_counts[NCOUNTS] = {2, 10, 20, 32};

int lab_halo(struct halo *halo, const struct machine *m, enum stand_in which,
             unsigned nodes, struct err *err)
{
    struct matrix matrix;
    uint32_t gpus = nodes * m->ngpus;

    if (matrix_from_workload(&matrix, stand_ins[which], err) < 0)
        return -1;
    int result =
        matrix_halo_by(halo, &matrix, "contiguous", gpus, m->ngpus, err);
    matrix_clear(&matrix);
    return result;
}

int lab_simulate(double *times, const struct machine *m,
                 const struct halo *halo, strategy_set which, struct err *err)
{
    struct strategy_options options = {0};

    for (size_t s = 0; s < nstrategies; s++) {
        struct plan plan;
        if (!(which >> s & 1))
            continue;
        if (strategy_plan(strategies[s], &plan, m, halo, &options, err) < 0)
            return -1;
        struct timed_plan timed = {&plan, NULL};
        int result = exec_times(&times[s], m, &timed, 1, NULL, err);
        plan_clear(&plan);
        if (result < 0)
            return -1;
    }
    return 0;
}

static int claim_products_predict(struct product *p, const struct lab *lab,
                                  const struct halo *halo, struct err *err)
{
    struct strategy_options options = {0};
    struct model_input in;

    model_input_from_halo(&in, &lab->paper, halo, &options);
    p->messages = (uint64_t)in.messages_per_gpu;
    for (size_t s = 0; s < nstrategies; s++)
        for (int source = PRINTED; source <= CORRECTED; source++)
            if (lab_predict(&p->times[source][s], lab, (enum source)source, &in,
                            strategies[s], err) < 0)
                return -1;
    return 0;
}

static int make_product(struct product *p, struct lab *lab, enum stand_in which,
                        unsigned nodes, struct err *err)
{
    struct halo halo;

    p->nodes = nodes;
    if (lab_halo(&halo, &lab->lassen, which, nodes, err) < 0)
        return -1;
    int result = claim_products_predict(p, lab, &halo, err);
    if (result == 0)
        result = lab_simulate(p->times[SIMULATED], &lab->lassen, &halo,
                              strategies_usual(), err);
    halo_clear(&halo);
    return result;
}

int lab_products(struct lab *lab, struct err *err)
{
    if (lab->products_known)
        return 0;
    for (int m = 0; m < NMATRICES; m++)
        for (int c = 0; c < NCOUNTS; c++)
            if (make_product(&lab->products[m][c], lab, (enum stand_in)m,
                             node_counts[c], err) < 0)
                return -1;
    lab->products_known = true;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates and predicts the exchanges of sparse products like those of Fig
 * 5.1. */
#include "results/papers/claim_lab.h"

#include "workloads/matrix.h"

#include <math.h>
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

static struct json *product_json(const struct product *p, enum stand_in which,
                                 unsigned gpus)
{
    struct json *o = json_new_object(), *times = json_new_object();

    json_add_string(o, "matrix", stand_ins[which]);
    json_add_number(o, "nodes", p->nodes);
    json_add_number(o, "gpus", gpus);
    json_add_number(o, "messages", (double)p->messages);
    for (int s = 0; s < NSOURCES; s++)
        json_add(times, source_names[s], lab_times_json(p->times[s]));
    json_add(o, "times", times);
    return o;
}

static int add_product(struct json *list, const struct lab *lab,
                       enum stand_in which, unsigned nodes, struct err *err)
{
    struct product p = {.nodes = nodes};
    struct halo halo;

    if (lab_halo(&halo, &lab->lassen, which, nodes, err) < 0)
        return -1;
    for (size_t s = 0; s < MAX_STRATEGIES; s++)
        p.times[SIMULATED][s] = NAN;
    int result = claim_products_predict(&p, lab, &halo, err);
    if (result == 0)
        result = lab_simulate(p.times[SIMULATED], &lab->lassen, &halo,
                              strategies_usual(), err);
    halo_clear(&halo);
    if (result == 0)
        json_append(list, product_json(&p, which, nodes * lab->lassen.ngpus));
    return result;
}

int lab_add_products(struct json *doc, const struct lab *lab, struct err *err)
{
    struct json *list = json_new_array();

    lab_add_names(doc);
    json_add(doc, "products", list);
    for (int m = 0; m < NMATRICES; m++)
        for (int c = 0; c < NCOUNTS; c++)
            if (add_product(list, lab, (enum stand_in)m, node_counts[c], err) <
                0)
                return -1;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans the rounds of a halo, and maps the values of each round to those of all
 * rounds. */
#include "strategies/exchange/rounds.h"

#include "sim/plan/chain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int rounds_by_class(const void *left, const void *right)
{
    const struct halo_class *a = left, *b = right;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst_node != b->dst_node)
        return a->dst_node < b->dst_node ? -1 : 1;
    return a->dst_mask < b->dst_mask ? -1 : a->dst_mask > b->dst_mask;
}

/* Sets the number of each class of the round to its number among the classes of
 * all rounds. */
static void rounds_number(uint32_t *number, const struct halo *all,
                          const struct halo *round)
{
    for (uint32_t c = 0; c < round->nclasses; c++) {
        const struct halo_class *found =
            bsearch(&round->classes[c], all->classes, all->nclasses,
                    sizeof *found, rounds_by_class);
        assert(found);
        number[c] = (uint32_t)(found - all->classes);
    }
}

/* Renumbers a round's pieces as pieces of all rounds: taken[class] counts the
 * values of the rounds before. */
static void rounds_shift(struct plan *p, const struct halo *all,
                         const struct halo *round, uint64_t *taken)
{
    uint32_t *number = xcalloc(round->nclasses, sizeof *number);

    rounds_number(number, all, round);
    for (size_t i = 0; i < p->npieces; i++) {
        struct piece *piece = &p->pieces[i];
        piece->class_id = number[piece->class_id];
        piece->first += taken[piece->class_id];
    }
    for (uint32_t c = 0; c < round->nclasses; c++)
        taken[number[c]] += round->classes[c].count;
    free(number);
}

int rounds_plan(round_plan_fn *plan_one, const struct strategy *s,
                struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err)
{
    uint64_t *taken = xcalloc(halo->nclasses, sizeof *taken);
    struct chain chain = {0};
    double most_B = 0;
    int result = 0;

    for (uint32_t k = 0; k < halo->nrounds && result == 0; k++) {
        struct plan next;
        result =
            plan_one(s, k ? &next : plan, m, &halo->rounds[k], options, err);
        if (result < 0)
            break;
        rounds_shift(k ? &next : plan, halo, &halo->rounds[k], taken);
        most_B = fmax(most_B, plan_working_set(k ? &next : plan));
        if (!k) {
            chain_init(&chain, plan);
            continue;
        }
        chain_add(&chain, &next);
        plan_clear(&next);
    }
    plan->working_set_B = most_B;
    chain_clear(&chain);
    free(taken);
    if (result < 0)
        plan_clear(plan);
    return result;
}

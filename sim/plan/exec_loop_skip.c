/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds that the state of a repeated plan is one that was there before, and
 * leaves out the steps that would be the same again. */
#include "sim/plan/exec_loop_state.h"

#include "sim/network/snapshot.h"

#include <stdlib.h>

/*
 * The state is compared with those of the last MOST_PERIOD steps: in all of the
 * first ALWAYS steps, then in twice MOST_PERIOD after each power of two, so
 * that what never repeats costs little.
 *
 * Times may differ by this part of the period, so that a thousand periods are
 * off by no more than a billionth of one; rounding alone is a thousandth of
 * that. Rates are solved again when they are off by 1e-12.
 */
enum { MOST_PERIOD = 16, ALWAYS = 64 };
#define SAME_TIMES 1e-12
#define SAME_VALUES 1e-11

struct moment {
    uint32_t step;
    double now_s;
    bool taken;
    struct snapshot state;
};

struct repeats {
    struct moment last[MOST_PERIOD + 1]; /* of step k: k % (MOST_PERIOD + 1) */
};

struct repeats *repeats_new(void)
{
    return xcalloc(1, sizeof(struct repeats));
}

void repeats_free(struct repeats *r)
{
    for (int i = 0; r && i <= MOST_PERIOD; i++)
        snapshot_clear(&r->last[i].state);
    free(r);
}

static bool repeats_looks(uint32_t step)
{
    uint32_t power = ALWAYS;

    if (step < ALWAYS)
        return true;
    while (power <= step / 2)
        power *= 2;
    return step - power < 2 * MOST_PERIOD;
}

/* --- the state
 * ---------------------------------------------------------------- */

struct loop_writer {
    struct loop_run *x;
    uint32_t step; /* the one that begins */
};

/* An operation under way, its step counted from this one. */
static uint64_t loop_name(void *user, void *transfer)
{
    const struct loop_writer *w = user;
    const struct instance *in = transfer;

    return (uint64_t)(in->step - w->step) << 32 | in->op;
}

static int loop_by_number(const void *a, const void *b)
{
    const struct instance *x = *(const struct instance *const *)a;
    const struct instance *y = *(const struct instance *const *)b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static void loop_snapshot_instances(struct loop_writer *w, struct snapshot *s)
{
    const struct loop_run *x = w->x;
    struct instance **list = xcalloc(x->ninstances, sizeof *list);
    size_t n = 0;

    for (size_t c = 0; c < x->nchunks; c++)
        for (size_t i = 0; i < POOL_CHUNK; i++)
            if (x->chunks[c][i].live)
                list[n++] = &x->chunks[c][i];
    qsort(list, n, sizeof *list, loop_by_number);
    snapshot_word(s, n);
    for (size_t i = 0; i < n; i++) {
        snapshot_word(s, loop_name(w, list[i]));
        transfer_snapshot(&list[i]->transfer, s);
    }
    free(list);
}

static void loop_snapshot_steps(const struct loop_writer *w, struct snapshot *s)
{
    const struct loop_run *x = w->x;

    snapshot_word(s, x->end - w->step);
    for (uint32_t k = x->first; k < x->end; k++) {
        const struct step *step = *loop_place(x, k);
        snapshot_word(s, k - w->step);
        snapshot_word(s, step ? step->left : 0);
        for (size_t i = 0; step && i < x->body->nops; i++)
            snapshot_word(s, (uint64_t)step->ops[i].missing << 33 |
                                 (uint64_t)step->ops[i].unposted << 1 |
                                 (step->ops[i].started != NULL));
    }
}

/* --- skipping
 * ------------------------------------------------------------------- */

/* Whole periods, as many as leave all steps that have begun as they are. */
static void loop_skip(struct loop_run *x, const struct moment *now,
                      const struct moment *before)
{
    uint32_t period = now->step - before->step;
    uint32_t skipped = (x->nsteps - x->end) / period * period;

    if (skipped) {
        x->result->period = period;
        x->result->period_s = now->now_s - before->now_s;
        x->result->repeats_from = before->step;
        x->nsteps -= skipped;
    }
    repeats_free(x->repeats);
    x->repeats = NULL;
}

void loop_boundary(struct loop_run *x, uint32_t step)
{
    struct moment *now = &x->repeats->last[step % (MOST_PERIOD + 1)];
    struct loop_writer w = {x, step};

    if (!repeats_looks(step))
        return;
    now->step = step;
    now->now_s = fabric_now(&x->fabric);
    snapshot_empty(&now->state);
    now->taken = fabric_snapshot(&x->fabric, &now->state, loop_name, &w);
    if (!now->taken)
        return;
    loop_snapshot_steps(&w, &now->state);
    loop_snapshot_instances(&w, &now->state);
    for (uint32_t p = 1; p <= MOST_PERIOD && p <= step; p++) {
        const struct moment *before =
            &x->repeats->last[(step - p) % (MOST_PERIOD + 1)];
        double period_s = now->now_s - before->now_s;
        if (before->taken && before->step == step - p &&
            snapshot_equal(&now->state, &before->state, period_s * SAME_TIMES,
                           SAME_VALUES)) {
            loop_skip(x, now, before);
            return;
        }
    }
}

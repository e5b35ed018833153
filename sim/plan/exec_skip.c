/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds that the state of a repeated plan equals an earlier one, and skips the
 * steps that would be the same again. */
#include "sim/plan/exec_state.h"

#include "sim/network/snapshot.h"

#include <assert.h>
#include <stdlib.h>

/*
 * The state is compared with those of the last MOST_PERIOD steps: in all of the
 * first ALWAYS steps, then in twice MOST_PERIOD steps after each power of two,
 * so that a plan that never repeats costs little.
 *
 * Times may differ by this part of the period, because then a thousand periods
 * are off by no more than a billionth of one; rounding alone is a thousandth of
 * that. Rates are solved again if they are off by 1e-12.
 */
enum { MOST_PERIOD = 16, ALWAYS = 64 };
#define SAME_TIMES 1e-12
#define SAME_VALUES 1e-11

struct moment {
    uint32_t step;
    double now_s;
    bool taken;
    struct snapshot state;
    struct snapshot carried; /* bytes of the links until then */
};

struct repeats {
    /* The part of the newest moment, and of those compared with it. */
    unsigned part;
    bool found; /* repetition was found in this part */
    /* The moment of step k is at k % (MOST_PERIOD + 1). */
    struct moment last[MOST_PERIOD + 1];
};

struct repeats *repeats_new(void)
{
    return xcalloc(1, sizeof(struct repeats));
}

void repeats_free(struct repeats *r)
{
    for (int i = 0; r && i <= MOST_PERIOD; i++) {
        snapshot_clear(&r->last[i].state);
        snapshot_clear(&r->last[i].carried);
    }
    free(r);
}

/* Returns whether to look at this step of a part. */
static bool repeats_looks(uint32_t step)
{
    uint32_t power = ALWAYS;

    if (step < ALWAYS)
        return true;
    while (power <= step / 2)
        power *= 2;
    return step - power < 2 * MOST_PERIOD;
}

/* --- the state ------------------------------------------------------------ */

struct skip_writer {
    struct exec *x;
    uint32_t step; /* the one that begins */
};

/* Returns a name for an operation under way, with its step relative to this
 * one. */
static uint64_t skip_name(void *user, void *transfer)
{
    const struct skip_writer *w = user;
    const struct pooled *p = transfer;

    return (uint64_t)(p->step - w->step) << 32 | p->transfer.number;
}

static int skip_by_number(const void *a, const void *b)
{
    const struct pooled *x = *(const struct pooled *const *)a;
    const struct pooled *y = *(const struct pooled *const *)b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->transfer.number < y->transfer.number
               ? -1
               : x->transfer.number > y->transfer.number;
}

static void skip_write_transfers(struct skip_writer *w, struct snapshot *s)
{
    const struct exec *x = w->x;
    const struct pooled **list = xcalloc(x->nflying, sizeof *list), *p;
    size_t n = 0;

    for (uint32_t i = 0; (p = pool_at(&x->fabric.pool, i)); i++)
        if (p->step != NO_STEP)
            list[n++] = p;
    assert(n == x->nflying);
    qsort(list, n, sizeof *list, skip_by_number);
    snapshot_word(s, n);
    for (size_t i = 0; i < n; i++) {
        snapshot_word(s, skip_name(w, (void *)list[i]));
        transfer_snapshot(&list[i]->transfer, s);
    }
    free(list);
}

static void skip_write_steps(const struct skip_writer *w, struct snapshot *s)
{
    const struct exec *x = w->x;
    size_t nops = x->parts[exec_part_of(x, w->step)].body->nops;

    snapshot_word(s, x->end - w->step);
    for (uint32_t k = x->first; k < x->end; k++) {
        const struct exec_step *step = *exec_step_place(x, k);
        snapshot_word(s, k - w->step);
        snapshot_word(s, step ? step->left : 0);
        for (size_t i = 0; step && i < nops; i++) {
            bool waits = step->state[i] == OP_WAITS;
            uint64_t missing = waits ? step->place[i] : 0;
            uint64_t unposted = step->unposted ? step->unposted[i] : 0;
            snapshot_word(s, missing << 33 | unposted << 1 | !waits);
        }
    }
}

/* --- skipping ------------------------------------------------------------- */

static void skip_leave_out(struct exec *x, unsigned part, uint32_t steps)
{
    for (unsigned i = part; i < x->nparts; i++) {
        x->parts[i].begin -= i > part ? steps : 0;
        x->parts[i].end -= steps;
    }
    x->nsteps -= steps;
}

/* Skips whole periods, as many as leave all steps that have begun unchanged. */
static void skip_periods(struct exec *x, unsigned part,
                         const struct moment *now, const struct moment *before)
{
    uint32_t period = now->step - before->step, end = x->parts[part].end;
    uint32_t periods = end > x->end ? (end - x->end) / period : 0;
    double period_s = now->now_s - before->now_s;

    x->repeats->found = true;
    if (!periods)
        return;
    /* If there are several parts, the one with most skipped steps is
     * reported. */
    if (periods * period > x->most_skipped) {
        x->most_skipped = periods * period;
        x->counts->period = period;
        x->counts->period_s = period_s;
        x->counts->repeats_from = before->step;
    }
    x->skipped_s += periods * period_s;
    engine_carry_again(x->fabric.engine, &before->carried, &now->carried,
                       periods);
    skip_leave_out(x, part, periods * period);
}

/* Takes a snapshot; returns false unless all that is under way belongs to this
 * part. */
static bool skip_take(struct exec *x, unsigned part, struct moment *now)
{
    struct skip_writer w = {x, now->step};

    if (x->first < x->parts[part].begin || x->end > x->parts[part].end)
        return false;
    now->now_s = fabric_now(&x->fabric);
    snapshot_empty(&now->state);
    snapshot_empty(&now->carried);
    if (!fabric_snapshot(&x->fabric, &now->state, skip_name, &w))
        return false;
    skip_write_steps(&w, &now->state);
    skip_write_transfers(&w, &now->state);
    engine_snapshot_carried(x->fabric.engine, &now->carried);
    return true;
}

static void repeats_begin_part(struct repeats *r, unsigned part)
{
    if (r->part == part)
        return;
    r->part = part;
    r->found = false;
    for (int i = 0; i <= MOST_PERIOD; i++)
        r->last[i].taken = false;
}

void exec_boundary(struct exec *x, uint32_t step)
{
    unsigned part = exec_part_of(x, step);
    struct moment *now = &x->repeats->last[step % (MOST_PERIOD + 1)];

    repeats_begin_part(x->repeats, part);
    if (x->repeats->found || !repeats_looks(step - x->parts[part].begin))
        return;
    now->step = step;
    now->taken = skip_take(x, part, now);
    for (uint32_t p = 1; now->taken && p <= MOST_PERIOD && p <= step; p++) {
        const struct moment *before =
            &x->repeats->last[(step - p) % (MOST_PERIOD + 1)];
        double period_s = now->now_s - before->now_s;
        if (before->taken && before->step == step - p &&
            snapshot_equal(&now->state, &before->state, period_s * SAME_TIMES,
                           SAME_VALUES)) {
            skip_periods(x, part, now, before);
            return;
        }
    }
}

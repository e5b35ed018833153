/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the work and messages of hosts in each round; equal rounds are stored
 * once. */
#include "apps/rounds/round.h"

#include "base/digest.h"
#include "base/err.h"

#include <stdlib.h>
#include <string.h>

const char *const round_step_names[NSTEP_KINDS] = {"reduce", "broadcast",
                                                   "visited"};

void round_init(struct round *r, uint32_t hosts)
{
    *r = (struct round){.reductions = 1,
                        .before = xcalloc(hosts, sizeof *r->before),
                        .after = xcalloc(hosts, sizeof *r->after)};
}

static void round_clear(struct round *r)
{
    for (unsigned s = 0; s < r->nsteps; s++)
        free(r->steps[s].messages);
    free(r->before);
    free(r->after);
    memset(r, 0, sizeof *r);
}

struct round_step *round_add_step(struct round *r, enum round_step_kind kind)
{
    struct round_step *s = &r->steps[r->nsteps++];

    *s = (struct round_step){.kind = kind};
    return s;
}

struct round_message *round_add_message(struct round_step *s, uint32_t src,
                                        uint32_t dst)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->messages = xrealloc(s->messages, s->room, sizeof *s->messages);
    }
    s->messages[s->n] = (struct round_message){.src = src, .dst = dst};
    return &s->messages[s->n++];
}

/* --- equal rounds --------------------------------------------------------- */

/* Continues a hash by words of 8 B. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t bytes)
{
    const char *at = data;
    uint64_t word;

    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        memcpy(&word, at + i, 8);
        hash = digest_word(hash, word);
    }
    return hash;
}

static uint64_t hash_round(const struct round *r, uint32_t hosts)
{
    uint64_t hash = DIGEST_OF_NOTHING;

    hash = hash_words(hash, r->before, hosts * sizeof *r->before);
    hash = hash_words(hash, r->after, hosts * sizeof *r->after);
    for (unsigned s = 0; s < r->nsteps; s++)
        hash = hash_words(hash, r->steps[s].messages,
                          r->steps[s].n * sizeof *r->steps[s].messages);
    return hash;
}

static bool is_same(const struct round *a, const struct round *b,
                    uint32_t hosts)
{
    if (a->active != b->active || a->reductions != b->reductions ||
        a->nsteps != b->nsteps ||
        memcmp(a->before, b->before, hosts * sizeof *a->before) != 0 ||
        memcmp(a->after, b->after, hosts * sizeof *a->after) != 0)
        return false;
    for (unsigned s = 0; s < a->nsteps; s++) {
        const struct round_step *x = &a->steps[s], *y = &b->steps[s];
        if (x->kind != y->kind || x->n != y->n ||
            (x->n &&
             memcmp(x->messages, y->messages, x->n * sizeof *x->messages) != 0))
            return false;
    }
    return true;
}

void rounds_add(struct rounds *r, struct round *one)
{
    uint64_t hash = hash_round(one, r->hosts);
    size_t k = 0;

    while (k < r->nkinds &&
           (r->hashes[k] != hash || !is_same(&r->kinds[k], one, r->hosts)))
        k++;
    r->kind = xrealloc(r->kind, r->n + 1, sizeof *r->kind);
    r->kind[r->n++] = (uint32_t)k;
    if (k < r->nkinds) {
        round_clear(one);
        return;
    }
    r->kinds = xrealloc(r->kinds, k + 1, sizeof *r->kinds);
    r->hashes = xrealloc(r->hashes, k + 1, sizeof *r->hashes);
    r->kinds[k] = *one;
    r->hashes[k] = hash;
    r->nkinds++;
    memset(one, 0, sizeof *one);
}

void rounds_clear(struct rounds *r)
{
    for (size_t k = 0; k < r->nkinds; k++)
        round_clear(&r->kinds[k]);
    free(r->kinds);
    free(r->hashes);
    free(r->kind);
    memset(r, 0, sizeof *r);
}

uint64_t round_bytes(const struct round *r)
{
    uint64_t sum = 0;

    for (unsigned s = 0; s < r->nsteps; s++)
        for (size_t i = 0; i < r->steps[s].n; i++)
            sum += r->steps[s].messages[i].bytes;
    return sum;
}

uint64_t round_messages(const struct round *r)
{
    uint64_t sum = 0;

    for (unsigned s = 0; s < r->nsteps; s++)
        sum += r->steps[s].n;
    return sum;
}

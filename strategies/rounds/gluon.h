/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gluon.h - how proxies of a Cartesian vertex cut are made to agree at the end
 * of a round, as Abelian's substrate Gluon does (Dathathri et al. 2018):
 * mirrors that were written send to their master, masters send to the mirrors
 * that are read, and of the shared proxies only what was updated.
 */
#ifndef STRATEGIES_ROUNDS_GLUON_H
#define STRATEGIES_ROUNDS_GLUON_H

#include "strategies/rounds/hosts.h"
#include "strategies/rounds/round.h"

#include <stdbool.h>

/* What an update is sent as. Both ends know the shared proxies and their order,
 * so that no vertex is named. */
enum update_form {
    UPDATE_NONE,    /* nothing was updated: only which form it is */
    UPDATE_ALL,     /* a value of each shared proxy */
    UPDATE_BITS,    /* a bit for each, and the values of those updated */
    UPDATE_OFFSETS, /* the place of each that was updated, and its value */
    NUPDATE_FORMS
};
/* The number of the form; before each array its length. */
enum { FORM_B = 4, LENGTH_B = 8 };
/* Bytes of a message about `shared` proxies of which `updated` have a new
 * value.
 */
uint64_t update_bytes(enum update_form form, uint64_t shared, uint64_t updated,
                      unsigned value_B);
/* The smallest, the first of equal ones. */
enum update_form update_form(uint64_t shared, uint64_t updated,
                             unsigned value_B);

/* The proxies of a host whose values were updated in this round. */
struct updated {
    uint8_t *is;    /* of each local vertex */
    uint32_t *list; /* those that are */
    uint32_t n;
};

static inline void updated_add(struct updated *u, uint32_t local)
{
    if (u->is[local])
        return;
    u->is[local] = 1;
    u->list[u->n++] = local;
}

struct gluon {
    const struct hosts *hosts;
    unsigned value_B;
    struct updated *updated; /* of each host */
    void *state;             /* the algorithm's, for: */
    /* Host `at` has got values of `n` mirrors on host `from` of its masters. A
     * master that changes is updated. */
    void (*reduce)(void *state, uint32_t at, const uint32_t *masters,
                   uint32_t from, const uint32_t *mirrors, uint32_t n);
    /* Host `at` has got values of n masters on host `from`. */
    void (*broadcast)(void *state, uint32_t at, const uint32_t *mirrors,
                      uint32_t from, const uint32_t *masters, uint32_t n);
    /* Own. */
    uint32_t *from, *to;      /* local numbers at both ends of one message */
    struct reader **outgoing; /* of each column: local numbers at the reader
                                 (local) and at the master (host) */
    uint32_t *noutgoing;
};

void gluon_init(struct gluon *g, const struct hosts *h, unsigned value_B);
void gluon_clear(struct gluon *g);
/* Both steps; nothing is updated afterwards. Hosts that share no proxies send
 * each other nothing, all others a message each round. */
void gluon_sync(struct gluon *g, struct round *r);

/* Of each host: room for a value of every shared proxy that may come in, of
 * both steps: the windows of one-sided messages. The caller frees. */
uint64_t *gluon_windows(const struct hosts *h, unsigned value_B);

#endif

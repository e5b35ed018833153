/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gluon.h - makes the proxies of a Cartesian vertex cut consistent at the end
 * of a round, as Abelian's substrate Gluon does (Dathathri et al. 2018):
 * mirrors that were written send to their master, masters send to the mirrors
 * that are read, and of the shared proxies only those that were updated are
 * sent.
 */
#ifndef APPS_ROUNDS_GLUON_H
#define APPS_ROUNDS_GLUON_H

#include "apps/rounds/hosts.h"
#include "apps/rounds/round.h"

#include <stdbool.h>

/* The forms of an update. Both ends know the shared proxies and their order, so
 * that no vertex is named. */
enum update_form {
    UPDATE_NONE,    /* no update: only the number of the form */
    UPDATE_ALL,     /* a value of each shared proxy */
    UPDATE_BITS,    /* one bit for each, and the updated values */
    UPDATE_OFFSETS, /* the index of each updated one, and its value */
    NUPDATE_FORMS
};
/* Bytes of the form's number; bytes of an array's length, before each array. */
enum { FORM_B = 4, LENGTH_B = 8 };
/* Returns the bytes of a message about `shared` proxies of which `updated` have
 * a new value. */
uint64_t update_bytes(enum update_form form, uint64_t shared, uint64_t updated,
                      unsigned value_B);
/* Returns the smallest form; the first one if several are equal. */
enum update_form update_form(uint64_t shared, uint64_t updated,
                             unsigned value_B);

/* The proxies of a host whose values were updated in this round. */
struct updated {
    uint8_t *is;    /* one flag per local vertex */
    uint32_t *list; /* the local vertices that are */
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
    struct updated *updated; /* one per host */
    void *state;             /* the algorithm's, for the functions: */
    /* Called when host `at` has received values of n mirrors on host `from` of
     * its masters. It has to add each master that changes to `updated`. */
    void (*reduce)(void *state, uint32_t at, const uint32_t *masters,
                   uint32_t from, const uint32_t *mirrors, uint32_t n);
    /* Called when host `at` has received values of n masters on host `from`. */
    void (*broadcast)(void *state, uint32_t at, const uint32_t *mirrors,
                      uint32_t from, const uint32_t *masters, uint32_t n);
    /* Private members. */
    uint32_t *from, *to; /* local numbers at both ends of one message */
    /* For each column: local numbers at the reader (local) and at the master
     * (host). */
    struct reader **outgoing;
    uint32_t *noutgoing;
};

void gluon_init(struct gluon *g, const struct hosts *h, unsigned value_B);
void gluon_clear(struct gluon *g);
/* Does both steps; nothing is updated afterwards. Hosts that share no proxies
 * send each other no message, all others one per round. */
void gluon_sync(struct gluon *g, struct round *r);

/* Returns for each host the bytes of its windows for one-sided messages: a
 * value of every shared proxy that may be received, in both steps. The caller
 * frees it. */
uint64_t *gluon_windows(const struct hosts *h, unsigned value_B);

#endif

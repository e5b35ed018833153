/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_choice.h - the choice that NCCL and RCCL make by their own models of
 * time, among the algorithms and protocols that their settings permit. */
#ifndef STRATEGIES_COLLECTIVE_LIBRARIES_NCCL_CHOICE_H
#define STRATEGIES_COLLECTIVE_LIBRARIES_NCCL_CHOICE_H

#include "strategies/collective/libraries/library.h"
#include "strategies/collective/nccl_graph.h"

enum tuned_algorithm {
    TREE,
    RING,
    NVLS,
    NVLS_TREE,
    PAT,
    COLLNET_DIRECT,
    COLLNET_CHAIN,
    NTUNED_ALGORITHMS
};
enum tuned_protocol { LL, LL128, SIMPLE, NTUNED_PROTOCOLS };
enum tuned_link { NVLINK, PCI, NET, NTUNED_LINKS };

/* A library's own view of a request. */
struct nccl_tuning {
    /* The reason why it does not use it there, or NULL. */
    const char *lacks[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
    double us[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS]; /* if it does use it */
};
typedef void nccl_tuner(struct nccl_tuning *t, const struct machine *m,
                        const struct collective *c);
nccl_tuner nccl_tune, rccl_tune;
extern nccl_tuner *const nccl_tuners[]; /* of NCCL, of RCCL */

/* The names of the plans; NULL if there is none. */
extern const char *const tuned_names[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS];
#define NCCL_P2P_NAME "nccl_p2p"

/* Returns whether NCCL or RCCL is asked for the request: between GPUs of a
 * generation that is known, one rank on each. */
bool nccl_serves(const struct machine *m, const struct collective *c);
/* Returns whether the settings permit an algorithm and a protocol. */
bool nccl_permitted(const struct machine *m, int algorithm, int protocol);
/* Returns whether the settings leave the choice to the library. */
bool nccl_is_free(const struct machine *m);
/* Sets the algorithm and protocol of the smallest time; returns false if there
 * is none. */
bool nccl_fastest(const struct machine *m, const struct nccl_tuning *t,
                  enum tuned_algorithm *algorithm,
                  enum tuned_protocol *protocol);
/* Returns the steps of a collective along a ring. */
unsigned nccl_steps(enum collective_kind kind, unsigned ranks);
/* Returns whether all rings have the same order of ranks. Rings that enter a
 * node by different NICs do so at different GPUs. */
bool nccl_same_channels(const struct nccl_system *s);
/* The parts of struct collective_library that NCCL and RCCL share. */
bool nccl_is_tuned(const struct collective_algorithm *x);
const char *nccl_refuses_told(const struct machine *m,
                              const struct collective_algorithm *x,
                              const struct collective *c);

#endif

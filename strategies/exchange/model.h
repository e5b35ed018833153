/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the closed-form times of the exchange strategies, as in section 4
 * of Lockhart et al. 2022. They say which strategy is the fastest, not how
 * long it takes: on the node they take the worst case. */
#ifndef STRATEGIES_EXCHANGE_MODEL_H
#define STRATEGIES_EXCHANGE_MODEL_H

#include "base/err.h"
#include "platforms/machine.h"
#include "strategies/strategy.h"
#include "workloads/halo.h"

#include <stdint.h>

/*
 * PRINTED: Table 6 and its equations to the letter. CORRECTED:
 *  - Eq 4.5 copies D2H what is sent and H2D what is received; printed swapped.
 *  - Eq 4.2 charges each message on the node its share of the data, and only
 *    ranks that have something to send off node get one; printed, each of
 *    ppn - 1 messages carries all of it, even where four ranks send.
 *  - Eq 4.3 takes the bytes of a process, of all its messages; Table 6 hands
 *    it those of one message for 3-step, and s_node / ppn for split even where
 *    fewer ranks send.
 * Both copy in standard/staged too, which Table 6 leaves out ("max-rate"), and
 * both read the 3-step's m_node_to_node as messages of one process: between
 * two nodes it is always 1.
 */
enum model_reading { MODEL_PRINTED, MODEL_CORRECTED };

/* Table 7, and what it does not name. Bytes are off node. */
struct model_input {
    /* Standard: redundant data and all. */
    double messages_per_gpu; /* most messages of one GPU */
    double s_proc_standard;  /* most bytes of one GPU */
    double s_node_standard;
    /* The others: with the duplicates removed, if they are. */
    double s_proc;         /* most bytes sent by one GPU */
    double s_node;         /* most bytes injected by one node */
    double s_node_to_node; /* most bytes between two nodes */
    double m_proc_to_node; /* most nodes to which one GPU sends */
    double m_node;         /* most nodes to which one node sends */
    /* The split strategies. */
    unsigned ppn; /* processes per node */
    unsigned ppg; /* host processes per GPU of split+dd */
    uint64_t message_cap_B;
};

struct model_time {
    double off_node_s, on_node_s, copy_s, total_s;
};

/* The pattern's busiest GPU, node and pair of nodes. */
void model_input_from_halo(struct model_input *in, const struct machine *m,
                           const struct halo *halo,
                           const struct strategy_options *options);

/* Fig 4.3: a node sends `messages` messages of `bytes` bytes, spread evenly
 * over its GPUs, to the GPUs of `nodes` nodes; each GPU sends to every node
 * ("2-Step All"). */
struct model_scenario {
    unsigned messages, nodes;
    double bytes;
    double duplicates; /* the part of all bytes that is redundant: 0 to 1 */
};
void model_input_from_scenario(struct model_input *in, const struct machine *m,
                               const struct model_scenario *scenario,
                               const struct strategy_options *options);

/* ppn, ppg and message_cap_B; both of the above call it. */
void model_input_ranks(struct model_input *in, const struct machine *m,
                       const struct strategy_options *options);

/* Fails when the strategy has no closed form, when the machine lacks a
 * parameter, or when nothing goes from node to node. */
int model_predict(struct model_time *out, const struct machine *m,
                  const struct model_input *in, const struct strategy *s,
                  enum model_reading reading, struct err *err) MUST_CHECK;
/* The same of a halo, of its rounds one after the other: their times added up.
 */
int model_predict_rounds(struct model_time *out, const struct machine *m,
                         const struct halo *halo,
                         const struct strategy_options *options,
                         const struct strategy *s, enum model_reading reading,
                         struct err *err) MUST_CHECK;

/*
 * What strategies make their closed forms of (.predict): one prediction, and
 * the first parameter that the machine turned out to lack (costs are 0 then).
 */
struct model {
    const struct machine *m;
    const struct model_input *in;
    bool corrected;
    enum msg_path path; /* of the strategy's messages */
    const char *missing;
};
struct postal model_message(struct model *c, enum locality where, double s);
/* The same, and nothing where no such message is sent: a cost that counts
 * nothing need not be known (duo has one socket, one GPU). */
struct postal model_message_if(struct model *c, bool any, enum locality where,
                               double s);
/* Eq 4.5: what a GPU sends is copied out, what it receives copied in. */
double model_copies(struct model *c, double sent, double received,
                    unsigned processes);
/* Eq 4.3 or 4.4: m messages that have s bytes together, on a node that sends
 * node_s; the protocol is that of one of them. */
double model_off_node(struct model *c, double m, double s, double node_s);
/* Eq 4.1 for the GPUs of the machine. */
double model_on_gpus(struct model *c, double s);
/* Of n things dealt to the sockets, the most that one gets. */
unsigned model_per_socket(const struct machine *m, unsigned n);
/* Bytes in whole numbers, rounded up. */
uint64_t model_whole_bytes(double s);

/* The equations. alpha_s and beta are those of the message's protocol. */
struct postal {
    double alpha_s, beta_s_per_B;
};
/* Eq 2.1; Eq 4.4 with m messages of s bytes together. */
double model_postal(struct postal off, double m, double s);
/* Eq 2.2; Eq 4.3 with node_s = ppn * s. */
double model_max_rate(struct postal off, double m, double s, double node_s,
                      double injection_Bps);
/* Eq 4.1: one GPU's s bytes to every other of its node. For two sockets
 * gpus = 2 * gps. */
double model_on_node(struct postal on_socket, struct postal on_node,
                     unsigned gpus, unsigned gps, double s);
/* Eq 4.2: ppg processes hand s bytes a message to all others of the node. */
double model_on_split(struct postal on_socket, struct postal on_node,
                      unsigned ppn, unsigned pps, unsigned ppg, double s);

#endif

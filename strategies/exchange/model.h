/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - closed-form times of the exchange strategies, from section 4 of
 * Lockhart et al. 2022. They predict which strategy is the fastest, not its
 * time, because they assume the worst case on the node. */
#ifndef STRATEGIES_EXCHANGE_MODEL_H
#define STRATEGIES_EXCHANGE_MODEL_H

#include "base/err.h"
#include "platforms/machine.h"
#include "strategies/strategy.h"
#include "workloads/halo.h"

#include <stdint.h>

/*
 * PRINTED is Table 6 and its equations as they are printed. CORRECTED differs:
 * - Eq 4.5 copies D2H the data that are sent and H2D the data that are
 *   received; printed, these are swapped.
 * - Eq 4.2 charges each message on the node its share of the data, and only
 *   ranks that send off node get one; printed, each of ppn - 1 messages carries
 *   all of the data, even if four ranks send.
 * - Eq 4.3 uses the bytes of all messages of a process; Table 6 gives it those
 *   of one message for 3-step, and s_node / ppn for split even if fewer ranks
 *   send.
 *
 * Both copy in standard/staged too, which Table 6 omits ("max-rate"). Both read
 * the 3-step's m_node_to_node as messages of one process, because between two
 * nodes it is always 1.
 */
enum model_reading { MODEL_PRINTED, MODEL_CORRECTED };

/* The parameters of Table 7, and others that it does not name. Bytes are off
 * node. */
struct model_input {
    /* For standard, with redundant data. */
    double messages_per_gpu; /* most messages of one GPU */
    double s_proc_standard;  /* most bytes of one GPU */
    double s_node_standard;
    /* For the other strategies, without duplicates if these are removed. */
    double s_proc;         /* most bytes sent by one GPU */
    double s_node;         /* most bytes injected by one node */
    double s_node_to_node; /* most bytes between two nodes */
    double m_proc_to_node; /* most nodes to which one GPU sends */
    double m_node;         /* most nodes to which one node sends */
    /* For the split strategies. */
    unsigned ppn; /* processes per node */
    unsigned ppg; /* host processes per GPU in split+dd */
    uint64_t message_cap_B;
};

/* Predicted times in seconds; the total is their sum. */
struct model_time {
    double off_node_s, on_node_s, copy_s, total_s;
};

/* Sets the input to the busiest GPU, node and pair of nodes of the halo. */
void model_input_from_halo(struct model_input *in, const struct machine *m,
                           const struct halo *halo,
                           const struct strategy_options *options);

/* The pattern of Fig 4.3: a node sends `messages` messages of `bytes` bytes,
 * spread evenly over its GPUs, to the GPUs of `nodes` nodes; each GPU sends to
 * every node ("2-Step All"). */
struct model_scenario {
    unsigned messages, nodes;
    double bytes;
    double duplicates; /* the redundant fraction of all bytes, 0 to 1 */
};
void model_input_from_scenario(struct model_input *in, const struct machine *m,
                               const struct model_scenario *scenario,
                               const struct strategy_options *options);

/* Sets ppn, ppg and message_cap_B; both functions above call it. */
void model_input_ranks(struct model_input *in, const struct machine *m,
                       const struct strategy_options *options);

/* Predicts the time of a strategy. Fails if the strategy has no closed form, if
 * the machine lacks a parameter, or if no message leaves a node. */
int model_predict(struct model_time *out, const struct machine *m,
                  const struct model_input *in, const struct strategy *s,
                  enum model_reading reading, struct err *err) MUST_CHECK;
/* Predicts the time of a halo; if it has rounds, the sum of their times,
 * because they follow each other. */
int model_predict_rounds(struct model_time *out, const struct machine *m,
                         const struct halo *halo,
                         const struct strategy_options *options,
                         const struct strategy *s, enum model_reading reading,
                         struct err *err) MUST_CHECK;

/* The state of one prediction, from which strategies compute their closed forms
 * (.predict). `missing` is the first parameter that the machine lacks, whose
 * cost counts as 0; NULL if there is none. */
struct model {
    const struct machine *m;
    const struct model_input *in;
    bool corrected;
    enum msg_path path; /* the path of the strategy's messages */
    const char *missing;
};
/* Returns the cost of a message of s bytes, and notes if the machine lacks
 * it. */
struct postal model_message(struct model *c, enum locality where, double s);
/* Returns the same if `any` such message is sent, else 0, because a cost that
 * does not count need not be known (duo has one socket with one GPU). */
struct postal model_message_if(struct model *c, bool any, enum locality where,
                               double s);
/* Returns Eq 4.5: the data that a GPU sends are copied out, those that it
 * receives are copied in. */
double model_copies(struct model *c, double sent, double received,
                    unsigned processes);
/* Returns Eq 4.3 or 4.4 for m messages of s bytes in total, on a node that
 * sends node_s bytes. The protocol is that of one of the messages. */
double model_off_node(struct model *c, double m, double s, double node_s);
/* Returns Eq 4.1 for the GPUs of the machine. */
double model_on_gpus(struct model *c, double s);
/* Returns the largest share of a socket if n items are dealt to the sockets. */
unsigned model_per_socket(const struct machine *m, unsigned n);
/* Returns the bytes as a whole number, rounded up. */
uint64_t model_whole_bytes(double s);

/* The equations. alpha_s and beta_s_per_B are those of the message's
 * protocol. */
struct postal {
    double alpha_s, beta_s_per_B;
};
/* Returns Eq 2.1, which is Eq 4.4 if m messages have s bytes in total. */
double model_postal(struct postal off, double m, double s);
/* Returns Eq 2.2, which is Eq 4.3 if node_s = ppn * s. */
double model_max_rate(struct postal off, double m, double s, double node_s,
                      double injection_Bps);
/* Returns Eq 4.1: one GPU sends s bytes to every other of its node. On two
 * sockets gpus = 2 * gps. */
double model_on_node(struct postal on_socket, struct postal on_node,
                     unsigned gpus, unsigned gps, double s);
/* Returns Eq 4.2: ppg processes send messages of s bytes to all others of the
 * node. */
double model_on_split(struct postal on_socket, struct postal on_node,
                      unsigned ppn, unsigned pps, unsigned ppg, double s);

#endif

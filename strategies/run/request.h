/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - a user's request in one table: each row is an option of the
 * command line, a key of an experiment file, and its help. */
#ifndef STRATEGIES_RUN_REQUEST_H
#define STRATEGIES_RUN_REQUEST_H

#include "base/opts.h"
#include "sim/plan/exec.h"
#include "strategies/replay/replay.h"
#include "strategies/strategy.h"
#include "workloads/workload.h"

struct request {
    const char *platform; /* NULL for the workload's */
    const char *strategy; /* names, "a,b"; NULL for all */
    /* For collectives: names; "best" or NULL for all that libraries of the
     * machine can be told to use; "auto" for the library's own choice;
     * "all". */
    const char *algorithm;
    const char *library; /* NULL for the machine's */
    struct texts sets;
    /* Names of runtimes that carry messages, "a,b"; NULL for mpi. */
    const char *runtime;
    const char *exhaustion; /* "wait", "error"; NULL for the platform's */
    /* A preset (platforms/matching.h); NULL for the platform's. */
    const char *matching;
    struct workload_request work;
    const char *placement; /* a file (placement.h); NULL for ranks in blocks */
    struct strategy_options options; /* without ranks_per_node, pack */
    bool no_packing;
    double edge_ns;
    unsigned threads;    /* a host's, for a graph; 0 if not given */
    unsigned max_weight; /* weights of shortest paths; 0 if not given */
    /* Size of the larger graph that this graph represents; 0 if not given. */
    uint64_t vertices_as, arcs_as;
    struct replay_options replay; /* without library, algorithms, placement */
    const struct exec_options *exec; /* NULL for exec_defaults */
};

/* Sets all options to "not given". */
void request_init(struct request *r);

#define REQUEST_OPTIONS(r)                                                     \
    {"platform", OPT_TEXT, &(r).platform, "NAME",                              \
     "the machine: a name or a file; graphs on hosts: also several, a,b "      \
     "[default: lassen; graphs: daisy, on hosts dane]"},                       \
        {"workload", OPT_TEXT, &(r).work.words, "W",                           \
         "spmv:FILE, bfs:GRAPH, ... (sluice list workloads)"},                 \
        {"gpus", OPT_COUNT, &(r).work.gpus, "N",                               \
         "GPUs to divide the matrix or graph among"},                          \
        {"nodes", OPT_COUNT, &(r).work.nodes, "N",                             \
         "nodes to use, with all their GPUs [default: 16; graphs: 1]"},        \
        {"partition", OPT_TEXT, &(r).work.partition, "HOW",                    \
         "contiguous, metis, rcm, boxes of a grid, or a file of part "         \
         "numbers; graphs: also random, geometric; on hosts cvc, "             \
         "cvc:ROWSxCOLUMNS, blocked [default: contiguous; on hosts cvc]"},     \
        {"compare-partition", OPT_TEXT, &(r).work.compared, "HOW",             \
         "the best strategy under another partition, in one line; or none "    \
         "[default of run, model: metis, up to 2^20 nonzeros]"},               \
        {"value-bytes", OPT_BYTES, &(r).work.value_bytes, "BYTES",             \
         "size of one exchanged value; 8*k for k right-hand sides "            \
         "[default: 8]"},                                                      \
        {"strategy", OPT_TEXT, &(r).strategy, "S,...",                         \
         "only these (sluice list strategies; graphs: sluice list "            \
         "executions)"},                                                       \
        {"algorithm", OPT_TEXT, &(r).algorithm, "A,...",                       \
         "collectives: only these (sluice list algorithms), or best: all "     \
         "that a library of the platform can be told to take, or auto: what "  \
         "the library takes by itself, or all: also those that none has "      \
         "[default: best]"},                                                   \
        {"library", OPT_TEXT, &(r).library, "L",                               \
         "collectives: the library whose choice is held against the best, "    \
         "and "                                                                \
         "whose algorithms are added (sluice list libraries) "                 \
         "[default: NCCL or the MPI of the platform]"},                        \
        {"keep-duplicates", OPT_FLAG, &(r).options.keep_duplicates, NULL,      \
         "send a value once for each GPU that needs it"},                      \
        {"message-cap", OPT_BYTES, &(r).options.message_cap_B, "BYTES",        \
         "largest message of the split strategies [default: the largest "      \
         "eager message]"},                                                    \
        {"ranks-per-node", OPT_COUNT, &(r).work.ranks_per_node, "N",           \
         "processes on a node [default: one on every core]"},                  \
        {"placement", OPT_TEXT, &(r).placement, "FILE",                        \
         "the node of each rank, or of the rank of each GPU: CSV with the "    \
         "columns rank, node [default: blocks from node 0 on]"},               \
        {"no-packing", OPT_FLAG, &(r).no_packing, NULL,                        \
         "leave out the kernels that pack what is sent and unpack what is "    \
         "received"},                                                          \
        {"source", OPT_NUMBER, &(r).work.source, "V",                          \
         "bfs: the first vertex [default: the one of most arcs]"},             \
        {"damping", OPT_NUMBER, &(r).work.damping, "D",                        \
         "pagerank: damping factor [default: 0.85]"},                          \
        {"threshold", OPT_NUMBER, &(r).work.threshold, "T",                    \
         "pagerank: the part of a rank that may be missing; sweeps: that it "  \
         "may change in the last [default: 1e-6]"},                            \
        {"max-iterations", OPT_COUNT, &(r).work.max_iterations, "N",           \
         "pagerank by sweeps: no more iterations [default: the execution's]"}, \
        {"matching", OPT_TEXT, &(r).matching, "M",                             \
         "how receives are found and what that takes, none or as ENGINE or "   \
         "PRESET, with @DEVICE (sluice list matchings) [default: the "         \
         "platform's]"},                                                       \
        {"runtime", OPT_TEXT, &(r).runtime, "R,...",                           \
         "what carries messages: mpi, or with a communication thread beside "  \
         "compute threads lci, mpi-probe, mpi-rma; graphs then run on hosts, " \
         "in rounds [default: mpi]"},                                          \
        {"runtime-exhaustion", OPT_TEXT, &(r).exhaustion, "HOW",               \
         "lci and mpi-probe: a send that finds no packet or buffer: wait, or " \
         "error [default: the platform's]"},                                   \
        {"compute-scale", OPT_NUMBER, &(r).replay.compute_scale, "X",          \
         "traces: what ranks compute takes X times as long; 0 leaves it out "  \
         "[default: 1]"},                                                      \
        {"flops", OPT_NUMBER, &(r).replay.flops, "RATE",                       \
         "traces that count floating-point operations: of a rank in a second " \
         "[default: 10^9]"},                                                   \
        {"as-received", OPT_FLAG, &(r).replay.as_received, NULL,               \
         "traces: a receive from any rank, or of any tag, takes what it took " \
         "in the trace"},                                                      \
        {"all-in-gpus", OPT_FLAG, &(r).replay.all_in_gpus, NULL,               \
         "traces: all messages are between GPUs, whatever the trace says"},    \
        {"edge-ns", OPT_NUMBER, &(r).edge_ns, "NS",                            \
         "graphs: time of an edge on one GPU [default: by its accesses to "    \
         "memory]"},                                                           \
        {"threads", OPT_COUNT, &(r).threads, "N",                              \
         "graphs on hosts: threads of a host [default: one on each core]"},    \
        {"max-weight", OPT_COUNT, &(r).max_weight, "W",                        \
         "sssp: weights are 1 to W, by a hash [default: the file's, or 100]"}, \
        {"vertices-as", OPT_EVENTS, &(r).vertices_as, "N",                     \
         "graphs on hosts: beside the result, that of as many rounds of a "    \
         "graph of N vertices, bytes and computation by the vertices"},        \
        {"arcs-as", OPT_EVENTS, &(r).arcs_as, "N",                             \
         "with --vertices-as: arcs of that graph, by which it computes "       \
         "[default: as many a vertex]"},                                       \
    {                                                                          \
        "set", OPT_TEXTS, &(r).sets, "KEY=VALUE",                              \
            "override a value of the platform, or of executions with "         \
            "execution.KEY; =x1.01: so many times what it is, also of a "      \
            "group (SEGMENT.send_us+recv_us, copies.rows.*.alpha_us, nic); "   \
            "may be given again"                                               \
    }

/* Reads EXPERIMENT.json into the request, except options that the command line
 * gives: a key is an option's name with _ for -, and _bytes at the end if its
 * value is in bytes. *doc owns the texts, so the caller calls json_free() on it
 * after the last use of the request. */
struct json;
int request_read(struct request *r, struct json **doc, const char *path,
                 struct err *err) MUST_CHECK;

/* Does the same for a document that is read already; the request borrows it. */
int request_read_json(struct request *r, const struct json *doc,
                      struct err *err) MUST_CHECK;

/* Returns -1 if an output (NULL if there is none) is a file that the request
 * reads. This is checked again after an experiment file, because the command
 * line does not know the files that it names. */
int request_check_output(const struct request *r, const char *path,
                         struct err *err) MUST_CHECK;
/* Returns the options that are given, with a blank before each: " --nodes 4
 * --set KEY=VALUE". The caller frees the text. */
char *request_words(const struct request *r);
/* Finds the option of a key of an experiment file; its target is NULL. An
 * unknown key is an error that suggests the nearest. */
int request_key(const char *key, struct opt *option,
                struct err *err) MUST_CHECK;

/* Options that define the work; the others define how and on which machine it
 * is done. Only times of the same work can be compared. */
#define REQUEST_WORK                                                           \
    "workload value-bytes source damping threshold max-iterations "            \
    "as-received all-in-gpus max-weight vertices-as arcs-as"
/* Options that also define the work if more GPUs have more to do
 * (workload_grows()). */
#define REQUEST_WORK_SIZE "gpus nodes ranks-per-node"

/* Returns -1 if the request names runtimes, because `command` chooses its
 * own. */
int request_no_runtime(const struct request *r, const char *command,
                       struct err *err) MUST_CHECK;

/* Asks for a comparison with METIS if the workload is a matrix of up to 2^20
 * nonzeros and the request does not name a comparison. */
void request_compare(struct request *r);
/* Chooses the trace as it is if no strategy is named, for commands that need
 * exactly one candidate. */
void request_one_way(struct request *r);

/* Calls `each` with every option that is given, until it returns -1. */
int request_said(const struct request *r,
                 int (*each)(void *arg, const char *option, struct err *err),
                 void *arg, struct err *err) MUST_CHECK;

#endif

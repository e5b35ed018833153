/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - a user's request in one table: each row is an option of the
 * command line, a key of an experiment file, and its help. */
#ifndef STUDY_RUN_REQUEST_H
#define STUDY_RUN_REQUEST_H

#include "base/opts.h"
#include "platforms/nccl_settings.h"
#include "sim/plan/exec.h"
#include "apps/replay/replay.h"
#include "strategies/strategy.h"
#include "workloads/workload.h"

struct graph_rounds;

struct request {
    const char *platform; /* NULL for the workload's */
    const char *strategy; /* names, "a,b"; NULL for all */
    /* For collectives: names; "best" or NULL for all that libraries of the
     * machine can be told to use; "auto" for the library's own choice;
     * "all". */
    const char *algorithm;
    const char *library; /* NULL for the machine's */
    struct texts sets;
    struct texts nccl; /* NCCL's environment variables */
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
    /* For a graph on hosts: the rounds of a request that differs in no more
     * than platform and partition, which lend what is the same; NULL for none.
     */
    const struct graph_rounds *like;
};

/* Sets all options to "not given". */
void request_init(struct request *r);

#define REQUEST_OPTIONS(r)                                                     \
    OPT_HEADING("Machine and workload"),                                       \
        {"platform", OPT_TEXT, &(r).platform, "NAME",                          \
         "platform, by name or file; graphs on hosts: also several, "          \
         "A,B [default: lassen; graphs: daisy, on hosts dane]"},               \
        {"workload", OPT_TEXT, &(r).work.words, "W",                           \
         "workload: spmv:FILE, allreduce:bytes=SIZE, bfs:GRAPH, ... "          \
         "(sluice list workloads)"},                                           \
        {"gpus", OPT_COUNT, &(r).work.gpus, "N",                               \
         "use N GPUs, among which a matrix or graph is divided"},              \
        {"nodes", OPT_COUNT, &(r).work.nodes, "N",                             \
         "use N nodes, with all their GPUs [default: 16; graphs: 1]"},         \
        OPT_HEADING("Partitions and halo exchanges"),                          \
        {"partition", OPT_TEXT, &(r).work.partition, "HOW",                    \
         "partition: contiguous, metis, rcm, boxes of a grid, or a "           \
         "file of part numbers; graphs: also random, geometric; graphs "       \
         "on hosts: cvc, cvc:ROWSxCOLUMNS, blocked [default: "                 \
         "contiguous; on hosts cvc]"},                                         \
        {"compare-partition", OPT_TEXT, &(r).work.compared, "HOW",             \
         "also report the best strategy under this partition; none: "          \
         "under no other [default of run and model: metis, up to 2^20 "        \
         "nonzeros]"},                                                         \
        {"value-bytes", OPT_BYTES, &(r).work.value_bytes, "BYTES",             \
         "size of one exchanged value; 8*k for k right-hand sides "            \
         "[default: 8]"},                                                      \
        OPT_HEADING("Candidates"),                                             \
        {"strategy", OPT_TEXT, &(r).strategy, "S,...",                         \
         "rank only these strategies (sluice list strategies; graphs: "        \
         "sluice list executions)"},                                           \
        {"algorithm", OPT_TEXT, &(r).algorithm, "A,...",                       \
         "collectives: rank only these algorithms (sluice list "               \
         "algorithms); best: all that the platform's libraries can be "        \
         "configured to use; auto: the library's own choice; all: also "       \
         "those that no library has [default: best]"},                         \
        {"library", OPT_TEXT, &(r).library, "L",                               \
         "collectives: library whose own choice is compared with the "         \
         "best algorithm, and whose algorithms are candidates (sluice "        \
         "list libraries) [default: NCCL or the MPI of the platform]"},        \
        OPT_HEADING("Partitions and halo exchanges"),                          \
        {"keep-duplicates", OPT_FLAG, &(r).options.keep_duplicates, NULL,      \
         "send a value once to each GPU that needs it, not once to "           \
         "each node"},                                                         \
        {"message-cap", OPT_BYTES, &(r).options.message_cap_B, "BYTES",        \
         "largest message of the split strategies [default: the "              \
         "largest eager message]"},                                            \
        OPT_HEADING("Machine and workload"),                                   \
        {"ranks-per-node", OPT_COUNT, &(r).work.ranks_per_node, "N",           \
         "processes on a node [default: one on every core]"},                  \
        {"placement", OPT_TEXT, &(r).placement, "FILE",                        \
         "place ranks, or the ranks of GPUs, on nodes by a CSV file "          \
         "with the columns rank, node [default: blocks from node 0 on]"},      \
        OPT_HEADING("Partitions and halo exchanges"),                          \
        {"no-packing", OPT_FLAG, &(r).no_packing, NULL,                        \
         "leave out the kernels that pack and unpack messages"},               \
        OPT_HEADING("Graph algorithms"),                                       \
        {"source", OPT_NUMBER, &(r).work.source, "V",                          \
         "bfs: source vertex [default: the vertex of highest degree]"},        \
        {"damping", OPT_NUMBER, &(r).work.damping, "D",                        \
         "pagerank: damping factor [default: 0.85]"},                          \
        {"threshold", OPT_NUMBER, &(r).work.threshold, "T",                    \
         "PageRank tolerance: residual (sweeps: change in the last "           \
         "sweep), relative to the rank [default: 1e-6]"},                      \
        {"max-iterations", OPT_COUNT, &(r).work.max_iterations, "N",           \
         "pagerank by sweeps: most iterations [default: the "                  \
         "execution's]"},                                                      \
        OPT_HEADING("Matching and runtimes"),                                  \
        {"matching", OPT_TEXT, &(r).matching, "M",                             \
         "message matching: none, or an ENGINE or PRESET of matching "         \
         "costs, with @DEVICE (sluice list matchings) [default: the "          \
         "platform's]"},                                                       \
        {"runtime", OPT_TEXT, &(r).runtime, "R,...",                           \
         "runtimes that carry messages: mpi; with a communication "            \
         "thread in addition to the compute threads: lci, mpi-probe, "         \
         "mpi-rma. Graphs run on hosts then, in rounds [default: mpi]"},       \
        {"runtime-exhaustion", OPT_TEXT, &(r).exhaustion, "HOW",               \
         "lci, mpi-probe: a send that finds no free packet or buffer "         \
         "waits (wait) or is an error (error) [default: the "                  \
         "platform's]"},                                                       \
        OPT_HEADING("Traces"),                                                 \
        {"compute-scale", OPT_NUMBER, &(r).replay.compute_scale, "X",          \
         "multiply the compute times of a trace by X; 0 leaves them "          \
         "out [default: 1]"},                                                  \
        {"flops", OPT_NUMBER, &(r).replay.flops, "RATE",                       \
         "floating-point operations per second of a rank, for traces "         \
         "that count operations [default: 10^9]"},                             \
        {"as-received", OPT_FLAG, &(r).replay.as_received, NULL,               \
         "wildcard receives match the message they matched in the "            \
         "trace"},                                                             \
        {"all-in-gpus", OPT_FLAG, &(r).replay.all_in_gpus, NULL,               \
         "all messages are between GPU buffers, whatever the trace "           \
         "says"},                                                              \
        OPT_HEADING("Graph algorithms"),                                       \
        {"edge-ns", OPT_NUMBER, &(r).edge_ns, "NS",                            \
         "time to process an edge on one GPU [default: by its memory "         \
         "accesses]"},                                                         \
        {"threads", OPT_COUNT, &(r).threads, "N",                              \
         "on hosts: compute threads of a host [default: one on each "          \
         "core]"},                                                             \
        {"max-weight", OPT_COUNT, &(r).max_weight, "W",                        \
         "sssp: weights are 1 to W, by a hash [default: the file's, or "       \
         "100]"},                                                              \
        {"vertices-as", OPT_EVENTS, &(r).vertices_as, "N",                     \
         "on hosts: also extrapolate to N vertices: same rounds, bytes "       \
         "and compute scaled"},                                                \
        {"arcs-as", OPT_EVENTS, &(r).arcs_as, "N",                             \
         "with --vertices-as: edges of the extrapolated graph, which "         \
         "scale its compute [default: the same number per vertex]"},           \
        OPT_HEADING("Machine and workload"), NCCL_OPTION((r).nccl),            \
    {                                                                          \
        "set", OPT_TEXTS, &(r).sets, "KEY=VALUE",                              \
            "override a value of the platform, or with execution.KEY of "      \
            "executions; VALUE x1.01 multiplies it, or a group of values "     \
            "(SEGMENT.send_us+recv_us, copies.rows.*.alpha_us, nic); may "     \
            "be repeated"                                                      \
    }

/* Reads EXPERIMENT.json into the request, except options that the command line
 * gives: a key is an option's name with _ for -, and _bytes at the end if its
 * value is in bytes. `set` of the file is applied first, so that --set of the
 * command line overrides it. *doc owns the texts, so the caller calls
 * json_free() on it after the last use of the request. */
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
void request_one_candidate(struct request *r);

/* Returns the workload; NULL if none is named, or if it is not known, which
 * job_load() reports. */
const struct workload *request_workload(const struct request *r);
/* Returns the shape of the request's workload: an algorithm on a graph is one
 * on hosts if runtimes are named, or if it has no other form. */
enum shape request_shape(const struct request *r, const struct workload *w);
/* Returns the platform, or the default one of such a workload. */
const char *request_platform(const struct request *r, const struct workload *w);

/* Calls `each` with every option that is given, until it returns -1. */
int request_said(const struct request *r,
                 int (*each)(void *arg, const char *option, struct err *err),
                 void *arg, struct err *err) MUST_CHECK;

#endif

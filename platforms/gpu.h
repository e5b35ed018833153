/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h - the costs of GPUs: copies, a program's calls, accesses to their
 * memory, and NCCL's protocols. Seconds, bytes, bytes per second. */
#ifndef PLATFORMS_GPU_H
#define PLATFORMS_GPU_H

#include "platforms/provenance.h"
#include "platforms/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum copy_dir { H2D, D2H, D2D, NCOPY_DIRS };
extern const char *const copy_dir_names[NCOPY_DIRS];

/* A copy between host and GPU memory (or two GPUs) by one of `processes`
 * processes that copy from the same GPU at once takes alpha + beta * bytes,
 * with the bytes of each process. The simulator uses the rows of one process
 * and lets contention emerge; the closed-form models use them all. */
struct copy_cost {
    enum copy_dir dir;
    enum locality locality; /* ON_SOCKET, ON_NODE if across sockets, or
                               SHARED_CACHE if D2D inside one GPU */
    unsigned processes;
    uint64_t up_to_B; /* UINT64_MAX if there is no limit */
    double alpha_s;
    double beta_s_per_B;
    struct number_source *source;
};

/* Returns alpha + beta * bytes: the time of a copy that nothing disturbs. */
static inline double copy_alone_s(const struct copy_cost *c, uint64_t bytes)
{
    return c->alpha_s + c->beta_s_per_B * (double)bytes;
}

struct copy_table {
    struct copy_cost *rows;
    size_t nrows;
    /* The GPU serves a copy alone for this part of alpha, first come first
     * served, which limits many processes that copy at once with MPS; between
     * host and GPU it goes on until the bytes are over, because a direction
     * has one engine. */
    double engine_s;
    struct number_source *engine_source;
    /* A copy gives the engine of its direction to the next that waits after
     * that many bytes, and waits again; if it is 0, only when it is over. */
    uint64_t engine_turn_B;
    /* Without MPS the processes of one GPU are time-sliced: a copy below
     * slice_below_B holds the GPU for slice_s if the one before was another
     * process's. */
    double slice_s;
    uint64_t slice_below_B;
    struct number_source *slice_source;
    /* Without MPS one process at a time has the GPU, for kernels, for copies
     * between GPUs or inside one, and for those to it below slice_below_B: a
     * change of process takes slice_s. If it is false, each copy has its slice,
     * and kernels have none. */
    bool contexts;
    bool mps;             /* the Multi-Process Service runs */
    unsigned mps_clients; /* most processes that it serves on a GPU; 0 if it is
                             not given */
    struct number_source *mps_clients_source;
    /* Copies of at least mps_from_B take longer if MPS runs, by a part of beta:
     * between host and GPU, and all others. */
    uint64_t mps_from_B;
    double mps_host_more, mps_gpu_more;
    struct number_source *mps_source;
    /* A copy to the GPU of at most that many bytes returns to its rank once
     * they are in a buffer of the driver, so that its sender's memory
     * (AFTER_SENT) and its CPU are free. */
    uint64_t returns_up_to_B;
    struct number_source *returns_source;
    /* The GPUs of a node represent one GPU that processes share, so that there
     * is one set of copy engines. Without MPS the messages between them take
     * turns, each for as long as it lasts. */
    bool gpus_are_one;
};

/* A put over NVLink is sent in packets: at least granule_B and at most
 * payload_B of payload each, plus header_B on the wire. All are 0 if they are
 * not given. */
struct nvlink_packet {
    unsigned granule_B, payload_B, header_B;
    struct number_source *source;
};

/* The calls by which a program has a GPU work, step after step
 * (platforms/gpu_calls.def); `at` names the CPU or stream that each keeps
 * busy. */
enum gpu_call {
#define GPU_CALL(X, x, at, what) GPU_CALL_##X,
#include "platforms/gpu_calls.def"
#undef GPU_CALL
    NGPU_CALLS
};
enum gpu_call_at {
    CALL_AT_HOST,
    CALL_AT_STREAM,
    CALL_AT_COPY,
    CALL_AT_WAIT,
    CALL_AT_DEVICE,
    CALL_AT_ACCESS
};
extern const char *const gpu_call_names[NGPU_CALLS];
extern const char *const gpu_call_whats[NGPU_CALLS];
extern const enum gpu_call_at gpu_call_ats[NGPU_CALLS];

/* A launch and the wait for it cost those of the GPU if they are not given
 * here. */
struct gpu_calls {
    double s[NGPU_CALLS];        /* 0 if it is not given */
    double stream_s[NGPU_CALLS]; /* time of the stream, if the call has one */
    /* If a copy is called while its stream is at work, it waits in its engine,
     * which looks again after so long, then after twice and four times that. */
    double behind_s;
    struct number_source *source;
};

/* The times of threads for a sector of SECTOR_B somewhere in memory, which is
 * in the L2 cache (hit) or not (miss); they are those of the whole GPU if all
 * of it is busy. A latency is that of one access if there is no other. */
enum { SECTOR_B = 32 };
struct gpu_access {
    double hit_s, miss_s;                           /* a read, or write */
    double atomic_hit_s, atomic_miss_s;             /* on integers */
    double float_atomic_hit_s, float_atomic_miss_s; /* additions */
    /* Additions of threads that do not use the value before. */
    double float_sum_hit_s, float_sum_miss_s;
    /* The rate of words of 4 B that threads read one after the other, each its
     * own; 0 if it is the memory's bandwidth. */
    double stream_Bps;
    double same_address_s;       /* an atomic, if all are on one address */
    double float_same_address_s; /* an addition, likewise; 0: not given */
    double latency_hit_s, latency_miss_s;
    struct number_source *source; /* NULL if it is not given */
};

/* Numbers that all GPUs have in common; 0 if one is not given. If a number's
 * own source is NULL, it has the common source. */
struct gpu_model {
    char *arch;        /* name of compilers: "sm_90", "gfx942"; or NULL */
    double memory_Bps; /* bandwidth of its memory */
    double l2_B;
    unsigned sms, threads_per_sm; /* threads that are resident at once */
    double launch_s;              /* from the CPU's call to a kernel's start */
    double sync_s; /* from a kernel's end until the CPU has seen it */
    /* The time from the end of a copy by CUDA IPC until its process knows that
     * others see it by its IPC event. */
    double ipc_event_s;
    /* A small copy between host and GPU by the CPU itself (gdrcopy). */
    double gdrcopy_s, gdrcopy_Bps;
    uint64_t gdrcopy_up_to_B;
    /* MPI adds vectors of up to so many bytes by the CPU, if they are in GPU
     * memory, and takes so much longer than in host memory. 0 if kernels add
     * them. */
    uint64_t cpu_sums_up_to_B;
    double cpu_sums_s_per_B;
    /* A put or atomic of a kernel into the memory of another GPU over
     * NVLink. */
    double remote_atomic_s;
    struct nvlink_packet packet;
    struct gpu_access access;
    struct gpu_calls calls;
    /* The calls if several threads of the CPU have a GPU each. */
    struct gpu_calls calls_of_several;
    bool several_given;
    struct number_source *source;
    struct number_source *launch_source, *sync_source, *remote_atomic_source;
    struct number_source *ipc_event_source, *gdrcopy_source, *cpu_sums_source;
};

/* A channel's threads have other work for each byte that they send to a GPU of
 * their node: before the next one, while nothing is on the wire, and during the
 * transfer, so that they send more slowly. */
struct channel_work {
    double less_s; /* by which a message to another node is faster than alpha */
    double after_s_per_B, beside_s_per_B;
    double after_s; /* after each message, however long */
};

/* The protocols of NCCL, and its numbers for each, by which it divides a
 * collective. */
enum nccl_protocol_kind {
    NCCL_SIMPLE,
    NCCL_LL,
    NCCL_LL128,
    NCCL_NVLS,
    NCCL_P2P,       /* groups of sends and receives */
    NCCL_PAT,       /* parallel aggregated trees */
    NNCCL_RUNTIMES, /* those before have a runtime each, in this order */
    NCCL_COLLNET = NNCCL_RUNTIMES, /* switches of the network that add */
    NNCCL_PROTOCOLS
};
extern const char *const nccl_protocol_names[NNCCL_PROTOCOLS];
struct nccl_protocol {
    double start_s;  /* from the call to the first byte, and from the last byte
                        to the end of a collective; no step includes it */
    unsigned slot_B; /* payload of a slot in a channel's buffer */
    /* A ring's chunk, in slots, and the parts of it that are passed on one by
     * one. A tree's chunk is one slot. */
    unsigned chunk_slots, slices;
    unsigned channel_B; /* fewer channels are used if one has less than this */
    /* The time until a channel's threads have copied, or added, a byte that
     * they received, in which they send none; 0 if beta includes it. */
    double take_s_per_B;
    /* The time until a channel's threads have sent a byte in either direction
     * of a tree, if they send in both; 0 if it is that of beta and take. */
    double tree_s_per_B;
    double step_s; /* after each chunk, until the threads continue */
    /* So much shorter than alpha is a step between nodes of a ring. */
    double ring_less_s;
    /* The time in which a channel's threads pass on the lines that they hold at
     * once. */
    double round_s;
    /* For each byte of a slice, until the pipeline of a channel is full, and
     * empty again; channels end at different times by about a slice. */
    double fill_s_per_B;
    unsigned channels; /* of this algorithm; 0 if it has the machine's */
    struct number_source *source, *start_source, *take_source, *step_source,
        *fill_source, *tree_source, *ring_source, *round_source;
};
/* The versions whose choices are known: 2.8 to 2.30. */
enum { NCCL_OLDEST = 208, NCCL_NEWEST = 230 };
/* Environment variables of NCCL that a job sets; 0, false or NULL is NCCL's
 * default. */
struct nccl_settings {
    char *algorithms, *protocols;
    unsigned min_channels, max_channels;
    unsigned min_p2p_channels, max_p2p_channels, net_peer_channels;
    unsigned buffer_B, nvlink_chunk_B, pcie_chunk_B, net_chunk_B;
    unsigned no_p2p, no_shm, no_ib, collnet; /* 0 or 1 */
    enum nccl_level {
        NCCL_LEVEL_UNSET,
        NCCL_LEVEL_LOC, /* P2P is off */
        NCCL_LEVEL_NVL,
        NCCL_LEVEL_PIX,
        NCCL_LEVEL_PXB,
        NCCL_LEVEL_PHB,
        NCCL_LEVEL_SYS
    } p2p_level;
    enum nccl_pxn { NCCL_PXN_UNSET, NCCL_PXN_ON, NCCL_PXN_OFF } pxn;
    bool no_nvls, no_pat;
    bool same_rail; /* rings enter a node by the NIC at which they leave the
                       one before (NCCL_CROSS_NIC=0) */
};
struct nccl_model {
    unsigned channels; /* channels of a GPU; 0 if NCCL's search finds them */
    /* Slots of each channel's buffer; 0 if the machine has no NCCL. */
    unsigned slots;
    /* The time of the CPU for a collective of one GPU, for each channel of it
     * but the first, and for each send or receive of a group. */
    double call_s, channel_s, send_s;
    struct nccl_protocol protocols[NNCCL_PROTOCOLS];
    char *version_text; /* "2.27", or NULL for the newest that is known */
    unsigned version;   /* 227 */
    struct nccl_settings settings;
    /* By sockets: the rate of a node's network, each way, and the time of a
     * message besides its alpha; 0 if they are not known. */
    double socket_Bps, socket_s;
    struct number_source *source, *channels_source, *call_source,
        *channel_source, *send_source, *socket_source;
};

#endif

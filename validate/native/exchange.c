/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BenchPress' all-to-all of GPUs on real ranks, by four strategies, with
 * checked bytes. */
#include "validate/native/exchange.h"

#include "base/seconds.h"
#include "validate/native/pattern.h"

#include <stdio.h>

enum { TAG_BLOCK, TAG_PART, TAG_BACK };

const char *const exchange_names[] = {"cuda_aware", "copy_to_cpu",
                                      "extra_message", "dup_devptr"};

/* --- blocks of a rank ----------------------------------------------------- */

/* Returns the ranks of a GPU that take part. */
static unsigned sharers(const struct exchange *x)
{
    return x->strategy == CUDA_AWARE || x->strategy == COPY_TO_CPU ? 1
                                                                   : x->per_gpu;
}

/* Returns the first GPU that rank q of this one sends to, or (in) receives
 * from; each next is sharers() further. */
static unsigned exchange_first_gpu(const struct exchange *x, unsigned q,
                                   bool in)
{
    unsigned p = sharers(x);

    return (in ? x->own + p - q % p : x->own + q) % p;
}

static unsigned blocks_of(const struct exchange *x, unsigned q, bool in)
{
    unsigned first = exchange_first_gpu(x, q, in), p = sharers(x);

    return first < x->gpus ? (x->gpus - first - 1) / p + 1 : 0;
}

/* Returns where rank q's blocks begin in the GPU's memory, in blocks. */
static unsigned exchange_place_of(const struct exchange *x, unsigned q, bool in)
{
    unsigned before = 0;

    for (unsigned i = 0; i < q; i++)
        before += blocks_of(x, i, in);
    return before;
}

static int rank_of(const struct exchange *x, unsigned gpu, unsigned q)
{
    unsigned node = gpu / x->per_node, on_node = gpu % x->per_node;

    return (int)(node * (unsigned)x->n->per_node + on_node * x->per_gpu + q);
}

static int part_bytes(const struct exchange *x, unsigned q, bool in)
{
    return (int)(blocks_of(x, q, in) * x->bytes);
}

/* --- steps ---------------------------------------------------------------- */

static void exchange_copy(const struct exchange *x, void *to, const void *from,
                          uint64_t bytes)
{
    if (!bytes)
        return;
    DIE_TRY(x->n->gpu->copy(to, from, bytes, x->stream, DIE));
    DIE_TRY(x->n->gpu->wait(x->stream, DIE));
}

/* Starts sends and receives alternately, in the order of the GPUs, and waits
 * for them. */
static void blocks(const struct exchange *x, const char *out, char *in)
{
    unsigned p = sharers(x), to = exchange_first_gpu(x, x->q, false),
             from = exchange_first_gpu(x, x->q, true);
    MPI_Request *sends = x->requests, *receives = sends + x->gpus;
    int nsends = 0, nreceives = 0, bytes = (int)x->bytes;

    while (to < x->gpus || from < x->gpus) {
        if (to < x->gpus) {
            MPI_TRY(MPI_Isend(out, bytes, MPI_BYTE, rank_of(x, to, x->q),
                              TAG_BLOCK, MPI_COMM_WORLD, &sends[nsends++]));
            out += bytes;
            to += p;
        }
        if (from < x->gpus) {
            MPI_TRY(MPI_Irecv(in, bytes, MPI_BYTE, rank_of(x, from, x->q),
                              TAG_BLOCK, MPI_COMM_WORLD,
                              &receives[nreceives++]));
            in += bytes;
            from += p;
        }
    }
    MPI_TRY(MPI_Waitall(nsends, sends, MPI_STATUSES_IGNORE));
    MPI_TRY(MPI_Waitall(nreceives, receives, MPI_STATUSES_IGNORE));
}

/* Sends the other ranks of the GPU their parts, from rank 0; they begin where
 * its own part ends. */
static void hand_out(const struct exchange *x)
{
    const char *at = x->host_out;

    if (x->q) {
        if (part_bytes(x, x->q, false))
            MPI_TRY(MPI_Recv(x->host_out, part_bytes(x, x->q, false), MPI_BYTE,
                             0, TAG_PART, x->on_gpu, MPI_STATUS_IGNORE));
        return;
    }
    for (unsigned q = 1; q < x->per_gpu; q++) {
        at += part_bytes(x, q - 1, false);
        if (part_bytes(x, q, false))
            MPI_TRY(MPI_Send(at, part_bytes(x, q, false), MPI_BYTE, (int)q,
                             TAG_PART, x->on_gpu));
    }
}

static void hand_back(const struct exchange *x)
{
    char *at = x->host_in;

    if (x->q) {
        if (part_bytes(x, x->q, true))
            MPI_TRY(MPI_Send(x->host_in, part_bytes(x, x->q, true), MPI_BYTE, 0,
                             TAG_BACK, x->on_gpu));
        return;
    }
    for (unsigned q = 1; q < x->per_gpu; q++) {
        at += part_bytes(x, q - 1, true);
        if (part_bytes(x, q, true))
            MPI_TRY(MPI_Recv(at, part_bytes(x, q, true), MPI_BYTE, (int)q,
                             TAG_BACK, x->on_gpu, MPI_STATUS_IGNORE));
    }
}

/* --- strategies ----------------------------------------------------------- */

static void copy_to_cpu(const struct exchange *x)
{
    exchange_copy(x, x->host_out, x->device_out, x->gpus * x->bytes);
    blocks(x, x->host_out, x->host_in);
    exchange_copy(x, x->device_in, x->host_in, x->gpus * x->bytes);
}

static void extra_message(const struct exchange *x)
{
    if (x->q == 0)
        exchange_copy(x, x->host_out, x->device_out, x->gpus * x->bytes);
    hand_out(x);
    blocks(x, x->host_out, x->host_in);
    hand_back(x);
    if (x->q == 0)
        exchange_copy(x, x->device_in, x->host_in, x->gpus * x->bytes);
}

static void dup_devptr(const struct exchange *x)
{
    exchange_copy(x, x->host_out,
                  x->device_out + exchange_place_of(x, x->q, false) * x->bytes,
                  (uint64_t)part_bytes(x, x->q, false));
    blocks(x, x->host_out, x->host_in);
    exchange_copy(x, x->device_in + exchange_place_of(x, x->q, true) * x->bytes,
                  x->host_in, (uint64_t)part_bytes(x, x->q, true));
}

static void once(const struct exchange *x)
{
    switch (x->strategy) {
    case CUDA_AWARE:
        blocks(x, x->device_out, x->device_in);
        break;
    case COPY_TO_CPU:
        copy_to_cpu(x);
        break;
    case EXTRA_MESSAGE:
        extra_message(x);
        break;
    default:
        dup_devptr(x);
    }
}

double native_exchange_batch(void *arg, unsigned iterations)
{
    const struct exchange *x = arg;

    if (x->q >= sharers(x))
        return 0;
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        once(x);
    return (seconds() - begin) / (double)iterations;
}

/* --- the check ------------------------------------------------------------ */

/* Returns the seed of a block's bytes, which differs by its source and its
 * destination. */
static uint64_t seed(const struct exchange *x, unsigned from, unsigned to)
{
    return (uint64_t)from * x->gpus + to;
}

static void exchange_fill(const struct exchange *x)
{
    char *at = x->device_out;

    for (unsigned q = 0; q < sharers(x); q++)
        for (unsigned to = exchange_first_gpu(x, q, false); to < x->gpus;
             to += sharers(x)) {
            pattern_fill(x->n, at, x->bytes, seed(x, x->own, to));
            at += x->bytes;
        }
    pattern_wipe(x->n, x->device_in, x->gpus * x->bytes);
}

static void exchange_compare(const struct exchange *x)
{
    const char *at = x->device_in;
    char what[96];

    for (unsigned q = 0; q < sharers(x); q++)
        for (unsigned from = exchange_first_gpu(x, q, true); from < x->gpus;
             from += sharers(x)) {
            snprintf(what, sizeof what, "%s: from GPU %u to GPU %u",
                     exchange_names[x->strategy], from, x->own);
            pattern_check(x->n, at, x->bytes, seed(x, from, x->own), what);
            at += x->bytes;
        }
}

void native_exchange_check(struct exchange *x)
{
    if (x->q == 0)
        exchange_fill(x);
    native_quiet(x->n);
    if (x->q < sharers(x))
        once(x);
    native_quiet(x->n);
    if (x->q == 0)
        exchange_compare(x);
    native_quiet(x->n);
}

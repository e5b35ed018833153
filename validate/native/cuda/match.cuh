/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.cuh - the matching of Klenk et al. on a GPU: scan and reduce over a
 * matrix of votes (their Algorithms 1 and 2), for one queue or for several that
 * ranks are divided among, and the hash table of two levels.
 *
 * Every loop is over messages, receives or slots, so that none waits for a
 * value.
 */
#ifndef VALIDATE_NATIVE_CUDA_MATCH_CUH
#define VALIDATE_NATIVE_CUDA_MATCH_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/match.h"

/* One queue, and the progress of a warp in it. */
struct match_queue {
    const struct match_envelope *messages, *receives;
    uint32_t nmessages, nreceives;
    uint32_t base; /* place of its first message */
    uint32_t *taken, *list;
    uint32_t *left_messages; /* NULL if not wanted */
};

static __device__ struct match_queue match_queue_of(const struct match_work &w,
                                                    unsigned number)
{
    struct match_queue q = {};

    if (number >= w.queues)
        return q;
    uint32_t m = w.first_message[number], r = w.first_receive[number];
    q.messages = w.messages + m;
    q.nmessages = w.first_message[number + 1] - m;
    q.receives = w.receives + r;
    q.nreceives = w.first_receive[number + 1] - r;
    q.base = m;
    q.taken = w.taken + r;
    /* The unmatched receives are the list, at the end. */
    q.list = (w.compact ? w.left_receives : w.list) + r;
    q.left_messages = w.compact ? w.left_messages + m : NULL;
    return q;
}

/* Returns the j-th receive that is unmatched; before the first chunk all
 * are. */
static __device__ __forceinline__ uint32_t
match_receive(const struct match_queue &q, uint32_t chunk, uint32_t j)
{
    return chunk == 0 ? j : q.list[j];
}

/* --- one warp ------------------------------------------------------------- */

/* Writes the list of the receives that are still unmatched; returns their
 * number. */
static __device__ uint32_t match_compact(const struct match_queue &q,
                                         uint32_t chunk, uint32_t left)
{
    uint32_t kept = 0;

    __syncwarp(ALL_LANES);
    for (uint32_t at = 0; at < left; at += WARP) {
        uint32_t j = at + lane_id();
        uint32_t r = j < left ? match_receive(q, chunk, j) : 0;
        bool keep = j < left && q.taken[r] == MATCH_LEFT;
        unsigned votes = __ballot_sync(ALL_LANES, keep);
        __syncwarp(ALL_LANES);
        if (keep)
            q.list[kept + lanes_below(votes)] = r;
        kept += (uint32_t)__popc(votes);
    }
    __syncwarp(ALL_LANES);
    return kept;
}

/* Adds the messages of this lane's mask, which begin at `row`, to the unmatched
 * ones; returns the new number. */
static __device__ uint32_t match_leave(const struct match_queue &q,
                                       uint32_t before, unsigned mask,
                                       uint32_t row)
{
    uint32_t mine = (uint32_t)__popc(mask), upto = sum_upto(mine);

    uint32_t at = before + upto - mine;
    for (; mask; mask &= mask - 1)
        q.left_messages[at++] = q.base + row + (uint32_t)__ffs((int)mask) - 1;
    return before + __shfl_sync(ALL_LANES, upto, WARP - 1);
}

/* Returns the bits of the messages that exist, of 32 from `row` on. */
static __device__ __forceinline__ unsigned match_rows(uint32_t row,
                                                      uint32_t nmessages)
{
    return row >= nmessages          ? 0
           : nmessages - row >= WARP ? ALL_LANES
                                     : (1u << (nmessages - row)) - 1;
}

static __device__ void match_note_left(const struct match_work &w,
                                       unsigned number, uint32_t messages,
                                       uint32_t receives)
{
    if (!w.compact || number >= w.queues || lane_id() != 0)
        return;
    w.nleft[number] = messages;
    w.nleft[w.queues + number] = receives;
}

/* --- short queues: a warp for each, without a matrix ---------------------- */

static __device__ void match_short(const struct match_work &w, unsigned number)
{
    struct match_queue q = match_queue_of(w, number);
    uint32_t left = q.nreceives, left_messages = 0, chunk = 0;

    for (uint32_t r = lane_id(); r < left; r += WARP)
        q.taken[r] = MATCH_LEFT;
    __syncwarp(ALL_LANES);
    for (; chunk * WARP < q.nmessages && (left || w.compact); chunk++) {
        uint32_t row = chunk * WARP;
        unsigned mask = match_rows(row, q.nmessages);
        bool have = mask >> lane_id() & 1;
        struct match_envelope message = {};
        if (have)
            message = q.messages[row + lane_id()];
        for (uint32_t j = 0; j < left && mask; j++) {
            uint32_t r = match_receive(q, chunk, j);
            bool fits = have && match_fits(q.receives[r], message);
            unsigned vote = __ballot_sync(ALL_LANES, fits) & mask;
            if (!vote)
                continue;
            unsigned bit = (unsigned)__ffs((int)vote) - 1;
            mask &= ~(1u << bit);
            if (lane_id() == bit)
                q.taken[r] = q.base + row + bit;
        }
        if (w.compact)
            left_messages =
                match_leave(q, left_messages, lane_id() == 0 ? mask : 0, row);
        if (w.compact || row + WARP < q.nmessages)
            left = match_compact(q, chunk, left);
    }
    if (w.compact && chunk == 0)
        left = match_compact(q, 0, left);
    match_note_left(w, number, left_messages, left);
}

/* --- scan and reduce ------------------------------------------------------ */

/* A row of votes belongs to one warp; an additional column keeps the rows of a
 * column in different memory banks. */
enum { MATCH_STRIDE = MATCH_WINDOW + 1 };

/* Returns the words of CTA memory that the threads of a queue share: the number
 * of unmatched receives, then the votes of two windows. */
static __host__ __device__ __forceinline__ unsigned
match_group_words(unsigned scan_warps)
{
    return 1 + 2 * scan_warps * MATCH_STRIDE;
}

/* Does Algorithm 1 for one warp and one window: sets votes[column]. */
static __device__ void match_scan(const struct match_queue &q, uint32_t chunk,
                                  uint32_t begin, uint32_t columns, bool have,
                                  struct match_envelope message,
                                  uint32_t *votes)
{
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t r = match_receive(q, chunk, begin + i);
        bool fits = have && match_fits(q.receives[r], message);
        unsigned vote = __ballot_sync(ALL_LANES, fits);
        if (lane_id() == 0)
            votes[i] = vote;
    }
}

/* Does Algorithm 2 for one warp: lane n has the mask of the unmatched messages
 * of scanning warp n. Returns how many were matched, at most `most`. */
static __device__ uint32_t match_reduce(const struct match_queue &q,
                                        uint32_t chunk, uint32_t begin,
                                        uint32_t columns, unsigned scan_warps,
                                        const uint32_t *votes, unsigned *mask,
                                        uint32_t most)
{
    uint32_t rows = chunk * scan_warps * WARP, taken = 0;

    for (uint32_t i = 0; i < columns && taken < most; i++) {
        unsigned vote = lane_id() < scan_warps
                            ? votes[lane_id() * MATCH_STRIDE + i] & *mask
                            : 0;
        unsigned bidders = __ballot_sync(ALL_LANES, vote != 0);
        if (!bidders)
            continue;
        taken++;
        if (lane_id() != (unsigned)__ffs((int)bidders) - 1)
            continue;
        unsigned bit = (unsigned)__ffs((int)vote) - 1;
        *mask &= ~(1u << bit);
        q.taken[match_receive(q, chunk, begin + i)] =
            q.base + rows + lane_id() * WARP + bit;
    }
    __syncwarp(ALL_LANES);
    return taken;
}

static __device__ __forceinline__ uint32_t match_columns(uint32_t left,
                                                         uint32_t window)
{
    uint32_t begin = window * MATCH_WINDOW;

    return left <= begin                  ? 0
           : left - begin >= MATCH_WINDOW ? (uint32_t)MATCH_WINDOW
                                          : left - begin;
}

/* Matches a chunk of the messages, as many as the scanning warps have threads,
 * with all unmatched receives, window after window. If a separate warp reduces,
 * the reduction of a window overlaps the scan of the next. All threads of the
 * CTA call it; returns, to a reducing lane, the mask of its unmatched
 * messages. */
static __device__ unsigned match_chunk(const struct match_queue &q,
                                       const struct match_shape &s,
                                       uint32_t left, uint32_t *votes,
                                       uint32_t chunk, unsigned warp)
{
    uint32_t rows = s.scan_warps * WARP, begin = chunk * rows;
    uint32_t in_chunk = q.nmessages <= begin          ? 0
                        : q.nmessages - begin >= rows ? rows
                                                      : q.nmessages - begin;
    bool reduces = warp == (s.reducer ? s.scan_warps : 0);
    uint32_t row = begin + warp * WARP + lane_id(), taken = 0;
    bool have = warp < s.scan_warps && row < q.nmessages;
    struct match_envelope message = {};
    unsigned mask = 0;

    if (have)
        message = q.messages[row];
    if (reduces && lane_id() < s.scan_warps)
        mask = match_rows(begin + lane_id() * WARP, q.nmessages);
    for (uint32_t step = 0;; step++) {
        uint32_t columns = match_columns(left, step);
        if (warp < s.scan_warps)
            match_scan(q, chunk, step * MATCH_WINDOW, columns, have, message,
                       votes +
                           ((step & 1) * s.scan_warps + warp) * MATCH_STRIDE);
        if (!s.reducer)
            __syncthreads();
        uint32_t window = step - s.reducer;
        bool more = false;
        if (reduces && step >= s.reducer && taken < in_chunk)
            taken +=
                match_reduce(q, chunk, window * MATCH_WINDOW,
                             match_columns(left, window), s.scan_warps,
                             votes + (window & 1) * s.scan_warps * MATCH_STRIDE,
                             &mask, in_chunk - taken);
        if (reduces)
            more = taken < in_chunk && match_columns(left, window + 1) > 0;
        if (!__syncthreads_or(more))
            return mask;
    }
}

static __device__ void match_by_matrix(const struct match_work &w,
                                       const struct match_shape &s,
                                       uint32_t *memory)
{
    unsigned warps = s.scan_warps + s.reducer, warp = warp_id() % warps;
    unsigned group = warp_id() / warps, number = blockIdx.x * s.groups + group;
    struct match_queue q = match_queue_of(w, number);
    uint32_t *left = memory + group * match_group_words(s.scan_warps);
    uint32_t rows = s.scan_warps * WARP, chunk = 0, left_messages = 0;
    bool reduces = warp == (s.reducer ? s.scan_warps : 0);

    for (uint32_t r = threadIdx.x % (warps * WARP); r < q.nreceives;
         r += warps * WARP)
        q.taken[r] = MATCH_LEFT;
    if (reduces && lane_id() == 0)
        *left = q.nreceives;
    __syncthreads();
    for (;; chunk++) {
        bool mine = chunk * rows < q.nmessages && (*left || w.compact);
        if (!__syncthreads_or(mine))
            break;
        unsigned mask =
            match_chunk(q, s, mine ? *left : 0, left + 1, chunk, warp);
        if (reduces && mine && w.compact)
            left_messages = match_leave(q, left_messages, mask,
                                        chunk * rows + lane_id() * WARP);
        if (reduces && mine &&
            (w.compact || (chunk + 1) * rows < q.nmessages)) {
            uint32_t kept = match_compact(q, chunk, *left);
            if (lane_id() == 0)
                *left = kept;
        }
        __syncthreads();
    }
    if (!reduces)
        return;
    if (w.compact && q.nmessages == 0)
        match_compact(q, 0, q.nreceives);
    match_note_left(w, number, left_messages, *left);
}

static __global__ void match_matrix(struct match_work w, struct match_shape s,
                                    unsigned repeats)
{
    CTA_MEMORY(uint32_t, match_memory);

    for (unsigned i = 0; i < repeats; i++) {
        if (s.scan_warps == 1)
            match_short(w, blockIdx.x * s.groups + warp_id());
        else
            match_by_matrix(w, s, match_memory);
        __syncthreads();
    }
}

/* --- the hash table ------------------------------------------------------- */

/* The two tables of a CTA: the receive in each slot, and its envelope. */
struct match_table {
    uint32_t *owner;
    struct match_envelope *name;
    uint32_t small;
};

/* Puts a receive into its slot of either table; returns false if both are
 * occupied. */
static __device__ bool match_insert(const struct match_table &t, uint32_t r,
                                    struct match_envelope e)
{
    for (unsigned level = 0; level < 2; level++) {
        uint32_t slot = match_slot(e, level, t.small);
        if (atomicCAS(&t.owner[slot], MATCH_LEFT, r) == MATCH_LEFT) {
            t.name[slot] = e;
            return true;
        }
    }
    return false;
}

/* Returns the receive that a message takes out of the tables, or MATCH_LEFT. */
static __device__ uint32_t match_query(const struct match_table &t,
                                       struct match_envelope e)
{
    for (unsigned level = 0; level < 2; level++) {
        uint32_t slot = match_slot(e, level, t.small);
        uint32_t r = look(&t.owner[slot]);
        if (r != MATCH_LEFT && t.name[slot].src == e.src &&
            t.name[slot].tag == e.tag &&
            atomicCAS(&t.owner[slot], r, MATCH_LEFT) == r)
            return r;
    }
    return MATCH_LEFT;
}

/* Returns the bits of this thread's part of n: bit k stands for threadIdx.x + k
 * * blockDim.x. */
static __device__ unsigned match_part(uint32_t n)
{
    uint32_t mine =
        n <= threadIdx.x ? 0 : (n - threadIdx.x + blockDim.x - 1) / blockDim.x;

    return mine >= 32 ? ALL_LANES : (1u << mine) - 1;
}

/* Matches by the tables, in rounds. A receive that is in the table while every
 * unmatched message looks for it, and is not taken, fits none of them and never
 * will: it leaves the table. Therefore each round decides at least one receive,
 * and the loop ends. */
static __device__ void match_by_hash(const struct match_queue &q,
                                     const struct match_table &t)
{
    unsigned held = match_part(q.nreceives), waits = match_part(q.nmessages);

    for (uint32_t r = threadIdx.x; r < q.nreceives; r += blockDim.x)
        q.taken[r] = MATCH_LEFT;
    for (uint32_t i = threadIdx.x; i < 6 * t.small; i += blockDim.x)
        t.owner[i] = MATCH_LEFT;
    __syncthreads();
    do {
        for (unsigned left = held; left; left &= left - 1) {
            unsigned k = (unsigned)__ffs((int)left) - 1;
            uint32_t r = threadIdx.x + k * blockDim.x;
            if (match_insert(t, r, q.receives[r]))
                held &= ~(1u << k);
        }
        __syncthreads();
        for (unsigned left = waits; left; left &= left - 1) {
            unsigned k = (unsigned)__ffs((int)left) - 1;
            uint32_t m = threadIdx.x + k * blockDim.x;
            uint32_t r = match_query(t, q.messages[m]);
            if (r == MATCH_LEFT)
                continue;
            q.taken[r] = q.base + m;
            waits &= ~(1u << k);
        }
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < 6 * t.small; i += blockDim.x)
            t.owner[i] = MATCH_LEFT;
    } while (__syncthreads_or(held != 0));
}

static __global__ void match_hash(struct match_work w, struct match_shape s,
                                  unsigned repeats)
{
    CTA_MEMORY(struct match_envelope, match_slots);
    struct match_queue q = match_queue_of(w, blockIdx.x);
    struct match_table t = {(uint32_t *)(match_slots + 6 * s.small),
                            match_slots, s.small};

    for (unsigned i = 0; i < repeats; i++)
        match_by_hash(q, t);
}

#endif

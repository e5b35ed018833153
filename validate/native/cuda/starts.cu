// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of queues, matching, gathers and sums, which are in
 * headers; callable from C. They are compiled together, because CUDA's headers
 * take longer than the kernels. */
#include "validate/native/cuda/gather.cuh"
#include "validate/native/cuda/match.cuh"
#include "validate/native/cuda/queue.cuh"
#include "validate/native/cuda/reduce.cuh"
#include "validate/native/cuda/start.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

/* --- queues, by form and operation ---------------------------------------- */

typedef void queue_kernel(unsigned threads, struct queue q, uint32_t *popped);

static queue_kernel *const kernels[QUEUE_FORMS][QUEUE_OPERATIONS] = {
    {queue_by_warps<atos_queue, QUEUE_PUSH>,
     queue_by_warps<atos_queue, QUEUE_POP>,
     queue_by_warps<atos_queue, QUEUE_PUSH_POP>},
    {queue_by_ctas<atos_queue, QUEUE_PUSH>,
     queue_by_ctas<atos_queue, QUEUE_POP>,
     queue_by_ctas<atos_queue, QUEUE_PUSH_POP>},
    {queue_by_warps<cas_queue, QUEUE_PUSH>,
     queue_by_warps<cas_queue, QUEUE_POP>,
     queue_by_warps<cas_queue, QUEUE_PUSH_POP>},
};

static const unsigned box_B = QUEUE_BOX * sizeof(uint32_t);

int queue_start(enum queue_form form, enum queue_operation operation,
                unsigned threads, unsigned cta, struct queue q,
                uint32_t *popped, void *stream)
{
    return START(kernels[form][operation], ctas_for(threads, cta), cta, box_B,
                 stream, threads, q, popped);
}

int queue_resident(enum queue_form form, enum queue_operation operation,
                   unsigned cta, unsigned *ctas)
{
    int n = 0;
    cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &n, kernels[form][operation], (int)cta, box_B);

    *ctas = (unsigned)n;
    return code;
}

/* --- matching ------------------------------------------------------------- */

int match_start_matrix(struct match_work w, struct match_shape s,
                       unsigned repeats, void *stream)
{
    return START(match_matrix, s.ctas, s.threads, match_memory_matrix(s),
                 stream, w, s, repeats);
}

int match_start_hash(struct match_work w, struct match_shape s,
                     unsigned repeats, void *stream)
{
    return START(match_hash, s.ctas, s.threads, match_memory_hash(s), stream, w,
                 s, repeats);
}

/* --- gathers and sums ----------------------------------------------------- */

int gather_pack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                size_t n, void *stream)
{
    return START(pack_kernel, ctas_for(n, CTA, MOST_CTAS), CTA, 0, stream, to,
                 from, index, n);
}

int gather_unpack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                  size_t n, void *stream)
{
    return START(unpack_kernel, ctas_for(n, CTA, MOST_CTAS), CTA, 0, stream, to,
                 from, index, n);
}

int reduce_start(double *out, struct reduce_inputs inputs, size_t doubles,
                 void *stream)
{
    return START(reduce_add, ctas_for(doubles / 2, CTA, MOST_CTAS), CTA, 0,
                 stream, out, inputs, doubles);
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the queue kernels, by form of the queue and operation; callable from
 * C. */
#include "validate/native/cuda/queue.cuh"

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

static const unsigned memory_B = QUEUE_BOX * sizeof(uint32_t);

int queue_start(enum queue_form form, enum queue_operation operation,
                unsigned threads, unsigned cta, struct queue q,
                uint32_t *popped, void *stream)
{
    kernels[form][operation]<<<(threads + cta - 1) / cta, cta, memory_B,
                               (cudaStream_t)stream>>>(threads, q, popped);
    return cudaGetLastError();
}

int queue_resident(enum queue_form form, enum queue_operation operation,
                   unsigned cta, unsigned *ctas)
{
    int n = 0;
    cudaError_t code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &n, kernels[form][operation], (int)cta, memory_B);

    *ctas = (unsigned)n;
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* try.h - CUDA calls that report their name and the error if they fail. */
#ifndef VALIDATE_NATIVE_TRY_H
#define VALIDATE_NATIVE_TRY_H

#include "base/err.h"

#include <cuda_runtime_api.h>
#include <string.h>

/* Evaluates to -1, with the names of the call and of the error in err, if the
 * call fails; the kind of the error is ERR_WORK. */
#define CUDA_TRY(err, call)                                                    \
    cuda_try((err), (cudaError_t)(call), #call, __FILE__, __LINE__)
static inline int cuda_try(struct err *err, cudaError_t code, const char *call,
                           const char *file, int line)
{
    if (code == cudaSuccess)
        return 0;
    err_set(err, ERR_WORK, file, line, "%.*s: %s (%s)", (int)strcspn(call, "("),
            call, cudaGetErrorString(code), cudaGetErrorName(code));
    return -1;
}

/* Does the same in the middle of the others' work: it ends all ranks. Needs
 * native.h. */
#define CUDA_DIE(call) DIE_TRY(CUDA_TRY(DIE, call))

#endif

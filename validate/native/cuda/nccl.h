/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl.h - NCCL from its shared library, opened at run time, so that the build
 * does not need it. The calls and numbers are those of NCCL 2's public
 * interface. */
#ifndef VALIDATE_NATIVE_CUDA_NCCL_H
#define VALIDATE_NATIVE_CUDA_NCCL_H

#include "base/err.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { NCCL_FLOAT32 = 7, NCCL_SUM = 0 };

struct nccl_id {
    char bytes[128];
};

struct nccl {
    void *library;
    int version; /* 22809: 2.28.9 */
    int (*get_version)(int *version);
    const char *(*error)(int code);
    int (*id)(struct nccl_id *id);
    int (*init)(void **comm, int ranks, struct nccl_id id, int rank);
    int (*destroy)(void *comm);
    int (*begin)(void), (*end)(void);
    int (*allreduce)(const void *from, void *to, size_t n, int type, int op,
                     void *comm, cudaStream_t stream);
    int (*reduce_scatter)(const void *from, void *to, size_t n, int type,
                          int op, void *comm, cudaStream_t stream);
    int (*reduce)(const void *from, void *to, size_t n, int type, int op,
                  int root, void *comm, cudaStream_t stream);
    int (*broadcast)(const void *from, void *to, size_t n, int type, int root,
                     void *comm, cudaStream_t stream);
    int (*allgather)(const void *from, void *to, size_t n, int type, void *comm,
                     cudaStream_t stream);
    int (*send)(const void *from, size_t n, int type, int peer, void *comm,
                cudaStream_t stream);
    int (*receive)(void *to, size_t n, int type, int peer, void *comm,
                   cudaStream_t stream);
};

/* Opens the library `file`; if it is NULL, libnccl.so.2 from the loader's
 * path. */
int nccl_library_open(struct nccl *l, const char *file,
                      struct err *err) MUST_CHECK;
void nccl_library_close(struct nccl *l);
/* Returns -1 and NCCL's text of the error if `code`, of the call named, is not
 * success. */
int nccl_library_check(const struct nccl *l, int code, const char *call,
                       struct err *err) MUST_CHECK;

#endif

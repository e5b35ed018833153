/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds NCCL's shared library and its calls. */
#include "validate/native/cuda/nccl.h"

#include <dlfcn.h>
#include <string.h>

static int call_of(const struct nccl *l, void *out, const char *name,
                   struct err *err)
{
    void *call = dlsym(l->library, name);

    if (!call)
        return fail(err, "NCCL: %s is not there", name);
    memcpy(out, &call, sizeof call);
    return 0;
}

int nccl_library_open(struct nccl *l, const char *file, struct err *err)
{
    memset(l, 0, sizeof *l);
    l->library = dlopen(file ? file : "libnccl.so.2", RTLD_NOW);
    if (!l->library)
        return fail(err, "NCCL: %s", dlerror());
    const struct {
        void *out;
        const char *name;
    } calls[] = {
        {&l->get_version, "ncclGetVersion"},
        {&l->error, "ncclGetErrorString"},
        {&l->id, "ncclGetUniqueId"},
        {&l->init, "ncclCommInitRank"},
        {&l->destroy, "ncclCommDestroy"},
        {&l->begin, "ncclGroupStart"},
        {&l->end, "ncclGroupEnd"},
        {&l->allreduce, "ncclAllReduce"},
        {&l->reduce_scatter, "ncclReduceScatter"},
        {&l->reduce, "ncclReduce"},
        {&l->broadcast, "ncclBroadcast"},
        {&l->allgather, "ncclAllGather"},
        {&l->send, "ncclSend"},
        {&l->receive, "ncclRecv"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (call_of(l, calls[i].out, calls[i].name, err) < 0) {
            nccl_library_close(l);
            return -1;
        }
    if (nccl_library_check(l, l->get_version(&l->version), "ncclGetVersion",
                           err) < 0) {
        nccl_library_close(l);
        return -1;
    }
    return 0;
}

void nccl_library_close(struct nccl *l)
{
    if (l->library)
        dlclose(l->library);
    l->library = NULL;
}

int nccl_library_check(const struct nccl *l, int code, const char *call,
                       struct err *err)
{
    if (code == 0)
        return 0;
    err_set(err, ERR_WORK, __FILE__, __LINE__, "%s: %s", call, l->error(code));
    return -1;
}

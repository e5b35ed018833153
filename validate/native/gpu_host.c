/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU interface without CUDA: GPU memory is host memory and a copy is
 * memcpy. */
#include "validate/native/gpu.h"

#include "validate/native/elements.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int use(unsigned gpu, struct err *err)
{
    (void)gpu;
    (void)err;
    return 0;
}

static void *new_pages(size_t bytes, struct err *err)
{
    void *p;

    if (posix_memalign(&p, PAGE, bytes ? bytes : 1) != 0) {
        (void)fail_work(err, "out of memory (%zu bytes asked for)", bytes);
        return NULL;
    }
    /* Every page is touched now, so that none is first touched in timed
     * code. */
    memset(p, 0, bytes);
    return p;
}

static int stream_new(void **stream, struct err *err)
{
    (void)err;
    *stream = NULL;
    return 0;
}

static void stream_free(void *stream)
{
    (void)stream;
}

static int gpu_host_copy(void *to, const void *from, size_t bytes, void *stream,
                         struct err *err)
{
    (void)stream;
    (void)err;
    memcpy(to, from, bytes);
    return 0;
}

static int gpu_host_wait_for(void *stream, struct err *err)
{
    (void)stream;
    (void)err;
    return 0;
}

static int gpu_host_set(void *to, int value, size_t bytes, void *stream,
                        struct err *err)
{
    (void)stream;
    (void)err;
    memset(to, value, bytes);
    return 0;
}

static int gpu_host_gather(void *to, const void *from, const uint32_t *index,
                           size_t n, bool back, void *stream, struct err *err)
{
    const uint64_t *in = from;
    uint64_t *out = to;

    (void)stream;
    (void)err;
    if (back)
        for (size_t i = 0; i < n; i++)
            out[index[i]] = in[i];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = in[index[i]];
    return 0;
}

static int gpu_host_add(float *to, const float *const *from, unsigned inputs,
                        size_t n, void *stream, struct err *err)
{
    (void)stream;
    (void)err;
    for (unsigned k = 0; k < inputs; k++)
        for (size_t i = 0; i < n; i++)
            to[i] += from[k][i];
    return 0;
}

static int gpu_host_elements(float *to, size_t n, uint64_t first, unsigned rank,
                             struct err *err)
{
    (void)err;
    for (size_t i = 0; i < n; i++)
        to[i] = (float)element_of(first + i, rank);
    return 0;
}

static int gpu_host_elements_wrong(unsigned long long *wrong, const float *of,
                                   size_t n, uint64_t first, unsigned low,
                                   unsigned high, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < n; i++)
        *wrong += of[i] != (float)element_sum(first + i, low, high);
    return 0;
}

/* --- memory that other processes can open --------------------------------- */

/* The page before the memory describes it. */
struct shared_head {
    size_t bytes; /* including this page */
    int fd;
};

struct shared_name {
    pid_t pid;
    struct shared_head head;
};
_Static_assert(sizeof(struct shared_name) <=
                   sizeof(((struct gpu_share *)0)->bytes),
               "a name fits");

static void *map(int fd, size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return p == MAP_FAILED ? NULL : p;
}

static void *device_new(size_t bytes, struct err *err)
{
    struct shared_head head = {.bytes = bytes + PAGE};

    head.fd = memfd_create("sluice-native", MFD_CLOEXEC);
    char *p = head.fd >= 0 && ftruncate(head.fd, (off_t)head.bytes) == 0
                  ? map(head.fd, head.bytes)
                  : NULL;
    if (!p) {
        (void)fail_work(err, "out of memory (%zu bytes asked for)", bytes);
        if (head.fd >= 0)
            close(head.fd);
        return NULL;
    }
    memset(p, 0, head.bytes);
    memcpy(p, &head, sizeof head);
    return p + PAGE;
}

static void device_free(void *memory)
{
    struct shared_head head;

    if (!memory)
        return;
    memcpy(&head, (char *)memory - PAGE, sizeof head);
    munmap((char *)memory - PAGE, head.bytes);
    close(head.fd);
}

static int gpu_host_share(struct gpu_share *out, void *device, struct err *err)
{
    struct shared_name name = {.pid = getpid()};

    (void)err;
    memcpy(&name.head, (char *)device - PAGE, sizeof name.head);
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &name, sizeof name);
    return 0;
}

static void *open_shared(const struct gpu_share *in, struct err *err)
{
    struct shared_name name;
    char path[64];

    memcpy(&name, in->bytes, sizeof name);
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)name.pid,
             name.head.fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    char *p = fd >= 0 ? map(fd, name.head.bytes) : NULL;
    if (fd >= 0)
        close(fd);
    if (!p) {
        (void)fail_work(err, "cannot open the memory of process %ld: %s",
                        (long)name.pid, strerror(errno));
        return NULL;
    }
    return p + PAGE;
}

static void close_shared(void *opened)
{
    struct shared_head head;

    memcpy(&head, (char *)opened - PAGE, sizeof head);
    munmap((char *)opened - PAGE, head.bytes);
}

/* The functions that both kinds of memory have in common. */
#define HOST_FUNCTIONS                                                         \
    .memory = "host", .about = "none: host memory stands for GPU memory",      \
    .use = use, .host_new = new_pages, .host_free = free,                      \
    .stream_new = stream_new, .stream_free = stream_free,                      \
    .copy = gpu_host_copy, .wait = gpu_host_wait_for, .set = gpu_host_set,     \
    .gather = gpu_host_gather, .add = gpu_host_add,                            \
    .elements = gpu_host_elements, .elements_wrong = gpu_host_elements_wrong

const struct gpu_api gpu_host_api = {
    HOST_FUNCTIONS,
    .device_new = new_pages,
    .device_free = free,
};

const struct gpu_api gpu_host_shared_api = {
    HOST_FUNCTIONS,
    .device_new = device_new,
    .device_free = device_free,
    .share = gpu_host_share,
    .open = open_shared,
    .close = close_shared,
};

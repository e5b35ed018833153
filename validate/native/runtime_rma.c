/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Epochs of windows: each host has one, in which it writes into all others'
 * memory; post, start, complete and wait with the hosts that a round names, or
 * a fence of all. */
#include "validate/native/runtime.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct layer {
    struct layer_options o;
    int rank, hosts;
    size_t slot_B;    /* size of a message's slot */
    MPI_Group all;    /* hosts */
    MPI_Win *windows; /* one per host; for fences only the first */
    char **memory;    /* memory that host h writes here (fence: all of them) */
    int *slots;       /* messages put to each host in this round */
    double late_s;
    struct rma_calls calls;
};

static void window_open(struct layer *l, int h, size_t bytes)
{
    l->memory[h] = xcalloc(1, bytes);
    MPI_TRY(MPI_Win_create(l->memory[h], (MPI_Aint)bytes, 1, MPI_INFO_NULL,
                           l->o.comm, &l->windows[h]));
}

static struct layer *rma_open(const struct layer_options *o)
{
    struct layer *l = xcalloc(1, sizeof *l);

    l->o = *o;
    MPI_TRY(MPI_Comm_rank(o->comm, &l->rank));
    MPI_TRY(MPI_Comm_size(o->comm, &l->hosts));
    MPI_TRY(MPI_Comm_group(o->comm, &l->all));
    l->slot_B = o->most_B * (size_t)o->most;
    l->windows = xcalloc((size_t)l->hosts, sizeof *l->windows);
    l->memory = xcalloc((size_t)l->hosts, sizeof *l->memory);
    l->slots = xcalloc((size_t)l->hosts, sizeof *l->slots);
    if (o->fence)
        window_open(l, 0, l->slot_B * (size_t)l->hosts);
    else
        for (int h = 0; h < l->hosts; h++)
            window_open(l, h, l->slot_B);
    return l;
}

static void rma_close(struct layer *l)
{
    for (int h = 0; h < (l->o.fence ? 1 : l->hosts); h++) {
        MPI_TRY(MPI_Win_free(&l->windows[h]));
        free(l->memory[h]);
    }
    MPI_TRY(MPI_Group_free(&l->all));
    free(l->slots);
    free(l->memory);
    free(l->windows);
    free(l);
}

const struct rma_calls *rma_calls(const struct layer *l)
{
    return &l->calls;
}

void rma_wait_late(struct layer *l, double late_s)
{
    l->late_s = late_s;
}

/* Returns how often hosts[i] is in the list, if it is its first place there;
 * otherwise 0. */
static int times_there(const int *hosts, int n, int i)
{
    int times = 0;

    for (int k = 0; k < n; k++) {
        if (hosts[k] == hosts[i] && k < i)
            return 0;
        times += hosts[k] == hosts[i];
    }
    return times;
}

static void put_all(struct layer *l, const struct host_round *r)
{
    for (int h = 0; h < l->hosts; h++)
        l->slots[h] = 0;
    for (int i = 0; i < r->nto; i++) {
        int to = r->to[i], window = l->o.fence ? 0 : l->rank;
        size_t at = l->o.fence ? (size_t)l->rank * l->slot_B : 0;
        at += (size_t)l->slots[to]++ * r->bytes;
        double begin = seconds();
        MPI_TRY(MPI_Put(r->out + (size_t)i * r->bytes, (int)r->bytes, MPI_BYTE,
                        to, (MPI_Aint)at, (int)r->bytes, MPI_BYTE,
                        l->windows[window]));
        l->calls.put_s += seconds() - begin;
        l->calls.puts++;
    }
}

/* Copies messages of a host to the buffers of the round. */
static int scatter(const struct layer *l, const struct host_round *r, int host,
                   int times, int got)
{
    const char *from =
        l->o.fence ? l->memory[0] + (size_t)host * l->slot_B : l->memory[host];

    for (int i = 0; i < times; i++) {
        memcpy(r->in + (size_t)got * r->bytes, from + (size_t)i * r->bytes,
               r->bytes);
        r->in_from[got++] = host;
    }
    return got;
}

static void fence(struct layer *l)
{
    double begin = seconds();

    MPI_TRY(MPI_Win_fence(0, l->windows[0]));
    l->calls.fence_s += seconds() - begin;
    l->calls.fences++;
}

/* Does a round by fences. The first fence is needed because no host may write
 * while another still reads the data of the last round. */
static void fence_round(struct layer *l, const struct host_round *r)
{
    fence(l);
    put_all(l, r);
    fence(l);
    for (int i = 0, got = 0; i < r->nfrom; i++)
        got = scatter(l, r, r->from[i], times_there(r->from, r->nfrom, i), got);
}

static void expose(struct layer *l, const struct host_round *r)
{
    for (int i = 0; i < r->nfrom; i++) {
        MPI_Group one;
        if (!times_there(r->from, r->nfrom, i))
            continue;
        MPI_TRY(MPI_Group_incl(l->all, 1, &r->from[i], &one));
        double begin = seconds();
        MPI_TRY(MPI_Win_post(one, 0, l->windows[r->from[i]]));
        l->calls.post_s += seconds() - begin;
        l->calls.posts++;
        MPI_TRY(MPI_Group_free(&one));
    }
}

static void write_to_others(struct layer *l, const struct host_round *r)
{
    int *once = xcalloc((size_t)r->nto, sizeof *once), n = 0;
    MPI_Group others;

    for (int i = 0; i < r->nto; i++)
        if (times_there(r->to, r->nto, i))
            once[n++] = r->to[i];
    MPI_TRY(MPI_Group_incl(l->all, n, once, &others));
    double begin = seconds();
    MPI_TRY(MPI_Win_start(others, 0, l->windows[l->rank]));
    l->calls.start_s += seconds() - begin;
    l->calls.starts += (unsigned long)n;
    put_all(l, r);
    begin = seconds();
    MPI_TRY(MPI_Win_complete(l->windows[l->rank]));
    l->calls.complete_s += seconds() - begin;
    l->calls.completes += (unsigned long)n;
    MPI_TRY(MPI_Group_free(&others));
    free(once);
}

static void nap(double s)
{
    const struct timespec t = {.tv_nsec = (long)(1e9 * s)};

    if (s > 0)
        nanosleep(&t, NULL);
}

static void rma_round(struct layer *l, const struct host_round *r)
{
    if (l->o.fence) {
        fence_round(l, r);
        return;
    }
    expose(l, r);
    nap(l->late_s);
    if (r->nto)
        write_to_others(l, r);
    nap(l->late_s);
    for (int i = 0, got = 0; i < r->nfrom; i++) {
        int times = times_there(r->from, r->nfrom, i);
        if (!times)
            continue;
        double begin = seconds();
        MPI_TRY(MPI_Win_wait(l->windows[r->from[i]]));
        l->calls.wait_s += seconds() - begin;
        l->calls.waits++;
        got = scatter(l, r, r->from[i], times, got);
    }
}

const struct layer_kind layer_rma = {.name = "mpi_rma",
                                     .open = rma_open,
                                     .close = rma_close,
                                     .round = rma_round};

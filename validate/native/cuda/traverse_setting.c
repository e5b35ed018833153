/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies a partitioned graph to GPUs, after a check that they exist, reach each
 * other and have enough memory. */
#include "validate/native/cuda/traverse_case.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

const char *const transfer_names[TRANSFERS] = {"-", "store", "copy", "ring"};

static int check_count(const struct traverse_setting *s, struct err *err)
{
    const char *is = "is";
    int there;

    if (CUDA_TRY(err, cudaGetDeviceCount(&there)) < 0)
        return -1;
    is = there == 1 ? "is" : "are";
    if (s->devices > (unsigned)there && s->devices < s->gpus)
        return fail(err, "--devices %u: there %s %d", s->devices, is, there);
    if (s->devices > (unsigned)there)
        return fail(err, "--gpus %u: there %s %d", s->gpus, is, there);
    return 0;
}

/* Lets each GPU access the others' memory; fails if one cannot. */
static int reach(unsigned devices, struct err *err)
{
    for (unsigned a = 0; a < devices; a++)
        for (unsigned b = 0; b < devices; b++) {
            int can = 1;
            if (a == b)
                continue;
            if (CUDA_TRY(err, cudaSetDevice((int)a)) < 0 ||
                CUDA_TRY(err, cudaDeviceCanAccessPeer(&can, (int)a, (int)b)) <
                    0)
                return -1;
            if (!can)
                return fail(err, "GPU %u cannot access the memory of GPU %u", a,
                            b);
            cudaError_t code = cudaDeviceEnablePeerAccess((int)b, 0);
            if (code == cudaErrorPeerAccessAlreadyEnabled)
                cudaGetLastError();
            else if (cuda_try(err, code, "cudaDeviceEnablePeerAccess", __FILE__,
                              __LINE__) < 0)
                return -1;
        }
    return 0;
}

static int upload(const uint32_t **out, struct traverse_side *s,
                  const uint32_t *from, uint64_t words, struct err *err)
{
    void *to = side_piece(s, 4 * words, err);

    *out = to;
    return to && CUDA_TRY(err, cudaMemcpy(to, from, 4 * words,
                                          cudaMemcpyHostToDevice)) == 0
               ? 0
               : -1;
}

static int room_for(const struct traverse_side *s, uint64_t bytes,
                    const char *what, struct err *err)
{
    size_t available, all;

    if (CUDA_TRY(err, cudaSetDevice(s->device)) < 0 ||
        CUDA_TRY(err, cudaMemGetInfo(&available, &all)) < 0)
        return -1;
    if (bytes <= available)
        return 0;
    return fail(err,
                "%s takes %.2f GiB of GPU %u's memory, of which %.2f GiB are "
                "free",
                what, (double)bytes / (1u << 30), s->gpu,
                (double)available / (1u << 30));
}

static int side_make(struct traverse_side *s, struct host_share *h,
                     const char *graph, struct err *err)
{
    if (room_for(s, host_share_B(h), graph, err) < 0 ||
        CUDA_TRY(err, cudaStreamCreateWithFlags(&s->stream,
                                                cudaStreamNonBlocking)) < 0 ||
        CUDA_TRY(err, cudaMallocHost((void **)&s->words,
                                     SIDE_WORDS * sizeof *s->words)) < 0 ||
        upload(&s->share.first, s, h->first, h->own + 1ull, err) < 0 ||
        upload(&s->share.to, s, h->to, h->arcs, err) < 0 ||
        upload(&s->share.home, s, h->home, h->ghosts, err) < 0)
        return -1;
    s->share.own = h->own;
    s->share.ghosts = h->ghosts;
    s->share.arcs = h->arcs;
    memcpy(s->share.ghosts_end, h->ghosts_end, sizeof h->ghosts_end);
    s->graph_pieces = s->npieces;
    s->number = h->number;
    h->number = NULL;
    return 0;
}

int setting_make(struct traverse_setting *s, const uint32_t *part,
                 struct err *err)
{
    struct host_share shares[TRAVERSE_GPUS] = {0};
    struct traverse_group *t = &s->group;
    uint32_t *place;

    memset(t, 0, sizeof *t);
    t->n = s->n;
    t->g = s->g;
    if (check_count(s, err) < 0 || reach(s->devices, err) < 0)
        return -1;
    place = xcalloc(s->g->n + 1ull, sizeof *place);
    int result = host_shares(shares, place, s->g, part, s->gpus, err);
    t->how.gpus = s->gpus;
    t->source_gpu = part[s->source];
    t->source = place[s->source];
    for (unsigned g = 0; g < s->gpus; g++) {
        t->sides[g].group = t;
        t->sides[g].gpu = g;
        t->sides[g].device = (int)(g % s->devices);
        t->sides[g].sharers =
            (s->gpus - g % s->devices + s->devices - 1) / s->devices;
        if (result == 0)
            result = side_make(&t->sides[g], &shares[g], s->graph, err);
        host_share_clear(&shares[g]);
    }
    free(place);
    return result;
}

static void drop_pieces(struct traverse_side *s, size_t keep)
{
    while (s->npieces > keep)
        cudaFree(s->pieces[--s->npieces]);
}

void setting_clear(struct traverse_setting *s)
{
    for (unsigned g = 0; g < s->gpus; g++) {
        struct traverse_side *side = &s->group.sides[g];
        drop_pieces(side, 0);
        free(side->number);
        if (side->words)
            cudaFreeHost(side->words);
        if (side->stream)
            cudaStreamDestroy(side->stream);
    }
    free(s->group.levels);
    memset(&s->group, 0, sizeof s->group);
}

/* --- an execution's own memory -------------------------------------------- */

int group_begin(struct traverse_group *t, struct err *err)
{
    const struct traverse_execution *x = t->how.x;

    for (unsigned g = 0; g < t->how.gpus; g++) {
        struct traverse_side *s = &t->sides[g];
        if (room_for(s, x->bytes(&s->share, t->how.gpus), x->name, err) < 0 ||
            x->begin(s, err) < 0)
            return -1;
    }
    for (unsigned g = 0; x->connect && g < t->how.gpus; g++)
        x->connect(&t->sides[g]);
    return 0;
}

void group_end(struct traverse_group *t)
{
    for (unsigned g = 0; g < t->how.gpus; g++) {
        struct traverse_side *s = &t->sides[g];
        if (s->state && t->how.x->end)
            t->how.x->end(s);
        free(s->state);
        s->state = NULL;
        drop_pieces(s, s->graph_pieces);
    }
}

void group_reset(struct traverse_group *t)
{
    for (unsigned g = 0; g < t->how.gpus; g++) {
        CUDA_DIE(cudaSetDevice(t->sides[g].device));
        t->how.x->reset(&t->sides[g]);
    }
}

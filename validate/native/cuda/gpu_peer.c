/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the elements of a collective between two GPUs: kernels of few and
 * many CTAs that move and sum, and messages by stores and flags. */
#include "validate/native/cuda/gpu_run.h"

#include "validate/native/elements.h"
#include "validate/native/cuda/peer.h"
#include "validate/native/cuda/work.h"

enum { A, B, LEAST_MOVE = 16384, MOST_PONG = 1 << 20, MOST_CTAS = 128 };

/* Only rank 0 measures: GPU A is its own, B another (or A again). */
struct peer_run {
    struct gpu_run *r;
    int gpu[2];
    struct gpu_clock clock[2];
    void *buffer[2][3];
    uint32_t *flag[2];
    unsigned *lost[2];
    unsigned long long *wrong;
    unsigned round, ctas;
    uint64_t bytes;
    int ll, threads;
    void (*once)(struct peer_run *p);
};

static bool measures(const struct peer_run *p)
{
    return p->r->n->rank == 0;
}

static void on(const struct peer_run *p, int which)
{
    CUDA_DIE(cudaSetDevice(p->gpu[which]));
}

/* --- moving and summing --------------------------------------------------- */

/* Moves or sums buffers, by a kernel on GPU `own` into a buffer of GPU `to`. */
static void peer_move_of(struct peer_run *p, int own, int to, int a, int b_of,
                         bool sum)
{
    on(p, own);
    CUDA_DIE(peer_move(p->buffer[to][2], p->buffer[a][0],
                       sum ? p->buffer[b_of][1] : NULL, p->bytes, p->ctas,
                       p->clock[own].stream));
}

static void once_write(struct peer_run *p)
{
    peer_move_of(p, A, B, A, A, false);
}

static void once_read(struct peer_run *p)
{
    peer_move_of(p, A, A, B, B, false);
}

static void once_sum_write(struct peer_run *p)
{
    peer_move_of(p, A, B, A, A, true);
}

static void once_local(struct peer_run *p)
{
    peer_move_of(p, A, A, A, A, false);
}

static void once_local_sum(struct peer_run *p)
{
    peer_move_of(p, A, A, A, A, true);
}

static void once_write_both(struct peer_run *p)
{
    peer_move_of(p, A, B, A, A, false);
    peer_move_of(p, B, A, B, B, false);
}

static const struct {
    const char *name;
    bool two; /* two GPUs */
    bool sum;
    int to; /* the GPU that gets the result */
    void (*once)(struct peer_run *p);
} moves[] = {
    {"move_local", false, false, A, once_local},
    {"sum_local", false, true, A, once_local_sum},
    {"move_write", true, false, B, once_write},
    {"move_read", true, false, A, once_read},
    {"sum_write", true, true, B, once_sum_write},
    {"move_write_both", true, false, B, once_write_both},
};
enum { NMOVES = sizeof moves / sizeof moves[0] };

static double batch_moves(void *arg, unsigned iterations)
{
    struct peer_run *p = arg;

    if (!measures(p))
        return 0;
    on(p, A);
    gpu_clock_start(&p->clock[A]);
    for (unsigned i = 0; i < iterations; i++)
        p->once(p);
    on(p, A);
    double time_s = gpu_clock_stop(&p->clock[A]) / iterations;
    on(p, B);
    CUDA_DIE(cudaStreamSynchronize(p->clock[B].stream));
    on(p, A);
    return time_s;
}

/* Sets rank 0's elements in the first buffer of both GPUs, rank 1's in the
 * next. */
static void fill_elements(struct peer_run *p)
{
    for (int i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++) {
            on(p, i);
            CUDA_DIE(elements_fill(p->buffer[i][j], p->r->sizes.to / 4, 0, j,
                                   p->clock[i].stream));
            CUDA_DIE(cudaStreamSynchronize(p->clock[i].stream));
        }
    on(p, A);
}

static void check_move(struct peer_run *p, const char *name, int to, bool sum)
{
    unsigned long long wrong = 0;

    on(p, to);
    CUDA_DIE(cudaMemset(p->buffer[to][2], 0xff, p->bytes));
    /* The streams do not wait for the memset. */
    CUDA_DIE(cudaDeviceSynchronize());
    on(p, A);
    p->once(p);
    CUDA_DIE(cudaStreamSynchronize(p->clock[A].stream));
    on(p, B);
    CUDA_DIE(cudaStreamSynchronize(p->clock[B].stream));
    CUDA_DIE(
        cudaMemsetAsync(p->wrong, 0, sizeof *p->wrong, p->clock[B].stream));
    CUDA_DIE(elements_wrong(p->buffer[to][2], p->bytes / 4, 0, 0, sum ? 2 : 1,
                            p->wrong, p->clock[B].stream));
    CUDA_DIE(cudaStreamSynchronize(p->clock[B].stream));
    CUDA_DIE(cudaMemcpy(&wrong, p->wrong, sizeof wrong, cudaMemcpyDefault));
    on(p, A);
    if (wrong)
        native_die("%s: %llu bytes: %llu elements are wrong", name,
                   (unsigned long long)p->bytes, wrong);
}

static void peer_moves(struct peer_run *p, bool two)
{
    const struct gpu_run *r = p->r;

    if (measures(p))
        fill_elements(p);
    for (size_t m = 0; m < NMOVES; m++) {
        if (moves[m].two != two)
            continue;
        p->once = moves[m].once;
        for (p->ctas = 1; p->ctas <= MOST_CTAS; p->ctas *= 2)
            for (p->bytes = LEAST_MOVE; p->bytes <= r->sizes.to;
                 p->bytes *= 4) {
                if (measures(p))
                    check_move(p, moves[m].name, moves[m].to, moves[m].sum);
                gpu_rows(p->r, moves[m].name, two ? p->gpu[B] : p->gpu[A],
                         p->bytes, p->ctas * PEER_CTA, batch_moves, p);
            }
    }
}

/* --- messages ------------------------------------------------------------- */

static struct pong pong_of(const struct peer_run *p, int own, unsigned rounds)
{
    int other = 1 - own;

    return (struct pong){.first = own == A,
                         .ll = p->ll,
                         .rounds = rounds,
                         .round = p->round,
                         .threads = (unsigned)p->threads,
                         .bytes = p->bytes,
                         .from = p->buffer[own][0],
                         .to = p->buffer[own][1],
                         .inbox = p->buffer[own][2],
                         .peer_inbox = p->buffer[other][2],
                         .flag = p->flag[own],
                         .peer_flag = p->flag[other],
                         .lost = p->lost[own]};
}

static void check_pong(struct peer_run *p)
{
    unsigned lost[2];

    for (int i = 0; i < 2; i++)
        CUDA_DIE(cudaMemcpy(&lost[i], p->lost[i], sizeof lost[i],
                            cudaMemcpyDefault));
    on(p, B);
    unsigned long long wrong =
        gpu_wrong(p->buffer[B][1], p->bytes, A, p->wrong, p->clock[B].stream);
    on(p, A);
    if (lost[A] || lost[B] || wrong)
        native_die("pong%s: %llu bytes: %s, %llu words are wrong",
                   p->ll ? "_ll" : "", (unsigned long long)p->bytes,
                   lost[A] || lost[B] ? "a kernel gave up waiting" : "all came",
                   wrong);
}

/* Returns the time of one message: half a round. */
static double batch_pong(void *arg, unsigned iterations)
{
    struct peer_run *p = arg;
    struct pong own, other;

    if (!measures(p))
        return 0;
    own = pong_of(p, A, iterations);
    other = pong_of(p, B, iterations);
    on(p, B);
    CUDA_DIE(peer_pong(&other, p->clock[B].stream));
    on(p, A);
    gpu_clock_start(&p->clock[A]);
    CUDA_DIE(peer_pong(&own, p->clock[A].stream));
    double time_s = gpu_clock_stop(&p->clock[A]) / iterations / 2;
    on(p, B);
    CUDA_DIE(cudaStreamSynchronize(p->clock[B].stream));
    on(p, A);
    p->round += iterations;
    check_pong(p);
    return time_s;
}

static void fill(struct peer_run *p)
{
    for (int i = 0; i < 2; i++) {
        on(p, i);
        CUDA_DIE(work_fill(p->buffer[i][0], MOST_PONG / 8, (uint64_t)i,
                           p->clock[i].stream));
        CUDA_DIE(cudaMemset(p->flag[i], 0, sizeof *p->flag[i]));
        CUDA_DIE(cudaMemset(p->lost[i], 0, sizeof *p->lost[i]));
        CUDA_DIE(cudaMemset(p->buffer[i][2], 0, 2 * MOST_PONG));
        CUDA_DIE(cudaDeviceSynchronize());
    }
    on(p, A);
}

static void peer_pongs(struct peer_run *p)
{
    if (measures(p))
        fill(p);
    p->round = 1;
    for (p->ll = 0; p->ll < 2; p->ll++)
        for (p->threads = 32; p->threads <= PEER_CTA; p->threads *= 4)
            for (p->bytes = 8; p->bytes <= MOST_PONG; p->bytes *= 2)
                gpu_rows(p->r, p->ll ? "pong_ll" : "pong", p->gpu[B], p->bytes,
                         (unsigned)p->threads, batch_pong, p);
}

/* --- set-up --------------------------------------------------------------- */

static int reach(int from, int to, struct err *err)
{
    int can = 0;

    if (from == to)
        return 0;
    if (CUDA_TRY(err, cudaSetDevice(from)) < 0 ||
        CUDA_TRY(err, cudaDeviceCanAccessPeer(&can, from, to)) < 0)
        return -1;
    if (!can)
        return fail_work(err, "GPU %d cannot reach the memory of GPU %d", from,
                         to);
    cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled && cudaGetLastError() == code)
        code = cudaSuccess;
    return CUDA_TRY(err, code);
}

static int peer_prepare(struct peer_run *p, struct err *err)
{
    struct gpu_run *r = p->r;
    uint64_t bytes =
        r->sizes.to > 2 * MOST_PONG ? r->sizes.to : 2 * (uint64_t)MOST_PONG;

    if (!measures(p))
        return 0;
    for (int i = 0; i < 2; i++) {
        if (reach(p->gpu[i], p->gpu[1 - i], err) < 0 ||
            CUDA_TRY(err, cudaSetDevice(p->gpu[i])) < 0 ||
            gpu_clock_init(&p->clock[i], err) < 0)
            return -1;
        for (int j = 0; j < 3; j++)
            if (!(p->buffer[i][j] = gpu_piece(&r->pieces, bytes, err)))
                return -1;
        p->flag[i] = gpu_piece(&r->pieces, 128, err);
        p->lost[i] = p->flag[i] ? gpu_piece(&r->pieces, 128, err) : NULL;
        p->wrong = p->lost[i] ? gpu_piece(&r->pieces, 128, err) : NULL;
        if (!p->wrong)
            return -1;
    }
    return CUDA_TRY(err, cudaSetDevice(p->gpu[A]));
}

int gpu_peer(struct gpu_run *r, struct err *err)
{
    struct peer_run p = {.r = r, .gpu = {r->gpu, r->gpu}};
    bool two = r->gpus > 1;

    if (two)
        p.gpu[B] = (r->gpu + 1) % r->gpus;
    if (native_agree(r->n, peer_prepare(&p, err), err) < 0)
        return -1;
    peer_moves(&p, false);
    if (two) {
        peer_moves(&p, true);
        peer_pongs(&p);
    }
    if (measures(&p)) {
        gpu_clock_clear(&p.clock[A]);
        gpu_clock_clear(&p.clock[B]);
    }
    gpu_pieces_clear(&r->pieces);
    return 0;
}

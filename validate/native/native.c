/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places the ranks on hosts, sockets and GPUs, ends all of them on an error,
 * and keeps a watchdog. */
#include "validate/native/native.h"

#include "validate/native/host.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { WATCHDOG_S = 120 };

/* --- errors --------------------------------------------------------------- */

int native_agree(const struct native *n, int result, struct err *err)
{
    int failed = result < 0 ? n->rank : INT_MAX, first, rank0 = 0;

    MPI_TRY(
        MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    if (first == INT_MAX)
        return 0;
    if (first != rank0) {
        if (n->rank == first) {
            if (n->ranks > 1)
                err_widen(err, "rank %d", first);
            MPI_TRY(
                MPI_Send(err, sizeof *err, MPI_BYTE, rank0, 0, MPI_COMM_WORLD));
        } else if (n->rank == rank0) {
            MPI_TRY(MPI_Recv(err, sizeof *err, MPI_BYTE, first, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
    /* The exit code is the same on all ranks; the text is printed once. */
    int kind = err->kind;
    MPI_TRY(MPI_Bcast(&kind, 1, MPI_INT, rank0, MPI_COMM_WORLD));
    err->kind = (enum err_kind)kind;
    if (n->rank != rank0)
        err->text[0] = 0;
    /* A place in the source is useless on another rank, because the address of
     * the file's name differs there. */
    if (n->rank == rank0 && first != rank0) {
        err->file = __FILE__;
        err->line = __LINE__;
    }
    return -1;
}

/* --- the watchdog --------------------------------------------------------- */

static const char *volatile under_way = "the start";
static char bark_place[96] = "";

static void bark(int signal_number)
{
    const char *parts[] = {"sluice-native: ", bark_place,
                           ": nothing has moved for too long in ", under_way,
                           " (see --watchdog); ending all ranks\n"};

    (void)signal_number;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (write(2, parts[i], strlen(parts[i])) < 0)
            break;
    /* mpirun ends the other ranks if one ends without MPI_Finalize. */
    _exit(1);
}

void native_alive(const struct native *n, const char *what)
{
    under_way = what;
    /* Rank 0's alarm comes first and ends the others, so that only one message
     * is printed. */
    alarm(n->watchdog_s + (n->rank > 0));
}

/* --- failures for tests --------------------------------------------------- */

enum { BROKEN_RANK = 1 };

static int parse_break(struct native *n, const char *how, struct err *err)
{
    static const char *const names[] = {"", "hang", "die", "corrupt"};

    for (int b = BREAK_HANG; how && b <= BREAK_CORRUPT; b++)
        if (!strcmp(how, names[b])) {
            n->breaks = n->rank == BROKEN_RANK ? (enum native_break)b : 0;
            return 0;
        }
    return how ? fail(err, "--break: expected hang, die or corrupt, got '%s'",
                      how)
               : 0;
}

void native_break(const struct native *n)
{
    if (n->breaks == BREAK_DIE)
        raise(SIGKILL);
    if (n->breaks == BREAK_HANG) {
        alarm(0); /* because the others' watchdogs must find it */
        for (;;)
            pause();
    }
}

/* --- waiting -------------------------------------------------------------- */

static void sleep_until(MPI_Request *request)
{
    const struct timespec nap = {.tv_nsec = 200000};

    for (int done = 0;;) {
        MPI_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (done)
            return;
        nanosleep(&nap, NULL);
    }
}

double native_max(const struct native *n, double mine)
{
    MPI_Request request;
    double max;

    (void)n;
    MPI_TRY(MPI_Iallreduce(&mine, &max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                           &request));
    sleep_until(&request);
    return max;
}

void native_quiet(const struct native *n)
{
    MPI_Request request;

    (void)n;
    MPI_TRY(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    sleep_until(&request);
}

void native_barrier(const struct native *n)
{
    (void)n;
    MPI_TRY(MPI_Barrier(MPI_COMM_WORLD));
}

/* --- places of the ranks -------------------------------------------------- */

/* Finds the ranks of each host, as MPI sees it; hosts are in the order of their
 * ranks. Fails if a host has another number of ranks than the others. */
static int find_hosts(struct native *n, struct err *err)
{
    int first, per_node, least, most;

    MPI_TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, n->rank,
                                MPI_INFO_NULL, &n->on_node));
    MPI_TRY(MPI_Comm_rank(n->on_node, &n->local));
    MPI_TRY(MPI_Comm_size(n->on_node, &per_node));
    first = n->rank;
    MPI_TRY(MPI_Bcast(&first, 1, MPI_INT, 0, n->on_node));
    MPI_TRY(
        MPI_Allreduce(&per_node, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    MPI_TRY(
        MPI_Allreduce(&per_node, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    n->per_node = per_node;
    n->nodes = n->ranks / per_node;
    n->node = n->rank / per_node;
    bool good =
        least == most && first % per_node == 0 && n->rank == first + n->local;
    if (!native_max(n, good ? 0 : 1))
        return 0;
    return fail(err, "the ranks must fill node after node, as many on each "
                     "(mpirun --map-by ppr:N:node)");
}

static int split_host(struct native *n, unsigned nodes, struct err *err)
{
    if (n->nodes != 1)
        return fail(err, "--split-host: the ranks are on %d hosts already",
                    n->nodes);
    if ((unsigned)n->ranks % nodes != 0)
        return fail(err, "--split-host: %d ranks do not divide into %u nodes",
                    n->ranks, nodes);
    n->nodes = (int)nodes;
    n->per_node = n->ranks / n->nodes;
    n->node = n->rank / n->per_node;
    n->local = n->rank % n->per_node;
    n->pretended = true;
    MPI_TRY(MPI_Comm_free(&n->on_node));
    MPI_TRY(MPI_Comm_split(MPI_COMM_WORLD, n->node, n->rank, &n->on_node));
    return 0;
}

static bool device_mpi(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

static int find_gpus(struct native *n, const struct native_options *o,
                     struct err *err)
{
    const char *why = NULL;
    const struct gpu_api *cuda = o->no_gpu ? NULL : gpu_cuda_api(&why);

    if (why && n->rank == 0)
        fprintf(stderr,
                "sluice-native: no GPU (%s): host memory stands for GPU "
                "memory\n",
                why);
    n->gpu = cuda ? cuda : &gpu_host_api;
    if (cuda && o->share_gpus)
        gpu_cuda_stand_for(o->share_gpus);
    n->device_mpi = cuda ? device_mpi() : true;
    /* Ranks share the GPUs of their host in turn. */
    return cuda ? cuda->use((unsigned)n->local % cuda->count, err) : 0;
}

/* Fails if ranks differ, because then some would measure GPU memory and some
 * its host substitute, or wait for messages that others leave out. */
static int same_gpus(const struct native *n, struct err *err)
{
    double most = native_max(n, n->gpu->count);
    double least = -native_max(n, -(double)n->gpu->count);
    bool some_device = native_max(n, n->device_mpi) > 0;
    bool all_device = native_max(n, !n->device_mpi) <= 0;

    if (most != least)
        return fail(err,
                    "some ranks see %.0f GPUs and some %.0f: as many are "
                    "expected everywhere (or --no-gpu)",
                    least, most);
    if (some_device != all_device)
        return fail(err, "the MPI of some ranks takes GPU memory, that of "
                         "others does not");
    return 0;
}

int native_start(struct native *n, const struct native_options *o,
                 struct err *err)
{
    n->watchdog_s = o->watchdog_s ? o->watchdog_s : WATCHDOG_S;
    native_place(bark_place, sizeof bark_place);
    signal(SIGALRM, bark);
    native_alive(n, "the start");
    MPI_TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &n->rank));
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &n->ranks));
    int result = find_hosts(n, err);
    if (result == 0)
        result = parse_break(n, o->breaks, err);
    if (result == 0 && o->per_point_s < 0)
        result =
            fail(err, "--per-point: expected seconds, got %g", o->per_point_s);
    if (result == 0 && o->split_host)
        result = split_host(n, o->split_host, err);
    if (result == 0)
        result = find_gpus(n, o, err);
    n->socket = host_own_socket();
    n->numa = host_own_numa();
    if (native_agree(n, result, err) < 0)
        return -1;
    return same_gpus(n, err);
}

void native_end(struct native *n)
{
    if (n->on_node && n->on_node != MPI_COMM_NULL)
        MPI_TRY(MPI_Comm_free(&n->on_node));
    alarm(0);
}

static unsigned *all_ranks(const struct native *n, const unsigned *mine)
{
    unsigned *all = xcalloc((size_t)n->ranks, sizeof *all);

    MPI_TRY(MPI_Allgather(mine, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED,
                          MPI_COMM_WORLD));
    return all;
}

unsigned *native_sockets(const struct native *n)
{
    return all_ranks(n, &n->socket);
}

unsigned *native_numas(const struct native *n)
{
    return all_ranks(n, &n->numa);
}

const char *native_locality(const struct native *n, const unsigned *sockets,
                            int a, int b)
{
    if (a / n->per_node != b / n->per_node)
        return "off_node";
    return sockets[a] == sockets[b] ? "on_socket" : "on_node";
}

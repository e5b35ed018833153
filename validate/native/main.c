/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program sluice-native: starts MPI, finds the command and ends all ranks
 * on an error. */
#include "validate/native/bench.h"

#include "base/args.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SLUICE_CUDA
#define NEEDS_CUDA(bench) bench
#else
#define NEEDS_CUDA(bench) no_cuda
static int no_cuda(struct native *n, int argc, char **argv, struct err *err)
{
    (void)n;
    (void)argc;
    return fail(err, "%s: needs a GPU: built without CUDA", argv[0]);
}
#endif

static const struct native_command commands[] = {
    {"ping_pong", "messages between two ranks", bench_ping_pong},
    {"maxrate", "ping-pongs of several pairs of two nodes at once",
     bench_maxrate},
    {"node_pong", "the same with one message split over the pairs",
     bench_node_pong},
    {"mult_pong", "messages from one rank to several of another node",
     bench_mult_pong},
    {"mult_pong_split", "the same with one message split over them",
     bench_mult_pong_split},
    {"fan", "messages from one rank to others at once, and to it", bench_fan},
    {"ring", "ranks that all send to their neighbours at once", bench_ring},
    {"multi_pair", "ping-pongs of pairs in a NUMA domain, socket, node",
     bench_multi_pair},
    {"gpu_messages", "messages between GPUs of a node at once, by parts",
     bench_gpu_messages},
    {"all_to_all_v", "every GPU sends to every GPU, by four strategies",
     bench_all_to_all_v},
    {"memcpy", "copies between host and GPUs, and between GPUs", bench_memcpy},
    {"memcpy_mult", "copies by several ranks of each GPU at once",
     bench_memcpy_mult},
    {"matching", "messages whose receives are posted in order or backwards",
     bench_matching},
    {"pack", "gathering values into a buffer, and back", bench_pack},
    {"contention", "messages and copies of one node at once", bench_contention},
    {"runtime", "communication runtimes: rounds, and what their parts cost",
     bench_runtime},
    {"all", "all that a platform is calibrated from", bench_all},
    {"collective", "allreduce and others: plans on real ranks",
     bench_collective},
    {"run", "plans of halo exchanges on real ranks", bench_run},
    {"gpu", "calls, copies and accesses of GPUs", NEEDS_CUDA(bench_gpu)},
    {"queue", "queues in GPU memory", NEEDS_CUDA(bench_queue)},
    {"match", "matching of messages on a GPU", NEEDS_CUDA(bench_match)},
    {"reduce", "sums of buffers within a GPU", NEEDS_CUDA(bench_reduce)},
    {"nccl", "operations of NCCL", NEEDS_CUDA(bench_nccl)},
    {"traverse", "graph searches on GPUs", NEEDS_CUDA(bench_traverse)},
    {"graph-costs", "what accesses and steps of graph kernels cost",
     NEEDS_CUDA(bench_graph_costs)},
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static void main_help(void)
{
    printf("usage: mpirun ... sluice-native COMMAND [OPTIONS]\n\n"
           "Measures a machine, and runs plans of sluice on real ranks.\n\n");
    for (size_t i = 0; i < NCOMMANDS; i++)
        printf("  %-16s %s\n", commands[i].name, commands[i].summary);
    printf("\n`sluice-native COMMAND --help` explains one command. Exit codes: "
           "0 fine, 1 the\nwork failed, 2 wrong use or bad input.\n");
}

static int main_run(struct native *n, int argc, char **argv, struct err *err)
{
    const char *names[NCOMMANDS];

    if (argc < 2)
        return fail(err, "expected a command (see sluice-native --help)");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        if (n->rank == 0)
            main_help();
        return 0;
    }
    for (size_t i = 0; i < NCOMMANDS; i++) {
        names[i] = commands[i].name;
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(n, argc - 1, argv + 1, err);
    }
    const char *near = nearest_word(argv[1], names, NCOMMANDS);
    if (near)
        return fail(err, "%s: unknown command (did you mean %s?)", argv[1],
                    near);
    return fail(err, "%s: unknown command (see sluice-native --help)", argv[1]);
}

/* Returns `begin`, a blank and an argument, of whose path only the last part is
 * kept if it begins with / or ../ (also behind = or :), because such a path
 * means nothing on another machine. */
static char *without_folders(const char *begin, const char *argument)
{
    size_t key = strcspn(argument, "=:");
    const char *path = argument[key] ? argument + key + 1 : argument;

    if (*argument == '/' || !strncmp(argument, "../", 3))
        path = argument;
    if (*path != '/' && strncmp(path, "../", 3) != 0)
        return xasprintf("%s %s", begin, argument);
    return xasprintf("%s %.*s%s", begin, (int)(path - argument), argument,
                     strrchr(path, '/') + 1);
}

/* Returns the command line for the record; it is made first, because options
 * are parsed in place. The caller frees it. */
static char *command_line(int argc, char **argv)
{
    char *all = xstrdup("sluice-native");

    for (int i = 1; i < argc; i++) {
        char *longer = without_folders(all, argv[i]);
        free(all);
        all = longer;
    }
    for (char *p = all; *p; p++)
        if (*p == '"' || *p == '\n')
            *p = '\'';
    return all;
}

/* Returns the lowest thread level that the command needs, because the locks of
 * a higher one cost time. */
static int thread_level(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "runtime") != 0)
        return MPI_THREAD_SINGLE;
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--funneled"))
            return MPI_THREAD_FUNNELED;
    return MPI_THREAD_MULTIPLE;
}

int main(int argc, char **argv)
{
    struct native n = {0};
    struct err err = {.kind = ERR_INPUT};

    signal(SIGXFSZ, SIG_IGN);
    argc = args_take_debug(argc, argv);
    n.command = command_line(argc, argv);
    int level = thread_level(argc, argv);
    native_mpi(MPI_Init_thread(&argc, &argv, level, &level), "MPI_Init_thread",
               __FILE__, __LINE__);
    native_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &n.rank), "MPI_Comm_rank",
               __FILE__, __LINE__);
    int code = args_check(argc, argv, &err);
    if (code == 0)
        code = main_run(&n, argc, argv, &err);
    if (code >= 0 && stdout_flush(&err) < 0)
        code = -1;
    native_end(&n);
    if (code < 0) {
        code = err.kind == ERR_INPUT ? 2 : 1;
        if (n.rank == 0)
            err_print(&err);
    }
    free(n.command);
    MPI_Finalize();
    return code;
}

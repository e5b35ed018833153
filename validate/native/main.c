/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program sluice-native: starts MPI, finds the command and ends all ranks
 * on an error. */
#include "validate/native/bench.h"

#include "base/args.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void main_help(const struct native_command *commands, size_t n)
{
    printf("usage: mpirun ... sluice-native COMMAND [OPTIONS]\n\n"
           "Measures a machine, and runs plans of sluice on real ranks.\n\n");
    for (size_t i = 0; i < n; i++)
        printf("  %-16s %s\n", commands[i].name, commands[i].summary);
    printf("\n`sluice-native COMMAND --help` explains one command. Exit codes: "
           "0 fine, 1 the\nwork failed, 2 wrong use or bad input.\n");
}

static int main_command(struct native *n, const struct native_command *commands,
                        size_t ncommands, int argc, char **argv,
                        struct err *err)
{
    const char **names = xcalloc(ncommands, sizeof *names);
    size_t found = ncommands;

    for (size_t i = 0; i < ncommands; i++) {
        names[i] = commands[i].name;
        if (!strcmp(argv[1], commands[i].name))
            found = i;
    }
    const char *near = nearest_word(argv[1], names, ncommands);
    free(names);
    if (found < ncommands)
        return commands[found].run(n, argc - 1, argv + 1, err);
    if (near)
        return fail(err, "%s: unknown command (did you mean %s?)", argv[1],
                    near);
    return fail(err, "%s: unknown command (see sluice-native --help)", argv[1]);
}

static int main_run(struct native *n, int argc, char **argv, struct err *err)
{
    if (argc < 2)
        return fail(err, "expected a command (see sluice-native --help)");
    size_t ncommands = native_commands(NULL);
    struct native_command *commands = xcalloc(ncommands, sizeof *commands);
    (void)native_commands(commands);
    int result = 0;
    if (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0 &&
        strcmp(argv[1], "help") != 0)
        result = main_command(n, commands, ncommands, argc, argv, err);
    else if (n->rank == 0)
        main_help(commands, ncommands);
    free(commands);
    return result;
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

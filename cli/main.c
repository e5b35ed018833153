/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program sluice: finds the command and prints its error. */
#include "cli/cli.h"

#include "base/args.h"
#include "base/opts_help.h"
#include "cli/complete.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"run", "simulate a workload under each strategy and rank them", cmd_run},
    {"advise", "recommend a strategy, with its probability and reasons",
     cmd_advise},
    {"model", "rank strategies by closed forms, without simulation", cmd_model},
    {"list", "list platforms, workloads and strategies", cmd_list},
    {"show", "show a platform, matrix, graph, strategy or workload in full",
     cmd_show},
    {"convert", "convert a graph into a binary file that opens at once",
     cmd_convert},
    {"validate", "compare the simulator with measurements", cmd_validate},
    {"expect", "tell what a log should show, and why it does not", cmd_expect},
    {"discover", "write a platform for this machine, or for a described one",
     cmd_discover},
    {"calibrate", "fit the numbers of a platform to measurements",
     cmd_calibrate},
    {"figure", "draw figures and tables of the papers from simulations",
     cmd_figure},
    {"claims", "check the claims of the papers", cmd_claims},
    {"study", "simulate BFS and PageRank on GPUs under several frameworks",
     cmd_study},
    {"sweep", "simulate a space of machines and workloads into a database",
     cmd_sweep},
    {"report", "show results as one page for a browser", cmd_report},
    {"export", "write a plan for other simulators or for native runs",
     cmd_export},
    {"bench", "measure the time and memory that sluice itself takes",
     cmd_bench},
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static const struct opts_page page = {
    .examples = {{"Rank the strategies of a halo exchange by simulation",
                  "sluice run --workload stencil:9pt:1000x1000 --gpus 16"},
                 {"List the platforms", "sluice list platforms"}},
};

static void help(void)
{
    printf("usage: sluice COMMAND [OPTIONS]\n\n"
           "Simulates communication on clusters of GPU nodes.\n\n");
    for (size_t i = 0; i < NCOMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    printf("\n`sluice COMMAND --help` explains one command. Results go to "
           "standard output,\neverything else to standard error. Exit codes: 0 "
           "success, 1 the work failed,\n2 wrong use or bad input.\n");
    help_print_examples(&page);
}

static void man(void)
{
    man_print_head("sluice",
                   "simulates communication on clusters of GPU nodes");
    printf(".SH SYNOPSIS\n.B sluice\nCOMMAND [OPTIONS]\n.SH COMMANDS\n");
    for (size_t i = 0; i < NCOMMANDS; i++) {
        printf(".TP\n.BR sluice\\-%s (1)\n", commands[i].name);
        man_print_text(commands[i].summary);
        printf("\n");
    }
    printf(".SH EXIT STATUS\n0: fine. 1: the work failed. 2: wrong use or bad "
           "input.\n.SH ENVIRONMENT\n.TP\n.B SLUICE_PLATFORMS\na folder of "
           "platforms that is searched first\n.TP\n.B SLUICE_DATA\na folder "
           "that has platforms, apps/presets, results and workloads\n");
    man_print_examples(&page);
}

static int main_command(int argc, char **argv, struct err *err)
{
    const char *names[NCOMMANDS + 2] = {"--help", "--version"};

    if (argc < 2)
        return fail(err, "expected a command (see sluice --help)");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        help();
        return 0;
    }
    if (!strcmp(argv[1], "--help=man")) {
        man();
        return 0;
    }
    if (!strcmp(argv[1], "--complete"))
        return complete_words(commands, NCOMMANDS, argc - 2, argv + 2, err);
    if (!strcmp(argv[1], "--version")) {
        printf("sluice %s\n", SLUICE_VERSION);
        return 0;
    }
    for (size_t i = 0; i < NCOMMANDS; i++) {
        names[2 + i] = commands[i].name;
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1, err);
    }
    const char *near = nearest_word(argv[1], names, NCOMMANDS + 2);
    if (near)
        return fail(err, "%s: unknown command (did you mean %s?)", argv[1],
                    near);
    return fail(err, "%s: unknown command (see sluice --help)", argv[1]);
}

int main(int argc, char **argv)
{
    struct err err = {0};

    /* A file that may not grow further becomes an error like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    argc = args_take_debug(argc, argv);
    int code = args_check(argc, argv, &err);
    if (code == 0)
        code = main_command(argc, argv, &err);

    if (code >= 0 && stdout_flush(&err) < 0)
        code = -1;
    return code < 0 ? err_print(&err) : code;
}

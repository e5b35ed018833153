/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show workload: the rows of the table of workloads with a prefix, in
 * full. */
#include "cli/entry.h"
#include "cli/show.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the options that may stand among the words: ",damping=D". */
static void print_own(const struct workload *w)
{
    printf("among its words, too:");
    for (const char *c = w->own; *c; c++) {
        if (c == w->own || c[-1] == ' ')
            printf(" ,");
        if (*c != ' ')
            putchar(*c == '-' ? '_' : *c);
        if (!c[1] || c[1] == ' ')
            putchar('=');
    }
    printf("\n");
}

static void print_workload(const struct workload *w)
{
    static const char *const what[] = {
        [SHAPE_HALO] = "values between GPUs: see sluice list strategies",
        [SHAPE_PLAN] = "messages, which are carried out as they are given",
        [SHAPE_GRAPH] = "a graph algorithm: see sluice list executions",
        [SHAPE_TRACE] = "as given, and for its halo-like phases every strategy",
        [SHAPE_COLLECTIVE] = "algorithms of the collective: see sluice list "
                             "algorithms",
    };

    printf("%s: %s\n\n%s\n", w->words, w->summary, w->help);
    if (w->options)
        entry_print_options(w->options);
    if (w->options && w->round_options)
        printf("with --runtime, on hosts:\n");
    if (w->round_options)
        entry_print_options(w->round_options);
    if (w->own)
        print_own(w);
    printf("platform: %s, where none is named\n", w->platform);
    if (w->options)
        printf("strategies: %s\n", what[workload_shape(w)]);
}

static int print_workloads(const char *words, struct err *err)
{
    const struct workload *w = workload_find(words, err);

    if (!w)
        return -1;
    print_workload(w);
    /* The prefix random: has a second row, random:ranks=. */
    for (size_t i = 0; i < nworkloads; i++) {
        const struct workload *other = workloads[i];
        if (other == w || strncmp(other->prefix, words, strlen(words)) != 0)
            continue;
        printf("\n");
        print_workload(other);
    }
    return 0;
}

static const struct opts_page page = {
    .usage = "show workload PREFIX:",
    .about =
        "Shows how a workload is written, and the options that it accepts.\n",
    .examples = {{"Describe the workload pagerank:",
                  "sluice show workload pagerank:"}},
};

int show_workload(int argc, char **argv, struct err *err)
{
    const char *name;
    int result = entry_name(&name, argc, argv, &page, err);

    if (result)
        return result < 0 ? -1 : 0;
    /* A prefix ends in a colon, which the user may leave out. */
    char *words = xasprintf("%s%s", name, strchr(name, ':') ? "" : ":");
    result = print_workloads(words, err);
    free(words);
    return result;
}

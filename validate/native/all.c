/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs all benchmarks from which a platform is calibrated, one command after
 * the other. */
#include "validate/measure/experiment.h"
#include "validate/native/planned.h"

#include "base/seconds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct step {
    const char *name;
    int (*run)(struct native *n, int argc, char **argv, struct err *err);
    int ranks;        /* least number of ranks */
    bool pairs;       /* it needs two nodes */
    const char *lack; /* options of `all` that it does not have */
} steps[] = {{"ping_pong", bench_planned, 2, false, "gpus mps"},
             {"maxrate", bench_planned, 2, true, "gpus mps"},
             {"node_pong", bench_planned, 2, true, "gpus mps"},
             {"mult_pong", bench_planned, 2, true, "gpus mps"},
             {"fan", bench_fan, 2, false, "gpus mps"},
             {"ring", bench_ring, 2, false, "gpus mps"},
             {"multi_pair", bench_planned, 2, false, "gpus mps"},
             {"gpu_messages", bench_gpu_messages, 2, false, "gpus"},
             {"matching", bench_planned, 2, false, "gpus mps sizes"},
             {"memcpy", bench_planned, 1, false, ""},
             {"memcpy_mult", bench_planned, 1, false, ""},
             {"contention", bench_contention, 1, false, "gpus"},
             {"pack", bench_pack, 1, false, "gpus"}};
enum { NSTEPS = sizeof steps / sizeof steps[0], MORE_ARGS = 8 };

/* The default of --per-point, because a point whose times are not steady must
 * not hold up all others; and the most messages of mult_pong, because more of
 * them follow the same law. */
#define PER_POINT "0.5"
enum { MULT_PONG_MESSAGES = 16 };

static bool is_option(const char *arg, const char *name)
{
    size_t len = strlen(name);

    return arg[0] == '-' && (arg += 1 + (arg[1] == '-')) &&
           !strncmp(arg, name, len) && (!arg[len] || arg[len] == '=');
}

static bool has_option(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (is_option(argv[i], name))
            return true;
    return false;
}

static bool is_left_out(const struct step *s, const char *arg)
{
    static const char *const names[] = {"gpus", "mps", "sizes"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_option(arg, names[i]) && opt_in_list(s->lack, names[i]))
            return true;
    return is_option(arg, "o");
}

/* The values of a step's own options. */
struct step_values {
    char *file, *messages, *patterns;
};

/* Makes the arguments of a step: the options of `all` with another -o, and
 * without those that the step does not have. Returns their number. */
static int step_args(char **to, const struct step *s, int argc, char **argv,
                     const struct step_values *own)
{
    int n = 0;

    to[n++] = (char *)s->name;
    for (int i = 1; i < argc; i++)
        if (!is_left_out(s, argv[i]))
            to[n++] = argv[i];
        else if (!strchr(argv[i], '='))
            i++; /* its value */
    if (!has_option(argc, argv, "per-point")) {
        to[n++] = (char *)"--per-point";
        to[n++] = (char *)PER_POINT;
    }
    if (!strcmp(s->name, "ping_pong"))
        to[n++] = (char *)"--between";
    if (!strcmp(s->name, "mult_pong")) {
        to[n++] = (char *)"--messages";
        to[n++] = own->messages;
    }
    if (!strcmp(s->name, "memcpy_mult")) {
        to[n++] = (char *)"--patterns";
        to[n++] = own->patterns;
    }
    if (!strcmp(s->name, "matching")) { /* its sizes are numbers of messages */
        to[n++] = (char *)"--sizes";
        to[n++] = (char *)"1..1k";
    }
    to[n++] = (char *)"-o";
    to[n++] = own->file;
    return n;
}

static int one_step(struct native *n, const struct step *s, const char *folder,
                    int argc, char **argv, struct err *err)
{
    int most = n->per_node;
    struct step_values own = {
        .file = xasprintf("%s/%s.csv", folder, s->name),
        .messages = xasprintf(
            "%d", most < MULT_PONG_MESSAGES ? most : MULT_PONG_MESSAGES),
        .patterns = bench_all_names(copy_pattern_names, NCOPY_PATTERNS)};
    char **args = xcalloc((size_t)argc + MORE_ARGS, sizeof *args);

    native_end(n); /* because each command starts the ranks */
    int result = s->run(n, step_args(args, s, argc, argv, &own), args, err);
    free(args);
    free(own.patterns);
    free(own.messages);
    free(own.file);
    return result;
}

static int make_folder(const struct native *n, const char *folder,
                       struct err *err)
{
    if (n->rank == 0 && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(err, "%s: cannot be made: %s", folder, strerror(errno));
    return 0;
}

/* Returns why there is nothing to measure, or NULL. The nodes are known once
 * the first command has found the ranks. */
static const char *nothing_for(const struct native *n, const struct step *s,
                               int ranks)
{
    if (ranks < s->ranks)
        return "there is one rank only";
    return s->pairs && n->nodes < 2 ? "all ranks are on one node" : NULL;
}

static int all_steps(struct native *n, const char *folder, int argc,
                     char **argv, struct err *err)
{
    double begin = seconds();
    int ranks;

    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (int i = 0; i < NSTEPS; i++) {
        const char *name = steps[i].name;
        const char *none = nothing_for(n, &steps[i], ranks);
        if (n->rank == 0)
            fprintf(stderr, "sluice-native: %d of %d, after %.0f s: %s%s%s\n",
                    i + 1, NSTEPS, seconds() - begin, name,
                    none ? " is left out: " : "", none ? none : "");
        if (!none && one_step(n, &steps[i], folder, argc, argv, err) < 0)
            return fail_in(err, "%s", name);
    }
    if (n->rank == 0)
        fprintf(stderr, "sluice-native: all done after %.0f s: %s\n",
                seconds() - begin, folder);
    return 0;
}

static const struct opts_page page = {
    .usage = "all -o DIR [OPTIONS]",
    .about =
        "Measures all that a platform is calibrated from, each kind into "
        "DIR/NAME.csv: ping_pong, maxrate, node_pong, mult_pong, fan, ring, "
        "multi_pair, matching, memcpy, memcpy_mult, contention and pack; "
        "--per-point is 0.5 here. Kinds that cannot be measured, as on one "
        "node, are left out, which is reported.\n",
    .examples = {{"Measure two nodes of 4 ranks",
                  "mpirun -n 8 --map-by ppr:4:node sluice-native all -o out"}},
};

int bench_all(struct native *n, int argc, char **argv, struct err *err)
{
    struct native_options o = {0};
    const char *sizes = NULL, *mps = NULL;
    unsigned gpus = 0;
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"sizes", OPT_TEXT, &sizes, "A..B",
         "sizes in bytes [default: those of each command]"},
        NATIVE_OPTIONS(o),
        {"gpus", OPT_COUNT, &gpus, "N", "memcpy, memcpy_mult: number of GPUs"},
        {"mps", OPT_TEXT, &mps, "HOW", "MPS of commands that copy"}};
    /* Parsing moves the arguments, so it gets a copy. */
    char **args = xcalloc((size_t)argc, sizeof *args);

    memcpy(args, argv, (size_t)argc * sizeof *args);
    int result = native_opts(n, argc, args, opts, sizeof opts / sizeof opts[0],
                             &page, &noperands, &helped, err);
    if (result == 0 && !helped && noperands)
        result = fail(err, "all: expected options only, got '%s'", args[1]);
    else if (result == 0 && !helped && !o.output)
        result = fail(err, "all: expected -o DIR");
    free(args);
    if (result < 0 || helped)
        return result;
    if (native_agree(n, make_folder(n, o.output, err), err) < 0)
        return -1;
    return all_steps(n, o.output, argc, argv, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that a platform is calibrated from, one command after the other. */
#include "validate/native/bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct step {
    const char *name;
    int (*run)(struct native *n, int argc, char **argv, struct err *err);
    bool pairs;  /* wants two nodes */
    bool copies; /* takes --gpus and --mps */
} steps[] = {{"ping_pong", bench_ping_pong, false, false},
             {"maxrate", bench_maxrate, true, false},
             {"node_pong", bench_node_pong, true, false},
             {"memcpy", bench_memcpy, false, true},
             {"memcpy_mult", bench_memcpy_mult, false, true}};
enum { NSTEPS = sizeof steps / sizeof steps[0] };

static bool is_option(const char *arg, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(arg, name, len) && (!arg[len] || arg[len] == '=');
}

/* The options of `all` with another -o, and without what only copies take. */
static int step_args(char **to, const struct step *s, int argc, char **argv,
                     char *file)
{
    int n = 0;

    to[n++] = (char *)s->name;
    for (int i = 1; i < argc; i++) {
        bool output = is_option(argv[i], "-o");
        bool copies =
            is_option(argv[i], "--gpus") || is_option(argv[i], "--mps");
        if (!output && (!copies || s->copies))
            to[n++] = argv[i];
        else if (!strchr(argv[i], '='))
            i++; /* its value */
    }
    to[n++] = (char *)"-o";
    to[n++] = file;
    return n;
}

static int one_step(struct native *n, const struct step *s, const char *folder,
                    int argc, char **argv, struct err *err)
{
    char *file = xasprintf("%s/%s.csv", folder, s->name);
    char **args = xcalloc((size_t)argc + 3, sizeof *args);

    if (n->rank == 0)
        fprintf(stderr, "sluice-native: %s\n", file);
    native_end(n); /* each command starts the ranks */
    int result = s->run(n, step_args(args, s, argc, argv, file), args, err);
    free(args);
    free(file);
    return result;
}

static int make_folder(const struct native *n, const char *folder,
                       struct err *err)
{
    if (n->rank == 0 && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(err, "%s: cannot be made: %s", folder, strerror(errno));
    return 0;
}

static int all_steps(struct native *n, const char *folder, int argc,
                     char **argv, struct err *err)
{
    for (size_t i = 0; i < NSTEPS; i++) {
        if (i && steps[i].pairs && n->nodes < 2) {
            if (n->rank == 0)
                fprintf(stderr,
                        "sluice-native: %s is left out: all ranks are "
                        "on one node\n",
                        steps[i].name);
            continue;
        }
        if (one_step(n, &steps[i], folder, argc, argv, err) < 0)
            return -1;
    }
    return 0;
}

int bench_all(struct native *n, int argc, char **argv, struct err *err)
{
    struct native_options o = {0};
    const char *sizes = NULL, *mps = NULL;
    unsigned gpus = 0;
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"sizes", OPT_TEXT, &sizes, "A..B", "bytes (what each command takes)"},
        NATIVE_OPTIONS(o),
        {"gpus", OPT_COUNT, &gpus, "N", "of memcpy and memcpy_mult"},
        {"mps", OPT_TEXT, &mps, "HOW", "of memcpy and memcpy_mult"}};
    /* Parsing moves them. */
    char **args = xcalloc((size_t)argc, sizeof *args);

    memcpy(args, argv, (size_t)argc * sizeof *args);
    int result = native_opts(n, argc, args, opts, sizeof opts / sizeof opts[0],
                             "all -o DIR [OPTIONS]",
                             "Measures what a platform is calibrated from: "
                             "ping_pong, maxrate, node_pong,\nmemcpy and "
                             "memcpy_mult, each into DIR/NAME.csv.\n",
                             &noperands, &helped, err);
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

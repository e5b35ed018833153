/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and set-up that the benchmarks of sluice-native share. */
#include "validate/native/bench.h"

#include "base/number.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a size above 0, up to `most`; *end is behind it. */
static bool one_size(uint64_t *out, const char *text, uint64_t most,
                     const char **end)
{
    *end = number_take_bytes(text, out);
    return *end && *out > 0 && *out <= most;
}

/* Reads "4..512k", "4..512k*4" or one size; NULL leaves *out unchanged. */
static int parse_sizes(struct sizes *out, const char *text, uint64_t most,
                       struct err *err)
{
    struct sizes s = *out;
    const char *end;

    if (!text)
        return 0;
    bool good = one_size(&s.from, text, most, &end);
    s.to = s.from;
    if (good && !strncmp(end, "..", 2))
        good = one_size(&s.to, end + 2, most, &end);
    if (good && *end == '*') {
        uint64_t factor = 0;
        end = number_take_whole(end + 1, &factor);
        good = end && factor >= 2 && factor <= 1024;
        s.factor = (unsigned)factor;
    }
    if (!good || *end || s.to < s.from)
        return fail(err,
                    "--sizes: expected bytes such as 4..512k or 4..512k*4, up "
                    "to %lluG, got '%s'",
                    (unsigned long long)most >> 30, text);
    *out = s;
    return 0;
}

/* Chooses the memories that MPI can send: GPU memory if there is some and the
 * MPI accepts it. */
static int choose_memory(struct bench_options *o, const struct native *n,
                         const char *device, struct err *err)
{
    bool can = n->gpu != &gpu_host_api && (n->device_mpi || o->ipc);
    bool cpu = device && !strcmp(device, "cpu");
    bool gpu = device && !strcmp(device, "gpu");

    if (device && !cpu && !gpu && strcmp(device, "both") != 0)
        return fail(err, "--device: expected cpu, gpu or both, got '%s'",
                    device);
    if (device && !cpu && !can)
        return fail(err, "--device %s: %s", device,
                    n->gpu == &gpu_host_api
                        ? "there is no GPU"
                        : "this MPI cannot send GPU memory (it was built "
                          "without CUDA)");
    if (!device && !can && n->gpu != &gpu_host_api && !o->copies &&
        n->rank == 0)
        fprintf(stderr, "sluice-native: GPU memory is left out: this MPI "
                        "cannot send it\n");
    o->cpu = !gpu;
    o->gpu = can && !cpu;
    return 0;
}

int native_opts(struct native *n, int argc, char **argv, const struct opt *opts,
                size_t nopts, const struct opts_page *page, int *noperands,
                bool *helped, struct err *err)
{
    int out = -1;

    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &n->rank));
    if (n->rank != 0) { /* because one help is enough */
        int nothing = open("/dev/null", O_WRONLY);
        out = dup(1);
        if (nothing >= 0) {
            dup2(nothing, 1);
            close(nothing);
        }
    }
    int result =
        opts_parse(argc, argv, opts, nopts, page, noperands, helped, err);
    if (out >= 0) {
        fflush(stdout);
        dup2(out, 1);
        close(out);
    }
    return result;
}

int bench_begin(struct native *n, struct bench_options *o, int argc,
                char **argv, const char *usage, const struct opt *more,
                bool *helped, struct err *err)
{
    const char *sizes = NULL, *device = NULL;
    char help[160];
    struct opt opts[32] = {{"sizes", OPT_TEXT, &sizes, "A..B", help},
                           NATIVE_OPTIONS(o->native)};
    const struct opt which = {
        "device", OPT_TEXT, &device, "WHICH",
        "memory: cpu, gpu or both [default: both, if there is a GPU]"};
    size_t nopts = 0;
    int noperands;

    if (!o->sizes.factor)
        o->sizes.factor = 2;
    snprintf(help, sizeof help,
             "%s, each %u times the one before, or F with A..B*F "
             "[default: %llu..%lluk]",
             o->sized ? o->sized : "bytes", o->sizes.factor,
             (unsigned long long)o->sizes.from,
             (unsigned long long)o->sizes.to >> 10);
    while (opts[nopts].name)
        nopts++;
    opts[nopts++] = (struct opt)OPT_HEADING("Options");
    if (!o->copies)
        opts[nopts++] = which;
    for (; more && more->name; more++)
        opts[nopts++] = *more;
    char *line =
        xasprintf("mpirun -n 2 sluice-native %s -o %s.csv", argv[0], argv[0]);
    const struct opts_page page = {
        .usage = usage,
        .about = o->about,
        .examples = {{"Measure with two ranks into a file", line}},
    };
    int parsed =
        native_opts(n, argc, argv, opts, nopts, &page, &noperands, helped, err);
    free(line);
    if (parsed < 0)
        return -1;
    if (*helped)
        return 0;
    if (noperands)
        return fail(err, "%s: expected options only, got '%s'", argv[0],
                    argv[1]);
    if (parse_sizes(&o->sizes, sizes, o->most ? o->most : 1ull << 30, err) <
            0 ||
        native_start(n, &o->native, err) < 0)
        return -1;
    return choose_memory(o, n, device, err);
}

static int unknown_word(const char *const *names, int count, const char *option,
                        const char *list, struct err *err)
{
    char all[128] = "";
    size_t len = 0;

    for (int k = 0; k < count && len < sizeof all; k++)
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s",
                                k ? "," : "", names[k]);
    return fail(err, "--%s: expected some of %s, got '%s'", option, all, list);
}

/* Adds the names of a list "a,b". */
static int add_list(bool *wanted, const char *const *names, int count,
                    const char *option, const char *list, struct err *err)
{
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        int k = 0;
        while (k < count &&
               (strlen(names[k]) != len || strncmp(at, names[k], len) != 0))
            k++;
        if (k == count)
            return unknown_word(names, count, option, list, err);
        wanted[k] = true;
        at += len;
        if (!*at)
            return 0;
    }
}

int bench_parts(bool *wanted, const char *const *names, int count,
                const char *option, const struct texts *asked, struct err *err)
{
    for (int k = 0; k < count && asked->n; k++)
        wanted[k] = false;
    for (size_t i = 0; i < asked->n; i++)
        if (add_list(wanted, names, count, option, asked->items[i], err) < 0)
            return -1;
    return 0;
}

int bench_list(bool *wanted, const char *const *names, int count,
               const char *option, const char *list, struct err *err)
{
    const struct texts asked = {.items = {list}, .n = list != NULL};

    return bench_parts(wanted, names, count, option, &asked, err);
}

char *bench_all_names(const char *const *names, int count)
{
    char *list = xstrdup(names[0]);

    for (int k = 1; k < count; k++) {
        char *more = xasprintf("%s,%s", list, names[k]);
        free(list);
        list = more;
    }
    return list;
}

int bench_ranks(int *out, const struct native *n, const char *command,
                const char *option, unsigned asked, struct err *err)
{
    if (n->nodes < 2)
        return fail(err,
                    "%s: expected ranks on two nodes, all are on one (see "
                    "--split-host)",
                    command);
    if (asked > (unsigned)n->per_node)
        return fail(err, "--%s %u: there are %d ranks on a node", option, asked,
                    n->per_node);
    *out = asked ? (int)asked : n->per_node;
    return 0;
}

int bench_memories(const struct native *n, const struct bench_options *o,
                   uint64_t bytes, bench_measure *measure, void *arg,
                   struct err *err)
{
    for (int gpu = 0; gpu < 2; gpu++) {
        if (gpu ? !o->gpu : !o->cpu)
            continue;
        void *buffer =
            gpu ? n->gpu->device_new(bytes, err) : n->gpu->host_new(bytes, err);
        int result = native_agree(n, buffer ? 0 : -1, err);
        if (result == 0)
            measure(arg, gpu ? "gpu" : "cpu", buffer);
        if (gpu)
            n->gpu->device_free(buffer);
        else
            n->gpu->host_free(buffer);
        if (result < 0)
            return -1;
    }
    return 0;
}

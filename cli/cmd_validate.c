/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate: simulates measured cases and prints the errors. */
#include "cli/cli.h"
#include "cli/validate_measured.h"
#include "cli/validate_native.h"
#include "cli/validate_traverse.h"

#include <math.h>

#define HELP                                                                   \
    "--against: micro-benchmarks. A file is recognised by its columns:\n"      \
    "ping_pong, all_pairs summary, maxrate, inj_bw, node_pong,\n"              \
    "multi_pair_ping_pong, memcpy, memcpy_mult, all_to_all_v, all_to_all,\n"   \
    "alltoall, all_reduce, gpu_collectives, collectives, matching,\n"          \
    "halo_step, mult_pong, spmv; it may be compressed (.xz), and have any\n"   \
    "name. A ping_pong is of messages staged by hand if the column method\n"   \
    "says copy_to_cpu or the head \"# measured: ping_pong_3step\"; a "         \
    "mult_pong\n"                                                              \
    "is of parts of a message if the line \"# measured: \" says split. "       \
    "Points\n"                                                                 \
    "that are not simulated, or differ, are a group of their own. noise is\n"  \
    "that of the repeats; baseline is the error without a simulator:\n"        \
    "interpolation of one message, one of many alone, or n times a "           \
    "ping-pong\n"                                                              \
    "(results/validation).\n"                                                  \
    "--native: halo exchanges, as `sluice-native run` writes them. A case\n"   \
    "holds the strategies that are compared. native us is the median of its\n" \
    "samples, +- its noise: 1.57 IQR / sqrt(n), of several runs at least\n"    \
    "that of their medians. A native winner is clear if it is ahead of the\n"  \
    "next by more than the sum of both noises. slower: the native cost of\n"   \
    "choosing the predicted winner.\n"                                         \
    "`sluice figure native` draws them.\n"                                     \
    "--traverse: graph searches, as `sluice-native traverse` writes them,\n"   \
    "each by the preset native-EXECUTION. within 1.3: the part whose times\n"  \
    "are within that factor.\n"

/* Adds operands as further files of an option that names one of them. */
static int add_operands(struct texts *files, char **operands, int n,
                        struct err *err)
{
    for (int i = 0; i < n; i++) {
        if (files->n == TEXTS)
            return fail(err, "%s: too many files, expected at most %zu",
                        operands[i], files->n);
        files->items[files->n++] = operands[i];
    }
    return 0;
}

/* The option that names the files. */
enum { AGAINST = 1, NATIVE = 2, TRAVERSE = 4, ANY_FILES = 7 };

/* The answer that is printed, and the option that asks for it. */
enum answer {
    ANSWER_TIMES,
    ANSWER_SUMMARY,
    ANSWER_SURE,
    ANSWER_ERRORS,
    NANSWERS
};
static const char *const answer_options[NANSWERS] = {NULL, "--summary",
                                                     "--sure", "--errors"};

/* An option that is not for every command: the files with which each answer
 * uses it; 0: the answer has no use for it. */
struct limited_option {
    const char *name;
    bool given;
    unsigned files[NANSWERS];
};

static int option_fits(const struct limited_option *o, unsigned files,
                       enum answer answer, struct err *err)
{
    unsigned of = o->files[answer];
    bool also = (of & AGAINST) && (of & (NATIVE | TRAVERSE));

    if (!o->given || (of & files))
        return 0;
    if (!of && answer == ANSWER_TIMES)
        return fail(err, "%s: only with --sure", o->name);
    if (!of)
        return fail(err, "%s: not with %s", o->name, answer_options[answer]);
    return fail(err, "%s: only with %s%s%s%s", o->name,
                of & AGAINST ? "--against" : "", also ? " or " : "",
                of & NATIVE ? "--native" : "",
                of & TRAVERSE ? "--traverse" : "");
}

/* Refuses an option that would have no effect. */
static int options_fit(const struct measured_request *r, bool json, bool graphs,
                       unsigned files, struct err *err)
{
    const struct limited_option options[] = {
        /*                  times               summary  sure       errors */
        {"--summary", r->summary, {0, AGAINST, 0, 0}},
        {"--errors", r->rows, {0, 0, 0, ANY_FILES}},
        {"--model-error", !isnan(r->model_error), {0, 0, ANY_FILES, 0}},
        {"--json", json, {ANY_FILES, 0, 0, 0}},
        {"--points", r->points, {AGAINST | TRAVERSE, 0, ANY_FILES, 0}},
        {"--graphs", graphs, {TRAVERSE, TRAVERSE, TRAVERSE, TRAVERSE}},
        {"--max-ops", r->max_ops, {AGAINST, AGAINST, AGAINST, AGAINST}},
        {"--rank-nodes", r->rank_nodes, {AGAINST, AGAINST, AGAINST, AGAINST}},
    };
    enum answer answer = r->sure      ? r->rows ? ANSWER_ERRORS : ANSWER_SURE
                         : r->summary ? ANSWER_SUMMARY
                                      : ANSWER_TIMES;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (option_fits(&options[i], files, answer, err) < 0)
            return -1;
    return 0;
}

int cmd_validate(int argc, char **argv, struct err *err)
{
    struct engine_options engine = {0};
    struct exec_options exec;
    struct native_request request = {0};
    struct measured_request measured = {.model_error = NAN};
    struct texts against = {0}, native = {0}, traverse = {0}, graphs = {0};
    bool json = false, helped;
    unsigned jobs = 0;
    int noperands;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &request.platform, "NAME",
         "the machine [default: the one that the rows name, or lassen]"},
        ENGINE_OPTIONS(engine),
        JOBS_OPTION(jobs),
        {"against", OPT_TEXTS, &against, "FILE.csv",
         "measurements to compare with; may be given again"},
        {"native", OPT_TEXTS, &native, "FILE.csv",
         "native runs of strategies to compare with; may be given again"},
        {"traverse", OPT_TEXTS, &traverse, "FILE.csv",
         "graph searches on real GPUs to compare with; may be given again"},
        {"graphs", OPT_TEXTS, &graphs, "FOLDER",
         "--traverse: where files of graphs are; may be given again"},
        {"set", OPT_TEXTS, &request.sets, "KEY=VALUE",
         "override a platform value"},
        {"points", OPT_FLAG, &measured.points, NULL,
         "print every point and decision, not only groups of them"},
        {"summary", OPT_FLAG, &measured.summary, NULL,
         "one line for each machine and kind, as a Markdown table"},
        {"rank-nodes", OPT_TEXT, &measured.rank_nodes, "FILE.csv",
         "of calls of collectives: the nodes that the ranks of a session were "
         "on [default: the first ones]"},
        {"max-ops", OPT_COUNT, &measured.max_ops, "N",
         "leave out points of more than N operations"},
        {"sure", OPT_COUNT, &measured.sure, "DRAWS",
         "instead: of each decision the probability that sluice advise would "
         "state, by so many drawn machines, and how often it was right; "
         "--points: as CSV, a row for each"},
        {"model-error", OPT_NUMBER, &measured.model_error, "PERCENT",
         "--sure: of a way's time, what the simulator leaves out [default: "
         "those of sluice advise, by what is asked]"},
        {"errors", OPT_FLAG, &measured.rows, NULL,
         "--sure: the errors of each kind of decision, as lines of "
         "strategies/advise/model_errors.def"},
        {"json", OPT_FLAG, &json, NULL, "groups, decisions and points as JSON"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "validate --platform NAME --against FILE.csv ...\n"
                   "       sluice validate --native RESULTS.csv ...\n"
                   "       sluice validate --traverse RESULTS.csv ...",
                   HELP, &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (engine_choose(&exec, &engine, err) < 0)
        return -1;
    exec.jobs = jobs_choose(jobs);
    request.exec = &exec;
    if ((against.n > 0) + (native.n > 0) + (traverse.n > 0) > 1)
        return fail(err, "--against, --native, --traverse: say one of them");
    unsigned files = native.n ? NATIVE : traverse.n ? TRAVERSE : AGAINST;
    if (options_fit(&measured, json, graphs.n, files, err) < 0)
        return -1;
    request.files = native.n ? native : traverse.n ? traverse : against;
    if (add_operands(&request.files, argv + 1, noperands, err) < 0)
        return -1;
    if (!request.files.n)
        return fail(err, "expected --against FILE.csv or --native FILE.csv");
    if (traverse.n) {
        struct traverse_request searches = {.platform = request.platform,
                                            .files = request.files,
                                            .sets = request.sets,
                                            .folders = graphs,
                                            .exec = &exec,
                                            .json = json,
                                            .points = measured.points,
                                            .sure = measured.sure ? &measured
                                                                  : NULL};
        return validate_traverse(&searches, err);
    }
    if (native.n && !measured.sure)
        return validate_native(&request, json, err);
    measured.json = json;
    measured.platform = request.platform;
    measured.files = request.files;
    measured.sets = request.sets;
    measured.exec = request.exec;
    return native.n ? validate_sure_native(&measured, err)
                    : validate_measured(&measured, err);
}
